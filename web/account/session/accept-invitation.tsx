/** A signed-in user opened an invitation link: the account joins the team with the link's code. */
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
import * as t from '#texts/session.ts'
import { logOut } from './log-out.ts'
import { refusalMessage } from './refusal.ts'

const FAILED = t.theInvitationCouldNotBeAccepted

/** @param email  the invited address */
export function AcceptInvitation({ code, email }: { code: string; email: string }) {
  const { data: profile } = useEndpoint(getProfile)
  const accept = useAction(acceptInvitationCode, { refreshes: [listTeams, listOwnInvitations] })
  if (!profile) return <Loading>{t.lookingUpYourAccount}</Loading>
  const isInvited = profile.email.toLowerCase() === email.toLowerCase()
  const failure = accept.error && (refusalMessage(accept.error, FAILED) ?? FAILED)

  const join = async () => {
    if (accept.busy) return
    const outcome = await accept.run({ body: { invitation_code: code } })
    if (!outcome.ok) return
    toast.success(t.youJoinedTheTeamItIs)
    navigate(PATHS.dashboard, { replace: true })
  }

  return (
    <OutcomeSheet
      icon={UserPlusIcon}
      tone="info"
      title={isInvited ? t.joinYourTeam : t.thisInvitationIsForAnotherAddress}
      actions={
        <>
          {isInvited ? (
            <Button look="primary" block busy={accept.busy} busyLabel={t.joining} onClick={() => void join()}>
              {t.acceptInvitation}
            </Button>
          ) : (
            <Button look="primary" block onClick={logOut}>
              {t.logout}
            </Button>
          )}
          <ButtonLink look="quiet" block href={PATHS.dashboard}>
            {t.goToDashboard}
          </ButtonLink>
        </>
      }
    >
      {isInvited ? (
        <p>{t.youWereInvitedToWorkIn}</p>
      ) : (
        <p>
          {t.theInvitationWasSentToAnd(
            <strong className="font-medium text-ink">{email}</strong>,
            <strong className="font-medium text-ink">{profile.email}</strong>,
          )}
        </p>
      )}
      {failure && <Notice tone="danger" role="alert" title={failure} />}
    </OutcomeSheet>
  )
}
