/** Statistics above a crawl's list of URLs: bars that filter the list on click, speed over time, large and slow URLs. */
import { countOutcomes, crawlOverview } from '#contract/crawls.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Card, CardBody, CardHead } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { ErrorState, Skeleton } from '#web/ui/feedback/feedback.tsx'
import { OutsideLink } from '#web/ui/outside-link.tsx'
import { sizeText } from '#web/ui/text/size-text.ts'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/crawl-overview.ts'
import { outcomeWords } from './outcomes.ts'
import { pathText, rateText } from './page-texts.ts'

type Overview = AnswerOf<typeof crawlOverview>
/** A filter of the list; '' for all. */
export type UrlFilter = { outcome?: string; http_status?: string; depth?: string }

/** Refresh interval while the crawl runs. */
const LIVE_MS = 5000
const MOST_BARS = 6

type OverviewProps = { runId: string; live: boolean; filter: UrlFilter; onFilter: (filter: UrlFilter) => void }

export function CrawlOverview({ runId, live, filter, onFilter }: OverviewProps) {
  const args = { params: { id: runId } }
  const repeat = { refreshInterval: live ? LIVE_MS : 0 }
  const overview = useEndpoint(crawlOverview, args, repeat)
  const outcomes = useEndpoint(countOutcomes, args, repeat)
  if (overview.error && !overview.data)
    return (
      <Card>
        <ErrorState title={t.theOverviewCouldNotBeLoaded} details={overview.error.message} onRetry={() => void overview.mutate()} />
      </Card>
    )
  if (!overview.data || !outcomes.data) return <OverviewSkeleton />
  const { content_types, depths, largest, slowest, speed, statuses } = overview.data
  return (
    <section aria-label={t.overview} className="grid min-w-0 gap-4 lg:grid-cols-2">
      <Panel title={t.speed}>
        <Speed {...speed} />
      </Panel>
      <Panel title={t.outcomes}>
        <Bars
          label={t.outcomes}
          chosen={filter.outcome}
          onChoose={(outcome) => onFilter({ outcome })}
          rows={outcomes.data.map(({ outcome, count }) => ({ id: outcome ?? 'pending', label: outcomeWords(outcome).label, count }))}
        />
      </Panel>
      <Panel title={t.statusCodes}>
        <Bars
          label={t.statusCodes}
          chosen={filter.http_status}
          onChoose={(http_status) => onFilter({ http_status })}
          rows={statuses.map(({ status, count }) => ({ id: String(status), label: String(status), count }))}
        />
      </Panel>
      <Panel title={t.depth}>
        <Bars
          label={t.depth}
          chosen={filter.depth}
          onChoose={(depth) => onFilter({ depth })}
          rows={depths.map(({ depth, count, kept }) => ({
            id: String(depth),
            label: depth === 0 ? t.start : t.links(depth),
            count,
            note: t.storedCount(numberText(kept)),
          }))}
        />
      </Panel>
      <Panel title={t.contentTypes}>
        <Bars
          label={t.contentTypes}
          rows={content_types.map(({ content_type, count }) => ({ id: content_type ?? '', label: content_type ?? t.notStated, count }))}
        />
      </Panel>
      <Panel title={t.largestAndSlowest}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Extremes label={t.largest} rows={largest} figure={({ bytes }) => (bytes === null ? '–' : sizeText(bytes))} />
          <Extremes
            label={t.slowest}
            rows={slowest}
            figure={({ took_ms }) => (took_ms === null ? '–' : t.ms(numberText(Math.round(took_ms))))}
          />
        </div>
      </Panel>
    </section>
  )
}

const Panel = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <Card>
    <CardHead title={title} />
    <CardBody>{children}</CardBody>
  </Card>
)

/** Reserves the panels' height, so that the list below does not jump. */
function OverviewSkeleton() {
  return (
    <div role="status" aria-label={t.loadingTheOverview} className="grid gap-4 lg:grid-cols-2">
      {Array.from({ length: 6 }, (_, panel) => (
        <Skeleton key={panel} className="h-56 rounded-card" />
      ))}
    </div>
  )
}

