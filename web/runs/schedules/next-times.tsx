/** The next times of a schedule, below the fields that decide them. */
import { fieldError } from '#web/api/field-error.ts'
import { cx } from '#web/ui/cx.ts'
import * as t from '#texts/schedules.ts'
import { timeInZone } from './schedule-texts.ts'
import type { Preview } from './use-preview.ts'

/** Fields of the form that show the errors of the preview. */
const FIELDS = ['cron', 'timezone']

export function NextTimes({ preview: { error, isLoading, next }, timezone }: { preview: Preview; timezone: string }) {
  const isShownAbove = error !== null && FIELDS.some((name) => fieldError(error, name) !== undefined)
  return (
    <section aria-label={t.nextCrawls} className="min-w-0 rounded-control border border-line bg-sunken px-3 py-2.5 text-table">
      <h3 className="mb-1 text-label font-medium text-faint">{t.nextCrawls}</h3>
      {/* The height of five times, so that the fields below stay where they are. */}
      <div className="min-h-25">
        {error !== null ? (
          <p className="text-soft">{isShownAbove ? t.noTimes : t.theTimesCouldNotBeLoaded(error.message)}</p>
        ) : (
          <ol aria-busy={isLoading || undefined} className={cx('num transition-opacity', isLoading && 'opacity-60')}>
            {next.map((at) => (
              <li key={at} className="truncate">
                <time dateTime={at}>{timeInZone(at, timezone)}</time>
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  )
}
