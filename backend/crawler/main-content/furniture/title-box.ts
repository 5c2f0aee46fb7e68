/** Titles that generators of manuals write in boxes of their own, with or without a heading. */
import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { firstHeading, plainWords, startOf } from '#backend/crawler/html/tree-text.ts'

/** Doxygen writes its titles as a box of class `title`; the groups of a class are in a box at its end. */
export function titleBox(element: ElementNode): ElementNode | null {
  for (const child of element.children) {
    if (child instanceof TextNode || child.textLength === 0) continue
    const isTitle = attributeOf(child, 'class') === 'title' && (!child.hasBlock || isTextNode(child.children[0]))
    const box = isTitle ? child : titleBox(child)
    if (box !== null) return box
  }
  return null
}

const isTextNode = (node: TreeNode | undefined): boolean => node instanceof TextNode && node.data.trim() !== ''

/**
 * Does an element above the text hold the title of the page, whatever words `<title>` has? Doxygen has a box for it, and Javadoc up to 16
 * a heading with the kind and the name of a class, with which `<title>` begins.
 *
 * @param wholeTitle  the words of `<title>`
 */
export function holdsOwnTitle(element: ElementNode, wholeTitle: string): boolean {
  const box = titleBox(element)
  if (box !== null && attributeOf(box.parent!, 'class') === 'headertitle') return true
  const heading = firstHeading(element)
  if (heading === null || heading.linkLength > 0) return false
  if (attributeOf(heading, 'class') !== 'title' || attributeOf(heading, 'title') === undefined) return false
  return namesStartOf(wholeTitle, plainWords(startOf(heading, 300)))
}

/** Does the first word of a title follow another word of a heading? In some languages no space separates the kind from the name. */
function namesStartOf(title: string, heading: string): boolean {
  const [first = ''] = title.split(' ', 1)
  return first.length >= LEAST_NAME && !title.endsWith(` ${heading}`) && `${heading} `.includes(`${first} `, 1)
}
const LEAST_NAME = 3
