import { attributeOf, ElementNode } from '#backend/crawler/html/html-tree.ts'
import { firstHeading, holds, mayHoldHeading } from '#backend/crawler/html/tree-text.ts'

/** Most levels between a piece and the card around it. */
const MOST_LEVELS = 4
/** So many boxes side by side are cards, … */
const LEAST_CARDS = 3
/** … of which only the first ones are searched: there may be thousands. */
const MOST_SEARCHED = 30

/**
 * Is an element in a card: a box with a heading, text and no links, beside others like it, such as the people of a team, the features of a
 * product, or steps? Its texts are short, but unlike teasers they lead to no other page.
 *
 * @param known  the boxes that were looked at
 */
export function isInCard(element: ElementNode, known: Map<ElementNode, boolean>): boolean {
  let box: ElementNode | null = element
  for (let level = 0; level < MOST_LEVELS && box !== null && box.linkLength === 0; level++, box = box.parent) {
    let isOne = known.get(box)
    if (isOne === undefined) known.set(box, (isOne = isCard(box)))
    if (isOne) return true
  }
  return false
}

function isCard(box: ElementNode): boolean {
  if (!box.hasBlock || !mayHoldHeading(box) || countAlike(box) < LEAST_CARDS || holds(box, 'input')) return false
  const heading = firstHeading(box)
  return heading !== null && heading.textLength < box.textLength
}

/** Counts the boxes with its name and first class, itself included. */
function countAlike(box: ElementNode): number {
  const { name, parent } = box
  const className = firstClass(box)
  if (parent === null || (className === '' && name !== 'li')) return 0
  const isLike = (other: unknown) => other instanceof ElementNode && other.name === name && firstClass(other) === className
  return parent.children.slice(0, MOST_SEARCHED).filter(isLike).length
}

const firstClass = (element: ElementNode): string => attributeOf(element, 'class')?.trim().split(/\s/, 1)[0] ?? ''
