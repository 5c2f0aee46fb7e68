/**
 * The wall clock of the database's machine, by which leases are given and compared: engines on machines whose clocks differ agree on it.
 *
 * It is asked for every few seconds, and counted on by the steady clock of this machine in between. So a process that was stopped for a
 * while, or whose machine's clock was set, gives no lease by its own idea of the time.
 */
import { connectTo, postgresFault } from './postgres.ts'
import type { PostgresPool } from './postgres.ts'

const ASK_AGAIN_MS = 5000

export type DatabaseClock = ReturnType<typeof createDatabaseClock>

/** @param steady  milliseconds that only grow, whatever the wall clock does */
export function createDatabaseClock(pool: PostgresPool, steady: () => number = () => performance.now()) {
  /** To be added to the steady clock; null before the first answer. */
  let offset: number | null = null
  let askedAt = -Infinity
  let asking: Promise<void> | null = null
  return { now, measure }

  /** Epoch milliseconds; by the clock of this machine until the database was asked. */
  function now(): number {
    return offset === null ? Date.now() : Math.round(steady() + offset)
  }

  /** Asks the database, unless it was asked a moment ago. Rejects when it cannot be asked. */
  async function measure(): Promise<void> {
    if (steady() - askedAt < ASK_AGAIN_MS) return
    asking ??= ask().finally(() => (asking = null))
    await asking
  }

  async function ask() {
    const client = await connectTo(pool)
    try {
      const before = steady()
      const { rows } = await client.query<{ now: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now')
      askedAt = steady()
      // The answer was right somewhere between the question and now.
      offset = Number(rows[0]!.now) - (before + askedAt) / 2
      client.release()
    } catch (fault) {
      client.release(true)
      throw postgresFault(fault)
    }
  }
}
