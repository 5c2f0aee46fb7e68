/** Pages as they arrive: the newest on top, highlighted for a moment. The list is frozen while the user reads it or has paused it. */
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { fileNameOf, saveFile } from '#web/runs/shared/save-file.ts'
import { downloadFault } from '#web/runs/shared/saving.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { Card, CardHead } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { ArrowRightIcon, AttachmentIcon, DownloadIcon, EyeIcon, PauseIcon, PlayIcon } from '#web/ui/icons.tsx'
import { MovingList } from '#web/ui/list/moving-list.tsx'
import { RelativeTime } from '#web/ui/text/time.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { toast } from '#web/ui/feedback/toaster.tsx'
import { call } from '#web/api/client.ts'
import { getResult } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { pathTo } from '#web/navigation.ts'
import * as t from '#texts/crawl-pages.ts'
import { seeWhatHappenedToEachUrl } from '#texts/crawl-rows.ts'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import { NoPages } from './no-pages.tsx'
import { pageTitle, pathText, statusTone } from './page-texts.ts'
import { ResultViewer } from './result-viewer.tsx'
import { statusCodeOf } from './use-crawl.ts'
import type { PageRow } from './use-crawl.ts'

const ROW_PX = 56
const FRESH_MS = 2000

/** The frozen list. `hand`: frozen by the button; `reading`: frozen while the user reads. */
type Hold = { rows: readonly PageRow[]; by: 'hand' | 'reading' }

export type LivePagesProps = {
  crawl: CrawlRequest
  /** In order of arrival. */
  rows: readonly PageRow[]
  /** All pages have arrived. */
  isComplete: boolean
  /** The most pages that the crawl can store. */
  limit: number
  running: boolean
  download: ReactNode
}

export function LivePages({ crawl, rows, isComplete, limit, running, download }: LivePagesProps) {
  const [hold, setHold] = useState<Hold | null>(null)
  const [openId, setOpenId] = useState<string | null>(null)
  const [cameLive] = useState(running)
  const box = useRef<HTMLDivElement>(null)
  const isFresh = useFresh(rows)
  const shown = hold?.rows ?? rows
  const listed = useMemo(() => shown.toReversed(), [shown])
  const missed = rows.length - shown.length
  const attention = useRef({ isReading: false, isOpen: false })
  /** Freezes the list while the user reads it or has a page open, so that the text never moves. */
  const attend = (change: Partial<typeof attention.current>) => {
    const { isReading, isOpen } = Object.assign(attention.current, change)
    setHold((now) => (isReading || isOpen ? (now ?? { rows, by: 'reading' }) : now?.by === 'reading' ? null : now))
  }
  const open = (row: PageRow) => {
    attend({ isOpen: true })
    setOpenId(row.uuid)
  }
  const onClosed = useEffectEvent(() => attend({ isOpen: false }))
  // After the dialog has returned the focus: in browsers that focus a clicked button the list is still being read then.
  useEffect(() => {
    if (openId === null) onClosed()
  }, [openId])
  const release = () => {
    setHold(null)
    box.current?.scrollTo({ top: 0 })
  }
  return (
    <Card>
      <CardHead
        title={
          <span className="flex items-baseline gap-3">
            {t.pagesShown(<span className="text-label font-normal text-faint max-sm:hidden">{t.newestFirst}</span>)}
          </span>
        }
      >
        {(running || missed > 0) && (
          <Button
            size="small"
            icon={hold === null ? PauseIcon : PlayIcon}
            aria-pressed={hold !== null}
            disabled={rows.length === 0}
            onClick={() => (hold === null ? setHold({ rows, by: 'hand' }) : release())}
          >
            {hold === null ? t.pauseUpdates : missed > 0 ? t.showNew(numberText(missed)) : t.resumeUpdates}
          </Button>
        )}
        {rows.length > 0 && download}
      </CardHead>
      {/* Below xl, each new row would push the content below down, so the rows' height is reserved from the start. */}
      <div className="max-xl:min-h-(--room)" style={{ '--room': cameLive ? `min(70dvh, ${limit * ROW_PX}px)` : '0px' } as CSSProperties}>
        {listed.length === 0 ? (
          <NoPages
            crawl={crawl}
            isComplete={isComplete}
            action={
              <ButtonLink href={`${pathTo('crawlDetails', { requestId: crawl.uuid })}?view=urls`} icon={ArrowRightIcon}>
                {seeWhatHappenedToEachUrl}
              </ButtonLink>
            }
          />
        ) : (
          <MovingList
            label={t.pages}
            items={listed}
            itemKey={({ uuid }) => uuid}
            rowHeight={ROW_PX}
            rowClass={({ uuid }, isLast) => cx(ROW, !isLast && 'border-b border-line', hold === null && isFresh(uuid) && 'animate-arrive')}
            box={box}
            onReading={(isReading) => attend({ isReading })}
            className="max-h-[70dvh]"
          >
            {(row) => <PageItem runId={crawl.uuid} row={row} onOpen={() => open(row)} />}
          </MovingList>
        )}
      </div>
      <ResultViewer runId={crawl.uuid} rows={listed} openId={openId} onOpen={setOpenId} />
    </Card>
  )
}

/** Tells which pages arrived less than two seconds ago. The first batch does not count if it is larger than three: it existed before. */
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

const ROW =
  'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 py-1 pr-3 pl-4 hover:bg-hover sm:grid-cols-[40px_minmax(0,1fr)_auto_auto]'

function PageItem({ runId, row, onOpen }: { runId: string; row: PageRow; onOpen: () => void }) {
  const status = statusCodeOf(row)
  const title = pageTitle(row)
  return (
    <>
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
            dir="auto"
            className="block max-w-full truncate text-left leading-6 font-medium hover:text-accent-ink hover:underline"
            onClick={onOpen}
          >
            {title}
          </button>
        </h3>
        <p className="truncate text-label text-faint">
          <OutsideLink url={row.url} className="block w-fit max-w-full truncate leading-6">
            {pathText(row.url)}
          </OutsideLink>
        </p>
      </div>
      <RelativeTime iso={row.created_at} className="num text-label text-faint" />
      <div className="flex items-center max-sm:hidden">
        {row.attachments.length > 0 && (
          <span className="num mr-1 inline-flex items-center gap-1 text-label text-faint" title={t.attachments(row.attachments.length)}>
            <AttachmentIcon className="size-3.5" />
            {row.attachments.length}
          </span>
        )}
        <IconButton label={t.preview(title)} title={t.previewTab} icon={EyeIcon} onClick={onOpen} />
        <IconButton label={t.downloadJSONOf(title)} title={t.downloadJSON} icon={DownloadIcon} onClick={() => void saveOne(runId, row)} />
      </div>
    </>
  )
}

const STATUS_LOOKS = {
  success: 'bg-success-wash text-success',
  warning: 'bg-warning-wash text-warning',
  danger: 'bg-danger-wash text-danger',
}

/** Saves one page's document; fetches it if it was dropped from memory. */
async function saveOne(runId: string, row: PageRow): Promise<void> {
  try {
    const document =
      typeof row.result === 'object'
        ? row.result
        : (await call(getResult, { params: { id: runId, resultId: row.uuid }, query: { prefetched: true } })).result
    saveFile(`${fileNameOf(row.url)}.json`, JSON.stringify(document, null, 2))
  } catch (cause) {
    toast.error(downloadFault(cause))
  }
}
