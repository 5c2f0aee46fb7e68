/** The way out of a team, for everyone but its owner. */
import { useState } from 'react'
import type { Team } from '#contract/teams.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { LogoutIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
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
      toast.success(`You left ${team.name}`)
    } catch (cause) {
      toast.error(cause instanceof Error && cause.message ? cause.message : 'Failed to leave the team')
    }
    setBusy(false)
    setAsking(false)
  }
  return (
    <div className="grid justify-items-start gap-2">
      <Button look="removal" icon={LogoutIcon} disabled={team.is_owner} onClick={() => setAsking(true)}>
        Leave team
      </Button>
      {team.is_owner && <p className="text-label text-faint">You own this team. The owner cannot leave it.</p>}
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => void leave()}
        title={`Leave ${team.name}?`}
        action="Leave team"
        busyAction="Leaving…"
        busy={isBusy}
      >
        <p className="mb-4">You lose access at once. What you made stays with the team. To come back you need a new invitation.</p>
        <RevokeKeysBox checked={revokesKeys} onChange={setRevokesKeys} whose="your" />
      </ConfirmDialog>
    </div>
  )
}
