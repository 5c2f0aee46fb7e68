import { roleOf } from './furniture.ts'
import { ElementNode, TextNode } from '#backend/crawler/page/html-tree.ts'
import { piecesBeforeText, startOfPiece, type Piece } from './page-pieces.ts'
import { plainWords } from '#backend/crawler/page/tree-text.ts'

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
    if (piece.length < LEAST_LETTERS || piece.linkLength > 0) return false
    const start = startOfPiece(piece, 2 * MIN_DESCRIPTION)
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
  const lead = piecesBeforeText(root).findLast((piece) => !piece.isKept && says(piece) && !isHidden(piece.element))
  if (lead !== undefined) bringBack(lead)
}

function isHidden(element: ElementNode): boolean {
  for (let around: ElementNode | null = element; around !== null; around = around.parent) if (roleOf(around) === 'hidden') return true
  return false
}

/** Restores the elements around a piece. Everything else in those that were dropped stays dropped, at any depth. */
function bringBack({ nodes, element }: Piece): void {
  const isBlock = nodes[0] === element
  let outermost: ElementNode | null = null
  for (let around: ElementNode | null = element; around !== null; around = around.parent) if (around.dropped) outermost = around
  for (const node of nodes) if (node instanceof ElementNode) node.dropped = false
  if (outermost === null || (isBlock && outermost === element)) return
  let inside: readonly (ElementNode | TextNode)[] = nodes
  for (let around = isBlock ? element.parent! : element; ; around = around.parent!) {
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
