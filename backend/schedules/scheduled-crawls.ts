/** The crawls that schedules have started. */
import type { RunStatus } from '#contract/runs.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'

export type ScheduledCrawl = {
  no: number
  id: string
  scheduleId: string
  status: RunStatus
  reason: string | null
  label: string
  kept: number
  createdAt: number
  endedAt: number | null
}

/** The newest crawl of each schedule that was not deleted, by the schedule's id. */
export async function newestCrawls(database: Database, scheduleIds: readonly string[]): Promise<Map<string, ScheduledCrawl>> {
  const rows = await Promise.all(scheduleIds.map((id) => ofSchedule(database, id).orderBy('no', 'desc').limit(1).executeTakeFirst()))
  return new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.scheduleId!, row as ScheduledCrawl]])))
}

/** The oldest ended crawl of the schedule with a larger number. */
export async function firstEnded(database: Database, scheduleId: string, after: number): Promise<ScheduledCrawl | null> {
  const row = await ofSchedule(database, scheduleId)
    .where('no', '>', after)
    .where('endedAt', 'is not', null)
    .orderBy('no')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : (row as ScheduledCrawl)
}

/** The newest crawl of the schedule that finished before the given one. */
export async function finishedBefore(database: Database, { no, scheduleId }: ScheduledCrawl): Promise<string | null> {
  const row = await ofSchedule(database, scheduleId)
    .where('no', '<', no)
    .where('status', '=', 'finished')
    .orderBy('no', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Call in the transaction that creates a crawl. */
export async function markAsScheduled(transaction: Transaction, runNo: number, scheduleId: string): Promise<void> {
  await transaction.updateTable('run').set({ scheduleId }).where('no', '=', runNo).execute()
}

const ofSchedule = (database: Database, id: string) =>
  database
    .selectFrom('run')
    .where('scheduleId', '=', id)
    .where('deletedAt', 'is', null)
    .select(['no', 'id', 'scheduleId', 'status', 'reason', 'label', 'kept', 'createdAt', 'endedAt'])
