/** Parts of API references whose ids and class names are those of furniture. */
import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { allText, firstLink, holds, plainWords, startOf } from '#backend/crawler/html/tree-text.ts'
import { isNamedByIdAlone } from './furniture.ts'

/** Something with code or definitions, whose id repeats its name: a function `skip` or `share` of a reference. */
export function isItemOfReference(element: ElementNode): boolean {
  return (
    element.name === 'div' &&
    element.linkLength * 2 < element.textLength &&
    (holds(element, 'pre') || holds(element, 'code') || holds(element, 'dl')) &&
    !holds(element, 'form') &&
    isNamedByIdAlone(element) &&
    startsWithId(element)
  )
}

/** Do the first words of an element contain a word of its id? */
function startsWithId(element: ElementNode): boolean {
  const words = new Set(plainWords(startOf(element, MOST_DECLARATION)).split(' '))
  return plainWords(attributeOf(element, 'id')!)
    .split(' ')
    .some((word) => words.has(word))
}
const MOST_DECLARATION = 200

/** Is it the documentation of parameters and results? Generators give it the class `tags`; unlike a list of topics it contains few links. */
export function areDocumentationTags(element: ElementNode): boolean {
  if (!TAGS.test(attributeOf(element, 'class') ?? '')) return false
  if (element.name === 'dl') return element.children.some(isOfReference)
  // Types in code may be links, and more than half of the text.
  if (element.name !== 'ul' && (holds(element, 'tt') || holds(element, 'code'))) return true
  if (element.linkLength * 2 > element.textLength) return false
  if (element.name === 'ul') return element.children.every(isTagWithText)
  return holds(element, 'pre') || holds(element, 'ul')
}
const TAGS = /(?:^|\s)(?:at-)?tags(?:\s|$)/

/** The name of a tag in an element of its own, and what it says: `since 2.0`. Not a sign or a number beside a topic: `#boats`. */
function isTagWithText(item: TreeNode): boolean {
  if (item instanceof TextNode) return item.data.trim() === ''
  const [tag] = item.children
  return tag instanceof ElementNode && tag.linkLength === 0 && tag.textLength < item.textLength && /\p{L}/u.test(allText(tag))
}

/** What a tag says, in words or by a link to a place in a page: `lists.html#append`. Topics are links to other pages. */
function isOfReference(node: TreeNode): boolean {
  if (node instanceof TextNode || node.name !== 'dd') return false
  if (node.linkLength * 2 <= node.textLength) return true
  const link = firstLink(node)
  return link !== null && /#./.test(attributeOf(link, 'href')!)
}
