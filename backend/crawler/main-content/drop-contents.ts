import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import {
  allText,
  firstHeading,
  isLink,
  mayHold,
  mayHoldHeading,
  mayHoldLink,
  namesHeading,
  plainWords,
  shownBefore,
  startOf,
} from '#backend/crawler/html/tree-text.ts'

const LEAST_LINKS = 3
/** A page has one or two; for each, the elements beside it are searched. */
const MOST_LISTS = 20
/** At least this share of the links repeat a heading. */
const LEAST_REPEATED = 0.8
/** Most characters of a label above the list, such as “On this page”. */
const MOST_LABEL = 30
const MOST_HEADING = 300

/**
 * Drops lists of links to the headings of the page itself: they only repeat these. Many have no class name that says so, such as those by
 * pod2html and those that people write by hand.
 *
 * @param file  the file name of the page's URL
 */
export function dropContents(root: ElementNode, file: string): void {
  if (!mayHoldHeading(root) || !(mayHold(root, 'ul') || mayHold(root, 'ol'))) return
  let headings: Set<string> | null = null
  let dropped = 0
  searchLists(root)

  function searchLists(element: ElementNode): void {
    if (!mayHold(element, 'ul') && !mayHold(element, 'ol')) return
    for (const child of element.children) {
      if (child instanceof TextNode || child.dropped) continue
      if (child.name !== 'ul' && child.name !== 'ol') searchLists(child)
      else if (dropped < MOST_LISTS && child.linkLength > 0.9 * child.textLength && isOfHeadings(child)) {
        drop(child)
        dropped++
      }
    }
  }

  function isOfHeadings(list: ElementNode): boolean {
    const links: ElementNode[] = []
    if (!collectLinks(list, file, links) || links.length < LEAST_LINKS) return false
    headings ??= headingsOf(root)
    let repeated = 0
    for (const link of links) if (headings.has(wordsOf(link))) repeated++
    return repeated >= LEAST_REPEATED * links.length
  }
}

/** Collects the links of a list; false as soon as one leads to another page. */
function collectLinks(element: ElementNode, file: string, links: ElementNode[]): boolean {
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped || child.linkLength === 0) continue
    if (isLink(child)) {
      if (!leadsWithinPage(attributeOf(child, 'href')!, file)) return false
      links.push(child)
    } else if (!collectLinks(child, file, links)) return false
  }
  return true
}

/** Does a link lead to a place in the page itself? Older generators include the file name. */
export const leadsWithinPage = (href: string, file: string): boolean => href.startsWith('#') || (file !== '' && href.startsWith(`${file}#`))

function headingsOf(root: ElementNode): Set<string> {
  const found = new Set<string>()
  const search = (element: ElementNode) => {
    if (!mayHoldHeading(element)) return
    for (const child of element.children) {
      if (child instanceof TextNode || child.dropped) continue
      if (!namesHeading(child.name)) search(child)
      else if (child.textLength < MOST_HEADING) found.add(wordsOf(child))
    }
  }
  search(root)
  // A picture or a sign has no words.
  found.delete('')
  return found
}

/** The words of a heading or link, without its number. */
const wordsOf = (element: ElementNode): string => plainWords(allText(element)).replace(/^(?:\d+ )+/, '')

/** Drops a list, the label above it, and the heading above it if nothing else stands below that. */
function drop(list: ElementNode): void {
  list.dropped = true
  const before = shownBefore(list)
  if (before === null || before.name === 'h1' || before.linkLength > 0 || before.textLength > MOST_LABEL) return
  const isLabel = LABEL.test(startOf(before))
  if (namesHeading(before.name) ? isEndOfChapter(list, isLabel ? LOWEST : before.name) : isLabel) before.dropped = true
}

const LABEL =
  /content|on this page|in this (?:article|post|section|chapter)|jump to|inhalt|auf dieser seite|sommaire|table des matières|índice|indice|contenido|conteúdo|inhoud|содержание|spis treści|目录|目次|차례|목차/i

const LOWEST = 'h6'

/** Does nothing follow, or a heading of this level or a higher one? A lower one heads a section of the same chapter. */
function isEndOfChapter(list: ElementNode, level: string): boolean {
  const siblings = list.parent!.children
  for (let at = siblings.indexOf(list) + 1; at < siblings.length; at++) {
    const node = siblings[at]!
    if (node instanceof TextNode ? node.data.trim() === '' : node.dropped || node.textLength === 0) continue
    if (node instanceof TextNode) return false
    const heading = namesHeading(node.name) ? node : firstHeading(node)
    return heading !== null && heading.name <= level
  }
  return true
}

/** Do most links of a table of contents lead to parts of the same page? Then those are content. */
export function leadsWithin(element: ElementNode, file: string): boolean {
  const count = { within: 0, elsewhere: 0 }
  countContents(element, file, count)
  return count.within >= count.elsewhere
}

function countContents(element: ElementNode, file: string, count: { within: number; elsewhere: number }): void {
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped || !mayHoldLink(child)) continue
    const href = child.name === 'a' ? attributeOf(child, 'href') : undefined
    if (href === undefined) countContents(child, file, count)
    else if (leadsWithinPage(href, file)) count.within++
    else count.elsewhere++
  }
}
