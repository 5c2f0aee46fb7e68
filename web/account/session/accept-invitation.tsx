/** An invitation link that is opened while signed in: the account joins the team by the code of the link. */
import { navigate } from 'wouter/use-browser-location'
import { getProfile } from '#contract/accounts.ts'
import { acceptInvitationCode, listOwnInvitations, listTeams } from '#contract/teams.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { OutcomeSheet } from '#web/frame/layout/public-layout.tsx'
import { PATHS } from '#web/navigation.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { UserPlusIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { logOut } from './log-out.ts'
import { refusalWords } from './refusal.ts'

const FAILED = 'The invitation could not be accepted. Please try again.'

/** @param email  the address that was invited */
export function AcceptInvitation({ code, email }: { code: string; email: string }) {
  const { data: profile } = useEndpoint(getProfile)
  const accept = useAction(acceptInvitationCode, { refreshes: [listTeams, listOwnInvitations] })
  if (!profile) return <Loading>Looking up your account…</Loading>
  const isTheirs = profile.email.toLowerCase() === email.toLowerCase()
  const failure = accept.error && (refusalWords(accept.error, FAILED) ?? FAILED)

  const join = async () => {
    if (accept.busy) return
    const outcome = await accept.run({ body: { invitation_code: code } })
    if (!outcome.ok) return
    toast.success('You joined the team. It is in the team switcher.')
    navigate(PATHS.dashboard, { replace: true })
  }

  return (
    <OutcomeSheet
      icon={UserPlusIcon}
      tone="info"
      title={isTheirs ? 'Join your team' : 'This invitation is for another address'}
      actions={
        <>
          {isTheirs ? (
            <Button look="primary" block busy={accept.busy} busyLabel="Joining…" onClick={() => void join()}>
              Accept invitation
            </Button>
          ) : (
            <Button look="primary" block onClick={logOut}>
              Logout
            </Button>
          )}
          <ButtonLink look="quiet" block href={PATHS.dashboard}>
            Go to Dashboard
          </ButtonLink>
        </>
      }
    >
      {isTheirs ? (
        <p>You were invited to work in a team. Accept, and it appears in your team switcher.</p>
      ) : (
        <p>
          The invitation was sent to <strong className="font-medium text-ink">{email}</strong>, and you are signed in as{' '}
          <strong className="font-medium text-ink">{profile.email}</strong>.
        </p>
      )}
      {failure && <Notice tone="danger" role="alert" title={failure} />}
    </OutcomeSheet>
  )
}
