/** The members of the team, its owner first; everyone but the owner can be removed. */
import { useState } from 'react'
import { currentTeam, listApiKeys, listMembers, listTeams, removeMember } from '#contract/teams.ts'
import type { Member } from '#contract/teams.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { TrashIcon } from '#web/ui/icons.tsx'
import { PAGE_SIZE } from '#web/ui/limits.ts'
import { PagedList } from '#web/ui/list/paged-list.tsx'
import { pageText } from '#web/ui/form/query-texts.ts'
import { Chip } from '#web/ui/feedback/status-badge.tsx'
import { ACTIONS_COLUMN, Table } from '#web/ui/list/table.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import * as t from '#texts/teams.ts'
import { RevokeKeysBox } from './revoke-keys-box.tsx'

/** @param ownUserId  the row of this user says "You"; leaving is elsewhere */
export function TeamMembers({ ownUserId, teamName }: { ownUserId: string | undefined; teamName: string }) {
  const query = useQuery()
  const page = query.page('members')
  const setPage = (to: number) => query.change({ members: pageText(to) })
  const [removing, setRemoving] = useState<Member | null>(null)
  const answer = useEndpoint(listMembers, { query: { page, page_size: PAGE_SIZE } }, { keepPreviousData: true })
  return (
    <Card>
      <PagedList answer={answer} page={page} onPage={setPage} failed={t.failedToLoadTheMembers} loading={t.loadingMembers} skeletonRows={2}>
        {(members, updating) => <MemberTable members={members} updating={updating} ownUserId={ownUserId} onRemove={setRemoving} />}
      </PagedList>
      <RemoveDialog
        member={removing}
        teamName={teamName}
        onClose={() => setRemoving(null)}
        onRemoved={() => {
          if (answer.data?.results.length === 1 && page > 1) setPage(page - 1)
        }}
      />
    </Card>
  )
}

type MemberTableProps = {
  members: readonly Member[]
  updating: boolean
  ownUserId: string | undefined
  onRemove: (member: Member) => void
}

function MemberTable({ members, updating, ownUserId, onRemove }: MemberTableProps) {
  return (
    <Table
      label={t.teamMembers}
      rows={members}
      rowKey={({ uuid }) => uuid}
      updating={updating}
      columns={[
        { key: 'member', head: t.member, wide: true, card: 'topLeft', cell: ({ user }) => <Person {...user} /> },
        {
          key: 'role',
          head: t.role,
          card: 'bottomLeft',
          cell: ({ is_owner }) => (
            <span className="max-sm:ml-12">
              <Chip tone={is_owner ? 'accent' : 'plain'}>{is_owner ? t.owner : t.member}</Chip>
            </span>
          ),
        },
        {
          ...ACTIONS_COLUMN,
          cell: (member) =>
            member.user.uuid === ownUserId ? (
              <span className="text-label text-faint">{t.you}</span>
            ) : (
              !member.is_owner && (
                <IconButton label={t.removeMemberNamed(nameOf(member))} icon={TrashIcon} tone="danger" onClick={() => onRemove(member)} />
              )
            ),
        },
      ]}
    />
  )
}

/** A user without a name is shown by their email address. */
function Person({ uuid, email, full_name }: Member['user']) {
  return (
    <span className="flex items-center gap-3 py-2 max-sm:py-0">
      <Avatar size="large" name={full_name || email} seed={uuid} />
      <span className="grid min-w-0">
        <span className="truncate font-medium">{full_name || email}</span>
        {full_name !== '' && full_name !== email && <span className="truncate text-label text-faint">{email}</span>}
      </span>
    </span>
  )
}

const nameOf = ({ user }: Member) => user.full_name || user.email

type RemoveDialogProps = { member: Member | null; teamName: string; onClose: () => void; onRemoved: () => void }

function RemoveDialog({ member, teamName, onClose, onRemoved }: RemoveDialogProps) {
  const [revokesKeys, setRevokesKeys] = useState(true)
  const remove = useAction(removeMember, { refreshes: [listMembers, currentTeam, listTeams, listApiKeys] })
  const close = () => {
    setRevokesKeys(true)
    onClose()
  }
  const confirm = async () => {
    if (!member || remove.busy) return
    const outcome = await remove.run({ params: { id: member.uuid }, query: { revoke_keys: revokesKeys } })
    if (outcome.ok) {
      toast.success(t.wasRemovedFromTheTeam(nameOf(member)))
      onRemoved()
    } else toast.error(outcome.error.message || t.failedToRemoveTheMember)
    close()
  }
  return (
    <ConfirmDialog
      open={member !== null}
      onClose={close}
      onConfirm={() => void confirm()}
      title={t.removeQuestion(member ? nameOf(member) : '')}
      action={t.removeMember}
      busyAction={t.removing}
      busy={remove.busy}
    >
      <p className="mb-4">{t.theyLoseAccessToAtOnce(teamName)}</p>
      <RevokeKeysBox checked={revokesKeys} onChange={setRevokesKeys} whose="their" />
    </ConfirmDialog>
  )
}