/** The chart has room for at least this many bars, so that a crawl of one second does not fill it with a single bar. */
const LEAST_STEPS = 30

function Speed({ pages, step_ms: stepMs }: Overview['speed']) {
  const total = pages.reduce((sum, count) => sum + count, 0)
  if (total === 0) return <p className="text-table text-faint">{t.noPageHasBeenStored}</p>
  const most = Math.max(...pages)
  const perSecond = (count: number, steps = 1) => t.pagesPerSecond(rateText(count / ((stepMs / 1000) * steps)))
  const words = t.onAverageAtMost(perSecond(total, pages.length), perSecond(most))
  return (
    <figure className="grid gap-2">
      <svg
        viewBox={`0 0 ${Math.max(pages.length, LEAST_STEPS)} 40`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
        className="h-32 w-full"
      >
        {pages.map((count, at) => (
          <rect
            key={at}
            x={at + 0.1}
            width={0.8}
            y={40 - (count / most) * 40}
            height={(count / most) * 40}
            className="fill-chart-2 forced-colors:fill-[CanvasText]"
          />
        ))}
      </svg>
      <figcaption aria-hidden="true" className="num text-label text-soft">
        {words}
      </figcaption>
    </figure>
  )
}

type Bar = { id: string; label: string; count: number; note?: string }

/** Horizontal bars, in the order of `rows`; a last line sums up the rows for which there is no room. With `onChoose` each bar is a toggle. */
function Bars({
  label,
  rows,
  chosen = '',
  onChoose,
}: {
  label: string
  rows: readonly Bar[]
  chosen?: string | undefined
  onChoose?: (id: string) => void
}) {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  if (rows.length === 0) return <p className="text-table text-faint">{t.none}</p>
  const shown = rows.slice(0, MOST_BARS)
  const rest = rows.slice(MOST_BARS).reduce((sum, { count }) => sum + count, 0)
  return (
    // The bars are in line with the panel's title; the ground of a bar under the pointer is wider.
    <ul aria-label={label} className="-mx-2 grid grid-cols-[minmax(0,1fr)] gap-1 text-table">
      {shown.map((row) => (
        <li key={row.id}>
          {onChoose ? (
            <button
              type="button"
              aria-pressed={row.id === chosen}
              onClick={() => onChoose(row.id === chosen ? '' : row.id)}
              className={cx(
                'block w-full rounded-small px-2 py-1 text-left hover:bg-hover',
                row.id === chosen && 'bg-wash outline-1 outline-accent',
              )}
            >
              <BarLine row={row} most={most} />
            </button>
          ) : (
            <div className="px-2 py-1">
              <BarLine row={row} most={most} />
            </div>
          )}
        </li>
      ))}
      {rest > 0 && <li className="num px-2 text-label text-faint">{t.others(rest)}</li>}
    </ul>
  )
}

function BarLine({ row: { label, count, note }, most }: { row: Bar; most: number }) {
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">{label}</span>
        <span className="num flex-none">
          {note && <span className="mr-1 text-label text-faint">{note}</span>} <b className="font-medium">{numberText(count)}</b>
        </span>
      </span>
      <span aria-hidden="true" className="mt-1 block h-1.5 overflow-hidden rounded-small bg-sunken inset-ring inset-ring-line">
        <span className="block h-full bg-chart-1 forced-colors:bg-[CanvasText]" style={{ width: `${(count / most) * 100}%` }} />
      </span>
    </>
  )
}

function Extremes({
  label,
  rows,
  figure,
}: {
  label: string
  rows: Overview['largest']
  figure: (row: Overview['largest'][number]) => string
}) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 text-label font-medium text-soft">{label}</h3>
      {rows.length === 0 && <p className="text-table text-faint">{t.none}</p>}
      <ol className="grid grid-cols-[minmax(0,1fr)] text-table">
        {rows.slice(0, 5).map((row) => (
          <li key={row.url} className="flex items-baseline justify-between gap-3 py-1">
            <span className="min-w-0 truncate">
              <OutsideLink url={row.url}>{pathText(row.url)}</OutsideLink>
            </span>
            <span className="num flex-none text-soft">{figure(row)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
