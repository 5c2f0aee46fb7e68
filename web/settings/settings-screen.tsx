/** Settings of the team: its name. */
import { useRef, useState } from 'react'
import { currentTeam, listTeams, renameTeam } from '#contract/teams.ts'
import { fieldError } from '#web/api/field-error.ts'
import { useAction, useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/button.tsx'
import { OptionSection } from '#web/ui/card.tsx'
import { ErrorState, Skeleton } from '#web/ui/feedback.tsx'
import { TextField } from '#web/ui/field.tsx'
import { PencilIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { toast } from '#web/ui/toaster.tsx'

export function SettingsScreen() {
  const { data: team, error, isValidating, mutate } = useEndpoint(currentTeam)
  return (
    <>
      <PageHeader title="Settings" description="What belongs to the team and counts for all of its members." />
      {error && !team ? (
        <ErrorState title="Failed to load the team" details={error.message} retrying={isValidating} onRetry={() => void mutate()} />
      ) : (
        <div>
          <OptionSection title="Team name" description="Shown in the team switcher and in invitations.">
            {team ? <TeamName key={team.uuid} name={team.name} /> : <Skeleton className="h-9 max-w-100 rounded-control" />}
          </OptionSection>
        </div>
      )}
    </>
  )
}

/** Reads as text until one wants to change it; Esc and Cancel bring the old name back. */
function TeamName({ name }: { name: string }) {
  const [draft, setDraft] = useState<string | null>(null)
  const rename = useAction(renameTeam, { refreshes: [currentTeam, listTeams] })
  const edit = useRef<HTMLButtonElement>(null)
  const leave = () => {
    setDraft(null)
    rename.reset()
    requestAnimationFrame(() => edit.current?.focus())
  }
  const save = async () => {
    if (draft === null || rename.busy) return
    if (draft === name) return leave()
    const outcome = await rename.run({ body: { name: draft } })
    if (!outcome.ok) return
    toast.success('Team name saved')
    leave()
  }
  if (draft === null)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <span className="min-w-0 text-read font-medium break-words">{name}</span>
        <Button ref={edit} size="small" icon={PencilIcon} onClick={() => setDraft(name)}>
          Rename
        </Button>
      </div>
    )
  return (
    <form
      className="flex flex-wrap items-start gap-2"
      onKeyDown={(event) => event.key === 'Escape' && leave()}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label="Team name"
        hideLabel
        value={draft}
        onChange={setDraft}
        error={fieldError(rename.error, 'name') ?? rename.error?.message}
        maxLength={255}
        autoFocus
        autoComplete="off"
        className="w-full max-w-100"
      />
      <Button type="submit" look="primary" busy={rename.busy} busyLabel="Saving…">
        Save
      </Button>
      <Button look="quiet" onClick={leave}>
        Cancel
      </Button>
    </form>
  )
}
