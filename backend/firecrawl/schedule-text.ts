/** The times of a monitor: a cron expression, or a few words. Pure. */
import type { AskedTimes } from '#contract/firecrawl/monitors.ts'
import { MIN_SCHEDULE_MINUTES } from '#contract/sizes.ts'
import { badRequest } from './errors.ts'

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const UNDERSTOOD =
  '"every 15 minutes", "every 30 minutes", "hourly", "every 6 hours", "daily", "daily at 9:00", "every monday at 9:00", "weekly", "monthly"'

/** The cron expression that was asked for. Throws the refusal unless there is either `cron` or a `text` that can be read. */
export function cronOf({ cron, text }: AskedTimes): string {
  if (cron !== undefined && text !== undefined) throw badRequest('schedule: send either cron or text.')
  if (cron !== undefined) return cron
  if (text === undefined) throw badRequest('schedule: send cron or text.')
  const found = cronOfText(text)
  if (found === null) throw badRequest(`schedule.text is not understood. It may be ${UNDERSTOOD}; otherwise send cron.`)
  return found
}

/** Null for words that mean nothing here, and for intervals that no cron expression has. Throws the refusal for intervals that are too short. */
export function cronOfText(text: string): string | null {
  const words = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const interval = /^every (?:(\d{1,4}) )?(minute|hour)s?$/.exec(words)
  if (interval) return cronOfInterval(Number(interval[1] ?? 1), interval[2]!)
  if (words === 'hourly') return '0 * * * *'
  if (words === 'weekly') return '0 0 * * 1'
  if (words === 'monthly') return '0 0 1 * *'
  const [, days = '', time] = /^(.*?)(?: at (.*))?$/.exec(words) ?? []
  const at = time === undefined ? { hour: 0, minute: 0 } : clockTime(time)
  if (at === null) return null
  if (days === 'daily' || days === 'every day') return `${at.minute} ${at.hour} * * *`
  const weekday = WEEKDAYS.indexOf(/^every (\w+)$/.exec(days)?.[1] ?? '')
  return weekday === -1 ? null : `${at.minute} ${at.hour} * * ${weekday}`
}

function cronOfInterval(every: number, unit: string): string | null {
  const minutes = unit === 'hour' ? every * 60 : every
  if (minutes < MIN_SCHEDULE_MINUTES)
    throw badRequest(`schedule.text: between two checks there must be at least ${MIN_SCHEDULE_MINUTES} minutes.`)
  if (minutes < 60) return 60 % minutes === 0 ? `*/${minutes} * * * *` : null
  const hours = minutes / 60
  if (hours === 1) return '0 * * * *'
  return Number.isInteger(hours) && hours < 24 && 24 % hours === 0 ? `0 */${hours} * * *` : hours === 24 ? '0 0 * * *' : null
}

/** `9`, `9:30`, `9 pm`, `9:30pm`. */
function clockTime(text: string): { hour: number; minute: number } | null {
  const [, hours = '', minutes = '0', half] = /^(\d{1,2})(?::(\d{2}))?(?: ?(am|pm))?$/.exec(text) ?? []
  const [given, minute] = [Number(hours), Number(minutes)]
  if (hours === '' || minute > 59 || given > (half === undefined ? 23 : 12) || (half !== undefined && given === 0)) return null
  return { hour: half === undefined ? given : (given % 12) + (half === 'pm' ? 12 : 0), minute }
}
