/** Asks for the name of a new team, and switches to it. */
import { createTeam, listTeams } from '#contract/teams.ts'
import { useAction } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import { chooseTeam } from '#web/state/current-team.ts'
import { Dialog, FormButtons } from '#web/ui/dialog/dialog.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import * as t from '#texts/switcher.ts'

/** The name is not validated here. A failure is only logged, and the dialog stays open for another attempt. */
export function CreateTeamDialog({ onClose }: { onClose: () => void }) {
  const create = useAction(createTeam, { refreshes: [listTeams] })
  const { field, values } = useForm({ initial: { name: '' } })
  const submit = async () => {
    if (create.busy) return
    const outcome = await create.run({ body: values })
    if (!outcome.ok) {
      console.error('the team could not be created', outcome.error)
      return
    }
    onClose()
    chooseTeam(outcome.answer.uuid)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.createTeam}
      onSubmit={() => void submit()}
      footer={
        <FormButtons onCancel={onClose} busy={create.busy} busyLabel={t.creating}>
          {t.create}
        </FormButtons>
      }
    >
      <TextField label={t.teamName} {...field('name')} autoComplete="off" className="text-ink" />
    </Dialog>
  )
}
