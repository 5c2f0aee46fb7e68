/** Pages as they are stored: the newest on top, washed for a moment; the list can be held to read in it. */
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { fileNameOf, saveFile } from '#web/runs/save-file.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Card, CardHead } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { AttachmentIcon, DownloadIcon, EyeIcon, PauseIcon, PlayIcon } from '#web/ui/icons.tsx'
import { RelativeTime } from '#web/ui/time.tsx'
import { countText, numberText } from '#web/ui/time-texts.ts'
import { toast } from '#web/ui/toaster.tsx'
import { call } from '#web/api/client.ts'
import { getResult } from '#contract/crawls.ts'
import { pageTitle, pathText, statusTone } from './page-texts.ts'
import { ResultViewer } from './result-viewer.tsx'
import { statusCodeOf } from './use-crawl.ts'
import type { PageRow } from './use-crawl.ts'

const STEP = 100
const FRESH_MS = 2000

export type LivePagesProps = {
  runId: string
  /** In the order in which they came. */
  rows: readonly PageRow[]
  running: boolean
  download: ReactNode
  empty: ReactNode
}

export function LivePages({ runId, rows, running, download, empty }: LivePagesProps) {
  const [held, setHeld] = useState<readonly PageRow[] | null>(null)
  const [most, setMost] = useState(STEP)
  const [openId, setOpenId] = useState<string | null>(null)
  const isFresh = useFresh(rows)
  const listed = [...(held ?? rows)].reverse()
  const missed = held === null ? 0 : rows.length - held.length
  return (
    <Card>
      <CardHead
        title={
          <span className="flex items-baseline gap-3">
            Pages
            <span className="text-label font-normal text-faint max-sm:hidden">Newest first</span>
          </span>
        }
      >
        {running && (
          <Button
            size="small"
            icon={held === null ? PauseIcon : PlayIcon}
            aria-pressed={held !== null}
            disabled={rows.length === 0}
            onClick={() => setHeld(held === null ? rows : null)}
          >
            {held === null ? 'Hold the list' : missed > 0 ? `Show ${numberText(missed)} new` : 'Let it run'}
          </Button>
        )}
        {rows.length > 0 && download}
      </CardHead>
      {listed.length === 0 ? (
        empty
      ) : (
        <ul aria-label="Pages" className="min-w-0">
          {listed.slice(0, most).map((row) => (
            <PageItem
              key={row.uuid}
              runId={runId}
              row={row}
              fresh={held === null && isFresh(row.uuid)}
              onOpen={() => setOpenId(row.uuid)}
            />
          ))}
        </ul>
      )}
      {listed.length > most && (
        <div className="flex items-center justify-between gap-3 border-t border-line px-4 py-2 text-table text-soft">
          <span className="num">
            {numberText(most)} of {countText(listed.length, 'page')}
          </span>
          <Button size="small" onClick={() => setMost(most + STEP)}>
            Show more
          </Button>
        </div>
      )}
      <ResultViewer runId={runId} rows={listed} openId={openId} onOpen={setOpenId} />
    </Card>
  )
}

/** Which pages came while one was looking, less than two seconds ago. The first batch is what was there already. */
function useFresh(rows: readonly PageRow[]) {
  const known = useRef<{ count: number; at: Map<string, number> }>({ count: 0, at: new Map() })
  const [, redraw] = useState(0)
  useEffect(() => {
    const { count, at } = known.current
    const now = Date.now()
    if (count > 0 || rows.length <= 3) for (const row of rows.slice(count)) at.set(row.uuid, now)
    known.current.count = rows.length
    for (const [id, since] of at) if (now - since > FRESH_MS) at.delete(id)
    if (at.size > 0) redraw((times) => times + 1)
  }, [rows])
  return (id: string) => known.current.at.has(id)
}

function PageItem({ runId, row, fresh, onOpen }: { runId: string; row: PageRow; fresh: boolean; onOpen: () => void }) {
  const status = statusCodeOf(row)
  const title = pageTitle(row)
  return (
    <li
      className={cx(
        'grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-3 border-b border-line py-2 pr-3 pl-4 last:border-b-0 hover:bg-hover sm:grid-cols-[40px_minmax(0,1fr)_auto_auto]',
        fresh && 'animate-arrive',
      )}
    >
      <span
        className={cx(
          'rounded-small text-center font-mono text-label/5 font-medium max-sm:hidden',
          status === null ? 'bg-chip text-faint' : STATUS_LOOKS[statusTone(status)],
        )}
      >
        {status ?? '–'}
      </span>
      <div className="min-w-0">
        <h3 className="truncate">
          <button
            type="button"
            className="max-w-full truncate text-left font-medium hover:text-accent-ink hover:underline"
            onClick={onOpen}
          >
            {title}
          </button>
        </h3>
        <p className="truncate text-label text-faint" title={row.url}>
          {pathText(row.url)}
        </p>
      </div>
      <RelativeTime iso={row.created_at} className="num text-label text-faint" />
      <div className="flex items-center max-sm:hidden">
        {row.attachments.length > 0 && (
          <span
            className="num mr-1 inline-flex items-center gap-1 text-label text-faint"
            title={countText(row.attachments.length, 'attachment')}
          >
            <AttachmentIcon className="size-3.5" />
            {row.attachments.length}
          </span>
        )}
        <IconButton label={`Preview ${title}`} title="Preview" icon={EyeIcon} onClick={onOpen} />
        <IconButton
          label={`Download JSON of ${title}`}
          title="Download JSON"
          icon={DownloadIcon}
          onClick={() => void saveOne(runId, row)}
        />
      </div>
    </li>
  )
}

const STATUS_LOOKS = {
  success: 'bg-success-wash text-success',
  warning: 'bg-warning-wash text-warning',
  danger: 'bg-danger-wash text-danger',
}

/** Saves one page's document, asked for when it was let go. */
async function saveOne(runId: string, row: PageRow): Promise<void> {
  try {
    const document =
      typeof row.result === 'object'
        ? row.result
        : (await call(getResult, { params: { id: runId, resultId: row.uuid }, query: { prefetched: true } })).result
    saveFile(`${fileNameOf(row.url)}.json`, JSON.stringify(document, null, 2))
  } catch (cause) {
    toast.error(cause instanceof Error ? cause.message : 'The download failed')
  }
}
