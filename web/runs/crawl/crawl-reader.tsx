/** Reads the pages of a crawl: the list on the left, the page beside it; on a phone one at a time. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, RefObject } from 'react'
import { flushSync } from 'react-dom'
import { listResults } from '#contract/crawls.ts'
import { usePages } from '#web/api/use-pages.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState, ErrorState, Loading } from '#web/ui/feedback/feedback.tsx'
import { safeHref } from '#web/ui/outside-link.tsx'
import { TextField } from '#web/ui/form/field.tsx'
import { ChevronLeftIcon, ChevronRightIcon, ExpandIcon, ListIcon, SearchIcon, SpinnerIcon } from '#web/ui/icons.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { useDelayed } from '#web/ui/hooks/use-delayed.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { useIsMediumScreen } from '#web/ui/hooks/use-large-screen.ts'
import { useKey } from '#web/ui/hooks/use-key.ts'
import { useQuery } from '#web/ui/hooks/use-query.ts'
import * as t from '#texts/crawl-rows.ts'
import { pageTitle, pathText } from './page-texts.ts'
import type { PageRow } from './use-crawl.ts'

/** Loaded separately, so that the list is rendered first. The placeholder reserves its size. */
const PageDocument = lazyPart(
  async () => (await import('./page-document.tsx')).PageDocument,
  <div className="grid min-h-80 min-w-0 flex-1 place-items-center">
    <Loading>{t.loading}</Loading>
  </div>,
)

/** The full window. It needs no placeholder, because the page stays visible beside the list meanwhile. */
const ResultViewer = lazyPart(async () => (await import('./result-viewer.tsx')).ResultViewer, null)

const PAGE_SIZE = 25

/** The listed rows so far, their total, and how to get more. */
export type ReaderSource = {
  rows: readonly PageRow[]
  count: number
  /** No answer has arrived yet. */
  isLoading: boolean
  hasMore: boolean
  isLoadingMore: boolean
  /** The error of loading the next rows; null without one. */
  failure: string | null
  /** Keeps its identity until more rows are there. */
  loadMore: () => void
}

const FRAME =
  'grid min-w-0 overflow-hidden rounded-card border border-line bg-surface md:h-[680px] md:max-h-[calc(100dvh-96px)] md:min-h-120 md:grid-cols-[240px_minmax(0,1fr)] xl:grid-cols-[288px_minmax(0,1fr)] print:block print:h-auto print:max-h-none print:overflow-visible'
/** Heights in pixels of a row, of the end of the list, and of the filter and the count around it. */
const ROW = 57
const LIST_END = 40
const AROUND = 84

/**
 * The results of an ended crawl. The server filters and pages them.
 *
 * @param expected  the number of results: gives the placeholder its final height, so that nothing below moves
 */
export function StoredPages({ runId, expected, empty }: { runId: string; expected: number; empty: React.ReactNode }) {
  const { wanted, filter, setFilter } = useFilter()
  const pages = usePages(listResults, { params: { id: runId }, query: { url__contains: wanted || undefined } }, PAGE_SIZE)
  if (pages.error && pages.items.length === 0)
    return <ErrorState title={t.thePagesCouldNotBeLoaded} details={pages.error.message} onRetry={pages.retry} />
  if (pages.count === null && wanted === '') {
    const list = `${Math.min(expected, PAGE_SIZE) * ROW + LIST_END}px`
    return (
      <div
        className={cx(FRAME, 'place-items-center max-md:h-[calc(min(70dvh,var(--list))+var(--around))]')}
        style={{ '--list': list, '--around': `${AROUND}px` } as CSSProperties}
      >
        <div className="col-span-full">
          <Loading>{t.loadingThePages}</Loading>
        </div>
      </div>
    )
  }
  if (pages.count === 0 && wanted === '' && filter === '') return empty
  return (
    <Reader
      runId={runId}
      source={{
        rows: pages.items as readonly PageRow[],
        count: pages.count ?? 0,
        isLoading: pages.count === null,
        hasMore: pages.hasMore,
        isLoadingMore: pages.isLoadingMore,
        failure: pages.error?.message ?? null,
        loadMore: pages.loadMore,
      }}
      filter={filter}
      onFilter={setFilter}
      running={false}
    />
  )
}

/** The filter of the list, stored in the URL when typing pauses. */
function useFilter() {
  const query = useQuery()
  const wanted = query.get('find')
  const [filter, setFilter] = useDelayed(wanted, (find) => query.change({ find }))
  return { wanted, filter, setFilter }
}

