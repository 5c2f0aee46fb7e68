import { attributeOf, type ElementNode } from '#backend/crawler/html/html-tree.ts'
import { firstHeading, holds, mayHoldHeading } from '#backend/crawler/html/tree-text.ts'
import { AlikeSiblings } from './alike-siblings.ts'

/** Most levels between a piece and the card around it. */
const MOST_LEVELS = 4
/** Least number of boxes side by side that are cards. */
const LEAST_CARDS = 3

/** Finds the cards of a page. */
export class Cards {
  readonly #known = new Map<ElementNode, boolean>()
  readonly #alike = new AlikeSiblings(kindOf)

  /**
   * Is an element in a card: a box with a heading, text and no links, beside others like it, such as the people of a team, the features of a
   * product, or steps? Its texts are short, but unlike teasers they lead to no other page.
   */
  hold(element: ElementNode): boolean {
    let box: ElementNode | null = element
    for (let level = 0; level < MOST_LEVELS && box !== null && box.linkLength === 0; level++, box = box.parent) {
      let isOne = this.#known.get(box)
      if (isOne === undefined) this.#known.set(box, (isOne = this.#isCard(box)))
      if (isOne) return true
    }
    return false
  }

  #isCard(box: ElementNode): boolean {
    if (!box.hasBlock || !mayHoldHeading(box) || this.#alike.count(box) < LEAST_CARDS || holds(box, 'input')) return false
    const heading = firstHeading(box)
    return heading !== null && heading.textLength < box.textLength
  }
}

/** The name and first class of an element; null if it has no class and is no entry of a list. */
function kindOf(element: ElementNode): string | null {
  const className = attributeOf(element, 'class')?.trim().split(/\s/, 1)[0] ?? ''
  return className === '' && element.name !== 'li' ? null : `${element.name} ${className}`
}
