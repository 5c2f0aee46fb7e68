import { escapeHtml } from '../document.ts'
import type { BoldFonts } from './bold-fonts.ts'
import { BoldMarks, withoutBoldMarks } from './bold-text.ts'
import { isListMark, withListMarks } from './list-marks.ts'
import type { MonospacedFonts } from './monospace.ts'
import { accentedLetter } from './pdf-accents.ts'
import { inReadingOrder, RIGHT_TO_LEFT } from './right-to-left.ts'

export type Line = {
  text: string
  /** Text with links, and marks of bold letters (`bold-text.ts`). */
  html: string
  /** The parts between wide gaps; running text has one. */
  cells: { html: string; x: number }[]
  /** The parts between gaps that are wider than between two words, from left to right. */
  parts: LinePart[]
  /** Font size in points. */
  size: number
  /** Position in points from the left and from the bottom of the page. */
  x: number
  y: number
  /** The end of its text. */
  right: number
  /** Whether all letters are bold. */
  isBold: boolean
  /** Text with its columns, and the width of a letter in points, when all of it is monospaced. */
  code: { text: string; letter: number } | null
}

/** Positions in points from the left of the page. */
export type LinePart = { html: string; x: number; right: number }

/** Text as the library returns it, at a place of the page. */
export type TextPiece = { str: string; hasEOL: boolean; transform: number[]; width: number; height: number; fontName: string }
/** Part of a page that is a link. */
export type LinkArea = { url: string; rect: number[] }

const MAX_ANNOTATIONS = 5000
/** A wider gap within a line, in font sizes, starts a new cell: justified text has none. */
const CELL_GAP = 1.5
/** A wider gap may be one between columns, if other lines have one there too. */
const PART_GAP = 0.8
/** Most spaces before a piece of code: a PDF may place it at any distance. */
const MAX_COLUMN = 200
/** A letter that starts at least this far back, in font sizes, is drawn over the one before: kerning moves less. */
const OVERLAP = 0.2

/** The parts of a page that link to a URL. */
export function linkAreas(annotations: readonly unknown[]): LinkArea[] {
  const areas: LinkArea[] = []
  for (const annotation of annotations.slice(0, MAX_ANNOTATIONS)) {
    const { subtype, url, rect } = annotation as { subtype?: unknown; url?: unknown; rect?: unknown }
    if (subtype === 'Link' && typeof url === 'string' && Array.isArray(rect) && rect.length === 4)
      areas.push({ url, rect: rect.map(Number) })
  }
  return areas
}

