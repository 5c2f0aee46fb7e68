/** Derives headings, paragraphs and lists from the lines of a printed page: a PDF says where letters are, not what they mean. */
import { behindTag, markInFront, withoutHyphen } from './bold-text.ts'
import { contentsEntries, entryHtml } from './contents-entries.ts'
import { codeHtml, hasCode, isCodeLine, isSameCode } from './pdf-code.ts'
import type { Line } from './lines.ts'
import { PrintedTable } from './printed-table.ts'

export type Block = {
  html: string
  text: string
  size: number
  lines: number
  /** An entry is one of a table of contents; HTML is ready to be written. */
  kind: 'text' | 'item' | 'numbered' | 'entry' | 'table' | 'code' | 'html'
  /** Of a heading, where the document says it. */
  level: number | null
  isBold: boolean
  /** Of a table. */
  table: PrintedTable | null
  /** Of a block of code. */
  code: Line[]
}

/** Least font size of a heading, relative to the text's. */
const HEADING_RATIO = 1.15
const MAX_HEADING_LENGTH = 250
const MAX_SECTION_LENGTH = 100
const MAX_HEADING_LINES = 3
const MAX_LEVELS = 4
/** `2.1.3 Floating point`: the heading of a numbered section. */
const SECTION = /^(\d{1,2}(?:\.\d{1,2}){1,3})\.?\s+\p{Lu}(?!.*(?:…|[.,;:!?]$))/u
/** The last range of signs is the one of symbol fonts such as Wingdings. From right to left, the library takes the blank for a part of the text. */
const BULLET = /^\s*[•‣◦▪■□●○∙·▸►➢✓–—\uf020-\uf0ff-](?:\s+(?=\S)|(?=[\u0590-\u08ff]))/
/** A sentence ends, also before a closing quotation mark or parenthesis. */
const SENTENCE_END = /[.!?:;…。！？]["'”’»)\]]?\s*$/
/** Most part of a document's letters that is bold while bold letters set something apart. */
const MAX_BOLD = 0.3
/** Least font size of a bold heading, relative to the text's. */
const BOLD_HEADING_RATIO = 0.88
/** A bold line that is as small as the text is a heading up to this length, at which letters of Chinese, Japanese and Korean count twice, unless it ends like a part of a sentence or is a caption. */
const MAX_BOLD_HEADING = 100
const NO_BOLD_HEADING = /[.,;。，；]\s*$|\.\s*\d+\s*$|^\s*\d+\s+\p{Ll}/u
const CAPTION = /^\s*(?:fig(?:ure|\.)?|table|tab\.|abb(?:ildung|\.)?|tabelle|tableau)\s*\d/i
/** The number of an entry of a table of contents. */
const ENTRY_NUMBER = /^\s*(?:\d|[A-Z]\.\d)/
/** `[12]` before an entry of a bibliography. */
const REFERENCE = /^\s*\[\d{1,3}\]\s/
/** A longer text without the end of a paragraph is no paragraph, and would be copied for each of its lines. */
const MAX_PARAGRAPH = 100_000
/** A URL that is printed over several lines. */
const PRINTED_URL = /(?:\/\/|www\.)\S*$/
const MAX_PRINTED_URL = 200
export const NUMBER = /^\s*(\d{1,3})[.)]\s+(?=\S)/

/** The font size of most of the text. */
export function textSize(lines: readonly Line[]): number {
  const letters = new Map<number, number>()
  for (const line of lines) letters.set(rounded(line.size), (letters.get(rounded(line.size)) ?? 0) + line.text.length)
  let size = 0
  let most = 0
  for (const [candidate, count] of letters)
    if (count > most) {
      size = candidate
      most = count
    }
  return size
}

export function isHeadingSize(size: number, textSize: number): boolean {
  return rounded(size) >= textSize * HEADING_RATIO
}

