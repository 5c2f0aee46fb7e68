/** Requests a mail with a link to set a new password. The answer never reveals whether the address is known. */
import { useState } from 'react'
import { Link } from 'wouter'
import { forgotPassword } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { BelowSheet, OutcomeSheet, Sheet } from '#web/frame/layout/public-layout.tsx'
import { PATHS } from '#web/navigation.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { MailIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/session.ts'
import { emailError, foundErrors } from './account-rules.ts'
import { refusalMessage } from './refusal.ts'

const FAILED = t.theInstructionsCouldNotBeSent

export function ForgotPasswordScreen() {
  const [askedFor, setAskedFor] = useState<string | null>(null)
  return askedFor === null ? <AskForm onAsked={setAskedFor} /> : <Asked email={askedFor} onAgain={() => setAskedFor(null)} />
}

function AskForm({ onAsked }: { onAsked: (email: string) => void }) {
  const { data: settings } = useEndpoint(getSettings)
  const sendsMail = settings?.is_mail_configured !== false
  const submission = useAction(forgotPassword)
  const { run, busy, error } = submission
  const { attempt, field, form, values } = useForm({
    initial: { email: '' },
    judge: ({ email }) => foundErrors({ email: emailError(email) }),
    shows: 'left',
    submissions: [submission],
  })
  const failure = error && refusalMessage(error, FAILED, ['email'])

  const send = async () => {
    if (busy) return
    const email = values.email.trim()
    const outcome = await run({ body: { email } })
    if (outcome.ok) onAsked(email)
  }

  return (
    <>
      <Sheet title={t.forgotYourPassword} lead={sendsMail ? t.enterYourAddressAndWeSend : t.enterYourAddressThisServerSends}>
        <form
          ref={form}
          noValidate
          aria-label={t.resetYourPassword}
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            attempt(() => void send())
          }}
        >
          {failure && <Notice tone="danger" role="alert" title={failure} />}
          <TextField
            label={t.email}
            type="email"
            name="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            {...field('email')}
          />
          <Button type="submit" look="primary" block busy={busy} busyLabel={t.sending}>
            {sendsMail ? t.sendResetInstructions : t.askForAResetLink}
          </Button>
        </form>
      </Sheet>
      <BelowSheet>
        {t.rememberedIt(
          <Link className="link" href={PATHS.login}>
            {t.backToSignIn}
          </Link>,
        )}
      </BelowSheet>
    </>
  )
}

function Asked({ email, onAgain }: { email: string; onAgain: () => void }) {
  const { data: settings } = useEndpoint(getSettings)
  const sendsMail = settings?.is_mail_configured !== false
  const address = <strong className="inline-block max-w-full font-medium text-ink">{email}</strong>
  return (
    <OutcomeSheet
      icon={MailIcon}
      tone="info"
      title={sendsMail ? t.checkYourEmail : t.askYourAdministrator}
      actions={
        <>
          <ButtonLink look="primary" block href={PATHS.login}>
            {t.returnToLogin}
          </ButtonLink>
          <Button look="quiet" block onClick={onAgain}>
            {t.useAnotherAddress}
          </Button>
        </>
      }
    >
      {sendsMail ? <p>{t.ifAnAccountExistsForA(address)}</p> : <p>{t.thisServerSendsNoMailIf(address)}</p>}
      <p className="text-table">{t.theLinkWorksOnceAndFor}</p>
    </OutcomeSheet>
  )
}
