/** Schedules: crawls that a team repeats at set times. */
import * as z from 'zod/mini'
import { crawlRequest } from './crawls.ts'
import { endpoint, paged } from './endpoint.ts'
import { flag, shape, text } from './fields.ts'
import { status } from './run-fields.ts'
import { MAX_CRON, MAX_SCHEDULES, MAX_SCHEDULE_NAME, MIN_SCHEDULE_MINUTES } from './sizes.ts'

const SCHEDULES = '/api/v1/core/crawl-schedules'
const TAG = 'Crawl Schedules'

/**
 * Why the last planned crawl did not start: the one before was still in progress; the crawl was refused, for example because no credits
 * were left or its proxy server was deleted.
 */
export const SCHEDULE_PROBLEMS = ['in_progress', 'refused'] as const
export type ScheduleProblem = (typeof SCHEDULE_PROBLEMS)[number]

const name = () => text({ max: MAX_SCHEDULE_NAME })
/** Five fields: minute, hour, day of month, month, day of week. */
const cron = () => text({ max: MAX_CRON })
/** A name of the IANA time zone database. */
const timezone = () => text({ max: 64 })

export const crawlSchedule = z.object({
  uuid: z.string(),
  name: z.string(),
  crawl_type: z.enum(['single', 'batch']),
  /** The start URL; of a batch, its first one. */
  url: z.string(),
  number_of_urls: z.int(),
  cron: z.string(),
  timezone: z.string(),
  is_active: z.boolean(),
  /** Whether a mail reports the pages that each crawl added, changed or removed. */
  mail_changes: z.boolean(),
  /** Null while it is not active. */
  next_crawl_at: z.nullable(z.string()),
  /** The newest crawl that the schedule has started and that still exists. */
  last_crawl: z.nullable(z.object({ uuid: z.string(), status, created_at: z.string(), number_of_documents: z.int() })),
  /** Set if the last planned crawl did not start. */
  last_problem: z.nullable(z.object({ at: z.string(), problem: z.enum(SCHEDULE_PROBLEMS), message: z.string() })),
  created_at: z.string(),
  updated_at: z.string(),
})
export type CrawlSchedule = z.output<typeof crawlSchedule>

const times = {
  cron: cron(),
  timezone: z._default(timezone(), 'UTC'),
}
const scheduleBody = shape({
  /** The crawl to repeat. */
  crawl: text(),
  name: name(),
  ...times,
  is_active: z._default(flag(), true),
  mail_changes: z._default(flag(), false),
})
const scheduleChanges = shape({
  /** The crawl to repeat from now on. */
  crawl: z.optional(text()),
  name: z.optional(name()),
  cron: z.optional(cron()),
  timezone: z.optional(timezone()),
  is_active: z.optional(flag()),
  mail_changes: z.optional(flag()),
})
export type ScheduleBody = z.output<typeof scheduleBody>

const TIMES = `\`cron\` has five fields: minute, hour, day of month, month, day of week. \`timezone\` is a name such as \`Europe/Paris\`. Between two crawls there are at least ${MIN_SCHEDULE_MINUTES} minutes.`

export const listSchedules = endpoint({
  method: 'GET',
  path: `${SCHEDULES}/`,
  access: 'team',
  tag: TAG,
  summary: "The team's schedules, oldest first",
  answer: paged(crawlSchedule),
})
export const createSchedule = endpoint({
  method: 'POST',
  path: `${SCHEDULES}/`,
  access: 'team',
  tag: TAG,
  summary: 'Repeat a crawl at set times',
  description: `The schedule copies URLs and options of the crawl, with its secrets; the crawl itself may be deleted afterwards. ${TIMES} A team has at most ${MAX_SCHEDULES} schedules. A planned crawl is omitted while the one before is in progress. Crawls that were planned while the service did not run are started once, when it runs again.`,
  body: scheduleBody,
  answer: crawlSchedule,
  status: 201,
})
export const previewSchedule = endpoint({
  method: 'POST',
  path: `${SCHEDULES}/preview/`,
  access: 'team',
  tag: TAG,
  summary: 'The next times of a schedule, before it is created',
  description: TIMES,
  body: shape(times),
  answer: z.object({ next: z.array(z.string()) }),
})
export const getSchedule = endpoint({
  method: 'GET',
  path: `${SCHEDULES}/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'One schedule of the team',
  answer: crawlSchedule,
})
export const changeSchedule = endpoint({
  method: 'PATCH',
  path: `${SCHEDULES}/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'Change fields of a schedule',
  description: `${TIMES} With \`crawl\`, the schedule repeats that crawl from now on.`,
  body: scheduleChanges,
  answer: crawlSchedule,
})
export const deleteSchedule = endpoint({
  method: 'DELETE',
  path: `${SCHEDULES}/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'Delete a schedule',
  description: 'Crawls that it has started stay.',
  status: 204,
})
export const runSchedule = endpoint({
  method: 'POST',
  path: `${SCHEDULES}/{id}/run/`,
  access: 'team',
  tag: TAG,
  summary: 'Start the crawl of a schedule now',
  description:
    'The planned times stay. Also for a schedule that is not active, or whose last crawl is in progress. Takes an `Idempotency-Key`.',
  answer: crawlRequest,
  status: 201,
})
