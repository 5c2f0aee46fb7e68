import { markedRoleOf, roleOf, type Role } from './furniture.ts'
import { attributeOf, ElementNode, TextNode } from './html-tree.ts'
import { keepLead } from './keep-lead.ts'
import { judgePieces, type PieceModel } from './judge-pieces.ts'
import { proseOf } from './prose.ts'
import { tidyArticle } from './article-text.ts'
import { allText, HEADING, holds, mayHoldHeading, mayHoldLink, plainWords, startOf } from './tree-text.ts'

/** A child that holds this share of the prose is where the main content is. */
const MAIN_SHARE = 0.75
const MOST = 0.7
const MUCH = 0.35
/** Prose of a short article. */
const ENOUGH = 500

/**
 * How the main content was found. `usual`: by all rules. `mild`: they left next to nothing, so only what the page itself marks as navigation,
 * complementary, hidden or comments went. `all`: that left next to nothing too, so everything stays.
 */
export type Extraction = 'usual' | 'mild' | 'all'

/** Less of a page's plain text than this share is next to nothing, … */
const LEAST_SHARE = 0.1
/** … unless more than this is shown, links included. */
const LEAST_TEXT = 250

type PageFacts = {
  url: string
  title: string
  description?: string
  isPosting: boolean
  hasExclusions?: boolean
  withFrame?: boolean
  model?: PieceModel | null
}

const NOTHING: ReadonlySet<ElementNode> = new Set()

/**
 * Drops from a tree what is not worth reading; what stays is the main content. A page with text never becomes empty.
 *
 * @param facts.url          addresses of forums keep their comments, which are all there is to read
 * @param facts.title        of the page
 * @param facts.description  what its metadata say of it: often its lead
 * @param facts.isPosting    the page calls itself an article: its headline is its title, and not said again in the text
 * @param facts.hasExclusions  the caller dropped elements before
 * @param facts.withFrame  an article keeps its headline and the captions of its figures; otherwise only its running text
 * @param facts.model        of the last step; null leaves the step out
 * @returns  is it mostly running text, and which rules were used?
 */
export function keepMainContent(root: ElementNode, facts: PageFacts): { isArticle: boolean; extraction: Extraction } {
  const plain = root.textLength - root.linkLength
  const isTooLittle = () => {
    const shown = { text: 0, links: 0 }
    measure(root, shown)
    return shown.text === 0 ? root.textLength > 0 : shown.text < LEAST_TEXT && shown.text - shown.links < LEAST_SHARE * plain
  }
  const excluded = facts.hasExclusions === true ? droppedElements(root) : NOTHING
  const { isArticle, kept } = keepByAllRules(root, facts)
  if (kept >= LEAST_TEXT || !isTooLittle()) return { isArticle, extraction: 'usual' }
  keepAll(root, excluded)
  dropMarked(root, isDiscussion(facts.url))
  if (!isTooLittle()) return { isArticle: false, extraction: 'mild' }
  keepAll(root, excluded)
  return { isArticle: false, extraction: 'all' }
}

/** What was dropped before any rule: the caller does not want it. */
function droppedElements(root: ElementNode): ReadonlySet<ElementNode> {
  const dropped = new Set<ElementNode>()
  const walk = (element: ElementNode) => {
    if (element.dropped) dropped.add(element)
    else for (const child of element.children) if (child instanceof ElementNode) walk(child)
  }
  walk(root)
  return dropped
}

function keepAll(element: ElementNode, excluded: ReadonlySet<ElementNode>): void {
  element.dropped = excluded.has(element)
  for (const child of element.children) if (child instanceof ElementNode) keepAll(child, excluded)
}

/** Drops what the page marks by elements and roles, not what names of classes suggest. */
function dropMarked(element: ElementNode, keepsComments: boolean): void {
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped) continue
    const role = markedRoleOf(child)
    if (role === 'furniture' || role === 'hidden' || (!keepsComments && roleOf(child) === 'comments')) child.dropped = true
    else dropMarked(child, keepsComments)
  }
}

