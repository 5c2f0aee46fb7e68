import { attributeOf, ElementNode } from '#backend/crawler/html/html-tree.ts'
import { firstHeading, holds, mayHoldHeading, namesHeading } from '#backend/crawler/html/tree-text.ts'
import { AlikeSiblings } from '../alike-siblings.ts'

/** Most characters of the header of a part, in front of its text. */
const MOST_HEADER = 300
/** A box with this share of a page's text is the page, and its header may be that of the site. */
const PAGE_SHARE = 0.75
/** Least prose below the header of a part that has no others like it beside it. */
const LEAST_BELOW = 60
/** More elements side by side are not searched. */
const MOST_SIBLINGS = 1000
/** Most levels between a header and the part that it belongs to. */
const MOST_LEVELS = 3
/** Elements that are one of several without a class. */
const PARTS = new Set(['section', 'article', 'li', 'details', 'fieldset'])

/**
 * Is it the header of a part of the page, such as a question, a panel, a card or a section, rather than of the site? Class names do not
 * tell, but text stands below it in a box that is not the whole page.
 *
 * @param pageLength  characters of the page
 */
export function isHeaderOfPart(header: ElementNode, pageLength: number): boolean {
  const { textLength, linkLength, prose } = header
  if (textLength === 0 || textLength > MOST_HEADER || holdsControl(header)) return false
  if (isBoxedHeading(header)) return true
  if (holds(header, 'img')) return false
  const heading = firstHeading(header)
  // The heading of a part may be a link that unfolds or opens it; without a heading, the header is one line.
  if (heading === null ? linkLength > 0 || prose > 0 : (linkLength - heading.linkLength) * 2 > textLength) return false
  let part = header.parent
  for (let level = 0; level < MOST_LEVELS && part !== null && part.textLength < PAGE_SHARE * pageLength; level++, part = part.parent) {
    if (part.linkLength * 2 > part.textLength) return false
    if ((level === 0 && part.prose - prose >= LEAST_BELOW) || (part.textLength > textLength && alike.count(part) > 1)) return true
  }
  return false
}

/** GitHub puts each heading of a text into a box of its own, beside the paragraphs. A site has one header, not several alike. */
export function isBoxedHeading(box: ElementNode): boolean {
  if (!mayHoldHeading(box) || box.textLength === 0 || box.parent === null || box.parent.prose <= box.prose) return false
  const holdsNothingElse = box.children.some(
    (child) => child instanceof ElementNode && namesHeading(child.name) && child.textLength === box.textLength,
  )
  return holdsNothingElse && (alike.count(box) > 1 || (box.linkLength === 0 && isBetweenTexts(box)))
}

/** Is it below a paragraph of the same part, and above something that is not mostly links? The header of a site comes first. */
function isBetweenTexts(box: ElementNode): boolean {
  const siblings = box.parent!.children
  if (siblings.length > MOST_SIBLINGS) return false
  let isBelowText = false
  let isBelowBox = false
  for (const sibling of siblings) {
    if (sibling === box) {
      if (!isBelowText) return false
      isBelowBox = true
    } else if (sibling instanceof ElementNode && !sibling.dropped && sibling.textLength > 0) {
      if (isBelowBox) return sibling.linkLength * 2 <= sibling.textLength
      isBelowText ||= sibling.prose >= LEAST_BELOW
    }
  }
  return false
}

/** A choice above a list: how it is sorted, what it shows. */
function holdsControl(element: ElementNode): boolean {
  return element.children.some((child) => child instanceof ElementNode && (CONTROLS.has(child.name) || holdsControl(child)))
}
const CONTROLS = new Set(['select', 'input', 'label', 'form'])

/** The name and class of an element; null if it has no class and its name does not say that it is a part. */
function kindOf(element: ElementNode): string | null {
  const className = attributeOf(element, 'class') ?? ''
  return className === '' && !PARTS.has(element.name) ? null : `${element.name} ${className}`
}

/** Parts that stand side by side. */
const alike = new AlikeSiblings(kindOf)
