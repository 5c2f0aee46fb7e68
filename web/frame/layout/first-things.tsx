/** What comes before the dashboard: the user's language, texts to confirm, then, where plans exist, a plan. */
import { Suspense, lazy, useEffect } from 'react'
import { getProfile } from '#contract/accounts.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { speak } from '#web/state/language.ts'
import { useIsEnterprise } from '#web/api/enterprise.ts'
import { PrivacyTermsDialog } from '#web/account/session/privacy-terms-dialog.tsx'

const PlanChoiceDialog = lazy(async () => ({ default: (await import('#web/team/plans/plan-choice-dialog.tsx')).PlanChoiceDialog }))

export function FirstThings() {
  const isEnterprise = useIsEnterprise()
  const language = useEndpoint(getProfile).data?.language
  useEffect(() => {
    if (language !== undefined) speak(language)
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
