import { attributeOf, ElementNode, TextNode } from './html-tree.ts'

/** The least text of a block that counts as prose: shorter ones are labels, dates, menu entries. */
const MIN_PROSE = 40

/** Drops from a tree what is not worth reading; what stays is the main content. */
export function keepMainContent(root: ElementNode): void {
  weigh(root)
  prune(root, root.prose)
}

/** Counts prose bottom-up: characters outside links of blocks that are long enough and not mostly links. */
function weigh(element: ElementNode): number {
  let own = element.textLength
  let ownLinked = element.linkLength
  let prose = 0
  for (const child of element.children) {
    if (child instanceof TextNode || !(child.tag.block || child.hasBlock)) continue
    own -= child.textLength
    ownLinked -= child.linkLength
    prose += weigh(child)
  }
  if (own >= MIN_PROSE && ownLinked * 2 < own) prose += own - ownLinked
  element.prose = prose
  return prose
}

function prune(element: ElementNode, total: number): void {
  for (const child of element.children) {
    if (child instanceof TextNode) continue
    if (isFurniture(child) && child.prose * 2 < total) child.dropped = true
    else prune(child, total)
  }
}

function isFurniture(element: ElementNode): boolean {
  switch (element.name) {
    case 'nav':
    case 'aside':
    case 'footer':
    case 'header':
      return element.parent?.name !== 'article' || element.name !== 'header'
  }
  if (attributeOf(element, 'hidden') !== undefined) return true
  return false
}