/** The results of a running crawl, filtered in the browser. */
export function LiveReader({
  runId,
  rows,
  running,
  empty,
}: {
  runId: string
  rows: readonly PageRow[]
  running: boolean
  empty: React.ReactNode
}) {
  const { filter, setFilter } = useFilter()
  const [most, setMost] = useState(PAGE_SIZE * 4)
  const loadMore = useCallback(() => setMost(most + PAGE_SIZE * 4), [most])
  if (rows.length === 0) return empty
  const wanted = filter.trim().toLowerCase()
  const matches = wanted === '' ? rows : rows.filter(({ url, title }) => `${url} ${title ?? ''}`.toLowerCase().includes(wanted))
  const source = {
    rows: matches.slice(0, most),
    count: matches.length,
    isLoading: false,
    hasMore: matches.length > most,
    isLoadingMore: false,
    failure: null,
    loadMore,
  }
  return <Reader runId={runId} source={source} filter={filter} onFilter={setFilter} running={running} />
}

type ReaderProps = { runId: string; source: ReaderSource; filter: string; onFilter: (text: string) => void; running: boolean }

function Reader({ runId, source, filter, onFilter, running }: ReaderProps) {
  const { rows, count } = source
  /** On a phone: the page is shown instead of the list. */
  const [reading, setReading] = useState(false)
  /** Whether the user has opened a page. On a phone, none is fetched before that, because none is visible. */
  const [hasRead, setHasRead] = useState(false)
  const isBeside = useIsMediumScreen()
  const [full, setFull] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const page = useRef<HTMLDivElement>(null)
  const { at, choose, row } = useRowChoice(source, list)
  // Load it early. If that fails, rendering it shows the error.
  useEffect(() => void PageDocument.load().catch(() => undefined), [])
  useKey('f', () => setFull(true), row !== null && !full)
  const open = (index: number) => {
    choose(index)
    setHasRead(true)
    show(true)
  }
  const show = (isReading: boolean) => {
    // At once, because what is hidden cannot have the focus.
    flushSync(() => setReading(isReading))
    if (isBeside) return
    const shown = isReading ? page.current : list.current?.querySelector<HTMLElement>(`[data-page="${at}"]`)
    shown?.focus({ preventScroll: true })
    shown?.scrollIntoView({ block: isReading ? 'start' : 'nearest' })
  }
  const steps = (
    <>
      <IconButton label={t.previousPage} icon={ChevronLeftIcon} disabled={at === 0} onClick={() => choose(at - 1)} />
      <IconButton label={t.nextPage} icon={ChevronRightIcon} disabled={at >= rows.length - 1} onClick={() => choose(at + 1)} />
    </>
  )
  return (
    <section aria-label={t.results} className={FRAME}>
      <h2 className="sr-only">{t.results}</h2>
      <div className={cx('flex min-h-0 min-w-0 flex-col md:border-r md:border-line print:hidden', reading && 'max-md:hidden')}>
        <div className="border-b border-line p-2">
          <TextField
            label={t.filterResults}
            hideLabel
            type="search"
            size="small"
            icon={SearchIcon}
            placeholder={t.filter(t.resultCount(count))}
            value={filter}
            onChange={onFilter}
          />
        </div>
        <PageList list={list} source={source} at={at} running={running} onChoose={choose} onOpen={open} onClear={() => onFilter('')} />
        <div className="flex items-center justify-between gap-2 border-t border-line px-4 py-2 text-label text-faint">
          <span className="inline-flex items-center gap-1 max-md:hidden">{t.toMove(<Key>↑</Key>, <Key>↓</Key>)}</span>
          <span className="num ml-auto">{t.ofText(rows.length === 0 ? '0' : numberText(at + 1), numberText(count))}</span>
        </div>
      </div>
      <div
        ref={page}
        role="group"
        aria-label={row ? pageTitle(row) : undefined}
        tabIndex={-1}
        className={cx('flex min-h-0 min-w-0 scroll-mt-16 flex-col -outline-offset-2', !reading && 'max-md:hidden')}
      >
        <div className="flex items-center gap-1 border-b border-line py-1.5 pr-2 pl-2 md:hidden">
          <Button look="quiet" size="small" icon={ListIcon} onClick={() => show(false)}>
            {t.allResults}
          </Button>
          <span className="num ml-auto text-label text-faint">{t.numberOfAll(numberText(at + 1), numberText(count))}</span>
          {steps}
        </div>
        {row && (isBeside || hasRead) && (
          <PageDocument
            runId={runId}
            row={row}
            actions={
              <>
                <IconButton label={t.fullWindowF} icon={ExpandIcon} onClick={() => setFull(true)} />
                <span className="flex max-md:hidden">{steps}</span>
              </>
            }
          />
        )}
      </div>
      {full && (
        <ResultViewer
          runId={runId}
          rows={rows}
          openId={row?.uuid ?? null}
          startsFull
          onOpen={(id) => {
            if (id === null) setFull(false)
            else choose(rows.findIndex(({ uuid }) => uuid === id))
          }}
        />
      )}
    </section>
  )
}

