/** The verification mail once more: as a dialog for who could not sign in, and as a button for who has just signed up. */
import { resendVerifyEmail } from '#contract/accounts.ts'
import { useAction } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/feedback/feedback.tsx'
import { MailIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { refusalWords } from './refusal.ts'

const SENT = 'Verification email sent'
const NOT_SENT = 'The mail could not be sent. Please try again.'

function useResend(email: string) {
  const { run, busy, error } = useAction(resendVerifyEmail)
  const send = async (): Promise<boolean> => {
    if (busy) return false
    const outcome = await run({ body: { email } })
    if (outcome.ok) toast.success(SENT)
    return outcome.ok
  }
  return { send, busy, failure: error && (refusalWords(error, NOT_SENT) ?? NOT_SENT) }
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
      title="Email verification required"
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            data-autofocus
            busy={busy}
            busyLabel="Sending…"
            onClick={() => void send().then((sent) => sent && onClose())}
          >
            Resend
          </Button>
        </>
      }
    >
      <p>
        Before you can sign in, open the link in the mail that was sent to{' '}
        <strong className="font-medium break-words text-ink">{email}</strong>. If it is not there, have it sent again; the link of an
        earlier mail then stops working.
      </p>
      {failure && <Notice tone="danger" role="alert" title={failure} />}
    </Dialog>
  )
}

export function ResendButton({ email }: { email: string }) {
  const { send, busy, failure } = useResend(email)
  return (
    <>
      <Button look="quiet" block icon={MailIcon} busy={busy} busyLabel="Sending…" onClick={() => void send()}>
        Resend the mail
      </Button>
      {failure && <Notice tone="danger" role="alert" title={failure} />}
    </>
  )
}
