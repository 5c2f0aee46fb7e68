/** What comes before any work in the dashboard: texts to confirm, then, where plans exist, a plan. */
import { Suspense, lazy } from 'react'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { PrivacyTermsDialog } from '#web/account/session/privacy-terms-dialog.tsx'

const PlanChoiceDialog = lazy(async () => ({ default: (await import('#web/team/plans/plan-choice-dialog.tsx')).PlanChoiceDialog }))

export function FirstThings() {
  const isEnterprise = useIsEnterprise()
  return (
    <PrivacyTermsDialog>
      {(isPrivacyShown) =>
        isEnterprise && (
          <Suspense fallback={null}>
            <PlanChoiceDialog isPrivacyShown={isPrivacyShown} />
          </Suspense>
        )
      }
    </PrivacyTermsDialog>
  )
}
