/**
 * Dates that others have written. Without a zone, `Date.parse` takes most of them for local time, so that the same text would be another
 * instant on a server in another zone.
 */

/** A longer text is no date. The longest form, that of JavaScript, has about 80 characters. */
const MAX_LENGTH = 100
/** A zone at the end of an instant: `Z`, `GMT`, `EST`, or an offset after the time (`+02`, `-0500`, `UTC+2`); then perhaps its name in parentheses. */
const ZONE = /(?:Z|\b(?:UTC?|GMT|[ECMP][SD]T)|:\d\d(?:\.\d+)?\s*(?:[AP]M)?\s*(?:UTC?|GMT)?\s*[+-]\d\d?(?::?\d\d)?)\s*(?:\([^()]*\))?$/i
const ISO_DAY = /^[+-]?\d{4,6}-\d\d(?:-\d\d)?$/
const ISO_TIME = /^[+-]?\d{4,6}-\d\d-\d\d[T ][\d:.]+$/

/** The instant that a text names, in UTC unless it names a zone; NaN when it is no date. */
export function parseZoned(text: string): number {
  const date = text.trim()
  if (date.length > MAX_LENGTH) return NaN
  if (ISO_DAY.test(date) || ZONE.test(date)) return Date.parse(date)
  return Date.parse(ISO_TIME.test(date) ? `${date}Z` : `${date} UTC`)
}
