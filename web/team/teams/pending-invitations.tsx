/** Who is invited to the team and has not answered yet. */
import { useState } from 'react'
import { listInvitations, withdrawInvitation } from '#contract/teams.ts'
import type { Invitation } from '#contract/teams.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Card, CardHead } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorState } from '#web/ui/feedback/feedback.tsx'
import { CopyIcon, HourglassIcon } from '#web/ui/icons.tsx'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { Table, TableSkeleton } from '#web/ui/list/table.tsx'
import { dayText, exactTime, numberText } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { InvitationLinkDialog } from './invitation-link-dialog.tsx'
import { useInvitationLink } from './use-invitation-link.ts'

/** @param isOwner  whether the person may have the link of an invitation */
export function PendingInvitations({ isOwner }: { isOwner: boolean }) {
  const { data: invitations, error, isValidating, mutate } = useEndpoint(listInvitations)
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null)
  const invitationLink = useInvitationLink()
  return (
    <Card>
      <CardHead title="Pending invitations">
        {invitations && invitations.length > 0 && <Chip>{numberText(invitations.length)}</Chip>}
      </CardHead>
      {invitations && invitations.length > 0 ? (
        <InvitationTable
          invitations={invitations}
          onCopyLink={isOwner ? ({ uuid }) => void invitationLink.copyLink(uuid) : null}
          onWithdraw={setWithdrawn}
        />
      ) : invitations ? (
        <p className="px-4 py-6 text-center text-table text-faint">No pending invitations</p>
      ) : error ? (
        <ErrorState title="Failed to load invitations" details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
      ) : (
        <TableSkeleton rows={1} label="Loading invitations…" />
      )}
      <WithdrawDialog invitation={withdrawn} onClose={() => setWithdrawn(null)} />
      <InvitationLinkDialog link={invitationLink.link} onClose={invitationLink.dismiss} />
    </Card>
  )
}

type InvitationTableProps = {
  invitations: readonly Invitation[]
  /** Null for members who may not have the link. */
  onCopyLink: ((one: Invitation) => void) | null
  onWithdraw: (one: Invitation) => void
}

function InvitationTable({ invitations, onCopyLink, onWithdraw }: InvitationTableProps) {
  return (
    <Table
      label="Pending invitations"
      rows={invitations}
      rowKey={({ uuid }) => uuid}
      columns={[
        {
          key: 'user',
          head: 'Invited user',
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
          head: 'Status',
          card: 'topRight',
          cell: () => (
            <Chip tone="info" icon={HourglassIcon}>
              Pending
            </Chip>
          ),
        },
        {
          key: 'date',
          head: 'Date',
          card: 'bottomLeft',
          cell: ({ created_at }) => (
            <time dateTime={created_at} title={exactTime(created_at)} className="text-soft">
              {dayText(created_at)}
            </time>
          ),
        },
        {
          key: 'actions',
          head: 'Actions',
          hideHead: true,
          align: 'right',
          card: 'bottomRight',
          cell: (one) => (
            <span className="inline-flex justify-end gap-2 whitespace-nowrap">
              {onCopyLink && (
                <Button size="small" icon={CopyIcon} aria-label={`Copy invitation link for ${one.email}`} onClick={() => onCopyLink(one)}>
                  <span className="max-sm:hidden">Copy invitation link</span>
                </Button>
              )}
              <Button size="small" look="removal" aria-label={`Withdraw the invitation of ${one.email}`} onClick={() => onWithdraw(one)}>
                Withdraw
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
    if (outcome.ok) toast.success('Invitation withdrawn')
    else toast.error(outcome.error.message || 'Failed to withdraw the invitation')
    onClose()
  }
  return (
    <ConfirmDialog
      open={invitation !== null}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title="Withdraw this invitation?"
      action="Withdraw"
      busyAction="Withdrawing…"
      busy={withdraw.busy}
    >
      The invitation link of <strong className="font-medium break-all text-ink">{invitation?.email}</strong> stops working. You can invite
      the same address again.
    </ConfirmDialog>
  )
}
