import type { Line } from './lines.ts'

const MARK = /^\s*(?:[•‣◦▪■□●○∙]|[1-9]\d{0,2}[.)])\s*$/
/** Least and most distance of a mark from its text, in font sizes; the parts of a number in a formula have none. */
const MIN_DISTANCE = 0.15
const MAX_DISTANCE = 3
/** A page with more marks is no list: each is compared with all texts. */
const MAX_MARKS = 300

export function isListMark(text: string): boolean {
  return MARK.test(text)
}

/** Puts each list mark that is drawn apart from its text in front of it: some programs draw the marks after the texts. */
export function withListMarks(lines: readonly Line[]): Line[] {
  const marks = lines.filter(({ text }) => isListMark(text))
  if (marks.length === 0 || marks.length > MAX_MARKS) return [...lines]
  const texts = lines.filter(({ text }) => !isListMark(text))
  const markOf = new Map<Line, Line>()
  for (const mark of marks) {
    const text = textBeside(mark, texts)
    if (text !== undefined && !markOf.has(text)) markOf.set(text, mark)
  }
  const placed = new Set(markOf.values())
  return lines.filter((line) => !placed.has(line)).map((line) => (markOf.has(line) ? marked(line, markOf.get(line)!) : line))
}

/** The nearest text at the right of a mark, on its height. */
function textBeside(mark: Line, texts: readonly Line[]): Line | undefined {
  const distance = (line: Line) => line.x - mark.right
  // The blank at the end of a mark is a part of it.
  const min = /\s$/.test(mark.text) ? -MIN_DISTANCE : MIN_DISTANCE
  return texts
    .filter(
      (line) => Math.abs(line.y - mark.y) < line.size / 2 && distance(line) > line.size * min && distance(line) < line.size * MAX_DISTANCE,
    )
    .toSorted((a, b) => a.x - b.x)[0]
}

function marked(line: Line, mark: Line): Line {
  const sign = mark.text.trim()
  const [first, ...others] = line.cells
  const [firstPart, ...otherParts] = line.parts
  return {
    ...line,
    text: `${sign} ${line.text.trimStart()}`,
    html: `${sign} ${line.html.trimStart()}`,
    cells: [{ html: `${sign} ${first!.html.trimStart()}`, x: mark.x }, ...others],
    parts: [{ ...firstPart!, html: `${sign} ${firstPart!.html.trimStart()}`, x: mark.x }, ...otherParts],
    x: mark.x,
  }
}
