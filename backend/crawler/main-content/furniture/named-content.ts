/** Content whose class names are also those of furniture: menus of restaurants, reviews, and texts for screen readers. */
import { attributeOf, ElementNode } from '#backend/crawler/html/html-tree.ts'
import { firstHeading, holds, startOfNodes } from '#backend/crawler/html/tree-text.ts'
import { AlikeSiblings } from '../alike-siblings.ts'
import { markedRoleOf } from './furniture.ts'

/** Most levels between a part and the element that names it. */
const MOST_LEVELS = 8
/** With this share of its text in links, a menu is navigation. */
const MOST_LINKS = 0.2
/** More elements side by side are not searched. */
const MOST_SIBLINGS = 1000
/** Least number of dishes without headings. */
const LEAST_DISHES = 3
/** Characters in which the first price of a menu is searched: menus may be nested. */
const MOST_SEARCHED = 2000
/** … and those in which a shown text says more than a sign. */
const MOST_SIGN = 200

const menus = new WeakSet<ElementNode>()
const alike = new AlikeSiblings((element) => attributeOf(element, 'class') ?? null)

/**
 * Is it the menu of a restaurant, or a part of one? It has headings and other text, or lines with prices, where navigation has links and
 * buttons. The menu of a footer is none, although it may have headings and few links.
 */
export function isMenuOfDishes(element: ElementNode): boolean {
  if (element.name === 'nav' || !isNamed(element, MENU)) return false
  if (isIn(element, menus)) return true
  if (markedRoleOf(element) !== 'none' || isNamed(element, PLACE)) return false
  if (element.textLength === 0 || element.linkLength > MOST_LINKS * element.textLength) return false
  const start = startOfNodes(element.children, MOST_SEARCHED)
  if ((holds(element, 'button') || holds(element, 'input')) && !PRICE.test(start)) return false
  const heading = firstHeading(element)
  const isMenu = heading === null ? alike.count(element) >= LEAST_DISHES && /\d/.test(start) : heading.textLength < element.textLength
  if (isMenu) menus.add(element)
  return isMenu
}
const PRICE = /\d[.,]\d\d(?!\d)|[€$£¥]\s?\d|\d\s?[€$£¥]/
const MENU = /(?:^|[\s_-])menu(?:[\s_-]|$)/i

/** Parts of the site that have menus. */
const PLACE = /(?:^|[\s_-])(?:footer|sidebar|nav|navbar|navigation|mobile|off-?canvas)(?:[\s_-]|$)/i

/** Does the class or the id of an element have such a name? */
const isNamed = (element: ElementNode, name: RegExp): boolean =>
  name.test(attributeOf(element, 'class') ?? '') || name.test(attributeOf(element, 'id') ?? '')

function isIn(element: ElementNode, boxes: WeakSet<ElementNode>): boolean {
  let around = element.parent
  for (let level = 0; level < MOST_LEVELS && around !== null; level++, around = around.parent) if (boxes.has(around)) return true
  return false
}

/**
 * Does a list of comments contain the reviews of a product? WooCommerce writes both alike.
 *
 * @param pageLength  characters of the page: the category "Reviews" of a weblog names the whole page so
 */
export function areReviews(comments: ElementNode, pageLength: number): boolean {
  let around: ElementNode | null = comments
  for (let level = 0; level < MOST_LEVELS && around !== null && around.textLength * 2 < pageLength; level++, around = around.parent)
    if (isNamed(around, REVIEWS)) return true
  return false
}
const REVIEWS =
  /(?:^|\s)(?:(?:woocommerce|product|customer|user|guest)[-_]?)?reviews?(?:[-_](?:list|section|container|wrapper|area))?(?:\s|$)/i

/**
 * Does a text for screen readers say what the element beside it shows, which is hidden from them? The shown one is dropped. In a cell of a
 * table without other text, it says what an icon shows.
 */
export function saysWhatIsShown(element: ElementNode): boolean {
  if (element.parent === null || !FOR_READERS.test(attributeOf(element, 'class') ?? '')) return false
  if (isAloneInCell(element)) return true
  const siblings = element.parent.children
  if (siblings.length > MOST_SIBLINGS) return false
  const at = siblings.indexOf(element)
  return isShownText(nearest(siblings, at, 1)) || isShownText(nearest(siblings, at, -1))
}

function isAloneInCell({ textLength, parent }: ElementNode): boolean {
  let at = parent
  for (let level = 0; level < MOST_AROUND && at !== null && at.textLength === textLength; level++, at = at.parent)
    if (at.name === 'td') return true
  return false
}
const MOST_AROUND = 4

const FOR_READERS = /(?:^|[\s_-])(?:sr-only|visually-?hidden|screen-?reader(?:s|-text|-only)?|(?:a-)?off-?screen)(?:\s|$)/i

function nearest(siblings: ElementNode['children'], from: number, step: 1 | -1): ElementNode | null {
  for (let at = from + step; at >= 0 && at < siblings.length; at += step) {
    const node = siblings[at]!
    if (node instanceof ElementNode) return node
    if (node.data.trim() !== '') return null
  }
  return null
}

/** Not the sign of a button, such as a cross or an arrow. */
const isShownText = (element: ElementNode | null): boolean =>
  element !== null &&
  attributeOf(element, 'aria-hidden') === 'true' &&
  element.textLength > 0 &&
  /[\p{L}\p{N}]/u.test(startOfNodes(element.children, MOST_SIGN))
