import type { Line } from './lines.ts'

/** Dots that lead to a page number, shortened. */
const LEADER = /\S … \s*(?:\d{1,4}|[ivxlc]{1,7})\s*$/i
const PAGE_NUMBER = /^\s*(?:\d{1,4}|[ivxlc]{1,7})\s*$/i

/**
 * Finds the lines of a table of contents: those with dots that lead to a page number, and beside them those with a page number in a second column,
 * as the entries of chapters often are.
 */
export function contentsEntries(lines: readonly Line[]): Set<Line> {
  const entries = new Set(lines.filter((line) => LEADER.test(line.text)))
  if (entries.size === 0) return entries
  const addBeside = (line: Line, beside: Line | undefined) => {
    if (beside !== undefined && entries.has(beside) && line.cells.length === 2 && PAGE_NUMBER.test(textOf(line.cells[1]!.html)))
      entries.add(line)
  }
  for (const [at, line] of lines.entries()) addBeside(line, lines[at - 1])
  for (let at = lines.length - 2; at >= 0; at--) addBeside(lines[at]!, lines[at + 1])
  return entries
}

/** The entry as one text, with an ellipsis before its page number. */
export function entryHtml(line: Line): string {
  const last = line.cells.at(-1)!.html
  if (line.cells.length < 2 || line.text.includes(' … ') || !PAGE_NUMBER.test(textOf(last))) return line.html
  const others = line.cells.slice(0, -1).map((cell) => cell.html.trim())
  return `${others.join(' ')} … ${last.trim()}`
}

function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, '')
}