/** @returns is it mostly running text, and at least how much text is left? */
function keepByAllRules(
  root: ElementNode,
  { url, title, description, isPosting, hasExclusions, withFrame, model }: PageFacts,
): { isArticle: boolean; kept: number } {
  if (hasExclusions === true) weigh(root)
  const page: Judgement = {
    total: root.prose,
    textLength: root.textLength,
    keepsComments: isDiscussion(url),
    file: URL.parse(url)?.pathname.split('/').at(-1) ?? '',
    title: plainWords(mainPartOf(title)),
    wholeTitle: plainWords(title),
  }
  dropFurniture(root, page, false)
  const main = dropAround(root, page.title, isPosting)
  const shown = { text: 0, links: 0 }
  measure(main, shown)
  const isArticle = !page.keepsComments && main.prose >= (isPosting ? 150 : 300) && shown.links < 0.45 * shown.text
  const headline = isArticle && isPosting ? tidyArticle(root, main, plainWords(title), withFrame === true) : null
  // The pieces of several articles on one page are not those of one, and those of a manual are of more kinds than the model knows.
  if (model !== null && isArticle && countArticles(root) < 2 && (isPosting || !isManual(root))) {
    const { pieces, kept } = judgePieces(root, { isPosting, host: URL.parse(url)?.host ?? '', headline }, model)
    keepLead(root, pieces, description ?? '')
    return { isArticle, kept }
  }
  return { isArticle, kept: 0 }
}

/** Code, definitions and data tables: the marks of reference works. */
function isManual(root: ElementNode): boolean {
  return holds(root, 'pre') || holds(root, 'dl') || holds(root, 'th') || holds(root, 'code')
}

function countArticles(element: ElementNode): number {
  let count = 0
  for (const child of element.children)
    if (child instanceof ElementNode && !child.dropped && child.hasBlock)
      count += child.name === 'article' && child.textLength > 0 ? 1 : countArticles(child)
  return count
}

/** The title without the name of the site. */
function mainPartOf(title: string): string {
  return title.split(/\s[|\-–—·»:]\s|\|/, 1)[0] ?? ''
}

type Judgement = { total: number; textLength: number; keepsComments: boolean; file: string; title: string; wholeTitle: string }

/** A text in a box: handbooks call it a sidebar. */
function isBox(element: ElementNode): boolean {
  return (
    element.prose >= 60 &&
    element.linkLength * 2 <= element.textLength &&
    attributeOf(element, 'class')?.trim() === 'sidebar' &&
    !holds(element, 'form')
  )
}

/** Furniture that holds most of the prose, or so much that too little would be left, is no furniture, whatever it is called. */
function isTooMuch(element: ElementNode, page: Judgement): boolean {
  if (element.name === 'body' || element.name === 'html') return true
  if (element.name === 'nav' || element.name === 'footer' || element.name === 'aside')
    return element.prose > MOST * page.total && element.prose > ENOUGH
  // Where there is hardly any prose, its share says little: the words of all kinds decide.
  if (element.prose < 200) return element.textLength > 0.5 * page.textLength
  const rest = page.total - element.prose
  return element.prose > MOST * page.total || (element.prose > MUCH * page.total && rest < ENOUGH)
}

/** Counts the prose of a tree again, of which parts were dropped. */
function weigh(element: ElementNode): void {
  for (const child of element.children) if (child instanceof ElementNode && !child.dropped && isBlock(child)) weigh(child)
  weighOne(element)
}

/** Counts the prose of an element from that of the blocks in it. */
function weighOne(element: ElementNode): void {
  let own = element.textLength
  let ownLinked = element.linkLength
  let prose = 0
  for (const child of element.children) {
    if (child instanceof TextNode) continue
    const isOther = isBlock(child)
    if (!isOther && !child.dropped) continue
    own -= child.textLength
    ownLinked -= child.linkLength
    if (isOther && !child.dropped) prose += child.prose
  }
  element.prose = prose + proseOf(own, ownLinked, element.tag.pre)
}

