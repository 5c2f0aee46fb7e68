/** Sets a new password through a mailed link. The link is checked first, before the user types a password. */
import { useEffect } from 'react'
import { useParams } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { checkPasswordReset, resetPassword } from '#contract/accounts.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { Sheet } from '#web/frame/layout/public-layout.tsx'
import { PATHS } from '#web/navigation.ts'
import { isSignedIn } from '#web/state/session.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState, Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { PasswordField } from '#web/ui/form/field.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/session.ts'
import { logOut } from './log-out.ts'
import { NewPasswordField } from './new-password-field.tsx'
import { refusalMessage } from './refusal.ts'
import { DEAD_RESET_LINK, RESET_FAILED, resetErrors } from './reset-form.ts'

/** Requested once. The answer has no body, so nothing is cached and SWR would request it again. */
const ONCE = { revalidateIfStale: false, revalidateOnReconnect: false, shouldRetryOnError: false }

export function ResetPasswordScreen() {
  const { token } = useParams<{ token: string }>()
  const { error, isLoading, mutate } = useEndpoint(checkPasswordReset, { params: { token } }, ONCE)
  const isDead = error?.status === 404
  useEffect(() => {
    if (isDead) leaveDeadLink()
  }, [isDead])

  if (isLoading || isDead)
    return (
      <Sheet title={t.setANewPassword}>
        <Loading>{t.checkingYourLink}</Loading>
      </Sheet>
    )
  if (error)
    return (
      <Sheet title={t.setANewPassword}>
        <ErrorState title={t.theLinkCouldNotBeChecked} onRetry={() => void mutate()}>
          {refusalMessage(error, t.theServerCouldNotAnswerJust)}
        </ErrorState>
      </Sheet>
    )
  return <ResetForm token={token} />
}

function ResetForm({ token }: { token: string }) {
  const submission = useAction(resetPassword)
  const { run, busy, error } = submission
  const { attempt, field, form, values } = useForm({
    initial: { password: '', confirmation: '' },
    judge: resetErrors,
    shows: 'left',
    submissions: [submission],
  })
  const failure = error && refusalMessage(error, RESET_FAILED, ['password'])

  const send = async () => {
    if (busy) return
    const outcome = await run({ params: { token }, body: { password: values.password } })
    if (!outcome.ok) {
      if (outcome.error.status === 404) leaveDeadLink()
      return
    }
    toast.success(t.passwordChangedSignInWithThe)
    // The new password has ended all sessions of the account. Drop this page's session, or it would redirect away from the login.
    if (isSignedIn()) logOut()
    // Also removes the link with its token from the history.
    navigate(PATHS.login, { replace: true })
  }

  return (
    <Sheet title={t.setANewPassword} lead={t.itEndsTheSessionsOnAll}>
      <form
        ref={form}
        noValidate
        aria-label={t.setANewPassword}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          attempt(() => void send())
        }}
      >
        {failure && <Notice tone="danger" role="alert" title={failure} />}
        <NewPasswordField label={t.newPassword} {...field('password')} />
        <PasswordField label={t.confirmNewPassword} name="confirmation" autoComplete="new-password" {...field('confirmation')} />
        <Button type="submit" look="primary" block busy={busy} busyLabel={t.saving}>
          {t.setNewPassword}
        </Button>
      </form>
    </Sheet>
  )
}

function leaveDeadLink() {
  // Signed-in users are redirected away from the login, which explains the dead link: use a toast.
  if (isSignedIn()) toast.error(t.thatLinkToSetANew, 'dead-link')
  navigate(PATHS.login, { replace: true, state: DEAD_RESET_LINK })
}