/** Maps font sizes to heading levels: sizes larger than the usual text's, the largest first. */
export function headingLevels(lines: readonly Line[]): Map<number, number> {
  const body = textSize(lines)
  const larger = new Set(lines.map((line) => rounded(line.size)).filter((size) => isHeadingSize(size, body)))
  return new Map([...larger].toSorted((a, b) => b - a).map((size, index) => [size, Math.min(index + 1, MAX_LEVELS)]))
}

/** Joins lines to blocks: paragraphs by equal size and line distance, tables by equal columns, code by its letters. */
export function joinLines(printed: readonly Line[], mayBeCode = hasCode(printed)): Block[] {
  const lines = withBoldThatSetsApart(printed)
  const blocks: Block[] = []
  const entries = contentsEntries(lines)
  let last: Line | null = null
  for (const [index, line] of lines.entries()) {
    const block = blocks.at(-1)
    const next = lines[index + 1]
    if (entries.has(line)) {
      const entry = { ...line, html: entryHtml(line) }
      if (block?.kind === 'text' && last !== null && isRestOfEntry(block, entry) && continues(block, last, entry, undefined)) {
        append(block, entry)
        block.kind = 'entry'
      } else blocks.push({ ...textBlock(entry, ''), kind: 'entry' })
    } else if (mayBeCode && isCodeLine(lines, index)) {
      if (block?.kind === 'code' && isSameCode(last ?? undefined, line)) block.code.push(line)
      else blocks.push({ ...textBlock(line, ''), kind: 'code', code: [line] })
    } else if (block?.table?.add(line, next) !== true) {
      const table = PrintedTable.begin(line, next)
      if (table !== null) blocks.push({ ...textBlock(line, ''), kind: 'table', table })
      else addText(blocks, line, { last, next })
    }
    last = line
  }
  return blocks
}

/** Adds a line of text to the last block, or begins a paragraph or list item. */
function addText(blocks: Block[], line: Line, { last, next }: { last: Line | null; next: Line | undefined }) {
  const block = blocks.at(-1)
  const bullet = BULLET.exec(line.text)?.[0]
  const isNumbered = NUMBER.test(line.text)
  const mayGoOn = bullet === undefined && !isNumbered && block !== undefined && last !== null
  if (mayGoOn && !['entry', 'table', 'code'].includes(block.kind) && continues(block, last, line, next)) append(block, line)
  else blocks.push({ ...textBlock(line, bullet ?? ''), kind: bullet !== undefined ? 'item' : isNumbered ? 'numbered' : 'text' })
}

/** Lines that are one block, as the document says. */
export function blockOf(lines: readonly Line[], mayBeCode: boolean): Block {
  const [first, ...others] = lines as [Line, ...Line[]]
  if (mayBeCode && lines.every((line) => line.code !== null)) return { ...textBlock(first, ''), kind: 'code', code: [...lines] }
  const bullet = BULLET.exec(first.text)?.[0]
  const pieces = [textBlock(first, bullet ?? '')]
  for (const line of others) {
    const piece = pieces.at(-1)!
    if (isFull(piece)) pieces.push(textBlock(line, ''))
    else append(piece, line)
  }
  const block = joinPieces(pieces)
  return { ...block, kind: bullet !== undefined ? 'item' : NUMBER.test(first.text) ? 'numbered' : 'text' }
}

/** A longer piece of a block is continued in another, because each further line copies it: at the end of a word, or beyond the second limit. */
const MAX_PIECE = 5000
const MOST_OF_PIECE = 20_000
function isFull({ html, text }: Block): boolean {
  if (text.length <= MAX_PIECE) return false
  return text.length > MOST_OF_PIECE || !/[-\u00ad\u2010]$|<\/a>$/.test(html.slice(-'</a>'.length))
}

function joinPieces(pieces: readonly Block[]): Block {
  const [first, ...others] = pieces as [Block, ...Block[]]
  if (others.length === 0) return first
  const glues = others.map((piece, at) => glueOf(pieces[at]!.text, piece.text))
  return {
    ...first,
    text: others.reduce((text, piece, at) => text + glues[at]! + piece.text, first.text),
    html: others.reduce((html, piece, at) => html + glues[at]! + piece.html, first.html),
    lines: pieces.reduce((sum, { lines }) => sum + lines, 0),
    isBold: pieces.every(({ isBold }) => isBold),
  }
}

