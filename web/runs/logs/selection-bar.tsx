/** Actions for the selected rows, shown above the table while any row is selected. */
import { Button } from '#web/ui/form/button.tsx'
import { DownloadIcon, ListIcon, RestartIcon, TrashIcon } from '#web/ui/icons.tsx'
import { howMany } from '#texts/nouns.ts'
import type { Noun } from '#web/texts/nouns.ts'
import * as t from '#texts/activity.ts'

type SelectionBarProps = {
  selected: number
  /** Rows on this page. */
  all: number
  noun: Noun
  /** The action in progress. */
  busy: 'rerun' | 'download' | null
  onAll: () => void
  onNone: () => void
  onDownload: () => void
  onExport: () => void
  onRerun: () => void
  onDelete: () => void
}

export function SelectionBar({ selected, all, noun, busy, onAll, onNone, onDownload, onExport, onRerun, onDelete }: SelectionBarProps) {
  return (
    <div role="toolbar" aria-label={t.selectedRows} className="flex flex-wrap items-center gap-2 border-b border-line bg-wash px-4 py-2">
      <div className="mr-auto flex flex-wrap items-center gap-2">
        <span role="status" className="num font-medium">
          {t.selected(howMany(noun, selected))}
        </span>
        {selected < all && (
          <Button look="quiet" size="small" onClick={onAll}>
            {t.selectAllCounted(all)}
          </Button>
        )}
        <Button look="quiet" size="small" onClick={onNone}>
          {t.clearSelection}
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" icon={DownloadIcon} busy={busy === 'download'} busyLabel={t.preparing} onClick={onDownload}>
          {t.download}
        </Button>
        <Button size="small" icon={ListIcon} onClick={onExport}>
          {t.exportRows}
        </Button>
        <Button size="small" icon={RestartIcon} busy={busy === 'rerun'} busyLabel={t.starting} onClick={onRerun}>
          {t.runAgain}
        </Button>
        <Button look="removal" size="small" icon={TrashIcon} onClick={onDelete}>
          {t.deleteText}
        </Button>
      </div>
    </div>
  )
}
