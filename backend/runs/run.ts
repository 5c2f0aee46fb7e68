/** A run for features: its row and its constant data. */
import type { RunKind, RunStatus } from '#contract/runs.ts'
import type { Rows, RunTable } from '#backend/platform/database/database.ts'

export type Run = Pick<
  Row,
  'no' | 'id' | 'teamId' | 'variant' | 'reason' | 'label' | 'pageLimit' | 'kept' | 'failed' | 'known' | 'settled' | 'eventSeq'
> &
  Pick<Row, 'createdAt' | 'updatedAt' | 'endedAt'> & {
    kind: RunKind
    status: RunStatus
    /** Number of URLs that the caller submitted. */
    seedCount: number
    /** The options in the form of the API. */
    options: Record<string, unknown>
    /** The submitted URLs. */
    seeds: string[]
  }

type Row = { [Column in keyof RunTable]: RunTable[Column] extends { __select__: infer Value } ? Value : RunTable[Column] }

/** The columns that a commit may change. */
export const PROGRESS = [
  'run.no',
  'run.status',
  'run.reason',
  'run.kept',
  'run.failed',
  'run.known',
  'run.settled',
  'run.eventSeq',
  'run.updatedAt',
  'run.endedAt',
] as const
const FIXED = [
  'run.id',
  'run.teamId',
  'run.kind',
  'run.variant',
  'run.label',
  'run.pageLimit',
  'run.seeds as seedCount',
  'run.createdAt',
] as const

/** Runs with their options, without deleted ones. */
export const selectRuns = (rows: Rows) =>
  rows
    .selectFrom('run')
    .innerJoin('runOptions', 'runOptions.runNo', 'run.no')
    .where('run.deletedAt', 'is', null)
    .select([...PROGRESS, ...FIXED, 'runOptions.options', 'runOptions.seeds'])

type Selected = Awaited<ReturnType<ReturnType<typeof selectRuns>['executeTakeFirstOrThrow']>>

/** Parses the JSON of a selected row. */
export const toRun = (row: Selected): Run => ({
  ...row,
  kind: row.kind as RunKind,
  status: row.status as RunStatus,
  options: JSON.parse(row.options) as Record<string, unknown>,
  seeds: JSON.parse(row.seeds) as string[],
})
