/** Sign-in with GitHub, Google or an OpenID provider, if the operator has configured them. */
import { navigate } from 'wouter/use-browser-location'
import { signInWithProvider } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { fieldError } from '#web/api/field-error.ts'
import { forgetAnswers, useAction, useEndpoint } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { forgetTeam } from '#web/state/current-team.ts'
import { signIn } from '#web/state/session.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { KeyIcon } from '#web/ui/icons.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import * as t from '#texts/session.ts'
import { GithubMark, GoogleMark } from './provider-marks.tsx'
import { activeProviders } from './providers.ts'
import type { ProviderKind } from './providers.ts'
import { refusalMessage } from './refusal.ts'
import { useProvider } from './use-provider.ts'
import type { ProviderGrant } from './use-provider.ts'

const PROVIDER_FAILED = t.theSignInCouldNotBe

const MARKS: Record<ProviderKind, Icon> = { github: GithubMark, google: GoogleMark, oidc: KeyIcon }

/** @param isAlternative  shown under a form, with a separator */
export function ProviderButtons({ isAlternative }: { isAlternative: boolean }) {
  const { data: settings } = useEndpoint(getSettings)
  const exchange = useAction(signInWithProvider)
  const { begin, failure, isStarting } = useProvider((grant) => void enter(grant))
  const providers = activeProviders(settings)
  if (providers.length === 0) return null

  const refused =
    exchange.error &&
    (fieldError(exchange.error, 'token') ? PROVIDER_FAILED : (refusalMessage(exchange.error, PROVIDER_FAILED) ?? PROVIDER_FAILED))
  const words = failure ?? refused

  return (
    <>
      {isAlternative && (
        <div className="flex items-center gap-3 text-label text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {t.or}
        </div>
      )}
      <div className="grid gap-2">
        {words && <Notice tone="danger" role="alert" title={words} />}
        {providers.map((provider) => (
          <Button
            key={provider.kind}
            block
            icon={MARKS[provider.kind]}
            busy={exchange.busy || isStarting}
            onClick={() => {
              exchange.reset()
              void begin(provider)
            }}
          >
            {t.continueWith(provider.name)}
          </Button>
        ))}
      </div>
    </>
  )

  async function enter(grant: ProviderGrant) {
    const outcome = await exchange.run({ body: grant })
    if (!outcome.ok) return
    // This user may be another than the last one: drop the last user's team and data.
    forgetTeam()
    void forgetAnswers()
    signIn(outcome.answer)
    navigate(PATHS.dashboard, { replace: true })
  }
}
