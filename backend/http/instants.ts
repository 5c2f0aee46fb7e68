/** The formats of instants and durations in the API. Internally they are epoch milliseconds. */
import { isDay } from '#contract/days.ts'

/** ISO 8601 UTC with microseconds: `2026-03-04T09:12:33.481000Z`. */
export const instant = (at: number) => `${new Date(at).toISOString().slice(0, -1)}000Z`

/** The same, or null. */
export const instantOrNull = (at: number | null) => (at === null ? null : instant(at))

/** `HH:MM:SS.ffffff`, always with six digits of fraction; from one day on, with `D ` in front. */
export function duration(ms: number): string {
  const whole = Math.max(0, Math.round(ms))
  const days = Math.floor(whole / 86_400_000)
  const time = new Date(whole % 86_400_000).toISOString().slice(11, -1)
  return `${days > 0 ? `${days} ` : ''}${time}000`
}

/**
 * Parses an instant; null when it is none.
 *
 * Without a zone it is UTC. A blank before the offset is a plus sign that was not percent-encoded.
 */
export function parseInstant(text: string): number | null {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d|\d\d:?\d\d)?)?$/i.exec(text.trim())
  if (!match) return null
  const [, date = '', time = '00:00', zone = 'Z'] = match
  if (!isDay(date)) return null
  const at = Date.parse(`${date}T${time}${/^\d/.test(zone) ? `+${zone}` : zone.toUpperCase()}`)
  return Number.isNaN(at) ? null : at
}
