/** One stored page in a dialog, with buttons to the previous and the next page. */
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ChevronLeftIcon, ChevronRightIcon, ExpandIcon, ShrinkIcon } from '#web/ui/icons.tsx'
import * as t from '#texts/crawl-pages.ts'
import { PageTools } from './page-tools.tsx'
import { PageDocument } from './page-document.tsx'
import type { PageRow } from './use-crawl.ts'

export type ResultViewerProps = {
  runId: string
  /** In the order of the list. */
  rows: readonly PageRow[]
  /** Id of the open page; null if none is open. */
  openId: string | null
  onOpen: (id: string | null) => void
  /** Opens in the full window; the key `F` toggles that. */
  startsFull?: boolean
}

export function ResultViewer({ runId, rows, openId, onOpen, startsFull = false }: ResultViewerProps) {
  const [full, setFull] = useState(startsFull)
  const place = useRef<HTMLDivElement>(null)
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
      if (inControl || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key.toLowerCase() === 'f') {
        event.preventDefault()
        setFull((isFull) => !isFull)
      }
      if (by === undefined) return
      event.preventDefault()
      const next = rows[at + by]
      if (next) onOpen(next.uuid)
    }
    window.addEventListener('keydown', move)
    return () => window.removeEventListener('keydown', move)
  }, [openId, rows, at, onOpen])
  if (!row) return null
  return (
    <Dialog
      open
      onClose={() => onOpen(null)}
      title={<span className={full ? 'block truncate' : 'wrap-anywhere'}>{row.url}</span>}
      size={full ? 'full' : 'wide'}
    >
      <div
        ref={place}
        // Arrow keys and F are for the page, so the focus starts here and not in the search field.
        tabIndex={-1}
        data-autofocus
        className={cx(
          '-mx-5 -mb-5 grid min-w-0 border-t border-line text-ink outline-none',
          full
            ? 'h-[calc(100dvh-57px)] lg:grid-cols-[minmax(0,1fr)_320px] lg:divide-x lg:divide-line'
            : 'h-[calc(100dvh-96px)] sm:h-[min(70vh,720px)]',
        )}
      >
        <div className="flex min-h-0 min-w-0 flex-col">
          <PageDocument
            runId={runId}
            row={row}
            actions={
              <>
                <IconButton
                  label={full ? t.leaveTheFullWindowF : t.fullWindowF}
                  icon={full ? ShrinkIcon : ExpandIcon}
                  onClick={() => setFull(!full)}
                />
                <IconButton label={t.previousResult} icon={ChevronLeftIcon} disabled={at === 0} onClick={() => step(-1)} />
                <IconButton label={t.nextResult} icon={ChevronRightIcon} disabled={at === rows.length - 1} onClick={() => step(1)} />
              </>
            }
          />
        </div>
        {full && <PageTools row={row} place={place} />}
      </div>
    </Dialog>
  )
}
