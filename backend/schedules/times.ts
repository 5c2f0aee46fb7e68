/** The times of a schedule: a cron expression in a time zone. */
import { Cron } from 'croner'
import { MIN_SCHEDULE_MINUTES } from '#contract/sizes.ts'
import type { FieldErrors } from '#contract/endpoint.ts'
import { AppError } from '#backend/errors.ts'
import { endOfGap, wallTime } from './clock-gaps.ts'

export type Times = { cron: string; timezone: string }

/** Enough for a whole day of the most frequent crawls, in which the shortest gap is. */
const CHECKED_TIMES = (24 * 60) / MIN_SCHEDULE_MINUTES
/** Characters of the five fields, so that no nicknames, seconds or dates are accepted. */
const FIVE_FIELDS = /^[^\s@]+(?:\s+[^\s@]+){4}$/

/** Throws `invalid_input` for a cron expression or time zone that cannot be used, and for times that are too close together. */
export function checkTimes({ cron, timezone }: Times, at: number): void {
  const fields: FieldErrors = {}
  if (!isTimezone(timezone)) fields['timezone'] = ['Enter the name of a time zone, such as Europe/Paris.']
  const mistake = mistakeIn({ cron, timezone: fields['timezone'] === undefined ? timezone : 'UTC' }, at)
  if (mistake !== null) fields['cron'] = [mistake]
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}

/** The next time after an instant, in epoch milliseconds; null if there is none any more. */
export function nextTime(times: Times, after: number): number | null {
  const next = parsed(times).nextRun(new Date(after))?.getTime() ?? null
  const skipped = skippedTime(times, after)
  return skipped !== null && (next === null || skipped < next) ? skipped : next
}

/** The next `count` times after an instant, in epoch milliseconds. */
export function nextTimes(times: Times, after: number, count: number): number[] {
  const found: number[] = []
  for (let at: number | null = after; found.length < count;) {
    at = nextTime(times, at)
    if (at === null) break
    found.push(at)
  }
  return found
}

/**
 * When the clocks skip the next time, which is then. The parser knows gaps within a day; one that ends at midnight, as in Nuuk, it takes for
 * the end of the day.
 */
function skippedTime({ cron, timezone }: Times, after: number): number | null {
  const [minutes = '', hours = ''] = cron.trim().split(/\s+/)
  if (INTERVAL.test(minutes + hours)) return null
  const wall = new Cron(cron, { ...PATTERN, utcOffset: 0 }).nextRun(new Date(wallTime(timezone, after)))?.getTime()
  const at = wall === undefined ? null : endOfGap(timezone, wall)
  return at !== null && at > after ? at : null
}

function mistakeIn(times: Times, at: number): string | null {
  if (!FIVE_FIELDS.test(times.cron)) return 'Enter five fields: minute, hour, day of month, month, day of week.'
  try {
    if (nextTime(times, at) === null) return 'This time never comes.'
  } catch {
    return 'Enter a valid cron expression, such as 0 3 * * 1 for Mondays at 3:00.'
  }
  const { cron } = times
  // Leap days on a Monday, for example, are searched only where the times of each day would be too close.
  return isTooClose(onEachDay(cron), at) && isTooClose(cron, at)
    ? `Between two crawls there must be at least ${MIN_SCHEDULE_MINUTES} minutes.`
    : null
}

/** The expression with its minutes and hours, for all days. */
const onEachDay = (cron: string): string => [...cron.trim().split(/\s+/).slice(0, 2), '*', '*', '*'].join(' ')

/** Computed without a time zone, which would take ten times as long: daylight saving changes no distance that matters here. */
function isTooClose(cron: string, at: number): boolean {
  const next = new Cron(cron, { ...PATTERN, utcOffset: 0 }).nextRuns(CHECKED_TIMES + 1, new Date(at)).map((time) => time.getTime())
  return next.some((time, place) => place > 0 && time - next[place - 1]! < MIN_SCHEDULE_MINUTES * 60_000)
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Wildcards and steps: such times are not moved. */
const INTERVAL = /[*?/]/

/** Daylight saving neither omits nor repeats a time, unless the minute or hour has a wildcard or a step. */
const PATTERN = { mode: '5-part', paused: true, fixedTimeRule: 'no-wildcard' } as const

const parsed = ({ cron, timezone }: Times) => new Cron(cron, { ...PATTERN, timezone })
