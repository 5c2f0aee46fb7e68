/** The team one works for, the others, and a way to make a new one. */
import { useState } from 'react'
import { createTeam, listTeams } from '#contract/teams.ts'
import { useAction } from '#web/api/hooks.ts'
import { chooseTeam } from '#web/state/current-team.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { PlusIcon, UpDownIcon } from '#web/ui/icons.tsx'
import { Menu } from '#web/ui/dialog/menu.tsx'
import * as t from '#texts/switcher.ts'
import { useKeptTeam, useShownTeam } from './use-shown-team.ts'

export function TeamSwitcher() {
  const { teams, team } = useShownTeam()
  useKeptTeam()
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <Menu
        sections={[
          {
            title: t.teams,
            items: teams.map((one) => ({
              label: one.name,
              picture: <Avatar name={one.name} seed={one.uuid} />,
              checked: one.uuid === team?.uuid,
              onSelect: () => chooseTeam(one.uuid),
            })),
          },
          { items: [{ label: t.createTeam, picture: <Plus />, onSelect: () => setCreating(true) }] },
        ]}
        trigger={(trigger) => (
          <button
            type="button"
            {...trigger}
            aria-label={t.team(team?.name ?? 'none')}
            className="flex h-8 min-w-0 flex-none items-center gap-2 rounded-control px-1.5 text-table font-medium transition-colors hover:bg-hover"
          >
            <Avatar name={team?.name ?? ''} seed={team?.uuid ?? ''} />
            <span className="hidden max-w-48 truncate lg:inline">{team?.name ?? '…'}</span>
            <UpDownIcon className="hidden text-faint lg:block" />
          </button>
        )}
      />
      <CreateTeamDialog open={isCreating} onClose={() => setCreating(false)} />
    </>
  )
}

const Plus = () => (
  <span className="grid size-6 flex-none place-items-center">
    <PlusIcon className="text-faint" />
  </span>
)

/** Names are not checked here; a failure is only logged, and the dialog stays for another try. */
function CreateTeamDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [name, setName] = useState('')
  const create = useAction(createTeam, { refreshes: [listTeams] })
  const close = () => {
    setName('')
    onClose()
  }
  const submit = async () => {
    if (create.busy) return
    const outcome = await create.run({ body: { name } })
    if (!outcome.ok) {
      console.error('the team could not be created', outcome.error)
      return
    }
    close()
    chooseTeam(outcome.answer.uuid)
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={t.createTeam}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button look="quiet" onClick={close}>
            {t.cancel}
          </Button>
          <Button look="primary" type="submit" busy={create.busy} busyLabel={t.creating}>
            {t.create}
          </Button>
        </>
      }
    >
      <TextField label={t.teamName} value={name} onChange={setName} autoComplete="off" className="text-ink" />
    </Dialog>
  )
}
