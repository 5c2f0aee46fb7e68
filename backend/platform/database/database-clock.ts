/**
 * The wall clock of the database's machine, used for leases: engines on machines with different clocks agree on it.
 *
 * It is read every few seconds, and extrapolated with this machine's steady clock in between. So a process that was stopped for a while, or
 * whose clock was set, cannot misjudge a lease.
 */
import { connectTo, postgresFault } from './postgres/postgres.ts'
import type { PostgresPool } from './postgres/postgres.ts'

const ASK_AGAIN_MS = 5000

export function createDatabaseClock(pool: PostgresPool) {
  /** Offset from the steady clock; null before the first answer. */
  let offset: number | null = null
  let askedAt = -Infinity
  let asking: Promise<void> | null = null
  return { now, measure }

  /** Epoch milliseconds; from this machine's clock until the database has answered. */
  function now(): number {
    return offset === null ? Date.now() : Math.round(performance.now() + offset)
  }

  /** Reads the clock, unless it was read a moment ago. Rejects when the database does not answer. */
  async function measure(): Promise<void> {
    if (performance.now() - askedAt < ASK_AGAIN_MS) return
    asking ??= ask().finally(() => (asking = null))
    await asking
  }

  async function ask() {
    const client = await connectTo(pool)
    try {
      const before = performance.now()
      const { rows } = await client.query<{ now: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now')
      askedAt = performance.now()
      // The answer was correct at some time between the question and now: take the middle.
      offset = Number(rows[0]!.now) - (before + askedAt) / 2
      client.release()
    } catch (fault) {
      client.release(true)
      throw postgresFault(fault)
    }
  }
}
