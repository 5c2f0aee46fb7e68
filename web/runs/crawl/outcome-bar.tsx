/** The outcome of a crawl in one row: success, errors, duration. */
import type { ReactNode } from 'react'
import type { CrawlRequest } from '#contract/crawls.ts'
import { countOutcomes } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/cx.ts'
import { StatusBadge } from '#web/ui/feedback/status-badge.tsx'
import { Duration } from '#web/ui/text/time.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import * as t from '#texts/crawl-details.ts'
import { inSentence, percent } from '#texts/language.ts'
import { endReason, summarise } from './outcomes.ts'
import type { OutcomeSummary } from './outcomes.ts'

const TONES = ['bg-danger', 'bg-warning-fill', 'bg-st-canceled', 'bg-info', 'bg-st-new']
const MAX_REASONS = 4

type OutcomeBarProps = {
  crawl: CrawlRequest
  /** The button that fetches the failed URLs again, if there is one. */
  retry: ReactNode
  /** Opens the URLs with one outcome; null: all URLs. */
  onReason: (outcome: string | null) => void
}

export function OutcomeBar({ crawl, retry, onReason }: OutcomeBarProps) {
  const live = !isTerminal(crawl.status)
  const counts = useEndpoint(countOutcomes, { params: { id: crawl.uuid } }, { refreshInterval: live ? 3000 : 0 })
  const summary = counts.data ? summarise(counts.data) : null
  const reason = live ? '' : endReason(crawl)
  return (
    <Card className="grid grid-cols-2 sm:max-lg:grid-cols-3 lg:grid-cols-[auto_auto_minmax(220px,1fr)_auto]">
      <Cell name={t.status}>
        <StatusBadge status={crawl.status} />
        {reason && <span className="mt-1 block max-w-52 text-label font-normal text-faint">{reason}</span>}
      </Cell>
      <Cell name={t.pages} className="border-l">
        <span className="num">{numberText(crawl.number_of_documents)}</span>
      </Cell>
      <div className="col-span-2 grid content-start gap-1.5 border-line px-4 py-3 max-lg:border-t sm:px-5 sm:max-lg:order-last sm:max-lg:col-span-3 lg:col-span-1 lg:border-l">
        <Failures summary={summary} stored={crawl.number_of_documents} retry={retry} onReason={onReason} />
      </div>
      <Cell name={t.duration} className="max-sm:col-span-2 max-sm:border-t sm:border-l">
        <Duration duration={crawl.duration} since={live ? crawl.created_at : null} />
      </Cell>
    </Card>
  )
}

const Cell = ({ name, className, children }: { name: string; className?: string; children: ReactNode }) => (
  <div className={cx('grid content-start gap-1 border-line px-4 py-3 sm:px-5', className)}>
    <p className="text-label text-faint">{name}</p>
    <div className="text-section font-semibold">{children}</div>
  </div>
)

type FailuresProps = Pick<OutcomeBarProps, 'retry' | 'onReason'> & { summary: OutcomeSummary | null; stored: number }

/** The button is higher than a line, and must not make the line higher. */
const LEGEND = 'flex items-start justify-between gap-x-3 text-label/6 text-soft max-sm:flex-col sm:*:[button]:-my-0.5'

/** On a phone, reasons take two lines; they are reserved, so that the button does not move when the reasons arrive. */
const TWO_LINES = 'max-sm:min-h-12'

function Failures({ summary, stored, retry, onReason }: FailuresProps) {
  if (summary === null)
    // The placeholder is as high as the final content.
    return (
      <>
        <div className="flex items-baseline justify-between gap-3">
          <p className="text-label text-faint">{t.failures}</p>
          <p className="font-semibold">–</p>
        </div>
        <div aria-hidden="true" className="h-2 rounded-small bg-sunken inset-ring inset-ring-line" />
        <div className={LEGEND}>
          <span aria-hidden="true" className={cx(Boolean(retry) && TWO_LINES)}>
            {'\u00a0'}
          </span>
          {retry}
        </div>
      </>
    )
  const { failed, skipped, waiting } = summary
  const shown = summary.reasons.slice(0, MAX_REASONS)
  /** The full bar is all fetched URLs: failures fill it, the stored share stays empty. */
  const all = Math.max(1, failed + stored)
  const rest = summary.reasons.slice(MAX_REASONS).reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <div className="flex items-baseline justify-between gap-3">
        <p className="text-label text-faint">{t.failures}</p>
        <p className="num font-semibold">
          {numberText(failed)}{' '}
          {failed > 0 && <span className="text-label font-normal text-faint">{percent(failed / (failed + stored), 1)}</span>}
        </p>
      </div>
      <div aria-hidden="true" className="parts-bar flex h-2 overflow-hidden rounded-small bg-sunken inset-ring inset-ring-line">
        {shown.map(({ outcome, count }, index) => (
          <span key={outcome} className={cx('block h-full', TONES[index])} style={{ width: `${(count / all) * 100}%` }} />
        ))}
        {rest > 0 && <span className="block h-full bg-st-new" style={{ width: `${(rest / all) * 100}%` }} />}
      </div>
      <div className={LEGEND}>
        <ul className={cx('num flex min-w-0 flex-wrap gap-x-3', Boolean(retry) && TWO_LINES)}>
          {failed === 0 && <li>{t.nothingFailed}</li>}
          {shown.map(({ outcome, label, count }, index) => (
            <li key={outcome}>
              <button
                type="button"
                className="inline-flex min-h-6 items-center gap-1.5 text-left hover:text-ink hover:underline"
                onClick={() => onReason(outcome)}
              >
                <span className={cx('swatch size-2 flex-none rounded-[2px]', TONES[index])} />
                <span>
                  <b className="font-semibold text-ink">{numberText(count)}</b> {inSentence(label)}
                </span>
              </button>
            </li>
          ))}
          {rest > 0 && <li>{t.forOtherReasons(numberText(rest))}</li>}
          {skipped > 0 && (
            <li>
              <button type="button" className="min-h-6 text-faint hover:text-ink hover:underline" onClick={() => onReason(null)}>
                {t.skippedByARule(numberText(skipped))}
              </button>
            </li>
          )}
          {waiting > 0 && <li className="text-faint">{t.waiting(numberText(waiting))}</li>}
        </ul>
        {retry}
      </div>
    </>
  )
}
