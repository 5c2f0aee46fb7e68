/** Prepared statements of one connection, each prepared on first use, and synchronous execution of steps. */
import type { Statement as SqliteStatement } from 'better-sqlite3'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { doSteps } from '../steps.ts'
import type { Result, Statement, Steps } from '../steps.ts'

type Prepared = SqliteStatement<unknown[]>
export type Statements = ReturnType<typeof createStatements>

export function createStatements(connection: SqliteConnection) {
  const prepared = new Map<string, Prepared>()
  const begin = of('BEGIN IMMEDIATE')
  const commit = of('COMMIT')
  const rollback = of('ROLLBACK')
  return { of, all, get, run, steps, transaction }

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

  /** Returns the number of changed rows. */
  function run(sql: string, ...values: unknown[]): number {
    return of(sql).run(...values).changes
  }

  /** Executes steps inside the open transaction. */
  function steps<T>(work: Steps<T>): T {
    return doSteps(work, execute)
  }

  function execute({ sql, values }: Statement): Result {
    const statement = of(sql)
    if (statement.reader) return { rows: statement.all(...values), changes: 0 }
    return { rows: [], changes: statement.run(...values).changes }
  }

  /** Atomic, and durable when it returns. */
  function transaction<T>(work: () => T): T {
    begin.run()
    let isOpen = true
    try {
      const result = work()
      commit.run()
      isOpen = false
      return result
    } finally {
      // A full disk has rolled back already.
      if (isOpen && connection.inTransaction) rollback.run()
    }
  }
}
