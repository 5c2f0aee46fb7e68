/** The crawls that schedules have started. */
import type { RunStatus } from '#contract/runs.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import type { ScheduleRow } from './schedules.ts'

export type ScheduledCrawl = {
  no: number
  id: string
  teamId: string
  scheduleId: string
  status: RunStatus
  reason: string | null
  variant: string
  label: string
  kept: number
  createdAt: number
  startedAt: number | null
  updatedAt: number
  endedAt: number | null
  /** The planned time; null for a crawl that was started by hand. */
  scheduledFor: number | null
}

/** The newest crawl of each schedule that was not deleted, by the schedule's id. */
export async function newestCrawls(database: Database, scheduleIds: readonly string[]): Promise<Map<string, ScheduledCrawl>> {
  const rows = await Promise.all(scheduleIds.map((id) => ofSchedule(database, id).orderBy('no', 'desc').limit(1).executeTakeFirst()))
  return new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.scheduleId!, row as ScheduledCrawl]])))
}

/** Whether a crawl of the schedule is in progress, except the one that was started for this planned time. */
export async function isOtherInProgress(database: Database, { id, nextAt, teamId }: Pick<ScheduleRow, 'id' | 'nextAt' | 'teamId'>) {
  const row = await database
    .selectFrom('run')
    .where('teamId', '=', teamId)
    .where('kind', '=', 'crawl')
    .where('endedAt', 'is', null)
    .where('deletedAt', 'is', null)
    .where('scheduleId', '=', id)
    .where((of) => of.or([of('scheduledFor', 'is', null), of('scheduledFor', '<>', nextAt)]))
    .select('no')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The oldest crawl of the schedule with a larger number; null without one, or while it is in progress. */
export async function nextEnded(database: Database, scheduleId: string, after: number): Promise<ScheduledCrawl | null> {
  const row = await ofSchedule(database, scheduleId).where('no', '>', after).orderBy('no').limit(1).executeTakeFirst()
  return row === undefined || row.endedAt === null ? null : (row as ScheduledCrawl)
}

/** The crawls of a schedule that were not deleted, the newest first. */
async function crawlsOf(
  database: Database,
  scheduleId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ScheduledCrawl[]> {
  return (await ofSchedule(database, scheduleId).orderBy('no', 'desc').limit(limit).offset(offset).execute()) as ScheduledCrawl[]
}

/** One crawl of a schedule; null if the schedule has no such crawl. */
async function crawlOf(database: Database, scheduleId: string, id: string): Promise<ScheduledCrawl | null> {
  const row = await ofSchedule(database, scheduleId).where('id', '=', id.toLowerCase()).executeTakeFirst()
  return (row as ScheduledCrawl | undefined) ?? null
}

/** The newest crawl of the schedule that has ended; null without one. */
async function newestEnded(database: Database, scheduleId: string): Promise<ScheduledCrawl | null> {
  const row = await ofSchedule(database, scheduleId).where('endedAt', 'is not', null).orderBy('no', 'desc').limit(1).executeTakeFirst()
  return (row as ScheduledCrawl | undefined) ?? null
}

/** A list of URLs none of which has a page is a result, too, although the crawl failed. */
export const hasResult = ({ reason, status, variant }: Pick<ScheduledCrawl, 'reason' | 'status' | 'variant'>): boolean =>
  status === 'finished' || (status === 'failed' && variant === 'batch' && reason === NO_START_URL)

/** The reason of a crawl none of whose submitted URLs could be fetched. */
const NO_START_URL = 'no_start_url'

/** Most earlier crawls that a crawl is compared with: a page that the newest of them has missed is searched in the others. */
const MOST_EARLIER = 5

/** The newest crawls of the schedule before the given one that have a result: see `hasResult`. */
async function resultsBefore(database: Database, crawl: ScheduledCrawl): Promise<ScheduledCrawl[]> {
  const rows = await crawlsBefore(database, crawl)
    .where((of) =>
      of.or([
        of('status', '=', 'finished'),
        of.and([of('status', '=', 'failed'), of('variant', '=', 'batch'), of('reason', '=', NO_START_URL)]),
      ]),
    )
    .execute()
  return rows as ScheduledCrawl[]
}

/** The newest crawls of the schedule that finished before the given one. */
export async function finishedBefore(database: Database, crawl: ScheduledCrawl): Promise<ScheduledCrawl[]> {
  return (await crawlsBefore(database, crawl).where('status', '=', 'finished').execute()) as ScheduledCrawl[]
}

/** Call in the transaction that creates a crawl. */
export async function markAsScheduled(
  transaction: Transaction,
  runNo: number,
  marks: { scheduleId: string; scheduledFor: number | null },
): Promise<void> {
  await transaction.updateTable('run').set(marks).where('no', '=', runNo).execute()
}

/** Reads the crawls of schedules for other features. */
export const scheduledCrawls = (database: Database) => ({
  list: (scheduleId: string, window: { limit: number; offset: number }) => crawlsOf(database, scheduleId, window),
  one: (scheduleId: string, id: string) => crawlOf(database, scheduleId, id),
  newest: async (scheduleId: string) => (await newestCrawls(database, [scheduleId])).get(scheduleId) ?? null,
  newestEnded: (scheduleId: string) => newestEnded(database, scheduleId),
  resultsBefore: (crawl: ScheduledCrawl) => resultsBefore(database, crawl),
})

export type ScheduledCrawls = ReturnType<typeof scheduledCrawls>

/** A crawl with another start URL cannot be compared, but another list of URLs can. */
export const isComparable = (one: Comparable, other: Comparable): boolean =>
  one.variant === other.variant && (one.variant === 'batch' || one.label === other.label)

type Comparable = Pick<ScheduledCrawl, 'label' | 'variant'>

/** The newest crawls of the schedule before the given one that are comparable: the schedule may have repeated another crawl then. */
function crawlsBefore(database: Database, { label, no, scheduleId, variant }: ScheduledCrawl) {
  const before = ofSchedule(database, scheduleId)
    .where('no', '<', no)
    .where('variant', '=', variant)
    .orderBy('no', 'desc')
    .limit(MOST_EARLIER)
  return variant === 'batch' ? before : before.where('label', '=', label)
}

const ofSchedule = (database: Database, id: string) =>
  database
    .selectFrom('run')
    .where('scheduleId', '=', id)
    .where('deletedAt', 'is', null)
    .select([
      'no',
      'id',
      'teamId',
      'scheduleId',
      'status',
      'reason',
      'variant',
      'label',
      'kept',
      'createdAt',
      'startedAt',
      'updatedAt',
      'endedAt',
      'scheduledFor',
    ])
