/** Rows of a log as CSV (RFC 4180). Pure. */
import type { RunStatus } from '#contract/runs.ts'

type Row = {
  run: { uuid: string; status: RunStatus; created_at: string; duration: string | null; number_of_documents?: number }
  name: string
}

const HEAD = ['uuid', 'name', 'status', 'results', 'created_at', 'duration']

export const csvOf = (rows: readonly Row[]): string =>
  [HEAD, ...rows.map(({ name, run }) => [run.uuid, name, run.status, run.number_of_documents ?? '', run.created_at, run.duration ?? ''])]
    .map((line) => `${line.map((value) => cell(String(value))).join(',')}\r\n`)
    .join('')

/** An apostrophe keeps a spreadsheet from interpreting text as a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
