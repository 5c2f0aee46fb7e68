/** Recurring work: deletes runs at the end of their retention, and finishes interrupted deletions of teams. */
import type { Retention } from './retention.ts'
import type { SweepHost } from './sweep-host.ts'

const FIRST_MS = 10 * 60_000
const RETENTION_MS = 60 * 60_000
const TEAMS_MS = 60_000

type Log = { info(facts: object, message: string): void; warn(facts: object, message: string): void }

/** @returns a function that stops it */
export function keepHouse({
  deletedTeams,
  hasDeletedTeams,
  log,
  retention,
  sweeper,
}: {
  deletedTeams: { finish(): Promise<void> }
  hasDeletedTeams: () => boolean
  log: Log
  retention: Pick<Retention, 'deleteExpired'>
  sweeper: SweepHost
}): () => void {
  let isAtWork = false
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
