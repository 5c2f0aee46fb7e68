/** Sign-in with GitHub or Google, if the operator has configured them. */
import { navigate } from 'wouter/use-browser-location'
import { signInWithProvider } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import type { Settings } from '#contract/settings.ts'
import { fieldError } from '#web/api/field-error.ts'
import { forgetAnswers, useAction, useEndpoint } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { forgetTeam } from '#web/state/current-team.ts'
import { signIn } from '#web/state/session.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import type { Icon } from '#web/ui/icons.tsx'
import * as t from '#texts/session.ts'
import { GithubMark, GoogleMark } from './provider-marks.tsx'
import { PROVIDER_NAMES } from './providers.ts'
import type { Provider } from './providers.ts'
import { refusalMessage } from './refusal.ts'
import { useProvider } from './use-provider.ts'

const PROVIDER_FAILED = t.theSignInCouldNotBe

const MARKS: Record<Provider, Icon> = { github: GithubMark, google: GoogleMark }

/** The configured providers, with this installation's client id at each. */
export function activeProviders(settings: Settings | undefined): { provider: Provider; clientId: string }[] {
  const known: { provider: Provider; isActive: boolean | undefined; clientId: string | undefined }[] = [
    { provider: 'github', isActive: settings?.is_github_login_active, clientId: settings?.github_client_id },
    { provider: 'google', isActive: settings?.is_google_login_active, clientId: settings?.google_client_id },
  ]
  return known.flatMap(({ provider, isActive, clientId }) => (isActive && clientId ? [{ provider, clientId }] : []))
}

/** @param isAlternative  shown under a form, with a separator */
export function ProviderButtons({ isAlternative }: { isAlternative: boolean }) {
  const { data: settings } = useEndpoint(getSettings)
  const exchange = useAction(signInWithProvider)
  const { begin, failure } = useProvider((provider, token) => void enter(provider, token))
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
        {providers.map(({ provider, clientId }) => (
          <Button
            key={provider}
            block
            icon={MARKS[provider]}
            busy={exchange.busy}
            onClick={() => {
              exchange.reset()
              begin(provider, clientId)
            }}
          >
            {t.continueWith(PROVIDER_NAMES[provider])}
          </Button>
        ))}
      </div>
    </>
  )

  async function enter(provider: Provider, token: string) {
    const outcome = await exchange.run({ body: { provider, token } })
    if (!outcome.ok) return
    // This user may be another than the last one: drop the last user's team and data.
    forgetTeam()
    void forgetAnswers()
    signIn(outcome.answer)
    navigate(PATHS.dashboard, { replace: true })
  }
}
