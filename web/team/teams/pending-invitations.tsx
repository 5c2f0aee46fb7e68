/** The team's pending invitations. */
import { useState } from 'react'
import { listInvitations, withdrawInvitation } from '#contract/teams.ts'
import type { Invitation } from '#contract/teams.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Card, CardHead } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorState } from '#web/ui/feedback/feedback.tsx'
import { CopyIcon, HourglassIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { ACTIONS_COLUMN, Table, TableSkeleton } from '#web/ui/list/table.tsx'
import { dayText, exactTime, numberText } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/teams.ts'
import { InvitationLinkDialog } from './invitation-link-dialog.tsx'
import { useInvitationLink } from './use-invitation-link.ts'

/** @param isOwner  whether the user owns the team, and so may see invitation links */
export function PendingInvitations({ isOwner }: { isOwner: boolean }) {
  const { data: invitations, error, isValidating, mutate } = useEndpoint(listInvitations)
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null)
  const invitationLink = useInvitationLink()
  return (
    <Card>
      <CardHead title={t.pendingInvitations}>
        {invitations && invitations.length > 0 && <Chip>{numberText(invitations.length)}</Chip>}
      </CardHead>
      {invitations && invitations.length > 0 ? (
        <InvitationTable
          invitations={invitations}
          onCopyLink={isOwner ? ({ uuid }) => void invitationLink.copyLink(uuid) : null}
          onWithdraw={setWithdrawn}
        />
      ) : invitations ? (
        <p className="px-4 py-6 text-center text-table text-faint">{t.noPendingInvitations}</p>
      ) : error ? (
        <ErrorState title={t.failedToLoadInvitations} details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
      ) : (
        <TableSkeleton rows={1} label={t.loadingInvitations} />
      )}
      <WithdrawDialog invitation={withdrawn} onClose={() => setWithdrawn(null)} />
      <InvitationLinkDialog link={invitationLink.link} onClose={invitationLink.dismiss} />
    </Card>
  )
}

type InvitationTableProps = {
  invitations: readonly Invitation[]
  /** Null for members who may not see the link. */
  onCopyLink: ((one: Invitation) => void) | null
  onWithdraw: (one: Invitation) => void
}

function InvitationTable({ invitations, onCopyLink, onWithdraw }: InvitationTableProps) {
  return (
    <Table
      label={t.pendingInvitations}
      rows={invitations}
      rowKey={({ uuid }) => uuid}
      columns={[
        {
          key: 'user',
          head: t.invitedUser,
          wide: true,
          card: 'topLeft',
          cell: ({ email }) => (
            <span title={email} className="block truncate font-medium">
              {email}
            </span>
          ),
        },
        {
          key: 'status',
          head: t.status,
          card: 'topRight',
          cell: () => (
            <Chip tone="info" icon={HourglassIcon}>
              {t.pending}
            </Chip>
          ),
        },
        {
          key: 'date',
          head: t.date,
          card: 'bottomLeft',
          cell: ({ created_at }) => (
            <time dateTime={created_at} title={exactTime(created_at)} className="text-soft">
              {dayText(created_at)}
            </time>
          ),
        },
        {
          ...ACTIONS_COLUMN,
          card: 'bottomRight',
          cell: (one) => (
            <span className="inline-flex justify-end gap-2 whitespace-nowrap">
              {onCopyLink && (
                <>
                  <IconButton
                    label={t.copyInvitationLinkFor(one.email)}
                    icon={CopyIcon}
                    className="sm:hidden"
                    onClick={() => onCopyLink(one)}
                  />
                  <Button
                    size="small"
                    icon={CopyIcon}
                    className="max-sm:hidden"
                    aria-label={t.copyInvitationLinkFor(one.email)}
                    onClick={() => onCopyLink(one)}
                  >
                    {t.copyInvitationLink}
                  </Button>
                </>
              )}
              <Button size="small" look="removal" aria-label={t.withdrawTheInvitationOf(one.email)} onClick={() => onWithdraw(one)}>
                {t.withdraw}
              </Button>
            </span>
          ),
        },
      ]}
    />
  )
}

function WithdrawDialog({ invitation, onClose }: { invitation: Invitation | null; onClose: () => void }) {
  const withdraw = useAction(withdrawInvitation, { refreshes: [listInvitations] })
  const confirm = async () => {
    if (!invitation || withdraw.busy) return
    const outcome = await withdraw.run({ params: { id: invitation.uuid } })
    if (outcome.ok) toast.success(t.invitationWithdrawn)
    else toast.error(outcome.error.message || t.failedToWithdrawTheInvitation)
    onClose()
  }
  return (
    <ConfirmDialog
      open={invitation !== null}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t.withdrawThisInvitation}
      action={t.withdraw}
      busyAction={t.withdrawing}
      busy={withdraw.busy}
    >
      {t.theInvitationLinkOfStopsWorking(<strong className="font-medium break-all text-ink">{invitation?.email}</strong>)}
    </ConfirmDialog>
  )
}
