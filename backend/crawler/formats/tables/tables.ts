/** Decides which tables contain data, and returns their cells by row and column. */
import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { holds, mayHoldHeading } from '#backend/crawler/html/tree-text.ts'
import { boxOf } from '../boxes.ts'

const MAX_COLUMNS = 50
/** The most rows that a cell spans (HTML, 4.9.11). */
const MAX_ROW_SPAN = 65_534
/** A table with so many cells is data, also if a few of them hold another table … */
const MANY_CELLS = 16
/** … of so few characters. */
const MOST_NESTED = 400
const HEADING = /^h[1-6]$/

export type TableParts = {
  rows: ElementNode[]
  caption: ElementNode | null
  /** The nodes between the cells; browsers show them before the table. */
  others: TreeNode[]
}

export function partsOf(table: ElementNode): TableParts {
  const parts: TableParts = { rows: [], caption: null, others: [] }
  collect(table, parts)
  return parts
}

function collect(parent: ElementNode, parts: TableParts): void {
  for (const child of parent.children) {
    if (child instanceof TextNode) parts.others.push(child)
    else if (child.dropped) continue
    else if (child.name === 'tr') parts.rows.push(child)
    else if (child.name === 'thead' || child.name === 'tbody' || child.name === 'tfoot') collect(child, parts)
    else if (child.name === 'caption' && parts.caption === null) parts.caption = child
    else if (child.name !== 'colgroup' && child.name !== 'col') parts.others.push(child)
  }
}

export function isCell(node: TreeNode): node is ElementNode {
  return node instanceof ElementNode && (node.name === 'td' || node.name === 'th')
}

/** Is the table used for layout? */
export function isLayout(table: ElementNode, rows: ElementNode[]): boolean {
  const role = attributeOf(table, 'role')
  if (role === 'presentation' || role === 'none') return true
  if (rows.length === 0) return true
  let widest = 0
  let hasHeader = false
  let rich = 0
  let nested = 0
  let cellCount = 0
  for (const row of rows) {
    let width = 0
    for (const cell of row.children) {
      if (cell instanceof TextNode || cell.dropped) continue
      width++
      if (cell.name === 'th') hasHeader = true
      cellCount++
      if (cell.hasBlock && holdsRichBlock(cell)) {
        if (holdsShortTable(cell)) nested++
        rich++
      } else if (cell.textLength > 1500) rich++
    }
    widest = Math.max(widest, width)
  }
  if (widest < 2) return true
  // Code beside its line numbers, pictures beside their columns of text.
  if (!hasHeader) return rows.length === 1 || (rich > 0 && (rich > nested || cellCount < MANY_CELLS || nested * 4 > cellCount))
  return rich * 2 > cellCount
}

/** Does a cell contain a short table, and no other block that a table cell cannot contain in Markdown? */
function holdsShortTable(cell: ElementNode): boolean {
  return cell.textLength < MOST_NESTED && !mayHoldHeading(cell) && !holds(cell, 'pre') && !holds(cell, 'blockquote')
}

/** Does a cell hold what cannot stand in a line: a table, code, a heading or a quote? */
export function holdsRichBlock(element: ElementNode): boolean {
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped || !(child.tag.block || child.hasBlock)) continue
    if (child.name === 'table' || child.name === 'pre' || HEADING.test(child.name) || child.name === 'blockquote') return true
    if (child.attributes !== null && boxOf(child) === 'table') return true
    if (holdsRichBlock(child)) return true
  }
  return false
}

/**
 * The text of each cell at its position; a cell that spans columns or rows leaves the other positions empty.
 *
 * @returns rows of at most 50 columns; none if there is no text
 */
export function gridOf(rows: ElementNode[], textOfCell: (cell: ElementNode) => string): string[][] {
  const grid: string[][] = []
  // How many rows the cells above still span, by column.
  const reaching: number[] = []
  let group = rows[0]?.parent
  for (const row of rows) {
    if (row.parent !== group) {
      // No cell spans rows of the next `tbody` (HTML, 4.9.12.1).
      reaching.length = 0
      group = row.parent
    }
    const cells: string[] = []
    let hasText = false
    for (const cell of row.children) {
      if (!isCell(cell) || cell.dropped) continue
      skipReached(cells, reaching)
      if (cells.length >= MAX_COLUMNS) break
      const columnSpan = columnsOf(cell)
      const rowSpan = rowsOf(cell)
      const text = textOfCell(cell)
      if (text !== '') hasText = true
      for (let column = 0; column < columnSpan && cells.length < MAX_COLUMNS; column++) {
        if (rowSpan > 1) reaching[cells.length] = rowSpan - 1
        cells.push(column === 0 ? text : '')
      }
    }
    skipReached(cells, reaching)
    if (hasText) grid.push(cells)
  }
  return grid
}

/** Skips the positions in a row that cells of rows above span. */
function skipReached(cells: string[], reaching: number[]): void {
  while (cells.length < reaching.length && (reaching[cells.length] ?? 0) > 0) {
    reaching[cells.length]!--
    cells.push('')
  }
}

const columnsOf = (cell: ElementNode): number => Math.min(span(cell, 'colspan') || 1, MAX_COLUMNS)

/** Zero spans all rows of the group. */
const rowsOf = (cell: ElementNode): number => Math.min(span(cell, 'rowspan') || MAX_ROW_SPAN, MAX_ROW_SPAN)

function span(cell: ElementNode, name: string): number {
  const given = cell.attributes === null ? undefined : attributeOf(cell, name)
  return given !== undefined && /^\s*\d+/.test(given) ? parseInt(given, 10) : 1
}

/** @param alignments  of the columns, as `alignmentsOf` gives them */
export function tableLines(grid: string[][], alignments: string[]): string[] {
  let columns = 0
  for (const { length } of grid) if (length > columns) columns = length
  while (alignments.length < columns) alignments.push('---')
  const lines: string[] = []
  for (const cells of grid) {
    while (cells.length < columns) cells.push('')
    lines.push(`| ${cells.join(' | ')} |`)
    if (lines.length === 1) lines.push(`| ${alignments.slice(0, columns).join(' | ')} |`)
  }
  return lines
}

const DELIMITERS = new Map([
  ['left', ':---'],
  ['center', ':---:'],
  ['right', '---:'],
])

/** The alignment of the cells of a row, one per column, in GFM's notation. */
export function alignmentsOf(row: ElementNode): string[] {
  const alignments: string[] = []
  for (const cell of row.children) {
    if (!isCell(cell) || cell.dropped) continue
    let alignment = '---'
    const style = cell.attributes === null ? undefined : attributeOf(cell, 'style')
    const given = /(?:^|;)\s*text-align\s*:\s*(left|center|right)\b/i.exec(style ?? '')?.[1] ?? attributeOf(cell, 'align')
    if (given !== undefined) alignment = DELIMITERS.get(given.toLowerCase()) ?? alignment
    alignments.push(alignment)
    for (let more = columnsOf(cell); more > 1 && alignments.length < MAX_COLUMNS; more--) alignments.push('---')
  }
  return alignments
}
