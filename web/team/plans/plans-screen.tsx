/** Every plan, and whom to write to for one of one's own. */
import { PageHeader } from '#web/ui/page-header.tsx'
import { EnterpriseBlock } from './enterprise-block.tsx'
import { PlanChooser } from './plan-chooser.tsx'

export function PlansScreen() {
  return (
    <>
      <PageHeader title="Find your plan" description="Change or cancel whenever you like. Prices in euros." />
      <PlanChooser level={2} />
      <EnterpriseBlock />
    </>
  )
}