const isBlock = (element: ElementNode) => element.tag.block || element.hasBlock

/** @returns was anything dropped? The prose of what is left is counted then */
function dropFurniture(element: ElementNode, page: Judgement, inArticle: boolean): boolean {
  let isChanged = false
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped) continue
    const role = roleOf(child)
    // A heading is read whole but for the marks that edit it or link to it.
    if (HEADING.test(element.name) && role !== 'furniture' && role !== 'hidden') continue
    // What a definition holds belongs to its term, whatever it is called.
    if (element.name === 'dd' && role === 'furniture' && child.name !== 'nav') continue
    if (role !== 'none' && role !== 'body' && isUnwanted(child, role, page, inArticle)) {
      child.dropped = true
      isChanged ||= child.textLength > 0
    } else if (dropFurniture(child, page, inArticle || child.name === 'article' || child.name === 'main' || role === 'body'))
      isChanged = true
  }
  if (isChanged) weighOne(element)
  return isChanged
}

function isUnwanted(element: ElementNode, role: Role, page: Judgement, inArticle: boolean): boolean {
  // What a page marks as its article or its main part is never furniture, unless it is small: teasers are marked as articles too.
  if ((element.name === 'article' || element.name === 'main') && element.prose > 0.2 * page.total) return false
  switch (role) {
    case 'hidden':
      return !isTooMuch(element, page)
    case 'furniture':
      return !isTooMuch(element, page) && !isBox(element)
    case 'perhaps':
      // Teasers lead to what they announce; one without a link is the lead of this text.
      if (element.textLength >= 50 && element.linkLength === 0 && !mayHoldLink(element) && TEASER.test(attributeOf(element, 'class') ?? ''))
        return false
      return (
        element.prose <= 0.2 * page.total &&
        element.textLength < 0.5 * page.textLength &&
        element.name !== 'body' &&
        element.name !== 'html'
      )
    case 'legal':
      return element.textLength < 0.5 * page.textLength
    case 'contents':
      return leadsWithin(element, page.file)
    case 'header':
      if (inArticle || HEADING.test(element.name) || isTooMuch(element, page)) return false
      if (!headsPage(element, page)) return true
      dropLinks(element)
      return false
    case 'comments':
      return !page.keepsComments && page.total - element.prose > 200 && element.name !== 'body'
    case 'byline':
      return (
        element.textLength < 200 &&
        element.prose < 100 &&
        !page.keepsComments &&
        !HEADING.test(element.name) &&
        !HEADING.test(firstShown(element)?.name ?? '')
      )
  }
  return false
}

const TEASER = /teaser/i

/** Is it the head of the text, and not of the site: mostly plain words, among them a heading that says the page's title? */
function headsPage(element: ElementNode, page: Judgement): boolean {
  if (element.textLength > 600) return false
  const heading = firstHeading(element)
  if (heading === null) return false
  const words = plainWords(startOf(heading, 300))
  // The last part of a title is the name of the site.
  const isPartOfTitle = words.length > 0.4 * page.wholeTitle.length && page.wholeTitle.includes(words) && !page.wholeTitle.endsWith(words)
  if (!isPartOfTitle && !saysTitle(heading, page.title)) return false
  const link = firstLink(heading)
  // The name of a site leads to its first page.
  if (link !== null && /^(?:https?:\/\/[^/]*)?\/?$/i.test(attributeOf(link, 'href')!)) return false
  return (element.linkLength - heading.linkLength) * 2 <= element.textLength
}

/** What stands beside a title and leads elsewhere: buttons, the path to the page. */
function dropLinks(header: ElementNode): void {
  for (const child of header.children)
    if (
      child instanceof ElementNode &&
      child.linkLength > 0.9 * child.textLength &&
      !HEADING.test(child.name) &&
      firstHeading(child) === null
    )
      child.dropped = true
}

