/** Sends the verification mail again: a dialog for people who could not sign in, a button for people who have just signed up. */
import { resendVerifyEmail } from '#contract/accounts.ts'
import { useAction } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { MailIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/session.ts'
import { refusalMessage } from './refusal.ts'

const SENT = t.verificationEmailSent
const NOT_SENT = t.theMailCouldNotBeSent

function useResend(email: string) {
  const { run, busy, error } = useAction(resendVerifyEmail)
  const send = async (): Promise<boolean> => {
    if (busy) return false
    const outcome = await run({ body: { email } })
    if (outcome.ok) toast.success(SENT)
    return outcome.ok
  }
  return { send, busy, failure: error && (refusalMessage(error, NOT_SENT) ?? NOT_SENT) }
}

/** @param email  the address of the attempted sign-in; null keeps the dialog closed */
export function ResendDialog({ email, onClose }: { email: string | null; onClose: () => void }) {
  return email === null ? null : <OpenResendDialog email={email} onClose={onClose} />
}

function OpenResendDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { send, busy, failure } = useResend(email)
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.emailVerificationRequired}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button
            look="primary"
            data-autofocus
            busy={busy}
            busyLabel={t.sending}
            onClick={() => void send().then((sent) => sent && onClose())}
          >
            {t.resend}
          </Button>
        </>
      }
    >
      <p>{t.beforeYouCanSignInOpen(<strong className="font-medium break-words text-ink">{email}</strong>)}</p>
      {failure && <Notice tone="danger" role="alert" title={failure} />}
    </Dialog>
  )
}

export function ResendButton({ email }: { email: string }) {
  const { send, busy, failure } = useResend(email)
  return (
    <>
      <Button look="quiet" block icon={MailIcon} busy={busy} busyLabel={t.sending} onClick={() => void send()}>
        {t.resendTheMail}
      </Button>
      {failure && <Notice tone="danger" role="alert" title={failure} />}
    </>
  )
}
