import { escapeHtml } from '../document.ts'
import type { Line } from './lines.ts'

/** A greater distance of two lines, in font sizes, is an empty line. */
const EMPTY_LINE = 1.9
/** Most distance of two lines of the same code, in font sizes. */
const MAX_DISTANCE = 4
/** A document with a larger part of monospaced lines was written by a typewriter. */
const MAX_CODE = 0.6

/** Whether monospaced lines of a document are code, and not how all of it is printed. */
export function hasCode(lines: readonly Line[]): boolean {
  return lines.filter((line) => line.code !== null).length <= lines.length * MAX_CODE
}

/** Whether a line is code: monospaced, and either beside another such line or set apart from the text around it. */
export function isCodeLine(lines: readonly Line[], index: number): boolean {
  const line = lines[index]!
  if (line.code === null) return false
  const before = lines[index - 1]
  const after = lines[index + 1]
  return isSameCode(before, line) || isSameCode(line, after) || (isApart(before, line) && isApart(line, after))
}

/** Whether two lines, one after the other, are of the same code; it may go on in the next column or page. */
export function isSameCode(line: Line | undefined, next: Line | undefined): boolean {
  if (line === undefined || next === undefined || line.code === null || next.code === null) return false
  return line.y - next.y <= line.size * MAX_DISTANCE && Math.abs(line.size - next.size) < 0.5
}

/** Whether a gap or an indentation separates two lines. */
function isApart(line: Line | undefined, next: Line | undefined): boolean {
  if (line === undefined || next === undefined) return true
  const distance = line.y - next.y
  return distance < 0 || distance > next.size * 1.4 || Math.abs(line.x - next.x) > next.size * 0.8
}

/** Writes code with the indentation and the empty lines that it has on the page. */
export function codeHtml(lines: readonly Line[]): string {
  const left = lines.reduce((least, line) => Math.min(least, line.x), Infinity)
  const text = lines.map((line, at) => {
    const before = lines[at - 1]
    const gap = before === undefined ? 0 : before.y - line.y
    const indentation = Math.round((line.x - left) / line.code!.letter)
    return `${gap > line.size * EMPTY_LINE ? '\n' : ''}${' '.repeat(Math.min(indentation, 80))}${line.code!.text.trimEnd()}`
  })
  return `<pre>${escapeHtml(text.join('\n'))}</pre>`
}
