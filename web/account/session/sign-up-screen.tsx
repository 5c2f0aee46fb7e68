/** A new account: for everyone where sign-up is on, and for invited people. */
import { useEffect, useState } from 'react'
import { Link, Redirect, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { readInvitation, register, registerInvited } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { BelowSheet, OutcomeSheet, Sheet } from '#web/frame/layout/public-layout.tsx'
import { PATHS } from '#web/navigation.ts'
import { runtimeConfig } from '#web/state/runtime-config.ts'
import { useHasSession } from '#web/state/session.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { ErrorState, Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { MailIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/session.ts'
import { AcceptInvitation } from './accept-invitation.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { refusalMessage } from './refusal.ts'
import { ResendButton } from './resend-dialog.tsx'
import { EMPTY_SIGN_UP, SIGN_UP_FAILED, SIGN_UP_FIELDS, signUpBody, signUpErrors } from './sign-up-form.ts'
import { currentPlace, returningTo } from './place-after-sign-in.ts'

type Invitation = { code: string; email: string }

export function SignUpScreen() {
  const { data: settings } = useEndpoint(getSettings)
  const code = new URLSearchParams(useSearch()).get('invitation_code')
  if (code) return <InvitedSignUp key={code} code={code} />
  if (settings && !settings.is_signup_active) return <Redirect to={PATHS.login} replace />
  return <SignUp />
}

/** Checks the invitation first: it may be used already, or its address may have an account, whose user then accepts it signed in. */
function InvitedSignUp({ code }: { code: string }) {
  const { data: found, error, isValidating, mutate } = useEndpoint(readInvitation, { params: { code } }, { revalidateOnReconnect: false })
  const isUnknown = error?.status === 404
  const hasSession = useHasSession()
  const mustSignIn = found?.new_user === false && !hasSession
  useEffect(() => {
    if (isUnknown) toast.error(t.failedToVerifyInvitationCode, 'invitation')
    if (mustSignIn) toast.blank(t.youHaveAnAccountAlreadySign, 'invitation')
    if (isUnknown) navigate(PATHS.login, { replace: true })
    else if (mustSignIn) navigate(PATHS.login, { replace: true, state: returningTo(currentPlace()) })
  }, [isUnknown, mustSignIn])
  if (found && hasSession) return <AcceptInvitation code={code} email={found.email} />
  if (found?.new_user) return <SignUp invitation={{ code, email: found.email }} />
  return (
    <Sheet title={t.yourInvitation}>
      {error && !isUnknown ? (
        <ErrorState title={t.theInvitationCouldNotBeLooked} retrying={isValidating} onRetry={() => void mutate()}>
          {refusalMessage(error, t.theServerCouldNotAnswerJust)}
        </ErrorState>
      ) : (
        <Loading>{t.lookingUpYourInvitation}</Loading>
      )}
    </Sheet>
  )
}

function SignUp({ invitation }: { invitation?: Invitation }) {
  const [unverifiedEmail, setUnverifiedEmail] = useState<string | null>(null)
  if (unverifiedEmail !== null) return <CheckEmail email={unverifiedEmail} />
  return (
    <>
      <Sheet
        title={invitation ? t.joinYourTeam : t.createAnAccount}
        lead={invitation ? t.youWereInvitedToWorkOn(runtimeConfig.productName) : t.withTheProduct(runtimeConfig.productName)}
      >
        <SignUpForm {...(invitation && { invitation })} onMade={setUnverifiedEmail} />
        {!invitation && <ProviderButtons isAlternative />}
      </Sheet>
      <BelowSheet>
        {t.alreadyHaveAnAccount(
          <Link className="link" href={PATHS.login}>
            {t.signIn}
          </Link>,
        )}
      </BelowSheet>
    </>
  )
}

/** @param onMade  called with the address if it must be verified; otherwise the form itself goes to the login */
function SignUpForm({ invitation, onMade }: { invitation?: Invitation; onMade: (email: string) => void }) {
  const open = useAction(register)
  const invited = useAction(registerInvited)
  const submission = invitation ? invited : open
  const { busy, error } = submission
  const { attempt, field, form, values } = useForm({
    initial: { ...EMPTY_SIGN_UP, email: invitation?.email ?? '' },
    judge: signUpErrors,
    shows: 'left',
    submissions: [submission],
    serverNames: { firstName: 'first_name', lastName: 'last_name' },
  })
  const failure = error && refusalMessage(error, SIGN_UP_FAILED, SIGN_UP_FIELDS)

  const send = async () => {
    if (busy) return
    const body = signUpBody(values)
    const outcome = invitation ? await invited.run({ params: { code: invitation.code }, body }) : await open.run({ body })
    if (!outcome.ok) return
    if (!outcome.answer.email_verified) return onMade(outcome.answer.email)
    toast.success(t.accountCreatedYouCanSignIn)
    navigate(PATHS.login, { replace: true })
  }

  return (
    <form
      ref={form}
      noValidate
      aria-label={t.createAnAccount}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        attempt(() => void send())
      }}
    >
      {failure && <Notice tone="danger" role="alert" title={failure} />}
      <div className="grid gap-4 min-[360px]:grid-cols-2">
        <TextField label={t.firstName} name="first_name" autoComplete="given-name" maxLength={150} {...field('firstName')} />
        <TextField label={t.lastName} name="last_name" autoComplete="family-name" maxLength={150} {...field('lastName')} />
      </div>
      <TextField
        label={t.email}
        type="email"
        name="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={invitation !== undefined}
        hint={invitation && t.theInvitationWasSentToThis}
        {...field('email')}
      />
      <NewPasswordField label={t.password} {...field('password')} />
      <Button type="submit" look="primary" block busy={busy} busyLabel={t.creatingAccount}>
        {t.createAccount}
      </Button>
    </form>
  )
}

function CheckEmail({ email }: { email: string }) {
  return (
    <OutcomeSheet
      icon={MailIcon}
      tone="info"
      title={t.checkYourEmail}
      actions={
        <>
          <ButtonLink look="primary" block href={PATHS.login}>
            {t.returnToLogin}
          </ButtonLink>
          <ResendButton email={email} />
        </>
      }
    >
      <p>{t.aMailIsOnItsWay(<strong className="inline-block max-w-full font-medium text-ink">{email}</strong>)}</p>
      <p className="text-table">{t.nothingThereAfterAMinuteLook}</p>
    </OutcomeSheet>
  )
}
