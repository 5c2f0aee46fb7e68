/** The team's presets, above the form: apply, create from the current options, rename, delete. */
import { useState } from 'react'
import { listPresets } from '#contract/presets.ts'
import type { CrawlPreset } from '#contract/presets.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Button } from '#web/ui/form/button.tsx'
import { BookmarkIcon, ChevronDownIcon, PencilIcon, PlusIcon } from '#web/ui/icons.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { Menu } from '#web/ui/dialog/menu.tsx'
import { toast } from '#web/ui/feedback/toaster.tsx'
import * as t from '#texts/crawl.ts'
import type { CrawlForm } from './crawl-form.ts'
import type { PluginForms } from './plugin-form.ts'

export type PresetMenuProps = {
  form: CrawlForm
  isRenderingConfigured: boolean
  plugins: PluginForms
  onApply: (preset: CrawlPreset) => void
}

const dialogs = () => import('./preset-dialogs.tsx')
const SaveDialog = lazyDialog(async () => (await dialogs()).SaveDialog)
const ManageDialog = lazyDialog(async () => (await dialogs()).ManageDialog)

export function PresetMenu({ form, isRenderingConfigured, plugins, onApply }: PresetMenuProps) {
  const { data: presets, error } = useEndpoint(listPresets)
  const [open, setOpen] = useState<'save' | 'manage' | null>(null)
  return (
    <>
      <Menu
        sections={[
          {
            title: t.presets,
            items: (presets ?? []).map((preset) => ({
              label: preset.name,
              icon: BookmarkIcon,
              onSelect: () => {
                onApply(preset)
                toast.success(t.isApplied(preset.name))
              },
            })),
          },
          {
            items: [
              { label: t.saveOptionsAsPreset, icon: PlusIcon, onSelect: () => setOpen('save') },
              { label: t.managePresets, icon: PencilIcon, disabled: presets?.length === 0, onSelect: () => setOpen('manage') },
            ],
          },
        ]}
        footer={error ? t.thePresetsCouldNotBeLoaded : presets?.length === 0 ? t.noPresetsYet : undefined}
        trigger={(trigger) => (
          <Button {...trigger} size="small" icon={BookmarkIcon}>
            <span className="inline-flex items-center gap-2">
              {t.presets}
              <ChevronDownIcon className="text-faint" />
            </span>
          </Button>
        )}
      />
      {open === 'save' && (
        <SaveDialog form={form} isRenderingConfigured={isRenderingConfigured} plugins={plugins} onClose={() => setOpen(null)} />
      )}
      {open === 'manage' && <ManageDialog presets={presets} error={error} onClose={() => setOpen(null)} />}
    </>
  )
}
