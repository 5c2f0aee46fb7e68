/**
 * Starts the crawls whose time has come.
 *
 * Every process of the API looks for them. A planned crawl is started once all the same: its idempotency key consists of the schedule and
 * the planned time, also when a process ends between the start and the plan of the next one.
 */
import { AppError } from '#backend/errors.ts'
import { messagesOf } from '#backend/http/error-messages.ts'
import type { RefusedBecause } from '#backend/mails/scheduled-outcome.ts'
import { latestWait } from '#backend/platform/clock.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import { createLookLoop } from '#backend/platform/look-loop.ts'
import { createSemaphore } from '#backend/platform/semaphore.ts'
import { refusedBecause } from './refused-because.ts'
import { isOtherInProgress } from './scheduled-crawls.ts'
import { SCHEDULE_COLUMNS } from './schedules.ts'
import type { Problem, ScheduleRow, Schedules } from './schedules.ts'
import { createTurns } from './turns.ts'

const LOOK_MS = 5000
const STARTS_AT_ONCE = 4
const STARTS_PER_LOOK = 100

/** Why a planned crawl did not start; `because` is set if it was refused. */
type Omission = Problem & { because: RefusedBecause | null }

const IN_PROGRESS: Omission = { problem: 'in_progress', message: 'The previous crawl was still in progress.', because: null }

type Needs = {
  database: Database
  every: (ms: number, call: () => void) => () => void
  now: () => number
  /** Called in the transaction that stores why a crawl was refused. */
  onRefused: (transaction: Transaction, row: ScheduleRow, because: RefusedBecause) => Promise<void>
  schedules: Schedules
  /** Starts the crawl of a schedule that was planned for this time, once. */
  start: (row: ScheduleRow, scheduledFor: number) => Promise<unknown>
  warn: (facts: object, message: string) => void
}

export function createStarter({ database, every, now, onRefused, schedules, start, warn }: Needs) {
  const places = createSemaphore(STARTS_AT_ONCE)
  const loop = createLookLoop({
    every,
    ms: LOOK_MS,
    onFault: (error) => warn({ err: error }, 'planned crawls could not be read; it is tried again in a few seconds'),
    work,
  })
  const turns = createTurns({
    by: 'nextAt',
    candidates: () => active().where('crawlSchedule.nextAt', '<=', now()),
    isOpen: loop.isOpen,
    most: STARTS_PER_LOOK,
    onError: (error, { id }) =>
      warn({ err: error, schedule: id }, 'a planned crawl could not be started; it is tried again in a few seconds'),
  })
  return { look: loop.look, close: loop.close }

  async function work(): Promise<void> {
    await planAgain()
    const due = await turns.next()
    await Promise.all(due.map((row) => places.during(() => turns.attempt(row, () => startOne(row)))))
  }

  /** Plans schedules again that were planned while the clock was ahead: their next time may be years away. */
  async function planAgain(): Promise<void> {
    const early = await active().where('crawlSchedule.plannedAt', '>', latestWait(now(), 0)).execute()
    for (const row of early) await turns.attempt(row, () => schedules.plan(row, null))
  }

  async function startOne(row: ScheduleRow): Promise<void> {
    const problem = (await isOtherInProgress(database, row)) ? IN_PROGRESS : await startUnlessRefused(row)
    await database.transaction().execute(async (transaction) => {
      const isPlanned = await schedules.plan(row, problem, transaction)
      if (isPlanned && problem !== null && problem.because !== null) await onRefused(transaction, row, problem.because)
    })
  }

  /** Starts the crawl; returns why it was refused, or null. */
  async function startUnlessRefused(row: ScheduleRow): Promise<Omission | null> {
    try {
      await start(row, row.nextAt!)
      return null
    } catch (error) {
      // A client of the team has used this key for a crawl of its own.
      if (error instanceof AppError && error.code === 'idempotency_conflict') return null
      if (!(error instanceof AppError) || error.status >= 500) throw error
      return { problem: 'refused', message: messagesOf(error).join(' ') || error.message, because: refusedBecause(error) }
    }
  }

  function active() {
    return database
      .selectFrom('crawlSchedule')
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('team').select('team.id').whereRef('team.id', '=', 'crawlSchedule.teamId').where('team.deletedAt', 'is', null)),
      )
      .where('crawlSchedule.nextAt', 'is not', null)
      .select(SCHEDULE_COLUMNS)
  }
}
