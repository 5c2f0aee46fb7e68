import type { Line } from './pdf-layout.ts'

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

/** An entry in one text, whose number is set off by the sign for left-out dots. */
export function entryHtml(line: Line): string {
  return line.cells.length === 2 && !line.text.includes(' … ') ? `${line.cells[0]!.html.trim()} … ${line.cells[1]!.html.trim()}` : line.html
}

function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, '')
}
