/** The end of a team. Its owner is told what goes with it, and types its name. */
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { deleteTeam, describeTeamDeletion, listTeams } from '#contract/teams.ts'
import type { Team, TeamContents } from '#contract/teams.ts'
import { call } from '#web/api/client.ts'
import { forgetTeamAnswers, refresh, useAction, useEndpoint } from '#web/api/hooks.ts'
import { PATHS } from '#web/navigation.ts'
import { chooseTeam } from '#web/state/current-team.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { TrashIcon } from '#web/ui/icons.tsx'
import { countText } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'

export function DeleteTeamButton({ team }: { team: Team }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="removal" icon={TrashIcon} onClick={() => setAsking(true)}>
        Delete team
      </Button>
      {isAsking && <DeleteTeamDialog team={team} onClose={() => setAsking(false)} />}
    </>
  )
}

function DeleteTeamDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const { data: contents, error } = useEndpoint(describeTeamDeletion, {}, { revalidateOnMount: true })
  const action = useAction(deleteTeam)
  const isBlocked = contents === undefined || contents.obstacles.length > 0
  const matches = typed.trim() === team.name.trim()
  const remove = async () => {
    if (isBlocked || !matches || action.busy) return
    const outcome = await action.run({ query: { confirm: typed } })
    if (!outcome.ok) return toast.error(outcome.error.message)
    onClose()
    toast.success(`The team ${team.name} was deleted`)
    forgetTeamAnswers(team.uuid)
    // This request creates a team for a user who has none left.
    const [next] = await call(listTeams)
    if (next) chooseTeam(next.uuid)
    void refresh(listTeams)
    navigate(PATHS.dashboard)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Delete ${team.name}?`}
      onSubmit={() => void remove()}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button look="danger" type="submit" disabled={isBlocked || !matches} busy={action.busy} busyLabel="Deleting…">
            Delete team
          </Button>
        </>
      }
    >
      {contents ? (
        <>
          <Contents contents={contents} />
          {contents.obstacles.map((obstacle) => (
            <Notice key={obstacle} tone="danger" title={obstacle} />
          ))}
          {contents.obstacles.length === 0 && (
            <TextField
              label={`Type the team's name, ${team.name}, to confirm`}
              value={typed}
              onChange={setTyped}
              autoComplete="off"
              autoFocus
              className="text-ink"
            />
          )}
        </>
      ) : error ? (
        <Notice tone="danger" title="What belongs to the team could not be read">
          {error.message}
        </Notice>
      ) : (
        <Loading>Counting what belongs to the team…</Loading>
      )}
    </Dialog>
  )
}

function Contents({ contents: { members, api_keys: keys, proxy_servers: proxies, runs, pages } }: { contents: TeamContents }) {
  const others = members - 1
  return (
    <>
      <p>This is deleted with the team, and cannot be restored:</p>
      <ul className="grid list-disc gap-1 pl-5 text-ink">
        <li>
          {countText(runs, 'job')} with {countText(pages, 'stored page')}; what still runs is canceled
        </li>
        <li>{countText(keys, 'API key')}: programs that use one are refused from then on</li>
        {proxies > 0 && <li>{countText(proxies, 'proxy server')}</li>}
        {others > 0 && <li>The access of {countText(others, 'other member')}</li>}
      </ul>
    </>
  )
}