/** Joins pieces of text to lines in the order of the file; a wide gap starts a new cell. */
export function linesOf(pieces: readonly TextPiece[], links: readonly LinkArea[], fonts: MonospacedFonts, bold: BoldFonts): Line[] {
  const lines: Line[] = []
  let line: Line | null = null
  let left = 0
  let right = 0
  let linked: string | null = null
  let boldMarks = new BoldMarks()
  for (const piece of inReadingOrder(pieces)) {
    const { hasEOL, transform, width } = piece
    let str = withoutBoldMarks(piece.str)
    const [, , , , x = 0, y = 0] = transform
    const size = sizeOf(transform)
    const letter = fonts.letterOf(piece.fontName)
    if (line !== null && str.trim() !== '' && Math.abs(y - line.y) > Math.max(size, line.size) * 0.6) end()
    // The mark of a list item that is drawn after its text.
    if (line !== null && x + width <= line.x + size * OVERLAP && isListMark(str)) end()
    if (str.trim() !== '') {
      const isRight = RIGHT_TO_LEFT.test(str)
      const edge = isRight ? x + width : x
      if (line === null) {
        line = {
          text: '',
          html: '',
          cells: [{ html: '', x: edge }],
          parts: [{ html: '', x, right: x }],
          size,
          x,
          right: x,
          y,
          isBold: true,
          code: letter === null ? null : { text: '', letter: letter * size },
        }
        left = x
        right = x
        boldMarks = new BoldMarks()
      }
      const isBold = bold.has(piece.fontName)
      // From right to left, a piece ends where the next one begins.
      const isBackward = x < left && (isRight || RIGHT_TO_LEFT.test(line.text))
      const gap = isBackward ? left - x - width : x - right
      if (isBackward) line.x = Math.min(line.x, x)
      if (gap < -size * OVERLAP) str = withAccent(str)
      if (!isBold) line.html += boldMarks.next(false)
      if (gap > size * PART_GAP && line.text !== '') beginPart(x)
      if (gap > size * CELL_GAP && line.text !== '') {
        unlink()
        line.cells.push({ html: '', x: edge })
        line.html += ' '
        line.text += ' '
      } else if (gap > size * 0.15 && !/\s$/.test(line.text) && !/^\s/.test(str) && line.text !== '') add(' ')
      line.html += boldMarks.next(isBold)
      for (const { text, url } of linkedParts(str, x, y + size / 4, width, links)) {
        if (url !== linked) {
          unlink()
          if (url !== null) append(`<a href="${escapeHtml(url)}">`)
          linked = url
        }
        add(text)
      }
      if (letter === null) line.code = null
      else if (line.code !== null)
        line.code.text = line.code.text.padEnd(Math.min(MAX_COLUMN, Math.round((x - line.x) / line.code.letter))) + str
      // A superscript does not make the line small.
      line.size = Math.max(line.size, size)
      left = x
      right = x + width
      line.right = Math.max(line.right, right)
      line.parts.at(-1)!.right = right
      if (!isBold) line.isBold = false
    } else if (str !== '' && line !== null && !/\s$/.test(line.text) && x - right < size * CELL_GAP) add(' ')
    if (hasEOL) end()
  }
  end()
  return withListMarks(lines)

  function append(html: string) {
    line!.html += html
    line!.cells.at(-1)!.html += html
    line!.parts.at(-1)!.html += html
  }
  /** A link that spans a gap is a link in both parts. */
  function beginPart(x: number) {
    if (linked !== null) line!.parts.at(-1)!.html += '</a>'
    line!.parts.push({ html: linked === null ? '' : `<a href="${escapeHtml(linked)}">`, x, right: x })
  }
  function add(text: string) {
    line!.text += text
    append(escapeHtml(text))
  }
  /** Takes the accent at the end of the line away when the piece begins with its letter. */
  function withAccent(str: string): string {
    const accent = line!.text.at(-1) ?? ''
    const letter = accentedLetter(accent, str[0]!)
    const cell = line!.cells.at(-1)!
    if (letter === null || !cell.html.endsWith(accent)) return str
    line!.text = line!.text.slice(0, -1)
    line!.html = line!.html.slice(0, -1)
    cell.html = cell.html.slice(0, -1)
    const part = line!.parts.at(-1)!
    part.html = part.html.slice(0, -1)
    return letter + str.slice(1)
  }
  function unlink() {
    if (linked !== null) append('</a>')
    linked = null
  }
  function end() {
    if (line === null) return
    line.html += boldMarks.next(false)
    unlink()
    const [mark, text, ...others] = line.cells
    // However far a list mark is from its text, it is no column of a table.
    if (text !== undefined && others.length === 0 && isListMark(mark!.html))
      line.cells = [{ html: `${mark!.html} ${text.html}`, x: mark!.x }]
    line.text = withoutLeaders(line.text)
    line.html = withoutLeaders(line.html)
    // Between the columns of a table of contents the dots say nothing.
    for (const cell of [...line.cells, ...line.parts]) cell.html = withoutLeaders(cell.html).replace(/ …\s*$/, '')
    for (const part of line.parts) part.html = part.html.replace(/<a [^>]*><\/a>/g, '')
    lines.push(line)
    line = null
  }
}

/** The font size, also of rotated letters. */
export function sizeOf(transform: readonly number[]): number {
  return Math.hypot(transform[2] ?? 0, transform[3] ?? 0)
}

/** Shortens the dots that lead to a page number or a price. */
function withoutLeaders(text: string): string {
  return text.replace(/\s?\.(?:\s{0,3}\.){4,}\s?/g, ' … ')
}

/** Splits a piece where a link begins or ends. A word is linked when its middle lies inside, assuming letters of equal width. */
function linkedParts(str: string, x: number, y: number, width: number, links: readonly LinkArea[]): { text: string; url: string | null }[] {
  const near = links.filter(
    ({ rect: [left = 0, bottom = 0, right = 0, top = 0] }) => y >= bottom && y <= top && x < right && x + width > left,
  )
  if (near.length === 0) return [{ text: str, url: null }]
  const parts: { text: string; url: string | null }[] = []
  let at = 0
  for (const text of str.split(/(\s+)/)) {
    const middle = x + (width * (at + text.length / 2)) / str.length
    at += text.length
    if (text === '') continue
    const url = near.find(({ rect }) => isInside(rect, middle, y))?.url ?? null
    const last = parts.at(-1)
    if (last !== undefined && last.url === url) last.text += text
    else parts.push({ text, url })
  }
  return parts
}

function isInside([left = 0, bottom = 0, right = 0, top = 0]: number[], x: number, y: number): boolean {
  return x >= left && x <= right && y >= bottom && y <= top
}
