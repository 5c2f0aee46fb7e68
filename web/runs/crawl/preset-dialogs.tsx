/** Dialogs that save a crawl's options as a preset, and that rename and delete presets. */
import { useState } from 'react'
import { changePreset, createPreset, deletePreset, listPresets } from '#contract/presets.ts'
import type { CrawlPreset } from '#contract/presets.ts'
import { useAction } from '#web/api/hooks.ts'
import { useForm } from '#web/api/use-form.ts'
import type { ApiError } from '#web/api/client.ts'
import { reasonOf } from '#web/runs/shared/use-run-again.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { Dialog, FormButtons } from '#web/ui/dialog/dialog.tsx'
import { EmptyState, ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { CheckIcon, PencilIcon, TrashIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/crawl.ts'
import { requestBody } from './crawl-request.ts'
import type { CrawlForm } from './crawl-form.ts'
import type { PluginForms } from './plugin-form.ts'
import type { PresetMenuProps } from './preset-menu.tsx'

/** The options of a single crawl. Headers often contain secrets, so a preset does not include them. */
function presetOptions(form: CrawlForm, isRenderingConfigured: boolean, plugins: PluginForms) {
  const { options } = requestBody({ ...form, crawl_type: 'single' }, isRenderingConfigured, plugins)
  return { ...options, page_options: { ...options.page_options, extra_headers: {} } }
}

export function SaveDialog({ form, isRenderingConfigured, plugins, onClose }: Omit<PresetMenuProps, 'onApply'> & { onClose: () => void }) {
  const create = useAction(createPreset, { refreshes: [listPresets] })
  const { field, form: box, shown, values } = useForm({ initial: { name: '' }, submissions: [create] })
  const headers = form.page_options.extra_headers.length
  const error = shown('name') ?? (create.error === null ? undefined : reasonOf(create.error))
  const save = async () => {
    if (create.busy) return
    const outcome = await create.run({ body: { ...values, options: presetOptions(form, isRenderingConfigured, plugins) } })
    if (!outcome.ok) return
    toast.success(t.thePresetWasSaved)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.saveOptionsAsPreset}
      formRef={box}
      onSubmit={() => void save()}
      footer={
        <FormButtons onCancel={onClose} busy={create.busy} busyLabel={t.saving}>
          {t.savePreset}
        </FormButtons>
      }
    >
      <p>{t.theTeamCanApplyItHere}</p>
      <TextField label={t.name} {...field('name')} error={error} autoComplete="off" className="text-ink" />
      {headers > 0 && <p className="text-table">{t.extraHeadersAreNotKeptThey}</p>}
    </Dialog>
  )
}

type ManageProps = { presets: readonly CrawlPreset[] | undefined; error: ApiError | undefined; onClose: () => void }

export function ManageDialog({ presets, error, onClose }: ManageProps) {
  return (
    <Dialog open onClose={onClose} title={t.presetsOfTheTeam} size="normal">
      {presets === undefined ? (
        error ? (
          <ErrorState title={t.thePresetsCouldNotBeLoaded} details={error.message} />
        ) : (
          <Loading>{t.loadingThePresets}</Loading>
        )
      ) : presets.length === 0 ? (
        <EmptyState net="plain" title={t.noPresetsYet} />
      ) : (
        <ul aria-label={t.presets} className="grid">
          {presets.map((preset) => (
            <PresetRow key={preset.uuid} preset={preset} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

function PresetRow({ preset: { uuid, name } }: { preset: CrawlPreset }) {
  const [isEdited, setEdited] = useState(false)
  const change = useAction(changePreset, { refreshes: [listPresets] })
  const { field, restart, values } = useForm({ initial: { name }, submissions: [change] })
  const remove = useAction(deletePreset, { refreshes: [listPresets] })
  const rename = async () => {
    if (change.busy) return
    const outcome = await change.run({ params: { id: uuid }, body: values })
    if (outcome.ok) setEdited(false)
  }
  const removePreset = async () => {
    const outcome = await remove.run({ params: { id: uuid } })
    if (outcome.ok) toast.success(t.wasDeleted(name))
    else toast.error(outcome.error.message)
  }
  return (
    <li className="flex min-h-11 items-center gap-2 border-b border-line py-1.5 last:border-b-0">
      {!isEdited ? (
        <span className="min-w-0 flex-1 truncate text-ink">{name}</span>
      ) : (
        <form
          className="min-w-0 flex-1"
          onSubmit={(event) => {
            event.preventDefault()
            // React passes events through the dialog's portal: do not submit the crawl form.
            event.stopPropagation()
            void rename()
          }}
        >
          <TextField
            label={t.newNameOf(name)}
            hideLabel
            size="small"
            {...field('name')}
            error={change.error === null ? undefined : reasonOf(change.error)}
            className="text-ink"
          />
        </form>
      )}
      {!isEdited ? (
        <IconButton
          label={t.rename(name)}
          icon={PencilIcon}
          onClick={() => {
            restart({ name })
            setEdited(true)
          }}
        />
      ) : (
        <IconButton label={t.saveNameOf(name)} icon={CheckIcon} busy={change.busy} onClick={() => void rename()} />
      )}
      <IconButton label={t.deleteText(name)} icon={TrashIcon} tone="danger" busy={remove.busy} onClick={() => void removePreset()} />
    </li>
  )
}
