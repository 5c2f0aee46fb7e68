/** A new account: for everyone where sign-up is on, and for invited people. */
import { useEffect, useState } from 'react'
import { Link, Redirect, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { readInvitation, register, registerInvited } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { BelowSheet, OutcomeSheet, Sheet } from '#web/frame/layout/public-layout.tsx'
import { PATHS } from '#web/navigation.ts'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { useHasSession } from '#web/state/session.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { ErrorState, Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { MailIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { AcceptInvitation } from './accept-invitation.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { refusalWords, wordsAbout } from './refusal.ts'
import { ResendButton } from './resend-dialog.tsx'
import { EMPTY_SIGN_UP, SIGN_UP_FAILED, SIGN_UP_FIELDS, signUpBody, signUpErrors } from './sign-up-form.ts'
import { useForm } from './use-form.ts'
import { openPlace, wayTo } from './way-back.ts'

type Invitation = { code: string; email: string }

export function SignUpScreen() {
  const { data: settings } = useEndpoint(getSettings)
  const code = new URLSearchParams(useSearch()).get('invitation_code')
  if (code) return <InvitedSignUp key={code} code={code} />
  if (settings && !settings.is_signup_active) return <Redirect to={PATHS.login} replace />
  return <SignUp />
}

/** Looks the invitation up first: it may be used up, or be for an address that has an account, which then accepts it. */
function InvitedSignUp({ code }: { code: string }) {
  const { data: found, error, isValidating, mutate } = useEndpoint(readInvitation, { params: { code } }, { revalidateOnReconnect: false })
  const isUnknown = error?.status === 404
  const hasSession = useHasSession()
  const mustSignIn = found?.new_user === false && !hasSession
  useEffect(() => {
    if (isUnknown) toast.error('Failed to verify invitation code', 'invitation')
    if (mustSignIn) toast.blank('You have an account already: sign in and accept the invitation in the dashboard.', 'invitation')
    if (isUnknown) navigate(PATHS.login, { replace: true })
    else if (mustSignIn) navigate(PATHS.login, { replace: true, state: wayTo(openPlace()) })
  }, [isUnknown, mustSignIn])
  if (found && hasSession) return <AcceptInvitation code={code} email={found.email} />
  if (found?.new_user) return <SignUp invitation={{ code, email: found.email }} />
  return (
    <Sheet title="Your invitation">
      {error && !isUnknown ? (
        <ErrorState title="The invitation could not be looked up" retrying={isValidating} onRetry={() => void mutate()}>
          {refusalWords(error, 'The server could not answer just now.')}
        </ErrorState>
      ) : (
        <Loading>Looking up your invitation…</Loading>
      )}
    </Sheet>
  )
}

function SignUp({ invitation }: { invitation?: Invitation }) {
  const [madeFor, setMadeFor] = useState<string | null>(null)
  if (madeFor !== null) return <CheckEmail email={madeFor} />
  return (
    <>
      <Sheet
        title={invitation ? 'Join your team' : 'Create an account'}
        lead={
          invitation
            ? `You were invited to work on ${runtimeConfig.productName}. Choose a name and a password.`
            : `Crawl, search and map the web with ${runtimeConfig.productName}.`
        }
      >
        <SignUpForm {...(invitation && { invitation })} onMade={setMadeFor} />
        {!invitation && <ProviderButtons isAlternative />}
      </Sheet>
      <BelowSheet>
        Already have an account?{' '}
        <Link className="link" href={PATHS.login}>
          Sign in
        </Link>
      </BelowSheet>
    </>
  )
}

/** @param onMade  told the address that must be verified; a verified one leads on to the login by itself */
function SignUpForm({ invitation, onMade }: { invitation?: Invitation; onMade: (email: string) => void }) {
  const { attempt, field, form, shown, values } = useForm({ ...EMPTY_SIGN_UP, email: invitation?.email ?? '' }, signUpErrors)
  const open = useAction(register)
  const invited = useAction(registerInvited)
  const { busy, error } = invitation ? invited : open
  const about = (name: (typeof SIGN_UP_FIELDS)[number]) => (error ? wordsAbout(error, name) : undefined)
  const failure = error && refusalWords(error, SIGN_UP_FAILED, SIGN_UP_FIELDS)

  const send = async () => {
    if (busy) return
    const body = signUpBody(values)
    const outcome = invitation ? await invited.run({ params: { code: invitation.code }, body }) : await open.run({ body })
    if (!outcome.ok) return
    if (!outcome.answer.email_verified) return onMade(outcome.answer.email)
    toast.success('Account created. You can sign in now.')
    navigate(PATHS.login, { replace: true })
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label="Create an account"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        attempt(() => void send())
      }}
    >
      {failure && <Notice tone="danger" role="alert" title={failure} />}
      <div className="grid gap-4 min-[360px]:grid-cols-2">
        <TextField
          label="First name"
          name="first_name"
          autoComplete="given-name"
          maxLength={150}
          error={shown('firstName') ?? about('first_name')}
          {...field('firstName')}
        />
        <TextField
          label="Last name"
          name="last_name"
          autoComplete="family-name"
          maxLength={150}
          error={shown('lastName') ?? about('last_name')}
          {...field('lastName')}
        />
      </div>
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={invitation !== undefined}
        hint={invitation && 'The invitation was sent to this address.'}
        error={shown('email') ?? about('email')}
        {...field('email')}
      />
      <NewPasswordField label="Password" error={shown('password') ?? about('password')} {...field('password')} />
      <Button type="submit" look="primary" block busy={busy} busyLabel="Creating account…">
        Create account
      </Button>
    </form>
  )
}

function CheckEmail({ email }: { email: string }) {
  return (
    <OutcomeSheet
      icon={MailIcon}
      tone="info"
      title="Check your email"
      actions={
        <>
          <ButtonLink look="primary" block href={PATHS.login}>
            Return to login
          </ButtonLink>
          <ResendButton email={email} />
        </>
      }
    >
      <p>
        A mail is on its way to <strong className="inline-block max-w-full font-medium text-ink">{email}</strong>. Open the link in it to
        verify your address and sign in.
      </p>
      <p className="text-table">Nothing there after a minute? Look among the unwanted mail.</p>
    </OutcomeSheet>
  )
}
