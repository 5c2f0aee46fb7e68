import { roleOf } from './furniture/furniture.ts'
import { ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { isProse, piecesBeforeText, type Piece } from './page-pieces.ts'
import { plainWords, startOfNodes } from '#backend/crawler/html/tree-text.ts'

/** Shorter descriptions are slogans. */
const MIN_DESCRIPTION = 50
const FIRST_LETTER = /[\p{L}\p{N}]/u
/** Least letters of a description, without spaces. */
const LEAST_LETTERS = 35

/**
 * Restores the lead of an article: the paragraph above the text that most pages repeat as their description. The rules mistake it for a
 * part of the header.
 *
 * @param known        the pieces of the page
 * @param description  from the page's metadata
 */
export function keepLead(root: ElementNode, known: readonly Piece[], description: string): void {
  const wanted = plainWords(description.slice(0, 4 * MIN_DESCRIPTION)).slice(0, MIN_DESCRIPTION)
  if (wanted.length < MIN_DESCRIPTION) return
  const says = (piece: Piece) => {
    if (piece.length < LEAST_LETTERS || piece.linkLength * 2 > piece.length) return false
    // A block of its own may be dropped.
    const start = startOfNodes(isBlock(piece) ? piece.element.children : piece.nodes, 2 * MIN_DESCRIPTION)
    // A quick check: the first letter rules out nearly all texts.
    return FIRST_LETTER.exec(start)?.[0].toLowerCase()[0] === wanted[0] && plainWords(start).startsWith(wanted)
  }
  // The text itself may start with the description.
  let looked = 0
  for (const piece of known) {
    if (!piece.isKept) continue
    if (says(piece)) return
    if (++looked === 3) break
  }
  // Pages without a summary often repeat their headline as their description.
  const isLead = (piece: Piece) =>
    !piece.isKept && !(isBlock(piece) && (piece.element.hasBlock || piece.name === 'h1')) && says(piece) && !isHidden(piece.element)
  const lead = piecesBeforeText(root).findLast(isLead) ?? beginningOf(known).find(isLead)
  if (lead !== undefined) bringBack(lead)
}

/** The pieces up to the third paragraph: there may be another line between headline and lead. */
function beginningOf(pieces: readonly Piece[]): readonly Piece[] {
  let paragraphs = 0
  const end = pieces.findIndex((piece) => piece.isKept && isProse(piece) && ++paragraphs === 3)
  return pieces.slice(0, Math.max(0, end))
}

const isBlock = ({ nodes, element }: Piece): boolean => nodes[0] === element

function isHidden(element: ElementNode): boolean {
  for (let around: ElementNode | null = element; around !== null; around = around.parent) if (roleOf(around) === 'hidden') return true
  return false
}

/** Restores the elements around a piece. Everything else in those that were dropped stays dropped, at any depth. */
function bringBack(piece: Piece): void {
  const { nodes, element } = piece
  let outermost: ElementNode | null = null
  for (let around: ElementNode | null = element; around !== null; around = around.parent) if (around.dropped) outermost = around
  for (const node of nodes) if (node instanceof ElementNode) node.dropped = false
  if (outermost === null || (isBlock(piece) && outermost === element)) return
  let inside: readonly (ElementNode | TextNode)[] = nodes
  for (let around = isBlock(piece) ? element.parent! : element; ; around = around.parent!) {
    dropOthers(around, inside)
    around.dropped = false
    if (around === outermost) return
    inside = [around]
  }
}

function dropOthers(parent: ElementNode, kept: readonly (ElementNode | TextNode)[]): void {
  for (const child of parent.children) {
    if (kept.includes(child)) continue
    if (child instanceof TextNode) child.data = ''
    else child.dropped = true
  }
}
