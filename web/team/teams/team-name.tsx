/** The name of the team: text until it is edited; Esc and Cancel restore the old name. */
import { useRef, useState } from 'react'
import { currentTeam, listTeams, renameTeam } from '#contract/teams.ts'
import { useAction } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { FormButtons } from '#web/ui/dialog/dialog.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { PencilIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/teams.ts'

export function TeamName({ name }: { name: string }) {
  const [isEdited, setEdited] = useState(false)
  const rename = useAction(renameTeam, { refreshes: [currentTeam, listTeams] })
  const { field, form, isDirty, restart, values } = useForm({ initial: { name }, submissions: [rename] })
  const edit = useRef<HTMLButtonElement>(null)
  const leave = () => {
    setEdited(false)
    rename.reset()
    requestAnimationFrame(() => edit.current?.focus())
  }
  const save = async () => {
    if (rename.busy) return
    if (!isDirty) return leave()
    const outcome = await rename.run({ body: values })
    if (!outcome.ok) return
    toast.success(t.teamNameSaved)
    leave()
  }
  if (!isEdited)
    return (
      <button
        ref={edit}
        type="button"
        aria-label={t.renameNamed(name)}
        title={t.rename}
        onClick={() => {
          restart({ name })
          setEdited(true)
        }}
        className="group flex min-h-9 w-full max-w-100 items-center gap-2 rounded-control border border-line bg-surface px-3 py-1.5 text-left transition-colors hover:border-control"
      >
        <span className="min-w-0 flex-1 break-words">{name}</span>
        <PencilIcon className="text-faint transition-colors group-hover:text-ink" />
      </button>
    )
  return (
    <form
      ref={form}
      className="flex flex-wrap items-start gap-2"
      onKeyDown={(event) => event.key === 'Escape' && leave()}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={t.teamName}
        hideLabel
        {...field('name')}
        error={field('name').error ?? rename.error?.message}
        maxLength={255}
        autoFocus
        autoComplete="off"
        className="w-full max-w-100"
      />
      <FormButtons onCancel={leave} busy={rename.busy} busyLabel={t.saving}>
        {t.save}
      </FormButtons>
    </form>
  )
}
