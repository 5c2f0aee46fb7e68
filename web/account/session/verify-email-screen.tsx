/** Opened by the link in the first mail: verifies the address and signs in. */
import { useParams } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { verifyEmail } from '#contract/accounts.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { OutcomeSheet, Sheet } from '#web/frame/layout/public-layout.tsx'
import { PATHS } from '#web/navigation.ts'
import { forgetTeam } from '#web/state/current-team.ts'
import { signIn } from '#web/state/session.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Loading } from '#web/ui/feedback/feedback.tsx'
import { AlertIcon, CircleCheckIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/session.ts'
import { refusalMessage } from './refusal.ts'

/** The request consumes the token, so it is sent once, however often the page is rendered. */
const ONCE = { revalidateIfStale: false, revalidateOnReconnect: false, shouldRetryOnError: false, dedupingInterval: 60_000 }

export function VerifyEmailScreen() {
  const { token } = useParams<{ token: string }>()
  const {
    data: tokens,
    error,
    isValidating,
    mutate,
  } = useEndpoint(
    verifyEmail,
    { params: { token } },
    {
      ...ONCE,
      onSuccess: (answer) => {
        // This user may have other teams than the previous one.
        forgetTeam()
        signIn(answer)
      },
    },
  )
  if (tokens)
    return (
      <OutcomeSheet
        icon={CircleCheckIcon}
        tone="success"
        title={t.emailVerified}
        actions={
          // Replaces the link in the history, so that going back does not try its token again.
          <Button look="primary" block onClick={() => navigate(PATHS.dashboard, { replace: true })}>
            {t.goToDashboard}
          </Button>
        }
      >
        <p>{t.yourAddressIsConfirmedAndYou}</p>
      </OutcomeSheet>
    )
  if (error && !isValidating)
    return (
      <OutcomeSheet
        icon={AlertIcon}
        tone="warning"
        title={t.emailNotVerified}
        actions={
          <>
            {error.status !== 404 && (
              <Button look="primary" block onClick={() => void mutate()}>
                {t.tryAgain}
              </Button>
            )}
            <ButtonLink look={error.status === 404 ? 'primary' : 'quiet'} block href={PATHS.login}>
              {t.goToSignIn}
            </ButtonLink>
          </>
        }
      >
        <p>{error.status === 404 ? t.thisLinkHasExpiredWasReplaced : refusalMessage(error, t.theServerCouldNotAnswerJust)}</p>
        {error.status === 404 && <p className="text-table">{t.signInWithYourPasswordIf}</p>}
      </OutcomeSheet>
    )
  return (
    <Sheet title={t.verifyingYourEmail}>
      <Loading>{t.oneMoment}</Loading>
    </Sheet>
  )
}
