/** Mails what the crawls of schedules changed, and which failed: once for each crawl. */
import type { CrawlComparison } from '#backend/crawls/crawl-comparison.ts'
import type { Compared } from '#backend/crawls/urls-side-by-side.ts'
import { AppError } from '#backend/errors.ts'
import type { ScheduledOutcome } from '#backend/mails/scheduled-outcome.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import { createLookLoop } from '#backend/platform/look-loop.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { finishedBefore, isComparable, nextEnded } from './scheduled-crawls.ts'
import type { ScheduledCrawl } from './scheduled-crawls.ts'
import { SCHEDULE_COLUMNS } from './schedules.ts'
import type { ScheduleRow } from './schedules.ts'
import { createTurns } from './turns.ts'

const LOOK_MS = 15_000
const REPORTS_PER_LOOK = 50

type Needs = {
  comparison: Pick<CrawlComparison, 'count'>
  database: Database
  every: (ms: number, call: () => void) => () => void
  /** Queues the mails about a schedule, in the given transaction. */
  queueMails: (transaction: Transaction, row: ScheduleRow, outcome: ScheduledOutcome, crawlId: string) => Promise<void>
  runs: Pick<Runs, 'read'>
  warn: (facts: object, message: string) => void
}

export function createReporter({ comparison, database, every, queueMails, runs, warn }: Needs) {
  const loop = createLookLoop({
    every,
    ms: LOOK_MS,
    onFault: (error) => warn({ err: error }, 'ends of scheduled crawls could not be read; it is tried again in some seconds'),
    work,
  })
  const turns = createTurns({
    by: 'reportedNo',
    candidates: toReport,
    isOpen: loop.isOpen,
    most: REPORTS_PER_LOOK,
    onError: (error, { id }) =>
      warn({ err: error, schedule: id }, 'changes of a scheduled crawl could not be mailed; it is tried again in some seconds'),
  })
  return { look: loop.look, close: loop.close }

  async function work(): Promise<void> {
    for (const row of await turns.next())
      await turns.attempt(row, async () => {
        const crawl = await nextEnded(database, row.id, row.reportedNo)
        if (crawl !== null) await report(row, crawl)
      })
  }

  /** Schedules whose oldest crawl without a report has ended: each crawl is reported after those before it. */
  function toReport() {
    return database
      .selectFrom('crawlSchedule')
      .where('mailChanges', '=', 1)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('run')
            .select('run.no')
            .where('run.endedAt', 'is not', null)
            .where('run.no', '=', (of) =>
              of
                .selectFrom('run as next')
                .whereRef('next.scheduleId', '=', 'crawlSchedule.id')
                .whereRef('next.no', '>', 'crawlSchedule.reportedNo')
                .where('next.deletedAt', 'is', null)
                .select(({ fn }) => fn.min('next.no').as('no')),
            ),
        ),
      )
      .select(SCHEDULE_COLUMNS)
  }

  async function report(row: ScheduleRow, crawl: ScheduledCrawl): Promise<void> {
    const outcome = await outcomeOf(row, crawl)
    await database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('crawlSchedule')
        .set({ reportedNo: crawl.no })
        .where('id', '=', row.id)
        .where('reportedNo', '<', crawl.no)
        .executeTakeFirst()
      // Otherwise another process has mailed it.
      if (numUpdatedRows > 0n && outcome !== null) await queueMails(transaction, row, outcome, crawl.id)
    })
  }

  /** Null for a crawl that nobody needs a mail about. */
  async function outcomeOf(row: ScheduleRow, crawl: ScheduledCrawl): Promise<ScheduledOutcome | null> {
    if (crawl.status === 'failed') return { kind: 'failed' }
    if (crawl.status !== 'finished') return null
    const earlier = await earlierOf(row, crawl)
    // The first crawl of a monitor has nothing to be compared with.
    if (earlier.length === 0) return null
    // A page that could not be fetched this time is not removed.
    const { changed, new: added, removed } = await comparison.count(crawl, earlier)
    return added + changed + removed === 0 ? null : { kind: 'changes', added, changed, removed }
  }

  /** The finished crawls before this one, the newest first; the oldest is the one that the schedule copies, if it finished and still exists. */
  async function earlierOf({ crawlId, teamId }: ScheduleRow, crawl: ScheduledCrawl): Promise<Compared[]> {
    const earlier = await finishedBefore(database, crawl)
    if (crawlId === null) return earlier
    try {
      const copied = await runs.read(teamId, 'crawl', crawlId)
      const isOldest = copied.no < (earlier.at(-1) ?? crawl).no
      // One that was stopped has only some of the pages: the others would be reported as new.
      return isOldest && copied.status === 'finished' && isComparable(crawl, copied) ? [...earlier, copied] : earlier
    } catch (error) {
      if (error instanceof AppError && error.code === 'not_found') return earlier
      throw error
    }
  }
}
