import { ElementNode, TextNode, type TreeNode } from './html-tree.ts'
import { leadsToOtherSite, MEASURES, measurePieces, piecesOf, type Piece } from './page-pieces.ts'
import { BIAS, WEIGHTS } from './piece-weights.ts'
import { HEADING, holds } from './tree-text.ts'

/** What the numbers of a piece count for. `scripts/fit-extraction.ts` fits them. */
export type PieceModel = { bias: number; weights: readonly number[] }

const FITTED: PieceModel = { bias: BIAS, weights: WEIGHTS }
/** Pieces of pages that call themselves articles go below this score. */
const ARTICLE_LEAST = 0
/** Pieces of other pages have more kinds than the marked pages teach; the rules decide where the score is near zero. */
const OTHER_LEAST = -1.2
/** When more than this share of the text would go, the model does not know this kind of page, and nothing goes. */
const MOST_DROPPED = 0.5

/**
 * The last word on what is main content: each piece that the rules kept gets a score from a linear model, which sees what single rules do not, such as
 * its neighbours and its place. Pieces with a low score go.
 *
 * @param isPosting  the page calls itself an article
 * @param host       of the page's address
 */
export function judgePieces(
  root: ElementNode,
  { isPosting, host }: { isPosting: boolean; host: string },
  model: PieceModel = FITTED,
): void {
  const least = isPosting ? ARTICLE_LEAST : OTHER_LEAST
  const pieces = piecesOf(root)
  const numbers = measurePieces(pieces, host)
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
    const stays: boolean = scoreOf(numbers, at, model) >= least || isExempt(piece, host) || (isHeading && headsText)
    headsText = stays && !isHeading
    if (stays) continue
    going += piece.length
    unwanted.push(piece)
  }
  if (going > MOST_DROPPED * kept) return
  for (const { nodes } of unwanted) leaveOut(nodes)
}

export function scoreOf(numbers: Float64Array, at: number, { bias, weights }: PieceModel): number {
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
