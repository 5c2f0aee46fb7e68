/** Times and spans in words. Pure: the clock is an argument. */
import { LANGUAGE, number } from '#texts/language.ts'
import * as t from '#texts/ui.ts'

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

const inWords = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'always' })

/** "3 minutes ago"; within five seconds, "just now". '' for an invalid `iso`. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(iso) - nowMs) / 1000)
  if (Number.isNaN(seconds)) return ''
  if (Math.abs(seconds) < 5) return t.justNow
  const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1]
  return inWords.format(Math.trunc(seconds / size), unit)
}

/** Milliseconds until the text of `relativeTime` can change. */
export function relativeTimeStep(iso: string, nowMs: number): number {
  const age = Math.abs(nowMs - Date.parse(iso))
  return age < 60_000 ? 5000 : age < 3_600_000 ? 30_000 : 600_000
}

/** Milliseconds of a duration in the API's format, `[D ]HH:MM:SS[.ffffff]`; null when it is invalid. */
export function durationMs(text: string | null | undefined): number | null {
  const parts = /^(?:(\d+) )?(\d+):(\d{2}):(\d{2}(?:\.\d+)?)$/.exec(text ?? '')
  if (!parts) return null
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = parts
  return Math.round(((Number(days) * 24 + Number(hours)) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000)
}

/** "N seconds", "N minutes M seconds", "N hours M minutes"; "N/A" when unknown. */
export function durationText(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return t.notKnown
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return t.seconds(seconds)
  if (seconds < 3600) return `${t.minutes(Math.floor(seconds / 60))} ${t.seconds(seconds % 60)}`
  return `${t.hours(Math.floor(seconds / 3600))} ${t.minutes(Math.floor((seconds % 3600) / 60))}`
}

const exactFormat = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'medium' })
const dayFormat = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium' })

/** "Nov 2, 2026, 9:12:33 AM", in the reader's own time zone. */
export const exactTime = (iso: string): string => format(exactFormat, iso)
/** "Nov 2, 2026". */
export const dayText = (iso: string): string => format(dayFormat, iso)

function format(how: Intl.DateTimeFormat, iso: string): string {
  const at = Date.parse(iso)
  return Number.isNaN(at) ? '' : how.format(at)
}

/** "48,212". */
export const numberText = number

/** "1 page", "1,204 pages". */
export const countText = (count: number, one: string, several = `${one}s`): string => `${numberText(count)} ${count === 1 ? one : several}`
