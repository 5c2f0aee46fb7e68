/** Signing in. One column and nothing else; who has a session never sees it. */
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { login } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { Sheet } from '#web/layout/public-layout.tsx'
import { PATHS } from '#web/navigation.ts'
import { forgetTeam } from '#web/state/current-team.ts'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { signIn } from '#web/state/session.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/feedback.tsx'
import { loginErrors, loginFailure } from './login-form.ts'

export function LoginScreen() {
  const { data: settings } = useEndpoint(getSettings)
  return (
    <>
      <Sheet title={`Sign in to ${runtimeConfig.productName}`} lead="Crawl, search and map the web from your own server.">
        {settings?.is_login_active === false ? (
          <Notice title="Signing in with a password is switched off">Ask the administrator of this server how to get in.</Notice>
        ) : (
          <LoginForm withReset={settings?.is_signup_active === true} />
        )}
      </Sheet>
      {settings?.is_signup_active && (
        <p className="text-table text-soft">
          New here?{' '}
          <Link className="link" href={PATHS.register}>
            Create an account
          </Link>
        </p>
      )}
    </>
  )
}

function LoginForm({ withReset }: { withReset: boolean }) {
  const [values, setValues] = useState({ email: '', password: '' })
  const [isTried, setTried] = useState(false)
  const attempt = useAction(login)
  const form = useRef<HTMLFormElement>(null)
  const errors = loginErrors(values)

  const submit = async () => {
    if (attempt.busy) return
    setTried(true)
    if (errors.email || errors.password) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
      return
    }
    const outcome = await attempt.run({ body: { email: values.email.trim(), password: values.password } })
    if (!outcome.ok) return
    // The next person has other teams. With the tokens the route itself leads on to the dashboard.
    forgetTeam()
    signIn(outcome.answer)
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label="Sign in"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {attempt.error && <Notice tone="danger" role="alert" title={loginFailure(attempt.error)} />}
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={values.email}
        onChange={(email) => setValues({ ...values, email })}
        error={isTried ? errors.email : undefined}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={values.password}
        onChange={(password) => setValues({ ...values, password })}
        error={isTried ? errors.password : undefined}
        aside={
          withReset && (
            <Link className="link text-table" href={PATHS.forgotPassword}>
              Forgot your password?
            </Link>
          )
        }
      />
      <Button type="submit" look="primary" block busy={attempt.busy} busyLabel="Signing in…">
        Sign in
      </Button>
    </form>
  )
}
