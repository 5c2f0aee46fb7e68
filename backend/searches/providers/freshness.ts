/** Filters hits by time ranges that a provider does not support. */
import { parseZoned } from '#backend/crawler/fetch/zoned-dates.ts'

const HOUR_MS = 60 * 60 * 1000

/** The note for a search that requested a day instead. */
export const NO_HOURS = 'It cannot be asked for the last hour: it was asked for the last day, and what is known to be older was left out.'

/**
 * True unless a hit is known to be older than an hour. Most providers return dates for some of their hits only.
 *
 * @param date  ISO 8601, in UTC unless it names a zone; empty or something else when there is none
 */
export function isFresh(date: string, now: number): boolean {
  const isInstant = /T\d\d:/.test(date)
  const at = parseZoned(date)
  if (Number.isNaN(at)) return true
  // A date without a time counts as fresh while its day may still be today.
  return now - at <= (isInstant ? HOUR_MS : 24 * HOUR_MS)
}
