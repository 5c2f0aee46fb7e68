/** Rows as text: CSV and JSON Lines. */
import type { FastifyReply } from 'fastify'
import { csvCell } from '#contract/csv-cell.ts'
import type { Pieces } from '#backend/platform/database/readers.ts'
import { chained, sendPieces } from './send-pieces.ts'

type Value = string | number | boolean | null | undefined

/** One line of CSV (RFC 4180). */
export const csvLine = (values: readonly Value[]): string => `${values.map(csvValue).join(',')}\r\n`

function csvValue(value: Value): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? csvCell(value) : String(value)
}

/** One line of JSON Lines. */
export const jsonLine = (row: object): string => `${JSON.stringify(row)}\n`

const TYPES = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const

/** Spreadsheet programs take CSV without it for the encoding of their country. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Sends rows as a file while they are read.
 *
 * @param isSaved  by a person, for a spreadsheet program; what reads an answer of the API expects no byte order mark
 */
export const sendRows = (
  reply: FastifyReply,
  { format, isSaved = false, name, rows }: { format: keyof typeof TYPES; isSaved?: boolean; name: string; rows: Pieces },
) =>
  sendPieces(
    reply
      .header('content-type', TYPES[format])
      .header('content-disposition', `attachment; filename="${name}.${format}"`)
      .header('cache-control', 'no-store'),
    isSaved && format === 'csv' ? chained([BYTE_ORDER_MARK], rows) : rows,
  )