function firstHeading(element: ElementNode): ElementNode | null {
  if (!mayHoldHeading(element)) return null
  for (const child of element.children) {
    if (child instanceof TextNode) continue
    const heading = HEADING.test(child.name) ? child : firstHeading(child)
    if (heading !== null) return heading
  }
  return null
}

/** Do the links of a table of contents lead to parts of the same page? Then those are there to be read. */
function leadsWithin(element: ElementNode, file: string): boolean {
  const link = firstLink(element)
  if (link === null) return true
  const href = attributeOf(link, 'href')!
  // Older generators name the file, too.
  return href.startsWith('#') || (file !== '' && href.startsWith(`${file}#`))
}

function firstLink(element: ElementNode): ElementNode | null {
  if (!mayHoldLink(element)) return null
  for (const child of element.children) {
    if (child instanceof TextNode) continue
    const link = child.name === 'a' && attributeOf(child, 'href') !== undefined ? child : firstLink(child)
    if (link !== null) return link
  }
  return null
}

/** Goes down to where the prose is and drops, on each level, what does not look like a part of it. */
function dropAround(root: ElementNode, title: string, isPosting: boolean): ElementNode {
  let current = root
  // Inside what a page calls its main part, lists with links are rarely furniture.
  let isWithin = false
  for (;;) {
    let best: ElementNode | null = null
    for (const child of current.children)
      if (child instanceof ElementNode && !child.dropped && (best === null || child.prose > best.prose)) best = child
    if (
      best === null ||
      !best.hasBlock ||
      best.prose === 0 ||
      HOLDERS_OF_PARTS.has(best.name) ||
      best.prose < MAIN_SHARE * current.prose ||
      isOneOfMany(best, current, isPosting)
    )
      return current
    const role = roleOf(best)
    // A licence, say, that is longer than the rest.
    if (role === 'perhaps') return current
    const isMarked = best.name === 'main' || best.name === 'article' || role === 'body'
    // Few words of prose among much else: a front page, of which all parts are wanted.
    if (!isMarked && !isPosting && best.prose < ENOUGH && best.textLength < 0.75 * shownLength(current)) return current
    let isBefore = true
    for (const child of current.children) {
      if (child === best) isBefore = false
      else if (child instanceof ElementNode && !child.dropped && !belongs(child, best, { isBefore, isMarked, isPosting, isWithin, title }))
        child.dropped = true
    }
    current = best
    isWithin ||= isMarked && !isPosting
  }
}

/** Counts the text that is left, and how much of it is in links. */
function measure(element: ElementNode, shown: { text: number; links: number }): void {
  shown.text += element.textLength
  shown.links += element.linkLength
  subtract(element)

  function subtract(parent: ElementNode): void {
    for (const child of parent.children) {
      if (child instanceof TextNode) continue
      if (child.dropped) {
        shown.text -= child.textLength
        shown.links -= child.linkLength
      } else subtract(child)
    }
  }
}

function shownLength(element: ElementNode): number {
  let length = element.textLength
  for (const child of element.children) if (child instanceof ElementNode && child.dropped) length -= child.textLength
  return length
}

