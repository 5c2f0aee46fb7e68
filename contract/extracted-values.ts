/** Extracted data as rows of a table; the dashboard and the exports use the same rows. Pure. */

/** Limit of columns: more are unreadable, or come from a faulty extraction. */
export const MAX_EXTRACTED_COLUMNS = 200

/** The text of a cell: strings unchanged, objects and lists as JSON. */
export type ExtractedRow = Record<string, string | number | boolean | null>

/**
 * One row for an object, one for each item of a list. Objects inside are spread out, their names joined by dots; lists inside stay one
 * cell, as texts joined by semicolons or as JSON.
 */
export function extractedRows(extraction: unknown): ExtractedRow[] {
  if (extraction === undefined || extraction === null) return []
  if (Array.isArray(extraction)) return extraction.flatMap(extractedRows)
  if (typeof extraction !== 'object') return [{ value: cell(extraction) }]
  const row: ExtractedRow = {}
  spread(row, '', extraction as Record<string, unknown>)
  return [row]
}

/** The columns of the rows in order of first appearance, up to the limit. */
export function addColumns(columns: Set<string>, rows: readonly ExtractedRow[]): void {
  for (const row of rows)
    for (const name of Object.keys(row)) if (columns.size < MAX_EXTRACTED_COLUMNS || columns.has(name)) columns.add(name)
}

function spread(row: ExtractedRow, path: string, value: Record<string, unknown>): void {
  for (const [name, inner] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) spread(row, at, inner as Record<string, unknown>)
    else row[at] = cell(inner)
  }
}

function cell(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (value === null || value === undefined) return null
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join('; ')
  return JSON.stringify(value)
}