/** The lines; when much of the text is bold, bold letters set nothing apart, and no line counts as bold. */
function withBoldThatSetsApart(lines: readonly Line[]): readonly Line[] {
  let all = 0
  let bold = 0
  for (const line of lines) {
    all += line.text.length
    if (line.isBold) bold += line.text.length
  }
  return bold <= all * MAX_BOLD ? lines : lines.map((line) => ({ ...line, isBold: false }))
}

/** Whether an entry of a table of contents goes on with a line that has its page number. */
function isRestOfEntry(block: Block, line: Line): boolean {
  return /^\s*\p{Ll}/u.test(line.text) || (ENTRY_NUMBER.test(block.text) && !ENTRY_NUMBER.test(line.text))
}

/** @param mark  the list mark to remove; kept when it is inside a link */
function textBlock(line: Line, mark: string): Block {
  const html = markInFront(line.html, mark || (NUMBER.exec(line.text)?.[0] ?? ''))
  return {
    html: (html.startsWith(mark) ? html.slice(mark.length) : html).trim(),
    text: line.text.slice(mark.length).trim(),
    size: rounded(line.size),
    lines: 1,
    kind: 'text',
    level: null,
    isBold: line.isBold && line.cells.length === 1,
    table: null,
    code: [],
  }
}

function continues(block: Block, last: Line, line: Line, next: Line | undefined): boolean {
  if (block.text.length > MAX_PARAGRAPH) return false
  if (rounded(line.size) !== rounded(last.size) || (REFERENCE.test(line.text) && SENTENCE_END.test(last.text))) return false
  if (line.isBold !== last.isBold && !/^\s*\p{Ll}/u.test(line.text) && (line.isBold ? !/[,-]\s*$/.test(last.text) : isBoldHeading(block)))
    return false
  const step = last.y - line.y
  if (step > 0) return step <= line.size * 1.65 && !beginsParagraph(last, line, next)
  // At the top of the next column or page, the sentence continues if it has not ended.
  return !SENTENCE_END.test(block.text)
}

/** Whether a line is indented as the first of a paragraph: the line before it is a short end of a sentence, the line after it stands further left. */
function beginsParagraph(last: Line, line: Line, next: Line | undefined): boolean {
  if (next === undefined || rounded(next.size) !== rounded(line.size) || BULLET.test(next.text) || NUMBER.test(next.text)) return false
  const indent = line.x - next.x
  return (
    indent > line.size * 0.7 &&
    indent < line.size * 4 &&
    last.x <= line.x + 1 &&
    last.right < Math.max(line.right, next.right) - line.size &&
    SENTENCE_END.test(last.text) &&
    !/^\s*\p{Ll}/u.test(line.text)
  )
}

function append(block: Block, line: Line) {
  const text = line.text.trim()
  let html = line.html.trim()
  const link = linkAtEnd(block.html)
  const linked = link === null ? null : behindTag(html, link)
  if (linked !== null) {
    block.html = block.html.slice(0, -'</a>'.length)
    html = linked
  }
  // Hyphenated at the end of the line.
  const divided = /\p{Ll}[-\u00ad\u2010]$/u.test(block.text.slice(-2)) && /^\p{Ll}/u.test(text) ? withoutHyphen(block.html) : null
  if (linked !== null && PRINTED_URL.test(block.text.slice(-MAX_PRINTED_URL))) {
    block.text += text
    block.html += html
  } else if (divided !== null) {
    block.text = block.text.slice(0, -1) + text
    block.html = divided + html
  } else {
    const glue = glueOf(block.text, text)
    block.text += glue + text
    block.html += glue + html
  }
  block.lines++
  block.isBold &&= line.isBold
}

/** What stands between two lines: scripts without spaces between words need none. */
function glueOf(text: string, next: string): string {
  return /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]$/.test(text.slice(-1)) && /^[\u3040-\u30ff\u3400-\u9fff]/.test(next)
    ? ''
    : ' '
}

