import { isNotes, namesRecipePart, roleOf } from './furniture/furniture.ts'
import { attributeOf, ElementNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { textOfLine, startsLine } from '#backend/crawler/html/loose-lines.ts'
import { endsSentence, LEAST_SENTENCE } from './page-pieces.ts'
import { isBoxedHeading } from './furniture/part-header.ts'
import { ENOUGH } from './prose.ts'
import { holdsRecipeList } from './described-parts.ts'
import { holdsOwnTitle } from './furniture/title-box.ts'
import {
  firstLine,
  firstShown,
  isInline,
  mayHoldHeading,
  namesHeading,
  holds,
  plainWords,
  saysTitle,
  shownBefore,
  startOf,
  withAncestors,
} from '#backend/crawler/html/tree-text.ts'

/**
 * The page's title without and with the name of the site, words only; whether the page is one of a manual; and whether it is an article that
 * keeps its captions.
 */
type PageFacts = { title: string; wholeTitle: string; isManual: boolean; withFrame: boolean }

/** A line beside the main part with so many characters outside elements stays whole: a link is not cut out of a sentence. */
const LEAST_LINE = 40
/** A child with at least this share of the prose contains the main content. */
const MAIN_SHARE = 0.75
/** Least characters of a list of facts beside the main part, and most of one of its words, on average. */
const LEAST_FACTS = 60
const MOST_WORD = 14
/** An element with at least this share of the visible text is a wrapper of the page, whatever its name. */
const WRAPPER_SHARE = 0.75

/**
 * Descends to the prose and drops, on each level, what does not seem to belong to it.
 *
 * @param declared    what the page itself declares to be its text: the descent leads there first
 * @param paragraphs  parts that the page declares to be its text, one by one: they stay
 */
export function dropAround(
  root: ElementNode,
  page: PageFacts,
  isPosting: boolean,
  declared: ElementNode | null,
  paragraphs: readonly ElementNode[],
): ElementNode {
  const withParagraphs = withAncestors(paragraphs)
  const path = new Set<ElementNode>()
  for (let at = declared; at !== null; at = at.parent) path.add(at)
  let current = root
  // Inside an element that the page marks as its main part, lists of links are rarely furniture.
  let isWithin = false
  for (;;) {
    const best = path.has(current) && current !== declared ? childOn(path, current) : childWithProse(current)
    const isOnPath = best !== null && path.has(best)
    if (
      best === null ||
      (!isOnPath &&
        (!best.hasBlock ||
          best.prose === 0 ||
          HOLDERS_OF_PARTS.has(best.name) ||
          isCodeBox(best) ||
          best.prose < MAIN_SHARE * (current.prose - proseBeside(best, current, isPosting)) ||
          isOneOfMany(best, current, isPosting)))
    )
      return current
    const role = roleOf(best)
    // For example a licence that is longer than the text, but not a wrapper of the page.
    if (role === 'perhaps' && !isOnPath && best.textLength < WRAPPER_SHARE * shownLength(current)) return current
    const isMarked = isOnPath || best.name === 'main' || best.name === 'article' || role === 'body' || attributeOf(best, 'role') === 'main'
    // Little prose among much else: a front page, which is kept as a whole.
    if (!isMarked && !isPosting && best.prose < ENOUGH && best.textLength < 0.75 * shownLength(current)) return current
    let isBefore = true
    let isBelowHeading = false
    let isUnderHeading = false
    let isInSentence = false
    const chapter = headingAtStart(best)
    const above = shownBefore(best)
    // Below a heading, the headings and texts of other chapters stand beside it as well.
    let isAmongChapters = !isPosting && !isMarked && above !== null && isHeading(above)
    for (let at = 0; at < current.children.length; at++) {
      const child = current.children[at]!
      // The main part may be a section of one chapter among others.
      if (!isBefore && !isPosting && !isMarked) isAmongChapters ||= isHigher(child, chapter)
      if (startsLine(current, at)) isInSentence = textOfLine(current, at) >= LEAST_LINE
      if (child === best) isBefore = false
      else if (
        child instanceof ElementNode &&
        !child.dropped &&
        !withParagraphs.has(child) &&
        !(isInSentence && isInline(child)) &&
        !belongs(child, best, { isBefore, isBelowHeading, isUnderHeading, isMarked, isPosting, isWithin, chapter, page }) &&
        !(isBefore && (isOnPath || page.withFrame) && isLeadPicture(child, isOnPath)) &&
        !(isAmongChapters && !isBefore && isOfChapter(current.children, at, isBelowHeading) && !isNamedAside(child, best)) &&
        !holdsRecipeList(child)
      )
        child.dropped = true
      if (child instanceof ElementNode && child.textLength > 0) isBelowHeading = namesHeading(child.name) && !child.dropped
      isUnderHeading ||= isBelowHeading
    }
    current = best
    isWithin ||= (isMarked && !isPosting) || (page.isManual && holdsPage(best))
  }
}

/** Is it named as the content of the page, as generators of manuals do that know no `main`? */
function holdsPage(element: ElementNode): boolean {
  return CONTENT.test(attributeOf(element, 'id') ?? '') || CONTENT.test(attributeOf(element, 'class') ?? '')
}
const CONTENT = /^contents?$/

function childOn(path: ReadonlySet<ElementNode>, parent: ElementNode): ElementNode | null {
  for (const child of parent.children) if (child instanceof ElementNode && path.has(child)) return child
  return null
}

function childWithProse(parent: ElementNode): ElementNode | null {
  let best: ElementNode | null = null
  for (const child of parent.children)
    if (child instanceof ElementNode && !child.dropped && (best === null || child.prose > best.prose)) best = child
  return best
}

/** The prose of the siblings that are beside the main part. Its share is computed without them. */
function proseBeside(best: ElementNode, parent: ElementNode, isPosting: boolean): number {
  let prose = 0
  for (const child of parent.children)
    if (
      child !== best &&
      child instanceof ElementNode &&
      !child.dropped &&
      child.prose > 0 &&
      (isNamedAside(child, best) || (isPosting && isColumnOfLinks(child, best)))
    )
      prose += child.prose
  return prose
}

/** Does the name of an element suggest furniture, and has it less than half of the main part's prose? */
const isNamedAside = (element: ElementNode, best: ElementNode): boolean => element.prose < 0.5 * best.prose && roleOf(element) === 'perhaps'

/** Is it mostly links, beside a main part of mostly words? */
const isColumnOfLinks = (element: ElementNode, best: ElementNode): boolean =>
  element.prose < 0.5 * best.prose && element.linkLength > 0.5 * element.textLength && best.linkLength < 0.4 * best.textLength

function shownLength(element: ElementNode): number {
  let length = element.textLength
  for (const child of element.children) if (child instanceof ElementNode && child.dropped) length -= child.textLength
  return length
}

/** Does a sibling of the main part belong to it: its title, its introduction, its table, or more of the same? */
function belongs(
  element: ElementNode,
  best: ElementNode,
  {
    isBefore,
    isBelowHeading,
    isUnderHeading,
    isMarked,
    isPosting,
    isWithin,
    chapter,
    page,
  }: {
    isBefore: boolean
    isBelowHeading: boolean
    isUnderHeading: boolean
    isMarked: boolean
    isPosting: boolean
    isWithin: boolean
    /** The name of the heading with which the main part starts. */
    chapter: string | null
    page: PageFacts
  },
): boolean {
  if (!isBefore && isNotes(element)) return true
  if (!isBefore && isNamedAside(element, best)) return false
  if (isInline(element)) return element.textLength === 0 || (isBefore && element.linkLength * 2 < element.textLength)
  if (
    isBefore &&
    element.textLength > 0 &&
    element.textLength < 400 &&
    (holdsTitle(element) || holdsOwnTitle(element, page.wholeTitle) || saysTitle(element, page.title) || isMostOfTitle(element, page))
  )
    return true
  // As two chapters do.
  const startsAlike = chapter !== null && headingAtStart(element) === chapter
  const isAlike = element.name === best.name && element.name !== 'p' && attributeOf(element, 'class') === attributeOf(best, 'class')
  if ((isAlike && (!isPosting || isSection(element)) && startsAlike) || roleOf(element) === 'contents') return true
  if (!isPosting && isCode(element)) return true
  // Facts about the text: who wrote it, since when it is valid.
  if (!isPosting && isBefore && element.textLength < 1000 && holds(element, 'dl')) return true
  if (element.linkLength > (isWithin || (element.name === 'p' && !isPosting) ? 0.6 : 0.35) * element.textLength) return false
  if (isAlike && (element.prose > 60 || (!isPosting && firstClass(element) !== '' && !LAYOUT_CLASS.test(firstClass(element))))) return true
  if (isMarked && !isBefore) return false
  if (!isPosting && element.name === best.name && startsAlike) return true
  if (isBefore && isLead(element)) return true
  if (isBefore && isSentence(element)) return true
  // Short parts inside the page's main part: keywords under an abstract; a declaration, its description and its members in a reference.
  if (isWithin && element.linkLength === 0 && (element.name === 'p' || isHeading(element) || isCode(element))) return true
  if (isWithin && !isMarked && (isBelowHeading || isOpenDetails(element))) return true
  if (isWithin && !isMarked && page.isManual && isShortPart(element, best, isBefore)) return true
  // What introduces the text, between a heading and the text.
  if (isBefore && isUnderHeading && !isPosting && (element.name === 'p' || element.name === 'blockquote')) return true
  if (element.prose >= (isBefore ? 60 : 120)) return true
  if (isListOfFacts(element) || namesRecipePart(element)) return true
  return element.textLength >= 150 && (element.tag.pre || holds(element, 'table') || holds(element, 'pre'))
}

/**
 * A list without links: ingredients of a dish, sizes of a product. Not a filter, nor a list of identifiers, as scripts leave them in a page.
 */
function isListOfFacts(element: ElementNode): boolean {
  if (element.linkLength > 0 || element.textLength < LEAST_FACTS || holds(element, 'input')) return false
  if (!holds(element, 'ul') && !holds(element, 'ol') && !holds(element, 'dl')) return false
  const start = startOf(element, 200)
  return start.length < MOST_WORD * start.split(' ').length
}

/** A part of a manual beside a longer one: the line of ancestors and the synopsis above a description, the declaration below it. */
function isShortPart(element: ElementNode, best: ElementNode, isBefore: boolean): boolean {
  if (element.linkLength * 2 > element.textLength) return false
  return isBefore || namesHeading(element.name) || sharesClass(element, best)
}

function sharesClass(element: ElementNode, other: ElementNode): boolean {
  const names = attributeOf(other, 'class')?.split(/\s+/) ?? []
  const own = attributeOf(element, 'class')?.split(/\s+/) ?? []
  return own.some((name) => name !== '' && !LAYOUT_CLASS.test(name) && names.includes(name))
}

/** A part that can be folded, and is shown when the page opens. */
const isOpenDetails = (element: ElementNode): boolean => element.name === 'details' && attributeOf(element, 'open') !== undefined

/** Is it the page's title without the name of the site? */
function isMostOfTitle(element: ElementNode, { wholeTitle }: PageFacts): boolean {
  const words = plainWords(firstLine(element))
  return words.length > 0.4 * wholeTitle.length && wholeTitle.endsWith(` ${words}`)
}

/** A part of a text, not teasers of other pages. */
const isSection = (element: ElementNode): boolean => element.name === 'section' && element.linkLength * 2 <= element.textLength

/** A picture above the text, with its caption. Without a caption it may be the author's, unless the page declares what its text is. */
function isLeadPicture(element: ElementNode, isTextDeclared: boolean): boolean {
  if (element.linkLength > 0 || !holds(element, 'img')) return false
  return element.textLength === 0 ? isTextDeclared : element.textLength < 300 && holds(element, 'figcaption')
}

/** Is it the heading of a chapter with few links, or the part directly below a heading? */
function isOfChapter(children: readonly TreeNode[], at: number, isBelowHeading: boolean): boolean {
  const element = children[at] as ElementNode
  if (!isHeading(element)) return isBelowHeading && element.linkLength * 3 <= element.textLength
  for (let next = at + 1; next < children.length; next++) {
    const child = children[next]!
    if (child instanceof ElementNode && !child.dropped && child.textLength > 0)
      return !isHeading(child) && child.linkLength * 3 <= child.textLength
  }
  return false
}

/** A short paragraph of the text, whose longer part is in an element of its own. */
function isSentence(element: ElementNode): boolean {
  return element.name === 'p' && element.linkLength === 0 && element.textLength >= LEAST_SENTENCE && endsSentence(element.children)
}

/** A sentence above the text that its page calls a lead. */
export function isLead(element: ElementNode): boolean {
  if (element.textLength < 40 || element.textLength > 600) return false
  return attributeOf(element, 'itemprop') === 'description' || LEAD.test(attributeOf(element, 'class') ?? '')
}

const LEAD =
  /(?:^|[\s_-])(?:lead|lede|dek|standfirst|intro(?:duction|text)?|abstract|excerpt|summary|strapline|sub-?head(?:line)?|sub-?title|opener|perex|chap[oô]|ingress|vorspann|sapo|spot|entradilla|bajada|copete|sommario|occhiello|catenaccio|anons)(?:[\s_-]|$)/i

/** Is it a heading of a higher level than this one? */
const isHigher = (node: TreeNode, heading: string | null): boolean =>
  heading !== null && node instanceof ElementNode && !node.dropped && namesHeading(node.name) && node.name < heading

/** The name of the heading with which an element starts; null if it starts with something else. */
function headingAtStart(element: ElementNode): string | null {
  const first = firstShown(element)
  return first !== null && namesHeading(first.name) ? first.name : null
}

/** Posts of a thread, tabs of a product, entries of a list: one has the most words, but all are wanted. */
function isOneOfMany(element: ElementNode, parent: ElementNode, isPosting: boolean): boolean {
  const signature = signatureOf(element, isPosting)
  if (signature === null) return false
  for (const other of parent.children)
    if (
      other !== element &&
      other instanceof ElementNode &&
      !other.dropped &&
      other.name === element.name &&
      other.textLength > 0 &&
      !(isPosting && isColumnOfLinks(other, element)) &&
      signatureOf(other, isPosting) === signature
    )
      return true
  return false
}

/** The first class names of an element and of its first child element, without numbers; null when they say nothing. */
function signatureOf(element: ElementNode, isPosting: boolean): string | null {
  const own = (firstClass(element) || (isPosting ? '' : nameOfNumbered(element))).replace(/\d+/g, '')
  // Articles need no class name, unless the page has only one article.
  if (own === '' ? element.name !== 'article' || isPosting : LAYOUT_CLASS.test(own)) return null
  for (const child of element.children)
    if (child instanceof ElementNode && (child.textLength > 0 || child.tag.block)) return `${own} ${child.name} ${firstClass(child)}`
  return own
}

/** The id of an element if it is numbered, as posts are (`post17`, `edit17`), or the classes of the cells of a row. */
function nameOfNumbered(element: ElementNode): string {
  if (element.name === 'tr') return cellClasses(element)
  const id = attributeOf(element, 'id') ?? ''
  return /^[a-z_-]+\d+$/i.test(id) ? id : ''
}

function cellClasses(row: ElementNode): string {
  const names: string[] = []
  for (const cell of row.children.slice(0, MOST_CELLS)) if (cell instanceof ElementNode) names.push(firstClass(cell))
  return names.includes('') ? '' : names.join('/')
}
const MOST_CELLS = 10

function firstClass(element: ElementNode): string {
  return attributeOf(element, 'class')?.trim().split(/\s/, 1)[0] ?? ''
}

function holdsTitle(element: ElementNode): boolean {
  return namesHeading(element.name) ? element.name === 'h1' || element.name === 'h2' : holds(element, 'h1')
}

/** Class names for layout, which say nothing about the content. */
const LAYOUT_CLASS =
  /^(?:row|col|columns?|container|wrap|section|block|inner|clearfix|grid|module|component|region|content|span\d|vc_|wp-block|elementor|et_|fusion|fl-|kt-|large|small|medium|mb?-?\d|text|box|field|zone)/i
const isHeading = (element: ElementNode): boolean => namesHeading(element.name) || isBoxedHeading(element)
const isCode = (element: ElementNode): boolean => element.tag.pre || isCodeBox(element)

/** The box that most generators put around a block of code: with its language, its buttons, its line numbers. */
function isCodeBox(element: ElementNode): boolean {
  if (element.name === 'p' || element.name === 'li') return false
  return CODE_CLASS.test(attributeOf(element, 'class') ?? '') && holds(element, 'pre') && !mayHoldHeading(element)
}
const CODE_CLASS = /code|highlight|language-|listing|source|syntax/i
/** One list or quote may have most of an article's words; its surroundings belong to the article all the same. */
const HOLDERS_OF_PARTS = new Set(['ul', 'ol', 'dl', 'li', 'blockquote', 'pre', 'figure', 'details'])
