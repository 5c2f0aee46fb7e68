/** The progress of a crawl in one card: a big number, a bar with three segments, and five figures of fixed width. */
import { useEffect, useRef, useState } from 'react'
import type { CrawlRequest } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import type { Connection } from '#web/runs/shared/use-progress.ts'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { SpinnerIcon } from '#web/ui/icons.tsx'
import { Chip, StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { useSampled } from '#web/ui/hooks/use-sampled.ts'
import { useNow } from '#web/ui/text/time.tsx'
import { durationMs, numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/crawl-progress.ts'
import { percent } from '#texts/language.ts'
import { detailsPath } from '#web/runs/shared/run-base.ts'
import { DetailsLink } from '#web/runs/shared/playground.tsx'
import { endReason } from './outcomes.ts'
import { pageLimitOf, rateText, shortSpan } from './page-texts.ts'
import { CRAWL } from './use-crawl.ts'

/** Screen readers announce the progress at most this often. */
const SAY_MS = 10_000

export function CrawlMeter({ crawl, stored, connection }: { crawl: CrawlRequest; stored: number; connection: Connection }) {
  const live = !isTerminal(crawl.status)
  const now = useNow(live ? 1000 : null)
  const kept = Math.max(stored, crawl.number_of_documents)
  const { failed, pending } = crawl.counts
  const known = Math.max(crawl.counts.known, kept + failed)
  const limit = pageLimitOf(crawl)
  const elapsedMs = durationMs(crawl.duration) ?? Math.max(0, now - Date.parse(crawl.created_at))
  const speed = useSpeed(kept, elapsedMs, live)
  // Pages arrive one by one, counts once a second: do not count a page as waiting that has arrived since.
  const waiting = Math.max(0, Math.min(pending, known - kept - failed))
  const left = Math.min(Math.max(0, limit - kept), waiting)
  // A crawl that runs is not done: with no URL known to be left, another one may be found in the page that is being fetched.
  const reach = Math.max(1, kept + failed + (live ? Math.max(1, left) : left))
  const reason = live ? '' : endReason(crawl)
  const said = useSampled(t.progressStoredFailed(numberText(kept), numberText(failed)), SAY_MS)
  return (
    <Card>
      <p aria-live="polite" className="sr-only">
        {live && said}
      </p>
      <div className="grid gap-4 p-4 sm:p-5">
        {/* On a phone the text is below the number from the start: from 1,000 on, it would not fit beside it. */}
        <div className="flex items-start justify-between gap-x-4 sm:items-center">
          <p className="min-w-0 sm:flex sm:items-baseline sm:gap-2">
            <b className="num block text-live font-semibold">{numberText(kept)}</b>
            <span className="text-soft">{live ? t.ofAtMost(t.pages(limit)) : t.pagesStored(kept)}</span>
          </p>
          <div className="flex items-center gap-2 max-sm:mt-2 max-sm:flex-col max-sm:items-end">
            <span className="flex flex-wrap justify-end gap-2" role="status">
              {live && connection === 'reconnecting' && (
                <Chip tone="warning" icon={SpinnerIcon}>
                  {t.reconnecting}
                </Chip>
              )}
              <StatusBadge status={crawl.status} />
            </span>
            <DetailsLink href={detailsPath(CRAWL, crawl)} />
          </div>
        </div>
        <div
          role="progressbar"
          aria-label={t.pagesTitle}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(kept, limit)}
          className="parts-bar flex h-2 overflow-hidden rounded-small bg-sunken inset-ring inset-ring-line"
        >
          <BarPart className="bg-accent" share={kept / reach} />
          <BarPart className="bg-danger" share={failed / reach} />
          {live && <BarPart className="bg-accent/30" share={left / reach} />}
        </div>
        {/* Two lines high on a phone from the start: the reason why the crawl ended takes the second one. */}
        <p className="num flex flex-wrap content-start items-center gap-x-3 gap-y-1 text-label text-soft max-sm:min-h-9">
          <Legend className="bg-accent">{t.storedCount(numberText(kept))}</Legend>
          <Legend className="bg-danger">{t.failed(numberText(failed))}</Legend>
          {live && <Legend className="bg-accent/30">{t.toFetch(numberText(left))}</Legend>}
          {live && waiting > left && <span className="text-faint">{t.moreFoundOverTheLimit(numberText(waiting - left))}</span>}
          {reason && <span className="text-faint">{reason}</span>}
        </p>
      </div>
      <dl className="grid grid-cols-6 border-t border-line sm:grid-cols-5">
        <MeterFact name={t.speed}>
          {speed === null ? (
            '–'
          ) : (
            <>
              {rateText(speed)}{' '}
              <span className="text-label font-normal text-faint sm:text-section sm:font-semibold sm:text-ink">{t.pagesS}</span>
            </>
          )}
        </MeterFact>
        <MeterFact name={t.errors}>
          {numberText(failed)}{' '}
          {failed > 0 && <span className="text-label font-normal text-faint">{percent(failed / (kept + failed), 1)}</span>}
        </MeterFact>
        <MeterFact name={t.elapsed}>{shortSpan(elapsedMs)}</MeterFact>
        <MeterFact name={t.timeLeft} half>
          {!live ? '–' : speed !== null && speed > 0 && left > 0 ? t.about(shortSpan(roughly((left / speed) * 1000))) : '–'}
        </MeterFact>
        <MeterFact name={t.urlsFound} half>
          {numberText(known)}
        </MeterFact>
      </dl>
    </Card>
  )
}

const BarPart = ({ share, className }: { share: number; className: string }) => (
  <span className={cx('block h-full transition-[width]', className)} style={{ width: `${Math.min(1, share) * 100}%` }} />
)

const Legend = ({ className, children }: { className: string; children: React.ReactNode }) => (
  <span className="inline-flex items-center gap-1.5">
    <span className={cx('swatch size-2 rounded-[2px]', className)} />
    {children}
  </span>
)

/** One figure. On a phone there are three above and two below; on larger screens all five are in a row. */
const MeterFact = ({ name, half = false, children }: { name: string; half?: boolean; children: React.ReactNode }) => (
  <div
    className={cx(
      'grid min-w-0 gap-0.5 border-line px-4 py-3 sm:col-span-1 sm:border-t-0 sm:px-5 sm:not-first:border-l',
      half ? 'col-span-3 border-t last:border-l' : 'col-span-2 not-first:border-l',
    )}
  >
    <dt className="truncate text-label text-faint">{name}</dt>
    <dd className="num truncate text-section font-semibold">{children}</dd>
  </div>
)

/** Rounds an estimate up: to 5 seconds within the last minute, else to 30. */
const roughly = (ms: number) => (ms < 60_000 ? Math.ceil(ms / 5000) * 5000 : Math.ceil(ms / 30_000) * 30_000)

/** Pages per second over the last ten seconds while it runs, afterwards over the whole crawl; null while unknown. */
function useSpeed(kept: number, elapsedMs: number, live: boolean): number | null {
  const samples = useRef<{ atMs: number; kept: number }[]>([])
  const [recent, setRecent] = useState<number | null>(null)
  useEffect(() => {
    samples.current = [...samples.current.filter(({ atMs }) => elapsedMs - atMs < 10_000), { atMs: elapsedMs, kept }]
    const [first] = samples.current
    const spanMs = first === undefined ? 0 : elapsedMs - first.atMs
    setRecent(first === undefined || spanMs < 2000 ? null : Math.max(0, (kept - first.kept) / (spanMs / 1000)))
  }, [elapsedMs, kept])
  if (elapsedMs < 1000 || kept === 0) return null
  return live && recent !== null ? recent : kept / (elapsedMs / 1000)
}
