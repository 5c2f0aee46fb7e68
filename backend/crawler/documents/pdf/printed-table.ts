/** Tables of printed pages: a PDF without tags does not say what a table is, but parts of its lines are in the same columns. */
import type { Line } from './lines.ts'
import { RIGHT_TO_LEFT } from './right-to-left.ts'

type Column = { left: number; right: number }

/** Lengths in font sizes. Numbers are right-aligned, so the start of a column may differ by two letters. */
const ALIGNED = 2
/** Two rows are no further apart, or so many times as far as the first two. */
const MOST_STEP = 3
const MOST_STEPS = 1.8
/** Lines that are at most so much of the distance between the first two rows apart are of one cell. */
const LINES_OF_CELL = 0.8
/** Lines that are further apart are not of one cell. */
const MOST_LINES_OF_CELL = 1.15
/** A larger line is a heading. */
const MOST_SIZE = 1.15
/** A line with more cells is no row: each part is compared with each column. */
const MOST_COLUMNS = 100
/** `(12)` or `(A.3)` behind an equation. A single one may be a negative amount. */
const EQUATION_NUMBER = /^\s*\((?:[A-Z]\.)?\d{1,3}(?:\.\d{1,3})*[a-z]?\)\s*$/
/** A line shows further columns only among the first ones of a table, since all lines are compared with them. */
const MOST_LINES_BEFORE_COLUMN = 20

/** A table that begins with two lines, and takes further ones while their parts are in its columns. */
export class PrintedTable {
  #columns: Column[]
  /** The lines of text of each cell. */
  #rows: string[][][] = []
  readonly #lines: Line[] = []
  readonly #rowStep: number

