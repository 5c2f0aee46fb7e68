import type { TextPiece } from './lines.ts'

export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
/** Numbers are written from left to right among other letters too. */
const LEFT_TO_RIGHT = /[\p{L}\p{N}]/u
/** The same for one unit of UTF-16, which may be half a letter. */
const LETTER_UNIT = /[\p{L}\p{N}\ud800-\udfff]/u
/** Hebrew and Arabic letters in the shapes that they have beside others. */
const SHAPES = /[\ufb1d-\ufdff\ufe70-\ufefc]+/g
const MIRRORED: Record<string, string> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '<': '>',
  '>': '<',
  '«': '»',
  '»': '«',
}

/**
 * The pieces of a page in the order in which they are read, with plain letters. Many programs draw lines of Hebrew and Arabic from left to
 * right, often a letter at a time; the library puts only the letters of one piece in their order.
 */
export function inReadingOrder(pieces: readonly TextPiece[]): readonly TextPiece[] {
  if (!pieces.some(({ str }) => RIGHT_TO_LEFT.test(str))) return pieces
  const ordered: TextPiece[] = []
  let row: TextPiece[] = []
  for (const piece of pieces) {
    const last = row.at(-1)
    if (last !== undefined && piece.str.trim() !== '' && Math.abs(yOf(last) - yOf(piece)) > 0.6 * Math.max(last.height, piece.height))
      endRow()
    row.push(piece)
    if (piece.hasEOL) endRow()
  }
  endRow()
  return ordered

  function endRow() {
    const isLast = row.at(-1)?.hasEOL ?? false
    const read = isDrawnFromLeft(row) ? reordered(row) : withNumber(row)
    for (const [at, piece] of read.entries())
      ordered.push({
        ...piece,
        str: piece.str.replace(SHAPES, (letters) => letters.normalize('NFKC')),
        hasEOL: isLast && at === read.length - 1,
      })
    row = []
  }
}

/** The number of a list item, which is written from left to right, has its full stop after it, which is drawn at its left. */
function withNumber(row: readonly TextPiece[]): readonly TextPiece[] {
  const [stop, number, text] = row.filter(({ str }) => str.trim() !== '')
  if (stop?.str.trim() !== '.' || !/^\d{1,3}$/.test(number?.str ?? '') || !RIGHT_TO_LEFT.test(text?.str ?? '')) return row
  return [number!, stop, ...row.filter((piece) => piece !== stop && piece !== number)]
}

/** Whether the pieces that are written from right to left, and those beside them, are drawn from left to right. */
function isDrawnFromLeft(row: readonly TextPiece[]): boolean {
  const shown = row.filter(({ str }) => str.trim() !== '')
  let rising = 0
  for (const [at, piece] of shown.entries()) {
    const before = shown[at - 1]
    if (before !== undefined && (RIGHT_TO_LEFT.test(piece.str) || RIGHT_TO_LEFT.test(before.str)))
      rising += Math.sign(piece.transform[4]! - before.transform[4]!)
  }
  return rising > 0
}

/** Turns the parts around that are written from right to left; the whole line, if more of its letters are. */
function reordered(drawn: readonly TextPiece[]): TextPiece[] {
  const row = drawn.flatMap(withoutEdges)
  const isRight = row.map(({ str }) => (RIGHT_TO_LEFT.test(str) ? true : LEFT_TO_RIGHT.test(str) ? false : null))
  const lengthOf = (wanted: boolean) => row.reduce((sum, { str }, at) => sum + (isRight[at] === wanted ? str.length : 0), 0)
  const isLineRight = lengthOf(true) >= lengthOf(false)
  // What has no direction of its own, such as a blank, has that of both its neighbours, or else that of the line.
  const before = neighbours(isRight)
  const after = neighbours(isRight.toReversed()).toReversed()
  const directed = isRight.map((own, at) => own ?? (before[at] === !isLineRight && after[at] === !isLineRight ? !isLineRight : isLineRight))
  const runs: { isRight: boolean; pieces: TextPiece[] }[] = []
  for (const [at, piece] of row.entries()) {
    const last = runs.at(-1)
    if (last !== undefined && last.isRight === directed[at]) last.pieces.push(piece)
    else runs.push({ isRight: directed[at]!, pieces: [piece] })
  }
  const inOrder = isLineRight ? runs.toReversed() : runs
  return inOrder.flatMap((run) => (run.isRight ? run.pieces.toReversed().map(mirrored) : run.pieces))
}

/** Signs at the ends of a piece that is written from left to right are pieces of their own, because they may belong to the line around it. */
function withoutEdges(piece: TextPiece): TextPiece[] {
  const { str, transform, width } = piece
  const first = str.search(LEFT_TO_RIGHT)
  let last = str.length
  while (last > first && !LETTER_UNIT.test(str[last - 1]!)) last--
  if (first < 0 || last - first === str.length || RIGHT_TO_LEFT.test(str)) return [piece]
  let at = 0
  return [str.slice(0, first), str.slice(first, last), str.slice(last)].flatMap((part) => {
    const x = transform[4]! + (width * at) / str.length
    at += part.length
    return part === '' ? [] : [{ ...piece, str: part, width: (width * part.length) / str.length, transform: transform.with(4, x) }]
  })
}

/** The last direction up to each place; null before the first. */
function neighbours(directions: readonly (boolean | null)[]): (boolean | null)[] {
  let last: boolean | null = null
  return directions.map((direction) => (last = direction ?? last))
}

/** A bracket without letters looks the other way in the text than on the page. */
function mirrored(piece: TextPiece): TextPiece {
  return LEFT_TO_RIGHT.test(piece.str)
    ? piece
    : {
        ...piece,
        str: Array.from(piece.str, (sign) => MIRRORED[sign] ?? sign)
          .toReversed()
          .join(''),
      }
}

const yOf = ({ transform }: TextPiece) => transform[5] ?? 0
