/** One stored page in a dialog, with a way to the ones before and after. */
import { useEffect } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '#web/ui/icons.tsx'
import { PageDocument } from './page-document.tsx'
import type { PageRow } from './use-crawl.ts'

export type ResultViewerProps = {
  runId: string
  /** In the order in which they are listed. */
  rows: readonly PageRow[]
  /** The one that is open; null when none is. */
  openId: string | null
  onOpen: (id: string | null) => void
}

export function ResultViewer({ runId, rows, openId, onOpen }: ResultViewerProps) {
  const at = rows.findIndex(({ uuid }) => uuid === openId)
  const row = rows[at]
  const step = (by: number) => {
    const next = rows[at + by]
    if (next) onOpen(next.uuid)
  }
  useEffect(() => {
    if (openId === null) return
    const move = (event: KeyboardEvent) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      const inControl = event.target instanceof Element && event.target.closest('input, textarea, [role=tablist], [role=radiogroup], pre')
      if (by === undefined || inControl || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      const next = rows[at + by]
      if (next) onOpen(next.uuid)
    }
    window.addEventListener('keydown', move)
    return () => window.removeEventListener('keydown', move)
  }, [openId, rows, at, onOpen])
  if (!row) return null
  return (
    <Dialog open onClose={() => onOpen(null)} title={<span className="wrap-anywhere">{row.url}</span>} size="wide">
      <div className="-mx-5 -mb-5 flex min-w-0 h-[calc(100dvh-96px)] flex-col border-t border-line text-ink sm:h-[min(70vh,720px)]">
        <PageDocument
          runId={runId}
          row={row}
          actions={
            <>
              <IconButton label="Previous result" icon={ChevronLeftIcon} disabled={at === 0} onClick={() => step(-1)} />
              <IconButton label="Next result" icon={ChevronRightIcon} disabled={at === rows.length - 1} onClick={() => step(1)} />
            </>
          }
        />
      </div>
    </Dialog>
  )
}