/** The tag of the link with which a text ends, and which may go on in the next line. */
function linkAtEnd(html: string): string | null {
  if (!html.endsWith('</a>')) return null
  const start = html.lastIndexOf('<a ')
  return html.slice(start, html.indexOf('>', start) + 1)
}

export function blocksHtml(blocks: readonly Block[], levels: Map<number, number>, size: number): string {
  const boldLevel = Math.max(1, Math.min(levels.size, MAX_LEVELS)) + 1
  let html = ''
  let list = ''
  for (const [at, block] of blocks.entries()) {
    const wanted =
      block.kind === 'item' || (block.kind === 'entry' && isAmongEntries(blocks, at))
        ? 'ul'
        : block.kind === 'numbered' && isInList(blocks, at)
          ? 'ol'
          : ''
    if (wanted !== list) {
      if (list !== '') html += `</${list}>`
      if (wanted !== '') html += wanted === 'ol' ? `<ol start="${Number(NUMBER.exec(block.text)![1])}">` : '<ul>'
      list = wanted
    }
    if (wanted === 'ol') html += `<li>${block.html.replace(NUMBER, '')}</li>`
    else if (wanted === 'ul') html += `<li>${block.html}</li>`
    else if (block.table !== null) html += block.table.html()
    else if (block.kind === 'code') html += codeHtml(block.code)
    else if (block.kind === 'html') html += block.html
    else if (block.level !== null) html += `<h${block.level}>${block.html}</h${block.level}>`
    else
      html += textHtml(
        block,
        levels.get(block.size) ??
          sectionLevel(block) ??
          (block.size >= size * BOLD_HEADING_RATIO && isBoldHeading(block) ? boldLevel : null),
      )
  }
  return list === '' ? html : `${html}</${list}>`
}

/** @param level  of the heading that the block is, unless it is too long; null when it is none */
function textHtml(block: Block, level: number | null): string {
  const isHeading =
    level !== null && block.lines <= MAX_HEADING_LINES && block.text.length <= MAX_HEADING_LENGTH && /\p{L}/u.test(block.text)
  return isHeading ? `<h${level}>${block.html}</h${level}>` : `<p>${block.html}</p>`
}

function isBoldHeading(block: Block): boolean {
  return (
    block.isBold &&
    block.lines <= 2 &&
    widthOf(block.text) <= MAX_BOLD_HEADING &&
    !NO_BOLD_HEADING.test(block.text) &&
    !CAPTION.test(block.text)
  )
}

/** The number of letters; those as wide as they are high count twice. */
function widthOf(text: string): number {
  return text.length + (text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/g)?.length ?? 0)
}

/** A single line with dots that lead to a number may be a price. */
function isAmongEntries(blocks: readonly Block[], at: number): boolean {
  return blocks[at - 1]?.kind === 'entry' || blocks[at + 1]?.kind === 'entry'
}

/** The level of a section's heading that is as small as the text: one below a heading with one number less. */
function sectionLevel(block: Block): number | null {
  const number = block.lines === 1 && block.text.length <= MAX_SECTION_LENGTH ? SECTION.exec(block.text)?.[1] : undefined
  return number === undefined ? null : number.split('.').length + 1
}

/** Consecutive numbers make a list; a single one is the number of a section or a note. */
function isInList(blocks: readonly Block[], at: number): boolean {
  const block = blocks[at]!
  const number = Number(NUMBER.exec(block.text)?.[1])
  const follows = (other: Block | undefined, wanted: number) =>
    other?.kind === 'numbered' && other.size === block.size && Number(NUMBER.exec(other.text)?.[1]) === wanted
  return !Number.isNaN(number) && NUMBER.test(block.html) && (follows(blocks[at - 1], number - 1) || follows(blocks[at + 1], number + 1))
}

/** Rounds to half points: smaller differences are not visible. */
export function rounded(size: number): number {
  return Math.round(size * 2) / 2
}
