/** What can be done with the rows that are selected; it stands above the table as long as there are any. */
import { Button } from '#web/ui/form/button.tsx'
import { DownloadIcon, ListIcon, RestartIcon, TrashIcon } from '#web/ui/icons.tsx'
import { countText } from '#web/ui/text/time-texts.ts'

type SelectionBarProps = {
  selected: number
  /** Rows of this page of the list. */
  all: number
  noun: string
  nouns: string
  /** What is under way. */
  busy: 'rerun' | 'download' | null
  onAll: () => void
  onNone: () => void
  onDownload: () => void
  onExport: () => void
  onRerun: () => void
  onDelete: () => void
}

export function SelectionBar({
  selected,
  all,
  noun,
  nouns,
  busy,
  onAll,
  onNone,
  onDownload,
  onExport,
  onRerun,
  onDelete,
}: SelectionBarProps) {
  return (
    <div role="toolbar" aria-label="Selected rows" className="flex flex-wrap items-center gap-2 border-b border-line bg-wash px-4 py-2">
      <div className="mr-auto flex flex-wrap items-center gap-2">
        <span role="status" className="num font-medium">
          {countText(selected, noun, nouns)} selected
        </span>
        {selected < all && (
          <Button look="quiet" size="small" onClick={onAll}>
            Select all {all} on this page
          </Button>
        )}
        <Button look="quiet" size="small" onClick={onNone}>
          Clear selection
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" icon={DownloadIcon} busy={busy === 'download'} busyLabel="Preparing…" onClick={onDownload}>
          Download
        </Button>
        <Button size="small" icon={ListIcon} onClick={onExport}>
          Export rows
        </Button>
        <Button size="small" icon={RestartIcon} busy={busy === 'rerun'} busyLabel="Starting…" onClick={onRerun}>
          Run again
        </Button>
        <Button look="removal" size="small" icon={TrashIcon} onClick={onDelete}>
          Delete
        </Button>
      </div>
    </div>
  )
}
