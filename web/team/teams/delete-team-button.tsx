/** Deletes a team. Lists what is deleted with it, and asks the owner to type the team's name. */
import { useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { deleteTeam, describeTeamDeletion } from '#contract/teams.ts'
import type { Team, TeamContents } from '#contract/teams.ts'
import { forgetTeamAnswers, useAction, useEndpoint } from '#web/api/hooks.ts'
import { useServerMessages } from '#web/api/server-messages.ts'
import { useForm } from '#web/api/use-form.ts'
import { PATHS } from '#web/navigation.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog, FormButtons } from '#web/ui/dialog/dialog.tsx'
import { Loading, Notice } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { TrashIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/teams.ts'
import { switchToOldestTeam } from './switch-to-oldest-team.ts'

export function DeleteTeamButton({ team }: { team: Team }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="removal" icon={TrashIcon} onClick={() => setAsking(true)}>
        {t.deleteTeam}
      </Button>
      {isAsking && <DeleteTeamDialog team={team} onClose={() => setAsking(false)} />}
    </>
  )
}

function DeleteTeamDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const { field, values } = useForm({ initial: { name: '' } })
  const { data: contents, error } = useEndpoint(describeTeamDeletion, {}, { revalidateOnMount: true })
  const action = useAction(deleteTeam)
  const translate = useServerMessages()
  const isBlocked = contents === undefined || contents.obstacles.length > 0
  const matches = values.name.trim() === team.name.trim()
  const remove = async () => {
    if (isBlocked || !matches || action.busy) return
    const outcome = await action.run({ query: { confirm: values.name } })
    if (!outcome.ok) return toast.error(outcome.error.message)
    onClose()
    toast.success(t.theTeamWasDeleted(team.name))
    forgetTeamAnswers(team.uuid)
    await switchToOldestTeam()
    navigate(PATHS.dashboard)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.deleteTeamQuestion(team.name)}
      onSubmit={() => void remove()}
      footer={
        <FormButtons onCancel={onClose} look="danger" disabled={isBlocked || !matches} busy={action.busy} busyLabel={t.deleting}>
          {t.deleteTeam}
        </FormButtons>
      }
    >
      {contents ? (
        <>
          <Contents contents={contents} />
          {contents.obstacles.map((obstacle) => (
            <Notice key={obstacle} tone="danger" title={translate(obstacle)} />
          ))}
          {contents.obstacles.length === 0 && (
            <TextField
              label={t.typeTheTeamsNameToConfirm(team.name)}
              {...field('name')}
              autoComplete="off"
              autoFocus
              className="text-ink"
            />
          )}
        </>
      ) : error ? (
        <Notice tone="danger" title={t.whatBelongsToTheTeamCould}>
          {error.message}
        </Notice>
      ) : (
        <Loading>{t.countingWhatBelongsToTheTeam}</Loading>
      )}
    </Dialog>
  )
}

function Contents({ contents: { members, api_keys: keys, proxy_servers: proxies, runs, pages } }: { contents: TeamContents }) {
  const others = members - 1
  return (
    <>
      <p>{t.thisIsDeletedWithTheTeam}</p>
      <ul className="grid list-disc gap-1 pl-5 text-ink">
        <li>{t.withWhatStillRunsIsCanceled(t.jobs(runs), t.storedPages(pages))}</li>
        <li>{t.programsThatUseOneAreRefused(t.apiKeyCount(keys))}</li>
        {proxies > 0 && <li>{t.proxyServers(proxies)}</li>}
        {others > 0 && <li>{t.theAccessOf(t.otherMembers(others))}</li>}
      </ul>
    </>
  )
}
