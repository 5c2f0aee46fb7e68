/** Derives headings, paragraphs and lists from the lines of a printed page: a PDF says where letters are, not what they mean. */

export type Line = {
  text: string
  /** Text with links. */
  html: string
  /** The parts between wide gaps; running text has one. */
  cells: { html: string; x: number }[]
  /** Font size in points. */
  size: number
  /** Position in points from the left and from the bottom of the page. */
  x: number
  y: number
}

type Block = {
  html: string
  text: string
  size: number
  lines: number
  kind: 'text' | 'item' | 'numbered' | 'table'
  /** The x positions of a table's columns. */
  columns: number[]
}

/** Least font size of a heading, relative to the text's. */
const HEADING_RATIO = 1.15
const MAX_HEADING_LENGTH = 250
const MAX_HEADING_LINES = 3
const MAX_LEVELS = 4
/** Lines at the top and at the bottom of a page that may be headers or footers. */
const EDGE_LINES = 2
/** The last range is the one of the symbol fonts Symbol and Wingdings. */
const BULLET = /^\s*[•‣◦▪■□●○∙·▸►➢✓–—\uf0a0-\uf0ff-]\s+(?=\S)/
const NUMBER = /^\s*(\d{1,3})[.)]\s+(?=\S)/

/** Drops headers, footers and page numbers: first and last lines that are equal on at least half of the pages, apart from digits. */
export function withoutRepeats(pages: Line[][]): Line[][] {
  if (pages.length < 3) return pages
  const counts = new Map<string, number>()
  const keyOf = (line: Line) => line.text.trim().replace(/\d+/g, '#').slice(0, 200)
  const edges = pages.map((lines) => new Set([...lines.slice(0, EDGE_LINES), ...lines.slice(-EDGE_LINES)]))
  for (const lines of edges) for (const key of new Set([...lines].map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1)
  const least = Math.max(3, pages.length / 2)
  return pages.map((lines, page) => lines.filter((line) => !edges[page]!.has(line) || counts.get(keyOf(line))! < least))
}

/** Maps font sizes to heading levels: sizes larger than the usual text's, the largest first. */
export function headingLevels(lines: readonly Line[]): Map<number, number> {
  const letters = new Map<number, number>()
  for (const line of lines) letters.set(rounded(line.size), (letters.get(rounded(line.size)) ?? 0) + line.text.length)
  let body = 0
  let most = 0
  for (const [size, count] of letters)
    if (count > most) {
      body = size
      most = count
    }
  const larger = [...letters.keys()].filter((size) => size >= body * HEADING_RATIO).toSorted((a, b) => b - a)
  return new Map(larger.map((size, index) => [size, Math.min(index + 1, MAX_LEVELS)]))
}

/** Joins lines to blocks: paragraphs by equal size and line distance, tables by equal columns. */
export function joinLines(lines: readonly Line[]): Block[] {
  const blocks: Block[] = []
  let last: Line | null = null
  for (const [index, line] of lines.entries()) {
    const block = blocks.at(-1)
    if (block?.kind === 'table' && sameColumns(block.columns, line)) block.html += rowHtml(line, 'td')
    else if (
      line.cells.length > 1 &&
      lines[index + 1] !== undefined &&
      sameColumns(
        line.cells.map((cell) => cell.x),
        lines[index + 1]!,
      )
    )
      blocks.push({ ...textBlock(line, ''), kind: 'table', html: rowHtml(line, 'th'), columns: line.cells.map((cell) => cell.x) })
    else {
      const bullet = BULLET.exec(line.text)?.[0]
      const number = NUMBER.exec(line.text)?.[0]
      if (
        bullet === undefined &&
        number === undefined &&
        block !== undefined &&
        block.kind !== 'table' &&
        last !== null &&
        continues(block, last, line)
      )
        append(block, line)
      else
        blocks.push({ ...textBlock(line, bullet ?? ''), kind: bullet !== undefined ? 'item' : number !== undefined ? 'numbered' : 'text' })
    }
    last = line
  }
  return blocks
}

/** @param mark  the list mark to remove; kept when it is inside a link */
function textBlock(line: Line, mark: string): Block {
  return {
    html: (line.html.startsWith(mark) ? line.html.slice(mark.length) : line.html).trim(),
    text: line.text.slice(mark.length).trim(),
    size: rounded(line.size),
    lines: 1,
    kind: 'text',
    columns: [],
  }
}

/** Numbers are right-aligned, so the start of a column may differ by two letters. */
function sameColumns(columns: readonly number[], line: Line): boolean {
  return (
    columns.length > 1 &&
    line.cells.length === columns.length &&
    line.cells.every((cell, at) => Math.abs(cell.x - columns[at]!) < line.size * 2)
  )
}

function rowHtml(line: Line, tag: 'th' | 'td'): string {
  return `<tr>${line.cells.map((cell) => `<${tag}>${cell.html.trim()}</${tag}>`).join('')}</tr>`
}

function continues(block: Block, last: Line, line: Line): boolean {
  if (rounded(line.size) !== rounded(last.size)) return false
  const step = last.y - line.y
  if (step > 0) return step <= line.size * 1.65
  // At the top of the next column or page, the sentence continues if it has not ended.
  return !/[.!?:;…。！？]["'”’»)\]]?\s*$/.test(block.text)
}

function append(block: Block, line: Line) {
  const text = line.text.trim()
  const html = line.html.trim()
  // Hyphenated at the end of the line.
  const isDivided = /\p{Ll}[-\u00ad\u2010]$/u.test(block.text) && /^\p{Ll}/u.test(text) && /[-\u00ad\u2010]$/.test(block.html)
  if (isDivided) {
    block.text = block.text.slice(0, -1) + text
    block.html = block.html.slice(0, -1) + html
  } else {
    // Scripts without spaces between words need none between lines.
    const glue =
      /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]$/.test(block.text) && /^[\u3040-\u30ff\u3400-\u9fff]/.test(text) ? '' : ' '
    block.text += glue + text
    block.html += glue + html
  }
  block.lines++
}

export function blocksHtml(blocks: readonly Block[], levels: Map<number, number>): string {
  let html = ''
  let list = ''
  for (const [at, block] of blocks.entries()) {
    const wanted = block.kind === 'item' ? 'ul' : block.kind === 'numbered' && isInList(blocks, at) ? 'ol' : ''
    if (wanted !== list) {
      if (list !== '') html += `</${list}>`
      if (wanted !== '') html += wanted === 'ol' ? `<ol start="${Number(NUMBER.exec(block.text)![1])}">` : '<ul>'
      list = wanted
    }
    if (wanted === 'ol') html += `<li>${block.html.replace(NUMBER, '')}</li>`
    else if (wanted === 'ul') html += `<li>${block.html}</li>`
    else if (block.kind === 'table') html += `<table>${block.html}</table>`
    else html += textHtml(block, levels)
  }
  return list === '' ? html : `${html}</${list}>`
}

function textHtml(block: Block, levels: Map<number, number>): string {
  const level = levels.get(block.size)
  const isHeading =
    level !== undefined && block.lines <= MAX_HEADING_LINES && block.text.length <= MAX_HEADING_LENGTH && /\p{L}/u.test(block.text)
  return isHeading ? `<h${level}>${block.html}</h${level}>` : `<p>${block.html}</p>`
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
function rounded(size: number): number {
  return Math.round(size * 2) / 2
}