/** The row whose page is shown: the first until the user chooses another. Near the end of the list, more rows are loaded. */
function useRowChoice(source: ReaderSource, list: RefObject<HTMLUListElement | null>) {
  const { rows } = source
  const [chosenId, setChosenId] = useState<string | null>(null)
  const found = rows.findIndex(({ uuid }) => uuid === chosenId)
  const at = found === -1 ? 0 : found
  const choose = (index: number, focus = false) => {
    const next = rows[index]
    if (!next) return
    setChosenId(next.uuid)
    const item = list.current?.querySelector<HTMLElement>(`[data-page="${index}"]`)
    item?.scrollIntoView({ block: 'nearest' })
    if (focus) item?.focus({ preventScroll: true })
    if (index >= rows.length - 3 && source.hasMore && !source.isLoadingMore && source.failure === null) source.loadMore()
  }
  return { at, row: rows[at] ?? null, choose }
}

type PageListProps = {
  list: RefObject<HTMLUListElement | null>
  source: ReaderSource
  /** The index of the chosen row. */
  at: number
  running: boolean
  onChoose: (index: number, focus: boolean) => void
  onOpen: (index: number) => void
  /** Clears the filter. */
  onClear: () => void
}

function PageList({ list, source, at, running, onChoose, onOpen, onClear }: PageListProps) {
  const { rows } = source
  if (source.isLoading)
    return (
      <div className="flex-1">
        <Loading>{t.loadingThePages}</Loading>
      </div>
    )
  if (rows.length === 0)
    return (
      <div className="flex-1">
        <EmptyState net="plain" title={t.nothingMatchesTheFilter} action={<Button onClick={onClear}>{t.clearTheFilter}</Button>} />
      </div>
    )
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    onChoose(Math.max(0, Math.min(rows.length - 1, to)), true)
  }
  return (
    <ul ref={list} aria-label={t.pages} onKeyDown={onKeyDown} className="min-h-0 flex-1 overflow-y-auto max-md:max-h-[70dvh]">
      {rows.map((one, index) => (
        <PageItem key={one.uuid} row={one} index={index} current={index === at} onOpen={() => onOpen(index)} />
      ))}
      <LoadMore source={source} running={running} />
    </ul>
  )
}

const Key = ({ children }: { children: string }) => (
  <kbd className="rounded-small border border-line-strong px-1 font-sans text-label">{children}</kbd>
)

/** The link to the screenshot of a page, where one was taken. */
function screenshotOf({ attachments }: PageRow): string | null {
  const file = attachments.find(({ attachment_type }) => attachment_type === 'screenshot')
  return file === undefined ? null : safeHref(file.attachment)
}

function PageItem({ row, index, current, onOpen }: { row: PageRow; index: number; current: boolean; onOpen: () => void }) {
  const shot = screenshotOf(row)
  return (
    <li className="border-b border-line last:border-b-0 [contain-intrinsic-size:auto_57px] [content-visibility:auto]">
      <button
        type="button"
        data-page={index}
        aria-current={current ? 'true' : undefined}
        tabIndex={current ? 0 : -1}
        onClick={onOpen}
        className={cx(
          'block w-full px-4 py-2.5 text-left -outline-offset-2',
          current ? 'bg-wash shadow-[inset_3px_0_0_var(--accent)]' : 'hover:bg-hover',
        )}
      >
        <span className="flex items-center gap-3">
          {shot !== null && (
            <img
              src={shot}
              alt=""
              loading="lazy"
              decoding="async"
              width={48}
              height={36}
              className="h-9 w-12 flex-none rounded-small border border-line object-cover object-top"
            />
          )}
          <span className="min-w-0 flex-1">
            <span dir="auto" className="block truncate text-left font-medium">
              {pageTitle(row)}
            </span>
            <span className={cx('mt-0.5 block truncate text-label', current ? 'text-soft' : 'text-faint')} title={row.url}>
              {pathText(row.url)}
            </span>
          </span>
        </span>
      </button>
    </li>
  )
}

/** Loads more when the end of the list becomes visible, or on request. After a failure only on request, to avoid endless requests. */
function LoadMore({ source, running }: { source: ReaderSource; running: boolean }) {
  const end = useRef<HTMLLIElement>(null)
  const { hasMore, isLoadingMore, failure, loadMore, count } = source
  const mayLoad = hasMore && !isLoadingMore && failure === null
  useEffect(() => {
    if (!mayLoad || !end.current) return
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && loadMore(), { rootMargin: '200px' })
    watcher.observe(end.current)
    return () => watcher.disconnect()
  }, [mayLoad, loadMore])
  return (
    <li ref={end} className="px-4 py-3 text-center text-label text-faint">
      {hasMore ? (
        <>
          {failure !== null && (
            <p role="alert" className="mb-1.5 text-danger" title={failure}>
              {t.moreResultsCouldNotBeLoaded}
            </p>
          )}
          <Button size="small" look="quiet" busy={isLoadingMore} busyLabel={t.loading} onClick={loadMore}>
            {failure === null ? t.loadMore : t.tryAgain}
          </Button>
        </>
      ) : running ? (
        <span className="inline-flex items-center gap-2">
          <SpinnerIcon className="size-3.5" /> {t.moreAreOnTheirWay}
        </span>
      ) : (
        t.allLoaded(t.resultCount(count))
      )}
    </li>
  )
}
