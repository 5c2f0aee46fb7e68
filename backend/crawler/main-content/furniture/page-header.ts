/** The header of a page's text: how it differs from the header of the site, and what is dropped from it. */
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import {
  allText,
  firstHeading,
  firstLine,
  firstLink,
  holds,
  mayHoldHeading,
  namesHeading,
  plainWords,
  saysTitle,
  startOf,
} from '#backend/crawler/html/tree-text.ts'
import { leadsWithin } from '../drop-contents.ts'
import { roleOf } from './furniture.ts'
import { holdsOwnTitle, titleBox } from './title-box.ts'
import { discount } from '../weigh.ts'

/** The title of a page: its first part, and all of it, in plain words. */
type Titles = { title: string; wholeTitle: string }

/** A bar that repeats the title above the page's heading. */
export function repeatsTitle(element: ElementNode, page: Titles): boolean {
  return (
    element.textLength < 200 &&
    !mayHoldHeading(element) &&
    element.parent !== null &&
    holds(element.parent, 'h1') &&
    plainWords(allText(element)) === page.title
  )
}

/** Is it the header of the text rather than of the site: mostly plain words, with a heading that contains the page's title? */
export function headsPage(element: ElementNode, page: Titles): boolean {
  if (element.textLength > 600) return element.name === 'header' && namesItem(firstHeading(element), page)
  let heading = firstHeading(element) ?? titleBox(element) ?? lineOfTitle(element, page.title)
  // Some API references put the kind (“Class”) in a small heading above the name.
  if (heading !== null && heading.name !== 'h1' && heading.linkLength === 0)
    heading = firstHeading(element, (name) => name === 'h1') ?? heading
  if (heading === null) return false
  if (holdsOwnTitle(element, page.wholeTitle) || namesItem(heading, page)) return true
  if (heading.name === 'h1' && heading.linkLength === 0 && isTitleLine(lineOfTitle(element, page.title))) return true
  const words = plainWords(namesHeading(heading.name) ? startOf(heading, 300) : firstLine(heading))
  // The last part of a title is the site's name, unless a box has the class `title`.
  const isPartOfTitle =
    words.length > 0.4 * page.wholeTitle.length &&
    page.wholeTitle.includes(words) &&
    (!page.wholeTitle.endsWith(words) || !namesHeading(heading.name))
  // A name whose parts are spans has no space between them.
  const isTitle = words !== '' && words.replaceAll(' ', '') === page.title.replaceAll(' ', '')
  if (!isTitle && !isPartOfTitle && !saysTitle(heading, page.title)) return false
  const link = firstLink(heading)
  // The site's name links to its home page.
  if (link !== null && /^(?:https?:\/\/[^/]*)?\/?$/i.test(attributeOf(link, 'href')!)) return false
  return (element.linkLength - heading.linkLength) * 2 <= element.textLength || !namesHeading(heading.name)
}

/**
 * Is it the kind and the name of an item of a reference, whose name is in the title of the page? Its description may stand below it (odoc).
 * The name of a site may begin like a kind, as “Library Journal” does, but a title that contains it ends with all of it.
 */
function namesItem(heading: ElementNode | null, { wholeTitle }: Titles): boolean {
  if (heading?.name !== 'h1' || heading.linkLength > 0) return false
  const words = plainWords(startOf(heading, 300))
  const name = words.replace(KIND, '')
  if (name === words || name === '' || wholeTitle.endsWith(` ${words}`)) return false
  return ` ${wholeTitle} `.includes(` ${name} `)
}
const KIND = /^(?:module type|module|class type|class|parameter|library|package|interface|namespace|struct|enum|trait)\s/

/** Drops links beside a title: buttons, breadcrumbs. */
export function dropLinks(header: ElementNode): void {
  for (const child of header.children)
    if (
      child instanceof ElementNode &&
      child.linkLength > 0.9 * child.textLength &&
      !namesHeading(child.name) &&
      firstHeading(child) === null
    ) {
      child.dropped = true
      discount(child)
    }
}

/** Drops a table of contents of the page below its title, as Asciidoctor writes it: it is longer than a header may be. */
export function dropContentsIn(header: ElementNode, file: string): void {
  for (const child of header.children)
    if (child instanceof ElementNode && !child.dropped && roleOf(child) === 'contents' && leadsWithin(child, file)) {
      child.dropped = true
      discount(child)
    }
}

/** Drops controls beside a title that are no `button` elements. */
export function dropButtons(header: ElementNode): void {
  for (const child of header.children)
    if (child instanceof ElementNode && attributeOf(child, 'role') === 'button' && !mayHoldHeading(child)) {
      child.dropped = true
      discount(child)
    }
}

/** A line with the title above a longer heading, not the last entry of a path. */
const isTitleLine = (line: ElementNode | null): boolean => line !== null && line.name !== 'li' && line.linkLength === 0

/** Haddock writes its titles as a paragraph. */
function lineOfTitle(element: ElementNode, title: string, letters = title.replaceAll(' ', '').length): ElementNode | null {
  if (title === '') return null
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped || child.textLength < letters) continue
    const line = child.hasBlock
      ? lineOfTitle(child, title, letters)
      : child.tag.block && plainWords(startOf(child, 200)) === title
        ? child
        : null
    if (line !== null) return line
  }
  return null
}
