/** Tables that are not made of `table`: by the roles of ARIA (WAI-ARIA 1.2, 5.3.9), or as Javadoc writes them since version 16. */
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { boxOf } from '../boxes.ts'
import { holdsRichBlock } from './tables.ts'

const CELL_ROLES = new Set(['cell', 'gridcell', 'columnheader', 'rowheader'])
const COLUMNS = new Map([
  ['two', 2],
  ['three', 3],
  ['four', 4],
])

/**
 * The cells of such a table, by row; null when it shows no data, or text outside of its cells.
 *
 * @param element  one with the role `table`, `grid` or `treegrid`, or with the class of Javadoc's tables
 */
export function rowsOfDivs(element: ElementNode): ElementNode[][] | null {
  const rows: ElementNode[][] = []
  if (attributeOf(element, 'role') === undefined) collectColumns(element, rows)
  else collectRows(element, rows)
  let widest = 0
  let length = 0
  for (const row of rows) {
    widest = Math.max(widest, row.length)
    for (const { textLength } of row) length += textLength
  }
  if (rows.length < 2 || widest < 2 || length !== element.textLength) return null
  return rows.some((row) => row.some((cell) => cell.hasBlock && holdsRichBlock(cell))) ? null : rows
}

function collectRows(parent: ElementNode, rows: ElementNode[][]): void {
  for (const child of parent.children) {
    // The text of a table inside is outside of the cells.
    if (child instanceof TextNode || child.dropped || child.tag.silent || boxOf(child) === 'table') continue
    if (attributeOf(child, 'role') !== 'row') {
      collectRows(child, rows)
      continue
    }
    const cells: ElementNode[] = []
    collectCells(child, cells)
    rows.push(cells)
  }
}

function collectCells(parent: ElementNode, cells: ElementNode[]): void {
  for (const child of parent.children) {
    if (child instanceof TextNode || child.dropped || child.tag.silent) continue
    if (CELL_ROLES.has(attributeOf(child, 'role') ?? '')) cells.push(child)
    else if (boxOf(child) !== 'table') collectCells(child, cells)
  }
}

/** Javadoc writes one cell behind the other; the class of the table says how many make a row. */
function collectColumns(table: ElementNode, rows: ElementNode[][]): void {
  const width = COLUMNS.get(/\b(\w+)-column/.exec(attributeOf(table, 'class') ?? '')?.[1] ?? '')
  if (width === undefined) return
  const cells = table.children.filter((child) => child instanceof ElementNode && !child.dropped) as ElementNode[]
  for (let at = 0; at < cells.length; at += width) rows.push(cells.slice(at, at + width))
}
