/** Recurring work: deletes runs at the end of their retention, and finishes interrupted deletions of teams. */
import { clockChanges } from '#backend/platform/clock.ts'
import type { Clock } from '#backend/platform/clock.ts'
import type { Retention } from './retention.ts'
import type { SweepHost } from './sweep-host.ts'

const FIRST_MS = 10 * 60_000
const RETENTION_MS = 60 * 60_000
const TEAMS_MS = 60_000
/** Corrections of a clock that runs too fast or too slow are smaller. */
const LEAST_CHANGE_MS = 5 * 60_000

type Log = { info(facts: object, message: string): void; warn(facts: object, message: string): void }

/**
 * Nothing is deleted directly after the clock was set: a clock that is wrong by years, as after a reset of the machine, would delete
 * everything. Its operator or a time server has an hour to correct it.
 *
 * @returns a function that stops it
 */
export function recurringRemoval({
  clock,
  deletedTeams,
  hasDeletedTeams,
  log,
  retention,
  sweeper,
}: {
  clock: Clock
  deletedTeams: { finish(): Promise<void> }
  hasDeletedTeams: () => boolean
  log: Log
  retention: Pick<Retention, 'deleteExpired'>
  sweeper: SweepHost
}): () => void {
  const wasSet = clockChanges(clock, LEAST_CHANGE_MS)
  let isAtWork = false
  let isWaiting = false
  const finishTeams = () => hasDeletedTeams() && void deletedTeams.finish()
  // Delayed, so that an operator who has set a wrong number sees it in the log and can stop the service.
  const first = setTimeout(() => void expire(), FIRST_MS).unref()
  const hourly = setInterval(() => void expire(), RETENTION_MS).unref()
  const teams = setInterval(finishTeams, TEAMS_MS).unref()
  finishTeams()
  return () => {
    clearTimeout(first)
    clearInterval(hourly)
    clearInterval(teams)
  }

  async function expire(): Promise<void> {
    if (isAtWork) return
    // A machine that sleeps every hour is no reason to keep everything.
    isWaiting = wasSet() && !isWaiting
    if (isWaiting) return log.warn({}, 'the clock was set, or the machine slept: jobs past their retention are deleted in an hour')
    isAtWork = true
    try {
      const runs = await retention.deleteExpired()
      if (runs > 0) {
        log.info({ runs }, 'jobs past their retention are deleted')
        sweeper.wake()
      }
    } catch (fault) {
      log.warn({ err: fault }, 'jobs past their retention could not be deleted; it is tried again within an hour')
    } finally {
      isAtWork = false
    }
  }
}
