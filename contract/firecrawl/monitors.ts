/** Monitors of the Firecrawl API: schedules that report what became of each page. Only version 2 has them. */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { text } from '../fields.ts'
import { MAX_CRON, MAX_SCHEDULE_NAME, MIN_SCHEDULE_MINUTES, OPTIONS_BODY } from '../sizes.ts'
import { body, strict, url, urls, v2Crawl, v2ScrapeOptions } from './shapes.ts'

export const MONITOR_PAGE_STATUSES = ['same', 'new', 'changed', 'removed', 'error'] as const

const TAG = 'Monitors'
const flag = () => z.optional(z.boolean())
const nullish = <T extends z.ZodMiniType>(shape: T) => z.optional(z.nullable(shape))

// ---- requests

const schedule = strict({
  cron: z.optional(text({ max: MAX_CRON })),
  text: z.optional(text({ max: MAX_CRON })),
  timezone: z.optional(text({ max: 64 })),
})
export type AskedTimes = z.output<typeof schedule>
const scrapeOptions = nullish(v2ScrapeOptions)
const target = z.discriminatedUnion('type', [
  strict({ id: z.optional(z.string()), type: z.literal('scrape'), urls: urls(), scrapeOptions }),
  strict({
    id: z.optional(z.string()),
    type: z.literal('crawl'),
    url: url(),
    crawlOptions: nullish(z.omit(v2Crawl, { url: true })),
    scrapeOptions,
  }),
  // Refused with a message of its own.
  z.looseObject({ type: z.literal('search') }),
])
export type AskedTarget = z.output<typeof target>
const notification = strict({
  email: nullish(strict({ enabled: flag(), recipients: z.optional(z.array(z.string()).check(z.maxLength(50))), includeDiffs: flag() })),
})
export type AskedNotification = z.output<typeof notification>

/** What a monitor may have besides its name, its times and its targets. */
const options = {
  webhook: z.optional(z.unknown()),
  notification: nullish(notification),
  retentionDays: nullish(z.int().check(z.minimum(1))),
  goal: nullish(z.string()),
  judgeEnabled: flag(),
}
const name = () => text({ max: MAX_SCHEDULE_NAME })
const monitorBody = body({ name: name(), schedule, targets: z.array(target), ...options })
const monitorChanges = body({
  name: z.optional(name()),
  status: z.optional(z.enum(['active', 'paused'])),
  schedule: z.optional(schedule),
  targets: z.optional(z.array(target)),
  ...options,
})
export type MonitorBody = z.output<typeof monitorBody>
export type MonitorChanges = z.output<typeof monitorChanges>

// ---- answers

const success = z.literal(true)
const instant = z.nullable(z.string())
const summary = z.object({
  totalPages: z.int(),
  same: z.int(),
  changed: z.int(),
  new: z.int(),
  removed: z.int(),
  error: z.int(),
})
const monitor = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(['active', 'paused']),
  schedule: z.object({ cron: z.string(), timezone: z.string() }),
  nextRunAt: instant,
  lastRunAt: instant,
  /** The check in progress. */
  currentCheckId: z.nullable(z.string()),
  /** As they were sent; values of headers and passwords in URLs are masked. */
  targets: z.array(z.looseObject({ id: z.string(), type: z.enum(['scrape', 'crawl']) })),
  webhook: z.null(),
  notification: z.object({ email: z.object({ enabled: z.boolean(), recipients: z.array(z.string()), includeDiffs: z.literal(false) }) }),
  /** Set if the monitor names its recipients. */
  emailRecipientSubscriptions: z.optional(
    z.array(z.object({ email: z.string(), status: z.literal('confirmed'), source: z.literal('team') })),
  ),
  retentionDays: z.int(),
  estimatedCreditsPerMonth: z.null(),
  lastCheckSummary: z.nullable(summary),
  goal: z.null(),
  judgeEnabled: z.literal(false),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Monitor = z.output<typeof monitor>

