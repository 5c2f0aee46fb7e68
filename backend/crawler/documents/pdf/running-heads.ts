import type { Line } from './lines.ts'
import { isHeadingSize, textSize } from './pdf-layout.ts'

/** Lines at the top and at the bottom of a page that may be running heads. */
const EDGE_LINES = 2
const LEAST_PAGES = 3
/** Left and right pages may alternate, and chapters begin without. */
const NEAR_PAGES = 4

/**
 * Drops page headers, footers and page numbers. A line at the edge of a page is one of them if
 * - it is on half of the pages, apart from numbers in it, and such lines are mostly at edges, unlike rows of a table, or
 * - it is no larger than the text, and begins or ends with a number that grows with the pages, as lines at this height of a quarter of
 *   the pages do (of three pages, if the numbers are Roman), or
 * - it is the first or last line of the page, no larger than the text and no label, and stands at this height of a page before and of three
 *   pages near by that are not steps of one slide.
 */
export function withoutRunningHeads(pages: Line[][]): Line[][] {
  if (pages.length < LEAST_PAGES) return pages
  const body = textSize(pages.flat())
  const edges = pages.map((lines) => new Set([...lines.slice(0, EDGE_LINES), ...lines.slice(-EDGE_LINES)]))
  const keys = new Map<string, Set<number>>()
  for (const [page, lines] of edges.entries())
    for (const line of lines)
      for (const key of [shapeOf(line, body), placeOf(line), ...numberings(line, page).map((numbering) => numbering.key)]) {
        const known = keys.get(key)
        if (known === undefined) keys.set(key, new Set([page]))
        else known.add(page)
      }
  const inside = new Map<string, number>()
  for (const [page, lines] of pages.entries())
    for (const line of lines) {
      const shape = shapeOf(line, body)
      if (keys.has(shape) && !edges[page]!.has(line)) inside.set(shape, (inside.get(shape) ?? 0) + 1)
    }
  const steps = pages.map((lines, page) => page > 0 && isStepOf(pages[page - 1]!, lines))
  const pagesOf = (key: string) => keys.get(key) ?? new Set()
  return pages.map((lines, page) => lines.filter((line) => !edges[page]!.has(line) || !isRunningHead(line, page)))

  function isRunningHead(line: Line, page: number): boolean {
    const shape = shapeOf(line, body)
    const count = pagesOf(shape).size
    if (count >= Math.max(LEAST_PAGES, pages.length / 2) && (inside.get(shape) ?? 0) <= count) return true
    if (isHeadingSize(line.size, body)) return false
    for (const { key, isRoman } of numberings(line, page))
      if (pagesOf(key).size >= (isRoman ? LEAST_PAGES : Math.max(LEAST_PAGES, pages.length / 4))) return true
    if ((line !== pages[page]![0] && line !== pages[page]!.at(-1)) || line.text.trim().endsWith(':')) return false
    const same = pagesOf(placeOf(line))
    const near = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => from + at).filter((at) => same.has(at) && !steps[at])
    return near(page - NEAR_PAGES, page).length > 0 && near(page - NEAR_PAGES, page + NEAR_PAGES + 1).length >= LEAST_PAGES
  }
}

/** Whether a page shows most of the page before once more, as the steps of a slide do. */
function isStepOf(before: readonly Line[], lines: readonly Line[]): boolean {
  const places = new Set(before.map(placeOf))
  return lines.filter((line) => places.has(placeOf(line))).length > before.length / 2
}

/** The text, apart from numbers; those of titles tell them from each other. */
function shapeOf(line: Line, body: number): string {
  const text = line.text.trim().slice(0, 200)
  return isHeadingSize(line.size, body) ? text : text.replace(/\d+/g, '#')
}

function heightOf(line: Line): number {
  return Math.round(line.y / 2)
}

function placeOf(line: Line): string {
  return `${heightOf(line)} ${line.text.trim().slice(0, 200)}`
}

/** What lines have in common whose first or last word counts the pages. */
function numberings(line: Line, page: number): { key: string; isRoman: boolean }[] {
  const words = line.text.trim().split(/\s+/)
  return [words[0]!, words.at(-1)!].flatMap((word) => {
    const number = numberOf(word)
    return number === null ? [] : [{ key: `${heightOf(line)} #${number - page}`, isRoman: !/\d/.test(word) }]
  })
}

const ROMAN: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 }

/** The value of an Arabic or a small Roman number. */
function numberOf(word: string): number | null {
  if (/^\d{1,4}$/.test(word)) return Number(word)
  if (!/^[ivxlc]{1,8}$/.test(word)) return null
  const values = word.split('').map((letter) => ROMAN[letter]!)
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0)
}
