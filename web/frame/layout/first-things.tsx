/** The steps before a user can use the dashboard: apply their language, confirm the legal texts and, in enterprise mode, choose a plan. */
import { Suspense, lazy, useEffect } from 'react'
import { getProfile } from '#contract/accounts.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { applyLanguage } from '#web/state/language.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { PrivacyTermsDialog } from '#web/account/session/privacy-terms-dialog.tsx'

const PlanChoiceDialog = lazy(async () => ({ default: (await import('#web/team/plans/plan-choice-dialog.tsx')).PlanChoiceDialog }))

export function FirstThings() {
  const isEnterprise = useIsEnterprise()
  const language = useEndpoint(getProfile).data?.language
  useEffect(() => {
    if (language !== undefined) applyLanguage(language)
  }, [language])
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