  /** @returns null unless both lines have something in each of at least two columns */
  static begin(line: Line, next: Line | undefined): PrintedTable | null {
    const columns = Math.max(line.cells.length, next?.cells.length ?? 0)
    if (next === undefined || columns < 2 || columns > MOST_COLUMNS || (isEquation(line) && isEquation(next))) return null
    const [most, other] = next.cells.length > line.cells.length ? [next, line] : [line, next]
    const table = new PrintedTable(most, line.y - next.y)
    const isRow = isNear(line, next, table.#rowStep) && (isBeside(table.#columns, other) || isWhole(cellsIn(table.#columns, other)))
    if (!isRow && !isAligned(table.#columns, other)) return null
    table.#push(line)
    return table
  }

  private constructor(first: Line, rowStep: number) {
    this.#columns = columnsOf(first)
    this.#rowStep = rowStep
  }

  /** Takes the line as a row, or as a further line of the last one; false when it is not a part of the table. */
  add(line: Line, next: Line | undefined): boolean {
    if (line.size > this.#lines[0]!.size * MOST_SIZE) return false
    if (isAligned(this.#columns, line)) return this.#push(line)
    if (!isNear(this.#lines.at(-1)!, line, this.#rowStep)) return false
    if (isBeside(this.#columns, line)) return this.#push(line)
    if (line.cells.length > this.#columns.length && line.cells.length <= MOST_COLUMNS && this.#split(line)) return this.#push(line)
    const cells = cellsIn(this.#columns, line)
    if (cells === null) return false
    // A line of text below the table may begin where a column does.
    const isFirstAlone = cells.every((cell, column) => (cell !== '') === (column === 0))
    if (isFirstAlone && !this.#isRow(next, line)) return false
    const step = this.#lines.at(-1)!.y - line.y
    if (!isWhole(cells) && this.#isRestOfRow(cells, step) && step > this.#rowStep * MOST_LINES_OF_CELL) return false
    return this.#push(line)
  }

  html(): string {
    const rowHtml = (row: string[][], tag: string) => `<tr>${row.map((texts) => `<${tag}>${texts.join(' ')}</${tag}>`).join('')}</tr>`
    return `<table>${this.#rows.map((row, at) => rowHtml(row, at === 0 ? 'th' : 'td')).join('')}</table>`
  }

  #push(line: Line): true {
    const hasCells = isAligned(this.#columns, line) || isBeside(this.#columns, line)
    const cells = hasCells ? line.cells.map(({ html }) => html.trim()) : cellsIn(this.#columns, line)!
    const last = this.#rows.at(-1)
    if (last !== undefined && !isWhole(cells) && this.#isRestOfRow(cells, this.#lines.at(-1)!.y - line.y))
      for (const [column, cell] of cells.entries()) last[column]!.push(...textsOf(cell))
    else this.#rows.push(cells.map(textsOf))
    grow(this.#columns, line)
    this.#lines.push(line)
    return true
  }

  /** Takes the columns of a line that has more of them, if the lines before fit. */
  #split(line: Line): boolean {
    if (this.#lines.length > MOST_LINES_BEFORE_COLUMN) return false
    const lines = this.#lines.splice(0)
    const [columns, rows] = [this.#columns, this.#rows]
    this.#columns = columnsOf(line)
    this.#rows = []
    if (lines.every((before) => cellsIn(this.#columns, before) !== null && this.#push(before))) return true
    this.#columns = columns
    this.#rows = rows
    this.#lines.splice(0, this.#lines.length, ...lines)
    return false
  }

  /** Does a line with empty columns continue the cells above it? Rows of a group may leave the first column empty. */
  #isRestOfRow(cells: readonly string[], step: number): boolean {
    if (step < this.#rowStep * LINES_OF_CELL) return true
    const filled = cells.filter((cell) => cell !== '').length
    return cells[0] === '' && (filled < cells.length - 1 || cells.length === 2)
  }

  /** Is the line after one in the first column a row? */
  #isRow(next: Line | undefined, line: Line): boolean {
    if (next === undefined || !isNear(line, next, this.#rowStep)) return false
    const cells = cellsIn(this.#columns, next)
    return cells !== null && cells.filter((cell) => cell !== '').length > 1
  }
}

/** The columns that the cells of a line show. */
function columnsOf(line: Line): Column[] {
  return line.cells.map(({ x: left }, at) => {
    const next = line.cells[at + 1]?.x ?? Infinity
    const right = line.parts.reduce((most, part) => (part.x >= left && part.x < next ? Math.max(most, part.right) : most), left)
    return { left, right }
  })
}

function grow(columns: readonly Column[], line: Line) {
  if (RIGHT_TO_LEFT.test(line.text)) return
  const own = isBeside(columns, line) ? columnsOf(line) : null
  for (const [at, part] of (own ?? line.parts.map(({ right, x }) => ({ left: x, right }))).entries()) {
    const column = columns[own === null ? (columnOf(columns, part, { size: line.size, last: null }) ?? -1) : at]
    if (column === undefined) continue
    column.left = Math.min(column.left, part.left)
    column.right = Math.max(column.right, part.right)
  }
}

function isNear(before: Line, line: Line, rowStep: number): boolean {
  const step = before.y - line.y
  return step > 0 && step <= Math.max(line.size * MOST_STEP, rowStep * MOST_STEPS)
}

/** Has the line one cell for each column, which starts where the column does? */
function isAligned(columns: readonly Column[], line: Line): boolean {
  return line.cells.length === columns.length && line.cells.every(({ x }, at) => Math.abs(x - columns[at]!.left) < line.size * ALIGNED)
}

/** Has the line one cell for each of three or more columns, and do columns stay apart with them? Heads may be centered above left-aligned text. */
function isBeside(columns: readonly Column[], line: Line): boolean {
  if (columns.length < 3 || line.cells.length !== columns.length || RIGHT_TO_LEFT.test(line.text)) return false
  const own = columnsOf(line)
  return columns.slice(1).every(({ left }, at) => Math.max(columns[at]!.right, own[at]!.right) < Math.min(left, own[at + 1]!.left))
}

const textsOf = (cell: string): string[] => (cell === '' ? [] : [cell])

const isEquation = ({ cells }: Line) => cells.length === 2 && EQUATION_NUMBER.test(cells[1]!.html)

const isWhole = (cells: readonly string[] | null) => cells !== null && !cells.includes('')

/** The text in each column, empty for none; null when a part of the line is in no column or in several. */
function cellsIn(columns: readonly Column[], line: Line): string[] | null {
  if (RIGHT_TO_LEFT.test(line.text)) return null
  const cells = columns.map((): string[] => [])
  let last = 0
  for (const part of line.parts) {
    const column = columnOf(
      columns,
      { left: part.x, right: part.right },
      { size: line.size, last: cells[last]!.length === 0 ? null : last },
    )
    if (column === null || column < last) return null
    cells[column]!.push(...textsOf(part.html.trim()))
    last = column
  }
  return cells.map((texts) => texts.join(' '))
}

/** @param last  the column of the part before it in the line */
function columnOf(
  columns: readonly Column[],
  { left, right }: Column,
  { size, last }: { size: number; last: number | null },
): number | null {
  const touched = columns.flatMap((column, at) => (left < column.right && right > column.left ? [at] : []))
  if (touched.length > 0) return touched.length === 1 ? touched[0]! : null
  const tolerance = size * ALIGNED
  const aligned = columns.findIndex((column) => Math.abs(left - column.left) < tolerance || Math.abs(right - column.right) < tolerance)
  if (aligned >= 0) return aligned
  // The end of a text that is longer than those above it.
  return last !== null && right < (columns[last + 1]?.left ?? Infinity) ? last : null
}
