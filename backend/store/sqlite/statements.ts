/** Prepared statements of one connection, each prepared when it is first used, and steps done at once over it. */
import type { Statement as SqliteStatement } from 'better-sqlite3'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { asStoreTrouble } from '../run-store.ts'
import { doSteps } from '../steps.ts'
import type { Result, Statement, Steps } from '../steps.ts'

type Prepared = SqliteStatement<unknown[]>
export type Statements = ReturnType<typeof createStatements>

export function createStatements(connection: SqliteConnection) {
  const prepared = new Map<string, Prepared>()
  const begin = of('BEGIN IMMEDIATE')
  const commit = of('COMMIT')
  const rollback = of('ROLLBACK')
  return { of, all, get, run, steps, transaction, attempt }

  function of(sql: string): Prepared {
    let statement = prepared.get(sql)
    if (statement === undefined) prepared.set(sql, (statement = connection.prepare<unknown[]>(sql)))
    return statement
  }

  function all<Row>(sql: string, ...values: unknown[]): Row[] {
    return of(sql).all(...values) as Row[]
  }

  function get<Row>(sql: string, ...values: unknown[]): Row | undefined {
    return of(sql).get(...values) as Row | undefined
  }

  /** Gives how many rows it changed. */
  function run(sql: string, ...values: unknown[]): number {
    return of(sql).run(...values).changes
  }

  /** Does steps inside the transaction that is open. */
  function steps<T>(work: Steps<T>): T {
    return doSteps(work, execute)
  }

  function execute({ sql, values }: Statement): Result {
    const statement = of(sql)
    if (statement.reader) return { rows: statement.all(...values), changes: 0 }
    return { rows: [], changes: statement.run(...values).changes }
  }

  /** All or nothing, and durable when it returns. */
  function transaction<T>(work: () => T): T {
    begin.run()
    let isOpen = true
    try {
      const result = work()
      commit.run()
      isOpen = false
      return result
    } finally {
      // A full disk has rolled it back already.
      if (isOpen && connection.inTransaction) rollback.run()
    }
  }

  /** What the port promises: the work is done when the promise resolves, and trouble of the machine has a name of its own. */
  async function attempt<T>(work: () => T): Promise<T> {
    try {
      return work()
    } catch (fault) {
      throw asStoreTrouble(fault)
    }
  }
}
