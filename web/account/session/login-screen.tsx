/** The login: one column. People with a session never see it. */
import { useState } from 'react'
import { Link } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { login } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { BelowSheet, Sheet } from '#web/frame/layout/public-layout.tsx'
import { PATHS } from '#web/navigation.ts'
import { forgetTeam } from '#web/state/current-team.ts'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { signIn } from '#web/state/session.ts'
import { Button } from '#web/ui/form/button.tsx'
import { PasswordField, TextField } from '#web/ui/form/field.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import * as t from '#texts/session.ts'
import { loginErrors, loginFailure } from './login-form.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { activeProviders } from './providers.ts'
import { ResendDialog } from './resend-dialog.tsx'
import { isDeadResetLink } from './reset-form.ts'

export function LoginScreen() {
  const { data: settings } = useEndpoint(getSettings)
  const historyState = useHistoryState<unknown>()
  const hasPassword = settings?.is_login_active !== false
  const isShut = !hasPassword && activeProviders(settings).length === 0
  return (
    <>
      <Sheet title={t.signInTo(runtimeConfig.productName)} lead={t.fromYourOwnServer}>
        {isDeadResetLink(historyState) && (
          <Notice tone="warning" role="status" title={t.thatLinkNoLongerWorks}>
            {t.linksToSetANewPassword(
              <Link className="link" href={PATHS.forgotPassword}>
                {t.askForANewOne}
              </Link>,
            )}
          </Notice>
        )}
        {hasPassword && <LoginForm />}
        {isShut && <Notice title={t.passwordsAreOff}>{t.askTheAdministratorOfThisServer}</Notice>}
        <ProviderButtons isAlternative={hasPassword} />
      </Sheet>
      {settings?.is_signup_active && (
        <BelowSheet>
          {t.newHere(
            <Link className="link" href={PATHS.register}>
              {t.createAnAccount}
            </Link>,
          )}
        </BelowSheet>
      )}
    </>
  )
}

function LoginForm() {
  const [unverified, setUnverified] = useState<string | null>(null)
  const { run, busy, error } = useAction(login)
  const { attempt, field, form, values } = useForm({
    initial: { email: '', password: '' },
    judge: loginErrors,
    shows: 'left',
  })
  const failure = error && loginFailure(error)

  const send = async () => {
    if (busy) return
    const email = values.email.trim()
    const outcome = await run({ body: { email, password: values.password } })
    if (!outcome.ok) {
      if (loginFailure(outcome.error).kind === 'verify') setUnverified(email)
      return
    }
    // This user has other teams than the previous one. Storing the tokens makes the route redirect to the page the user wanted.
    forgetTeam()
    signIn(outcome.answer)
  }

  return (
    <>
      <form
        ref={form}
        noValidate
        aria-label={t.signIn}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          attempt(() => void send())
        }}
      >
        {failure?.kind === 'words' && <Notice tone="danger" role="alert" title={failure.words} />}
        <TextField
          label={t.email}
          type="email"
          name="email"
          autoFocus
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...field('email')}
        />
        <PasswordField
          label={t.password}
          name="password"
          autoComplete="current-password"
          {...field('password')}
          aside={
            <Link className="link text-table" href={PATHS.forgotPassword}>
              {t.forgotYourPassword}
            </Link>
          }
        />
        <Button type="submit" look="primary" block busy={busy} busyLabel={t.signingIn}>
          {t.signIn}
        </Button>
      </form>
      <ResendDialog email={unverified} onClose={() => setUnverified(null)} />
    </>
  )
}
