/** The simple choices of a schedule's times, and the cron expressions that express them. Pure. */

export const FREQUENCIES = ['hour', 'day', 'week', 'month', 'own'] as const
/** `own` is any other cron expression. */
export type Frequency = (typeof FREQUENCIES)[number]

/** The values of all fields; each frequency uses some of them. */
export type CronChoice = {
  every: Frequency
  /** Minute of the hour; null while the field is empty. */
  minute: number | null
  /** Time of the day, `06:30`; '' while the field is incomplete. */
  time: string
  /** `0` is Sunday. */
  weekday: string
  /** Day of the month, from `1`. */
  day: string
  /** The expression of `own`. */
  cron: string
}

export const DAILY: CronChoice = { every: 'day', minute: 0, time: '06:00', weekday: '1', day: '1', cron: '0 6 * * *' }

/** Weekdays as cron numbers them, Monday first. */
export const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '0'] as const
const WEEKDAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** The choice that an expression stands for: `own`, if it is none of the simple ones. */
export function choiceOf(cron: string): CronChoice {
  const fields = fieldsOf(cron)
  const [minuteText = '', hourText = '', day = '', month = '', weekday = ''] = fields
  const own: CronChoice = { ...DAILY, every: 'own', cron: fields.join(' ') }
  const minute = numberIn(minuteText, 0, 59)
  if (fields.length !== 5 || minute === null || month !== '*') return own
  if (hourText === '*' && day === '*' && weekday === '*') return { ...own, every: 'hour', minute }
  const hour = numberIn(hourText, 0, 23)
  if (hour === null) return own
  const timed = { ...own, time: `${twoDigits(hour)}:${twoDigits(minute)}` }
  if (day === '*' && weekday === '*') return { ...timed, every: 'day' }
  const dayNumber = numberIn(day, 1, 31)
  if (dayNumber !== null && weekday === '*') return { ...timed, every: 'month', day: String(dayNumber) }
  const weekdayNumber = WEEKDAY_NAMES.includes(weekday.toLowerCase())
    ? WEEKDAY_NAMES.indexOf(weekday.toLowerCase())
    : numberIn(weekday, 0, 7)
  return day === '*' && weekdayNumber !== null ? { ...timed, every: 'week', weekday: String(weekdayNumber % 7) } : own
}

/** The expression of a choice; '' while a field that it needs is empty or invalid. */
export function cronOf({ cron, day, every, minute, time, weekday }: CronChoice): string {
  if (every === 'own') return fieldsOf(cron).join(' ')
  if (every === 'hour') return isMinute(minute) ? `${minute} * * * *` : ''
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(time) ?? []
  if (hours === undefined || minutes === undefined) return ''
  const at = `${Number(minutes)} ${Number(hours)}`
  return every === 'day' ? `${at} * * *` : every === 'week' ? `${at} * * ${weekday}` : `${at} ${day} * *`
}

export const isMinute = (value: number | null): boolean => value !== null && Number.isInteger(value) && value >= 0 && value <= 59

const fieldsOf = (cron: string) => cron.split(/\s+/).filter(Boolean)

const twoDigits = (value: number) => String(value).padStart(2, '0')

const numberIn = (text: string, least: number, most: number): number | null =>
  /^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null
