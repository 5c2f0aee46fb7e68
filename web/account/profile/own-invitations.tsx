/** Invitations of the signed-in user to other teams. */
import { useState } from 'react'
import { acceptInvitation, currentTeam, declineInvitation, listOwnInvitations, listTeams } from '#contract/teams.ts'
import type { OwnInvitation } from '#contract/teams.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorState } from '#web/ui/feedback/feedback.tsx'
import { TableSkeleton } from '#web/ui/list/table.tsx'
import { dayText, exactTime } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/profile.ts'

export function OwnInvitations() {
  const { data: invitations, error, isValidating, mutate } = useEndpoint(listOwnInvitations, undefined, { revalidateOnFocus: true })
  const [refused, setRefused] = useState<OwnInvitation | null>(null)
  return (
    <>
      {invitations && invitations.length > 0 ? (
        <ul className="grid max-w-130 gap-3">
          {invitations.map((invitation) => (
            <InvitationCard key={invitation.uuid} invitation={invitation} onDecline={() => setRefused(invitation)} />
          ))}
        </ul>
      ) : (
        <Card className="max-w-130">
          {invitations ? (
            <p className="px-4 py-6 text-center text-table text-faint">{t.noPendingInvitations}</p>
          ) : error ? (
            <ErrorState title={t.failedToLoadInvitations} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
          ) : (
            <TableSkeleton rows={1} label={t.loadingInvitations} />
          )}
        </Card>
      )}
      <DeclineDialog invitation={refused} onClose={() => setRefused(null)} />
    </>
  )
}

function InvitationCard({ invitation: { uuid, team, created_at }, onDecline }: { invitation: OwnInvitation; onDecline: () => void }) {
  const accept = useAction(acceptInvitation, { refreshes: [listOwnInvitations, listTeams, currentTeam] })
  const join = async () => {
    if (accept.busy) return
    const outcome = await accept.run({ params: { id: uuid } })
    if (outcome.ok) toast.success(t.youJoinedItIsInThe(team.name))
    else toast.error(outcome.error.message || t.failedToAcceptTheInvitation)
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-3 rounded-card border border-line bg-surface p-4">
      <Avatar name={team.name} seed={team.uuid} size="large" />
      <div className="min-w-0 flex-1 basis-40">
        <h3 className="font-medium break-words">{team.name}</h3>
        <p className="text-label text-faint">
          {t.invitedOn(
            <time dateTime={created_at} title={exactTime(created_at)}>
              {dayText(created_at)}
            </time>,
          )}
        </p>
      </div>
      <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button look="quiet" aria-label={t.declineTeam(team.name)} disabled={accept.busy} onClick={onDecline}>
          {t.decline}
        </Button>
        <Button aria-label={t.acceptTeam(team.name)} busy={accept.busy} busyLabel={t.joining} onClick={() => void join()}>
          {t.accept}
        </Button>
      </div>
    </li>
  )
}

function DeclineDialog({ invitation, onClose }: { invitation: OwnInvitation | null; onClose: () => void }) {
  const decline = useAction(declineInvitation, { refreshes: [listOwnInvitations] })
  const confirm = async () => {
    if (!invitation || decline.busy) return
    const outcome = await decline.run({ params: { id: invitation.uuid } })
    if (outcome.ok) toast.success(t.invitationDeclined)
    else toast.error(outcome.error.message || t.failedToDeclineTheInvitation)
    onClose()
  }
  return (
    <ConfirmDialog
      open={invitation !== null}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t.declineThisInvitation}
      action={t.decline}
      busyAction={t.declining}
      busy={decline.busy}
    >
      {t.youDoNotJoinItsMembers(invitation?.team.name ?? '')}
    </ConfirmDialog>
  )
}
