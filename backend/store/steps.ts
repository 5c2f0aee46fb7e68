/**
 * Work inside a transaction, written once for both callers: the engine with its synchronous driver, and the API with its asynchronous one.
 * A step yields a statement and receives its result.
 */
import { sql as template } from 'kysely'
import type { Transaction } from '#backend/platform/database/database.ts'

export type Statement = { sql: string; values: readonly unknown[] }
export type Result = { rows: readonly unknown[]; changes: number }
export type Steps<T> = Generator<Statement, T, Result>

/** Changes rows; returns their number. */
export function* change(sql: string, ...values: unknown[]): Steps<number> {
  return (yield { sql, values }).changes
}

/** Reads one row, or the row of a RETURNING clause. Columns must be named as in the type: `team_id AS "teamId"`. */
export function* one<Row>(sql: string, ...values: unknown[]): Steps<Row | undefined> {
  return (yield { sql, values }).rows[0] as Row | undefined
}

export function* all<Row>(sql: string, ...values: unknown[]): Steps<Row[]> {
  return [...(yield { sql, values }).rows] as Row[]
}

/** Executes steps with a synchronous driver. */
export function doSteps<T>(steps: Steps<T>, execute: (statement: Statement) => Result): T {
  for (let next = steps.next(); ;) {
    if (next.done) return next.value
    next = steps.next(execute(next.value))
  }
}

/** Executes steps with an asynchronous driver. */
export async function doStepsLater<T>(steps: Steps<T>, execute: (statement: Statement) => Promise<Result>): Promise<T> {
  for (let next = steps.next(); ;) {
    if (next.done) return next.value
    next = steps.next(await execute(next.value))
  }
}

/** Executes steps in a transaction of the API, whose dialect determines the placeholders. */
export function doStepsIn<T>(transaction: Transaction, steps: Steps<T>): Promise<T> {
  return doStepsLater(steps, async ({ sql, values }) => {
    const { rows, numAffectedRows = 0n } = await template(piecesOf(sql), ...values).execute(transaction)
    return { rows, changes: Number(numAffectedRows) }
  })
}

/** The texts between the parameters; every `?` in a statement is a parameter. */
const piecesOf = (sql: string): TemplateStringsArray => {
  const pieces = sql.split('?')
  return Object.assign(pieces, { raw: pieces })
}
