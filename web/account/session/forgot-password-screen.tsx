/** Asking for a mail with a link to a new password. What follows never tells whether the address is known. */
import { useState } from 'react'
import { Link } from 'wouter'
import { forgotPassword } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { BelowSheet, OutcomeSheet, Sheet } from '#web/frame/layout/public-layout.tsx'
import { PATHS } from '#web/navigation.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { MailIcon } from '#web/ui/icons.tsx'
import { emailError, foundErrors } from './account-rules.ts'
import { refusalWords, wordsAbout } from './refusal.ts'
import { useForm } from './use-form.ts'

const FAILED = 'The instructions could not be sent. Please try again.'

export function ForgotPasswordScreen() {
  const [askedFor, setAskedFor] = useState<string | null>(null)
  return askedFor === null ? <AskForm onAsked={setAskedFor} /> : <Asked email={askedFor} onAgain={() => setAskedFor(null)} />
}

function AskForm({ onAsked }: { onAsked: (email: string) => void }) {
  const { attempt, field, form, shown, values } = useForm({ email: '' }, ({ email }) => foundErrors({ email: emailError(email) }))
  const { data: settings } = useEndpoint(getSettings)
  const sendsMail = settings?.is_mail_configured !== false
  const { run, busy, error } = useAction(forgotPassword)
  const failure = error && refusalWords(error, FAILED, ['email'])

  const send = async () => {
    if (busy) return
    const email = values.email.trim()
    const outcome = await run({ body: { email } })
    if (outcome.ok) onAsked(email)
  }

  return (
    <>
      <Sheet
        title="Forgot your password?"
        lead={
          sendsMail
            ? 'Enter your address, and we send you a link to set a new one.'
            : 'Enter your address. This server sends no mail: its administrator hands you the link.'
        }
      >
        <form
          ref={form}
          noValidate
          aria-label="Reset your password"
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            attempt(() => void send())
          }}
        >
          {failure && <Notice tone="danger" role="alert" title={failure} />}
          <TextField
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            error={shown('email') ?? (error ? wordsAbout(error, 'email') : undefined)}
            {...field('email')}
          />
          <Button type="submit" look="primary" block busy={busy} busyLabel="Sending…">
            {sendsMail ? 'Send reset instructions' : 'Ask for a reset link'}
          </Button>
        </form>
      </Sheet>
      <BelowSheet>
        Remembered it?{' '}
        <Link className="link" href={PATHS.login}>
          Back to sign in
        </Link>
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
      title={sendsMail ? 'Check your email' : 'Ask your administrator'}
      actions={
        <>
          <ButtonLink look="primary" block href={PATHS.login}>
            Return to login
          </ButtonLink>
          <Button look="quiet" block onClick={onAgain}>
            Use another address
          </Button>
        </>
      }
    >
      {sendsMail ? (
        <p>If an account exists for {address}, a mail with instructions is on its way.</p>
      ) : (
        <p>
          This server sends no mail. If an account exists for {address}, its administrator finds the link in the server’s log and can hand
          it to you.
        </p>
      )}
      <p className="text-table">The link works once and for one hour.</p>
    </OutcomeSheet>
  )
}
