/** The current team, the others, and a button for a new one. */
import { useState } from 'react'
import { chooseTeam } from '#web/state/current-team.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { PlusIcon, UpDownIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { Menu } from '#web/ui/dialog/menu.tsx'
import * as t from '#texts/switcher.ts'
import { useTeamSync, useShownTeam } from './use-shown-team.ts'

const CreateTeamDialog = lazyDialog(async () => (await import('./create-team-dialog.tsx')).CreateTeamDialog)

export function TeamSwitcher() {
  const { teams, team } = useShownTeam()
  useTeamSync()
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
            aria-label={team ? t.team(team.name) : t.teams}
            className="flex h-8 min-w-0 flex-none items-center gap-2 rounded-control px-1.5 text-table font-medium transition-colors hover:bg-hover"
          >
            <Avatar name={team?.name ?? ''} seed={team?.uuid ?? ''} />
            <span className="hidden max-w-48 truncate lg:inline">{team?.name ?? '…'}</span>
            <UpDownIcon className="hidden text-faint lg:block" />
          </button>
        )}
      />
      {isCreating && <CreateTeamDialog onClose={() => setCreating(false)} />}
    </>
  )
}

const Plus = () => (
  <span className="grid size-6 flex-none place-items-center">
    <PlusIcon className="text-faint" />
  </span>
)