/** Does a neighbour of the main part belong to it: its title, its introduction, its table, or more of the same? */
function belongs(
  element: ElementNode,
  best: ElementNode,
  {
    isBefore,
    isMarked,
    isPosting,
    isWithin,
    title,
  }: { isBefore: boolean; isMarked: boolean; isPosting: boolean; isWithin: boolean; title: string },
): boolean {
  if (!element.tag.block && !element.hasBlock) return element.textLength === 0 || (isBefore && element.linkLength * 2 < element.textLength)
  if (isBefore && element.textLength > 0 && element.textLength < 400 && (holdsTitle(element) || saysTitle(element, title))) return true
  const isAlike = element.name === best.name && element.name !== 'p' && attributeOf(element, 'class') === attributeOf(best, 'class')
  if ((isAlike && !isPosting && startsAlike(element, best)) || roleOf(element) === 'contents') return true
  // Facts of the text: who wrote it, since when it holds.
  if (!isPosting && isBefore && element.textLength < 1000 && holds(element, 'dl')) return true
  if (element.linkLength > (isWithin || (element.name === 'p' && !isPosting) ? 0.6 : 0.35) * element.textLength) return false
  if (isAlike && (element.prose > 60 || (!isPosting && firstClass(element) !== '' && !LAYOUT_CLASS.test(firstClass(element))))) return true
  if (isMarked && !isBefore) return false
  if (isBefore && isLead(element)) return true
  if (element.prose >= (isBefore ? 60 : 120)) return true
  return element.textLength >= 150 && (element.tag.pre || holds(element, 'table') || holds(element, 'pre'))
}

/** Do both start with a heading of the same level? Chapters do, whatever they hold. */
/** A sentence above the text that its page calls a lead. */
function isLead(element: ElementNode): boolean {
  if (element.textLength < 40 || element.textLength > 600) return false
  return attributeOf(element, 'itemprop') === 'description' || LEAD.test(attributeOf(element, 'class') ?? '')
}

const LEAD =
  /(?:^|[\s_-])(?:lead|lede|dek|standfirst|intro|introduction|abstract|excerpt|strapline|sub-?head(?:line)?|sub-?title)(?:[\s_-]|$)/i

function startsAlike(element: ElementNode, other: ElementNode): boolean {
  const first = firstShown(element)
  return first !== null && HEADING.test(first.name) && first.name === firstShown(other)?.name
}

function firstShown(element: ElementNode): ElementNode | null {
  for (const child of element.children) if (child instanceof ElementNode && !child.dropped && child.textLength > 0) return child
  return null
}

/** Posts of a thread, tabs of a product, entries of a list: one has the most words, all are wanted. */
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
      signatureOf(other, isPosting) === signature
    )
      return true
  return false
}

/** The first class names of an element and of the first one in it, without their numbers; null when they say nothing. */
function signatureOf(element: ElementNode, isPosting: boolean): string | null {
  const own = firstClass(element).replace(/\d+/g, '')
  // Articles need no name where none is the only one.
  if (own === '' ? element.name !== 'article' || isPosting : LAYOUT_CLASS.test(own)) return null
  for (const child of element.children)
    if (child instanceof ElementNode && (child.textLength > 0 || child.tag.block)) return `${own} ${child.name} ${firstClass(child)}`
  return own
}

function firstClass(element: ElementNode): string {
  return attributeOf(element, 'class')?.trim().split(/\s/, 1)[0] ?? ''
}

function saysTitle(element: ElementNode, title: string): boolean {
  const start = title.slice(0, 24)
  const text = plainWords(allText(element))
  return start.length > 8 ? text.includes(start) : start !== '' && `${text} `.startsWith(`${start} `)
}

function holdsTitle(element: ElementNode): boolean {
  return HEADING.test(element.name) ? element.name === 'h1' || element.name === 'h2' : holds(element, 'h1')
}

/** Class names that place and do not name. */
const LAYOUT_CLASS =
  /^(?:row|col|columns?|container|wrap|section|block|inner|clearfix|grid|module|component|region|content|span\d|vc_|wp-block|elementor|et_|fusion|fl-|kt-|large|small|medium|mb?-?\d|text|box|field|zone)/i
/** One list or quote may hold most of an article's words; what stands around it is of the article all the same. */
const HOLDERS_OF_PARTS = new Set(['ul', 'ol', 'dl', 'li', 'blockquote', 'pre', 'figure', 'details'])
function isDiscussion(url: string): boolean {
  return /\/(?:forums?|threads?|topics?|viewtopic|showthread|discussions?|questions?|comments|boards?|community|t|r|q)(?:[/.?]|$)/i.test(
    URL.parse(url)?.pathname ?? '',
  )
}
