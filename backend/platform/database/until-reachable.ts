/** Waits for a database server that cannot be reached, such as one that is just starting, or has no free connection. */
import { withoutPassword } from './kind.ts'
import { postgresFault } from './postgres/postgres.ts'
import { isRefused, troubleOf } from './trouble.ts'

type Log = { warn(facts: object, message: string): void }

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

/**
 * Calls again while the server cannot be reached, with growing pauses, and logs each failure. Rejects with any other error, also when the
 * server refuses the user or the database.
 *
 * @param url  of the database, for the log
 */
export async function untilReachable<T>(call: () => Promise<T>, { log, url }: { log: Log; url: string }): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
    try {
      return await call()
    } catch (thrown) {
      const fault = postgresFault(thrown)
      if (troubleOf(fault) === null || isRefused(fault)) throw fault
      log.warn({ err: fault, waitMs }, `the database at ${withoutPassword(url)} cannot be reached; it is tried again`)
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
