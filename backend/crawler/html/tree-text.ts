import { attributeOf, ElementNode, NAME_BITS, TextNode, type SearchedName, type TreeNode } from './html-tree.ts'

/** Is it the name of a heading? Called for nearly every element. Measured: takes a third of the time of a regular expression. */
export function namesHeading(name: string): boolean {
  if (name.length !== 2 || name.charCodeAt(0) !== 104) return false
  const level = name.charCodeAt(1)
  return level >= 49 && level <= 54
}

/** Does the element contain a visible element of this name, or is it one itself? */
export function holds(element: ElementNode, name: SearchedName): boolean {
  return search(element, name, NAME_BITS.get(name)!)
}

/** Does the element contain such an element, dropped or not, or is it one itself? */
export const mayHold = (element: ElementNode, name: SearchedName): boolean => (element.inside & NAME_BITS.get(name)!) !== 0

function search(element: ElementNode, name: SearchedName, bit: number): boolean {
  if (element.name === name) return true
  if ((element.inside & bit) === 0) return false
  for (const child of element.children) if (child instanceof ElementNode && !child.dropped && search(child, name, bit)) return true
  return false
}

/** Is it part of a line: a text, or an element that neither is a block nor contains one? */
export const isInline = (node: TreeNode): boolean => node instanceof TextNode || !(node.tag.block || node.hasBlock)

/** May the element contain a heading? */
export const mayHoldHeading = (element: ElementNode): boolean => (element.inside & HEADINGS) !== 0
const HEADINGS = (['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const).reduce((bits, name) => bits | NAME_BITS.get(name)!, 0)

/** The first heading inside; of those that the condition accepts. */
export function firstHeading(element: ElementNode, accepts: (name: string) => boolean = namesHeading): ElementNode | null {
  if (!mayHoldHeading(element)) return null
  for (const child of element.children) {
    if (child instanceof TextNode) continue
    const heading = accepts(child.name) ? child : firstHeading(child, accepts)
    if (heading !== null) return heading
  }
  return null
}

/** May the element contain a link? */
export const mayHoldLink = (element: ElementNode): boolean => (element.inside & LINK) !== 0
const LINK = NAME_BITS.get('a')!

/** An `a` without `href` is not a link. */
export const isLink = (element: ElementNode): boolean => element.name === 'a' && attributeOf(element, 'href') !== undefined

/** The first link inside that is shown. */
export function firstLink(element: ElementNode): ElementNode | null {
  if (!mayHoldLink(element)) return null
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped) continue
    const link = isLink(child) ? child : firstLink(child)
    if (link !== null) return link
  }
  return null
}

/** All visible text. */
export function allText(element: ElementNode): string {
  let text = ''
  for (const child of element.children) {
    if (child instanceof TextNode) text += child.data
    else if (!child.dropped && !child.tag.silent) text += child.tag.block ? ' ' + allText(child) + ' ' : allText(child)
  }
  return text
}

/** All text, hidden or not (DOM, 4.4). */
export function textContent(node: TreeNode): string {
  return node instanceof TextNode ? node.data : node.children.map(textContent).join('')
}

/** The last text inside an element. */
export function endOf(element: ElementNode): string {
  for (let at = element.children.length - 1; at >= 0; at--) {
    const child = element.children[at]!
    const text = child instanceof TextNode ? child.data.trim() : child.dropped || child.tag.silent ? '' : endOf(child)
    if (text !== '') return text
  }
  return ''
}

/** The first words of a text. */
export function startOf(element: ElementNode, length = 60): string {
  return readOn('', element.children, length, false).trim()
}

/**
 * Appends the visible text of nodes until the text is longer than the given length. @param isCut  only the beginning of a long text is
 * needed
 */
function readOn(before: string, nodes: readonly TreeNode[], length: number, isCut: boolean): string {
  let text = before
  for (const node of nodes) {
    if (text.length > length) break
    if (node instanceof TextNode) text += isCut && node.data.length > length ? node.data.slice(0, length * 2) : node.data
    else if (!node.dropped && !node.tag.silent) text = readOn(text, node.children, length, isCut)
  }
  return text
}

/** Lower case, letters and digits only, single spaces. */
export function plainWords(text: string): string {
  const lower = text.toLowerCase()
  // Most texts consist of plain letters.
  return lower.replace(/^[\0-\x7f]*$/.test(lower) ? /[^a-z\d]+/g : /[^\p{L}\p{N}]+/gu, ' ').trim()
}

/** The number of words that are not dropped in some elements. */
export function keptWords(elements: readonly ElementNode[]): number {
  let words = 0
  for (const element of elements) words += element.dropped ? 0 : element.words - droppedWords(element)
  return words
}

function droppedWords(element: ElementNode): number {
  let words = 0
  for (const child of element.children)
    if (child instanceof ElementNode && child.words > 0) words += child.dropped ? child.words : droppedWords(child)
  return words
}

/** The first element inside with visible text. */
export function firstShown(element: ElementNode): ElementNode | null {
  for (const child of element.children) if (child instanceof ElementNode && !child.dropped && child.textLength > 0) return child
  return null
}

/** The last element with visible text before an element, beside it. */
export function shownBefore(element: ElementNode): ElementNode | null {
  const siblings = element.parent?.children ?? []
  for (let at = siblings.indexOf(element) - 1; at >= 0; at--) {
    const sibling = siblings[at]!
    if (sibling instanceof ElementNode && !sibling.dropped && sibling.textLength > 0) return sibling
  }
  return null
}

/** Does the text of an element repeat the title, or the beginning of the title? */
export function saysTitle(element: ElementNode, title: string): boolean {
  const start = title.slice(0, 24)
  const text = plainWords(allText(element))
  return start.length > 8 ? text.includes(start) : start !== '' && `${text} `.startsWith(`${start} `)
}

/** The visible text before the first block that follows it. */
export function firstLine(element: ElementNode): string {
  let text = ''
  for (const child of element.children) {
    if (isInline(child)) text += child instanceof TextNode ? child.data : child.dropped || child.tag.silent ? '' : allText(child)
    else if (text.trim() !== '') break
    else if (child instanceof ElementNode && !child.dropped && !child.tag.silent) text = firstLine(child)
    if (text.length > MOST_LINE) break
  }
  return text
}
const MOST_LINE = 300

/** The first visible characters of nodes. */
export function startOfNodes(nodes: readonly TreeNode[], length: number): string {
  const text = readOn('', nodes, length, true)
  return text.length > length ? text.slice(0, length) : text
}

/** The elements of a list and all elements around them. */
export function withAncestors(elements: Iterable<ElementNode>): Set<ElementNode> {
  const found = new Set<ElementNode>()
  for (const element of elements) for (let at: ElementNode | null = element; at !== null && !found.has(at); at = at.parent) found.add(at)
  return found
}
