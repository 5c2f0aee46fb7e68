/** Spans of time that a provider does not know. */

const HOUR_MS = 60 * 60 * 1000

/** Said when the span of a day had to be asked for instead. */
export const NO_HOURS = 'It cannot be asked for the last hour: it was asked for the last day, and what is known to be older was left out.'

/**
 * True unless a hit is known to be older than an hour. Most providers date a part of their hits only.
 *
 * @param date  ISO 8601, in UTC where it names no zone; empty or something else when there is none
 */
export function isFresh(date: string, now: number): boolean {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(date)
  const isInstant = /T\d\d:/.test(date)
  const at = Date.parse(isInstant && !hasZone ? `${date}Z` : date)
  if (Number.isNaN(at)) return true
  // A date alone is fresh for as long as its day may still be today.
  return now - at <= (isInstant ? HOUR_MS : 24 * HOUR_MS)
}