const checkFields = {
  id: z.string(),
  monitorId: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  trigger: z.enum(['scheduled', 'manual']),
  scheduledFor: instant,
  startedAt: instant,
  finishedAt: instant,
  estimatedCredits: z.null(),
  reservedCredits: z.null(),
  actualCredits: z.nullable(z.int()),
  billingStatus: z.enum(['not_applicable', 'reserved', 'confirmed']),
  summary,
  targetResults: z.array(
    z.object({
      targetId: z.string(),
      type: z.enum(['scrape', 'crawl']),
      expectedJobs: z.optional(z.array(z.string())),
      crawlId: z.optional(z.string()),
    }),
  ),
  error: z.nullable(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
}
const check = z.object(checkFields)
export type MonitorCheck = z.output<typeof check>

const checkPage = z.object({
  id: z.string(),
  targetId: z.string(),
  url: z.string(),
  status: z.enum(MONITOR_PAGE_STATUSES),
  previousScrapeId: z.nullable(z.string()),
  currentScrapeId: z.nullable(z.string()),
  statusCode: z.nullable(z.int()),
  error: z.nullable(z.string()),
  /** Of a changed page. `json` has the lines, or the fields that a language model read, if the format `json` was asked for. */
  diff: z.nullable(z.object({ text: z.optional(z.string()), json: z.optional(z.unknown()) })),
  /** What a language model read, if the format `json` was asked for. */
  snapshot: z.nullable(z.object({ json: z.unknown() })),
  judgment: z.null(),
  createdAt: z.string(),
})

const withWarning = <T extends z.ZodMiniType>(data: T) => z.object({ success, data, warning: z.optional(z.string()) })
const listQuery = z.object({ limit: z.optional(z.string()), offset: z.optional(z.string()) })

// ---- endpoints

const MONITORS = '/v2/monitor'
const MONITOR = `${MONITORS}/{monitor}` as const
/** Checks are polled. */
const uncounted = { isUncounted: true } as const

const TIMES = `At least ${MIN_SCHEDULE_MINUTES} minutes are between two checks. \`schedule.text\` may be \`every 15 minutes\`, \`hourly\`, \`every 6 hours\`, \`daily at 9:00\`, \`every monday at 9:00\`, \`weekly\` or \`monthly\`.`

/** Every endpoint by a unique name: `createMonitor`. */
export const MONITOR_ENDPOINTS = {
  createMonitor: endpoint({
    method: 'POST',
    path: MONITORS,
    access: 'team',
    tag: TAG,
    summary: 'Check pages at set times',
    description: `One target: URLs to scrape, or a crawl. ${TIMES} A monitor is a schedule of the team.`,
    body: monitorBody,
    // Lists show all URLs of all monitors.
    size: OPTIONS_BODY,
    answer: withWarning(monitor),
  }),
  listMonitors: endpoint({
    method: 'GET',
    path: MONITORS,
    access: 'team',
    tag: TAG,
    summary: "The team's monitors, newest first",
    description: 'Schedules that were made in the dashboard are not among them.',
    query: listQuery,
    answer: z.object({ success, data: z.array(monitor) }),
  }),
  getMonitor: endpoint({
    method: 'GET',
    path: MONITOR,
    access: 'team',
    tag: TAG,
    summary: 'One monitor',
    description: '`warning` says why the last planned check did not start.',
    answer: withWarning(monitor),
    ...uncounted,
  }),
  changeMonitor: endpoint({
    method: 'PATCH',
    path: MONITOR,
    access: 'team',
    tag: TAG,
    summary: 'Change fields of a monitor',
    description: `${TIMES} \`status\` pauses it, or makes it active again.`,
    body: monitorChanges,
    size: OPTIONS_BODY,
    answer: withWarning(monitor),
  }),
  deleteMonitor: endpoint({
    method: 'DELETE',
    path: MONITOR,
    access: 'team',
    tag: TAG,
    summary: 'Delete a monitor',
    description: 'The pages that its checks have stored stay.',
    answer: z.object({ success }),
  }),
  runMonitor: endpoint({
    method: 'POST',
    path: `${MONITOR}/run`,
    access: 'team',
    tag: TAG,
    summary: 'Start a check now',
    answer: withWarning(check),
  }),
  listChecks: endpoint({
    method: 'GET',
    path: `${MONITOR}/checks`,
    access: 'team',
    tag: TAG,
    summary: 'The checks of a monitor, newest first',
    query: listQuery,
    answer: z.object({ success, data: z.array(check) }),
    ...uncounted,
  }),
  getCheck: endpoint({
    method: 'GET',
    path: `${MONITOR}/checks/{check}`,
    access: 'team',
    tag: TAG,
    summary: 'A check with its pages',
    description:
      'Pages are compared with the newest check before it that is `completed`. `status` selects pages of one status. At most 100 pages, and not many more than 10 MB; `next` leads to those behind.',
    query: z.object({ limit: z.optional(z.string()), skip: z.optional(z.string()), status: z.optional(z.string()) }),
    answer: z.object({ success, data: z.object({ ...checkFields, pages: z.array(checkPage), next: z.nullable(z.string()) }) }),
    ...uncounted,
  }),
} as const
