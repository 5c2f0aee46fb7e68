/** Leaves a team; for everyone but its owner. */
import { useState } from 'react'
import type { Team } from '#contract/teams.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { LogoutIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/teams.ts'
import { leaveTeam } from './leave-team.ts'
import { RevokeKeysBox } from './revoke-keys-box.tsx'

export function LeaveTeamButton({ team, userId }: { team: Team; userId: string }) {
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [revokesKeys, setRevokesKeys] = useState(true)
  const leave = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await leaveTeam(team.uuid, userId, revokesKeys)
      toast.success(t.youLeft(team.name))
    } catch (cause) {
      toast.error(cause instanceof Error && cause.message ? cause.message : t.failedToLeaveTheTeam)
    }
    setBusy(false)
    setAsking(false)
  }
  return (
    <div className="grid justify-items-start gap-2">
      <Button look="removal" icon={LogoutIcon} disabled={team.is_owner} onClick={() => setAsking(true)}>
        {t.leaveTeam}
      </Button>
      {team.is_owner && <p className="text-label text-faint">{t.youOwnThisTeamTheOwner}</p>}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void leave()}
        title={t.leave(team.name)}
        action={t.leaveTeam}
        busyAction={t.leaving}
        busy={isBusy}
      >
        <p className="mb-4">{t.youLoseAccessAtOnceWhat}</p>
        <RevokeKeysBox checked={revokesKeys} onChange={setRevokesKeys} whose="your" />
      </ConfirmDialog>
    </div>
  )
}
