/** All plans, and a contact for individual ones. */
import { PageHeader } from '#web/ui/page-header.tsx'
import * as t from '#texts/plans.ts'
import { EnterpriseBlock } from './enterprise-block.tsx'
import { PlanChooser } from './plan-chooser.tsx'

export function PlansScreen() {
  return (
    <>
      <PageHeader title={t.findYourPlan} description={t.changeOrCancelWheneverYouLike} />
      <PlanChooser level={2} />
      <EnterpriseBlock />
    </>
  )
}
