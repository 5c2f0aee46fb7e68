/**
 * Runs the query builder's statements on one SQLite connection, one caller at a time.
 *
 * Another process may hold the write lock for seconds, when the disk is slow or the process was stopped. SQLite itself would wait in a
 * system call and block the event loop. So the driver waits with timers, and lets other callers use the connection meanwhile: reads need no
 * lock.
 */
import { CompiledQuery } from 'kysely'
import type { DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { Database as SQLiteConnection } from 'better-sqlite3'
import { createSemaphore } from '#backend/platform/semaphore.ts'
import { createPrepared } from './prepared.ts'

/** After this wait the caller gets the error "database is busy". */
const LONGEST_WAIT_MS = 5000
/** Pauses before each retry; the last one repeats. A commit of the engine takes 5 to 20 ms. */
const PAUSES_MS = [1, 2, 4, 8, 15, 25]

/**
 * After so many milliseconds of statements the event loop gets a turn, optionally also within a transaction: one that writes megabytes
 * would block it from its first statement to the end of its commit. The transaction keeps the connection and the write lock meanwhile.
 */
const TURN_MS = 10

const isBusy = (fault: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(String((fault as { code?: unknown }).code))

export type DriverSettings = {
  /** Called with every statement error, before its caller gets it. */
  onFault?: (fault: unknown) => void
  /**
   * Whether long transactions yield to the event loop. Only if no other connection of this thread writes: one that waits for the write lock
   * in a system call would never let this transaction end.
   */
  yieldsInTransactions?: boolean
}

export function sqliteDriver(
  connection: SQLiteConnection,
  { onFault = () => undefined, yieldsInTransactions = false }: DriverSettings = {},
): Driver {
  const { give, take } = createSemaphore(1)
  const prepared = createPrepared(connection)
  /** Milliseconds of statements since the last yield. */
  let spentMs = 0
  const held: DatabaseConnection = { executeQuery, streamQuery }
  const run = (sql: string) => executeQuery(CompiledQuery.raw(sql))
  return {
    init: async () => undefined,
    acquireConnection: async () => {
      await take()
      return held
    },
    releaseConnection: async () => give(),
    // A deferred transaction would fail on its first write after a commit by another connection.
    beginTransaction: async () => void (await run('begin immediate')),
    commitTransaction: async () => void (await run('commit')),
    rollbackTransaction: async () => {
      // A full disk has rolled it back already, and an error here would hide the original one.
      if (connection.inTransaction) await run('rollback')
    },
    destroy: async () => {
      await take()
      connection.close()
      // Waiting callers get the error that the connection is closed.
      give()
    },
  }

  async function executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (spentMs >= TURN_MS && (yieldsInTransactions || !connection.inTransaction)) {
      spentMs = 0
      await new Promise(setImmediate)
    }
    const giveUpAt = performance.now() + LONGEST_WAIT_MS
    for (let tries = 0; ; tries += 1) {
      const startedAt = performance.now()
      try {
        return execute(sql, parameters)
      } catch (fault) {
        if (!isBusy(fault) || connection.inTransaction || performance.now() >= giveUpAt) {
          onFault(fault)
          throw fault
        }
      } finally {
        spentMs += performance.now() - startedAt
      }
      give()
      await new Promise((resolve) => setTimeout(resolve, PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]))
      await take()
    }
  }

  function execute<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const statement = prepared(sql)
    if (statement.reader) return { rows: statement.all(parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] }
  }

  async function* streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of connection.prepare(sql).iterate(parameters)) yield { rows: [row as R] }
  }
}
