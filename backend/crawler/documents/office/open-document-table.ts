import type { Attributes } from '../xml.ts'

const MAX_ROWS = 20_000
const MAX_COLUMNS = 100

export type ClosedTable = { rows: string[][]; name: string; style: string; isSheet: boolean }

/** Collects the cells of a table from the elements inside it. A table in a cell becomes text of that cell. */
export class TableStream {
  #depth = 0
  #table: ClosedTable | null = null
  #row: string[] = []
  #rowRepeats = 1
  #cell: string | null = null
  #cellRepeats = 1
  /** The displayed date depends on the locale, so the cell's value is used. */
  #cellDate = ''

  /** Whether text belongs to a cell. */
  get isCell(): boolean {
    return this.#cell !== null
  }

  /** Adds to the cell. */
  write(html: string): void {
    if (this.#cell !== null) this.#cell += html
  }

  openTable(attributes: Attributes, isSheet: boolean): void {
    if (this.#depth++ === 0) this.#table = { rows: [], name: attributes['name'] ?? '', style: attributes['style-name'] ?? '', isSheet }
  }

  openRow(attributes: Attributes): void {
    if (this.#depth !== 1) return
    this.#row = []
    const isHidden = /collapse|filter/.test(attributes['visibility'] ?? '')
    this.#rowRepeats = isHidden ? 0 : repeats(attributes['number-rows-repeated'])
  }

  openCell(attributes: Attributes): void {
    if (this.#depth !== 1) return
    this.#cell = ''
    this.#cellDate = attributes['value-type'] === 'date' ? (attributes['date-value'] ?? '') : ''
    this.#cellRepeats = repeats(attributes['number-columns-repeated'])
  }

  closeCell(): void {
    if (this.#depth !== 1) return
    const value = /^\d{4}-/.test(this.#cellDate) ? shownDate(this.#cellDate) : withoutOuterBreaks(this.#cell ?? '')
    this.#cell = null
    // The last, empty cell of a row is often repeated a thousand times.
    const times = value === '' ? Math.min(this.#cellRepeats, MAX_COLUMNS) : this.#cellRepeats
    for (let count = 0; count < times && this.#row.length < MAX_COLUMNS; count++) this.#row.push(value)
  }

  closeRow(): void {
    if (this.#depth !== 1 || this.#table === null) return
    const { rows } = this.#table
    const isEmpty = this.#row.every((value) => value === '')
    const times = isEmpty ? Math.min(this.#rowRepeats, 1) : this.#rowRepeats
    for (let count = 0; count < times && rows.length < MAX_ROWS; count++) rows.push(this.#row)
  }

  /** The table that has ended; null for one in a cell. */
  closeTable(): ClosedTable | null {
    if (--this.#depth > 0) return null
    const table = this.#table
    this.#table = null
    return table
  }
}

function repeats(value: string | undefined): number {
  return Math.min(MAX_ROWS, Math.max(1, Number(value ?? 1) || 1))
}

/** `2026-03-04T09:12:00` with a space, and without a time at midnight. */
function shownDate(value: string): string {
  return value
    .slice(0, 19)
    .replace(/T00:00:00$/, '')
    .replace('T', ' ')
}

/** Scans by index: a regular expression would start at each break of a long run (quadratic time). */
function withoutOuterBreaks(html: string): string {
  let start = 0
  let end = html.length
  while (html.startsWith('<br>', start)) start += 4
  while (end - start >= 4 && html.endsWith('<br>', end)) end -= 4
  return html.slice(start, end)
}
