/** Rows of a log as CSV (RFC 4180). Pure. */
import { csvCell } from '#contract/csv-cell.ts'
import type { RunStatus } from '#contract/runs.ts'

type Row = {
  run: { uuid: string; status: RunStatus; created_at: string; duration: string | null; number_of_documents?: number }
  name: string
}

const HEAD = ['uuid', 'name', 'status', 'results', 'created_at', 'duration']

export const csvOf = (rows: readonly Row[]): string =>
  [HEAD, ...rows.map(({ name, run }) => [run.uuid, name, run.status, run.number_of_documents ?? '', run.created_at, run.duration ?? ''])]
    .map((line) => `${line.map((value) => csvCell(String(value))).join(',')}\r\n`)
    .join('')
