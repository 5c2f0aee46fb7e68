/** Keeps the measures of a tree right when parts of it were dropped. */
import { ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { isInline } from '#backend/crawler/html/tree-text.ts'
import { proseOf } from './prose.ts'

/** Counts the prose of a tree again after parts were dropped. */
export function weigh(element: ElementNode): void {
  for (const child of element.children) if (child instanceof ElementNode && !child.dropped && !isInline(child)) weigh(child)
  weighOne(element)
}

/** Adds up the prose of an element from that of its blocks. */
export function weighOne(element: ElementNode): void {
  let own = element.textLength
  let ownLinked = element.linkLength
  let prose = 0
  for (const child of element.children) {
    if (child instanceof TextNode) continue
    const isOther = !isInline(child)
    if (!isOther && !child.dropped) continue
    own -= child.textLength
    ownLinked -= child.linkLength
    if (isOther && !child.dropped) prose += child.prose
  }
  element.prose = prose + proseOf(own, ownLinked, element.tag.pre)
}

/** Subtracts the text of a dropped element from its ancestors: a sentence with a hover card is not a list of links. */
export function discount(dropped: ElementNode): void {
  const { textLength, linkLength } = dropped
  for (let at: ElementNode | null = dropped; at !== null; at = at.parent) {
    at.textLength -= textLength
    at.linkLength -= linkLength
  }
}
