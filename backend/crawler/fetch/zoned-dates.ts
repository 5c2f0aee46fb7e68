/**
 * Dates that others have written. Without a zone, `Date.parse` takes most of them for local time, so that the same text would be another
 * instant on a server in another zone.
 */

/**
 * A zone at the end of an instant: `Z`, `GMT`, `EST`, `GMT+0200`, or an offset after the time, perhaps of hours only; then perhaps its name in
 * parentheses. The name has no parentheses, so that a long text takes linear time, not quadratic.
 */
const ZONE = /(?:Z|\b(?:UTC?|[ECMP][SD]T|GMT(?:[+-]\d\d:?\d\d)?)|:\d\d(?:\.\d+)?\s*(?:[AP]M\s*)?[+-]\d\d(?::?\d\d)?)\s*(?:\([^()]*\))?$/i
const ISO_DAY = /^[+-]?\d{4,6}-\d\d(?:-\d\d)?$/
const ISO_TIME = /^[+-]?\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d/

/** The instant that a text names, in UTC unless it names a zone; NaN when it is no date. */
export function parseZoned(text: string): number {
  const date = text.trim()
  if (ISO_DAY.test(date) || ZONE.test(date)) return Date.parse(date)
  return Date.parse(ISO_TIME.test(date) ? `${date}Z` : `${date} UTC`)
}
