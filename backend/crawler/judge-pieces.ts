import { ElementNode, TextNode, type TreeNode } from './html-tree.ts'
import { isProse, leadsToOtherSite, MEASURES, measurePieces, measureTopics, piecesOf, type Piece, type PieceRange } from './page-pieces.ts'
import { BIAS, WEIGHTS } from './piece-weights.ts'
import { HEADING, holds } from './tree-text.ts'

/** What the numbers of a piece count for. `scripts/fit-extraction.ts` fits them. */
export type PieceModel = { bias: number; weights: readonly number[] }

const FITTED: PieceModel = { bias: BIAS, weights: WEIGHTS }
/** From this score on a piece stays, whatever its first words are. */
const SURE = 5
const NOWHERE: PieceRange = { first: 0, last: -1 }
/** When more than this share of the text would go, the model does not know this kind of page, and nothing goes. */
const MOST_DROPPED = 0.5
/** … of pages that do not call themselves articles, more than this. */
const MOST_DROPPED_ELSEWHERE = 0.3

/**
 * The last word on what is main content: each piece that the rules kept gets a score from a linear model, which sees what single rules do not, such as
 * its neighbours and its place. Pieces with a score below zero go.
 *
 * @param isPosting  the page calls itself an article; of other pages, such as manuals, nothing between the first and the last paragraph goes
 * @param host       of the page's address
 * @returns  all pieces, with what became of them
 */
export function judgePieces(
  root: ElementNode,
  { isPosting, host }: { isPosting: boolean; host: string },
  model: PieceModel = FITTED,
): Piece[] {
  const pieces = piecesOf(root)
  const safe = isPosting ? NOWHERE : proseRange(pieces)
  const numbers = measurePieces(pieces, host, safe)
  let kept = 0
  let going = 0
  const unwanted: Piece[] = []
  // From the end: a heading stays as long as what it heads does.
  let headsText = false
  for (let at = pieces.length - 1; at >= 0; at--) {
    const piece = pieces[at]!
    if (!piece.isKept) continue
    kept += piece.length
    const isHeading = HEADING.test(piece.element.name)
    const isSafe = at >= safe.first && at <= safe.last
    const stays: boolean = isSafe || scoreWithTopics(pieces, at, numbers, model) >= 0 || isExempt(piece, host) || (isHeading && headsText)
    headsText = stays && !isHeading
    if (stays) continue
    going += piece.length
    unwanted.push(piece)
  }
  if (going > (isPosting ? MOST_DROPPED : MOST_DROPPED_ELSEWHERE) * kept) return pieces
  for (const piece of unwanted) {
    leaveOut(piece.nodes)
    piece.isKept = false
  }
  return pieces
}

/** Where the running text of a page begins and ends: its first and last piece of kept prose, as places in the list. */
function proseRange(pieces: readonly Piece[]): PieceRange {
  const isText = (piece: Piece) => piece.isKept && isProse(piece)
  return { first: pieces.findIndex(isText), last: pieces.findLastIndex(isText) }
}

/** The score of a piece. Its first words are looked at only where they can matter: they subtract, and seldom more than `SURE`. */
function scoreWithTopics(pieces: readonly Piece[], at: number, numbers: Float64Array, model: PieceModel): number {
  const score = scoreOf(numbers, at, model)
  if (score < 0 || score >= SURE) return score
  measureTopics(pieces, at, numbers)
  return scoreOf(numbers, at, model)
}

function scoreOf(numbers: Float64Array, at: number, { bias, weights }: PieceModel): number {
  let score = bias
  for (let column = 0; column < MEASURES.length; column++) score += weights[column]! * numbers[at * MEASURES.length + column]!
  return score
}

/** Code, definitions and captions are short and look like labels, and lists of other sites look like menus; the rules judge them better. */
function isExempt({ element, nodes }: Piece, host: string): boolean {
  for (let around: ElementNode | null = element; around !== null; around = around.parent) {
    if (around.tag.pre || around.name === 'dl' || around.name === 'figcaption') return true
    if (around.name === 'li' && leadsToOtherSite(nodes, host)) return true
  }
  return false
}

/** Leaves out the text of nodes and keeps the pictures among it. */
function leaveOut(nodes: readonly TreeNode[]): void {
  for (const node of nodes) {
    if (node instanceof TextNode) node.data = ''
    else if (holds(node, 'img')) {
      if (node.name !== 'img') leaveOut(node.children)
    } else node.dropped = true
  }
}
