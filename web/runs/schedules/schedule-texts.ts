/** The times of a schedule in words. Pure. */
import { LANGUAGE } from '#texts/language.ts'
import * as t from '#texts/schedules.ts'
import { choiceOf } from './cron-choice.ts'

/** "Every Monday at 6:30 AM"; null for an expression that no simple choice stands for. */
export function whenText(cron: string): string | null {
  const { day, every, minute, time, weekday } = choiceOf(cron)
  if (every === 'own') return null
  if (every === 'hour') return t.everyHourAtMinute(minute ?? 0)
  const at = clockText(time)
  return every === 'day' ? t.everyDayAt(at) : every === 'week' ? t.everyWeekdayAt(weekdayName(weekday), at) : t.everyMonthAt(day, at)
}

const weekdayFormat = new Intl.DateTimeFormat(LANGUAGE, { weekday: 'long', timeZone: 'UTC' })
const clockFormat = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: 'short', timeZone: 'UTC' })

/** "Monday" for 1. */
export const weekdayName = (weekday: string): string => weekdayFormat.format(Date.UTC(2023, 0, 1 + Number(weekday))) // a Sunday

/** "6:30 AM" for `06:30`. */
const clockText = (time: string): string => clockFormat.format(Date.parse(`2023-01-01T${time}Z`))

/** "Mon, Nov 2, 2026, 9:12 AM GMT+1", in a time zone; in the reader's own zone, if the browser does not know it. */
export const timeInZone = (iso: string, timezone: string): string => formatOf(timezone).format(Date.parse(iso))

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const made = new Intl.DateTimeFormat(LANGUAGE, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(isTimeZone(timezone) && { timeZone: timezone }),
  })
  formats.set(timezone, made)
  return made
}

/** Whether the browser knows a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The time zone of the browser. */
export function ownTimeZone(): string {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return name && isTimeZone(name) ? name : 'UTC'
}
