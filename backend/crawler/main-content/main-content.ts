import { dropAround } from './drop-around.ts'
import { dropContents } from './drop-contents.ts'
import { dropPaging } from './drop-paging.ts'
import { dropPointers } from './drop-pointers.ts'
import { declaredText, dropFurniture, type Judgement } from './furniture/drop-furniture.ts'
import { weigh } from './weigh.ts'
import { markedRoleOf, roleOf } from './furniture/furniture.ts'
import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { keepLead } from './keep-lead.ts'
import { judgePieces, type PieceModel } from './judge-pieces.ts'
import { parsePageUrl } from '#backend/crawler/url/resolve-url.ts'
import { describedParts } from './described-parts.ts'
import { dropSiteName, ownTitle } from './furniture/site-marks.ts'
import { tidyArticle } from './article-text.ts'
import { holds, mayHoldHeading, namesHeading, plainWords, saysTitle, startOf, withAncestors } from '#backend/crawler/html/tree-text.ts'

/**
 * How the main content was found. `usual`: by all rules. `mild`: these left next to nothing, so only what the page itself marks as
 * navigation, complementary, hidden or comments was dropped. `all`: that left next to nothing too, so everything stays.
 */
export type Extraction = 'usual' | 'mild' | 'all'

/** A smaller share of a page's text is next to nothing, … */
const LEAST_SHARE = 0.1
/** … unless it has more characters than this, links included. */
const LEAST_TEXT = 250

type PageFacts = {
  url: string
  title: string
  description?: string
  isPosting: boolean
  hasExclusions?: boolean
  withFrame?: boolean
  model?: PieceModel | null
  generator?: string
  linkedData?: readonly string[]
}

/** Least prose of an `article` element that is taken for the main part: in characters, and as a share of the page's prose. */
const LEAST_ARTICLE = 300
const LEAST_ARTICLE_SHARE = 0.2

const NOTHING: ReadonlySet<ElementNode> = new Set()

/**
 * Drops everything from a tree that is not main content. A page with text never becomes empty.
 *
 * @param facts.url          forums, recognised by their URL, keep their comments, which are all there is to read
 * @param facts.title        of the page
 * @param facts.description  from its metadata: often its lead
 * @param facts.isPosting    the page declares itself an article: its headline is its title, and is not repeated in the text
 * @param facts.hasExclusions  the caller has dropped elements already
 * @param facts.withFrame  an article keeps its headline and captions; otherwise only its running text
 * @param facts.model        for the last step; null skips that step
 * @param facts.generator    the software that wrote the page, as its metadata name it
 * @param facts.linkedData   texts of its JSON-LD, which may describe parts line by line
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
  dropMarked(root, isDiscussion(pathOf(parsePageUrl(facts.url))))
  if (!isTooLittle()) return { isArticle: false, extraction: 'mild' }
  keepAll(root, excluded)
  return { isArticle: false, extraction: 'all' }
}

/** Elements that the caller has dropped. */
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

/** Drops what the page marks by elements and roles; ignores class names. */
function dropMarked(element: ElementNode, keepsComments: boolean): void {
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped) continue
    const role = markedRoleOf(child)
    if (role === 'furniture' || role === 'hidden' || (!keepsComments && roleOf(child) === 'comments')) child.dropped = true
    else dropMarked(child, keepsComments)
  }
}

/** @returns is it mostly running text, and how much text is left (at least)? */
function keepByAllRules(
  root: ElementNode,
  { url, title, description, isPosting, hasExclusions, withFrame, model, generator = '', linkedData = [] }: PageFacts,
): { isArticle: boolean; kept: number } {
  if (hasExclusions === true) weigh(root)
  const pageUrl = parsePageUrl(url)
  const path = pageUrl?.pathname ?? ''
  const isBare = !isPosting && BARE_GENERATOR.test(generator)
  const parts = describedParts(root, linkedData)
  const page: Judgement = {
    root,
    total: root.prose,
    textLength: root.textLength,
    keepsComments: isDiscussion(pathOf(pageUrl)),
    url,
    file: path.slice(path.lastIndexOf('/') + 1),
    title: plainWords(ownTitle(root, url, title)),
    wholeTitle: plainWords(title),
    declared: [],
    parts,
    aroundParts: withAncestors(parts),
    isBare,
  }
  dropFurniture(root, page, false)
  dropSiteName(root, url, page.title)
  dropContents(root, page.file)
  // The lists of a front page are its content.
  if (!isPosting && path.length > 1 && dropPointers(root, page.aroundParts)) weigh(root)
  const declared = isPosting ? declaredText(page) : onlyArticle(root, page)
  const isOfManual = isBare || MANUAL_GENERATOR.test(generator) || isManual(root)
  const main = isBare
    ? root
    : dropAround(root, { ...page, isManual: !isPosting && isOfManual, withFrame: isPosting && withFrame === true }, isPosting, declared, [
        ...(isPosting ? page.declared.filter(({ name }) => name === 'p') : []),
        ...parts,
      ])
  if (!isPosting) dropPaging(root)
  const shown = { text: 0, links: 0 }
  measure(main, shown)
  const isArticle = !page.keepsComments && main.prose >= (isPosting ? 100 : 300) && shown.links < 0.45 * shown.text
  const headline = isArticle && isPosting ? tidyArticle(root, main, { title: page.wholeTitle, withFrame: withFrame === true, parts }) : null
  // The model knows neither pages with several articles nor all the kinds of pieces in manuals.
  if (model !== null && isArticle && countArticles(root) < 2 && (isPosting || !isOfManual)) {
    const { pieces, kept } = judgePieces(root, { isPosting, host: pageUrl?.host ?? '', headline, parts }, model)
    keepLead(root, pieces, description ?? '')
    return { isArticle, kept }
  }
  return { isArticle, kept: 0 }
}

/** Generators of manuals that write nothing around a page's text but navigation, whose class names and words are known. */
const BARE_GENERATOR = /^(?:latex2html|makeinfo|texi2any|texi2html|(?:modular )?docbook|linuxdoc-tools|hevea|tex4ht)/i
/** Other generators of manuals. */
const MANUAL_GENERATOR = /^(?:publican|docutils|doxygen|asciidoc|groff|mdbook|mkdocs)/i

/** Is it a reference work: code, definitions, data tables, numbered chapters, permalinks beside headings, links to places in other pages? */
function isManual(root: ElementNode): boolean {
  if (OF_MANUALS.some((name) => holds(root, name)) || countNumbered(root) > 1 || holdsPermalink(root)) return true
  const found = { links: 0, places: 0, hasCode: false }
  searchReferences(root, found)
  return found.hasCode || (found.places >= LEAST_PLACES && found.places * 2 > found.links)
}

/** References link to members of classes and to terms: `shape.html#area`. Blogs link to the comments on each post, and to the rest of it. */
const PLACE = /^[^#]+#(?!(?:comments?|respond|more|disqus_thread)\b)./i
const LEAST_PLACES = 10

/** Counts links, and searches for code in elements that are no `pre`. A formula in a line is no code. */
function searchReferences(element: ElementNode, found: { links: number; places: number; hasCode: boolean }): void {
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped) continue
    const href = child.name === 'a' ? attributeOf(child, 'href') : undefined
    if (href !== undefined) {
      found.links++
      if (PLACE.test(href)) found.places++
    } else if (child.tag.pre && child.tag.block) found.hasCode = true
    else searchReferences(child, found)
  }
}

/** Elements that other texts seldom have. */
const OF_MANUALS = ['pre', 'code', 'tt', 'samp', 'kbd', 'var', 'dl', 'th'] as const

/** Has a heading a permalink beside its text, as Sphinx and MkDocs write it? */
function holdsPermalink(element: ElementNode): boolean {
  if (!mayHoldHeading(element)) return false
  return element.children.some((child) => {
    if (child instanceof TextNode || child.dropped) return false
    return namesHeading(child.name) ? child.children.some(isPermalink) : holdsPermalink(child)
  })
}

const isPermalink = (node: TreeNode): boolean =>
  node instanceof ElementNode && node.name === 'a' && /(?:^|\s)headerlink(?:\s|$)/.test(attributeOf(node, 'class') ?? '')

/** Counts headings with a number of two parts: chapters. */
function countNumbered(element: ElementNode): number {
  if (!mayHoldHeading(element)) return 0
  let count = 0
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped) continue
    count += namesHeading(child.name) ? (CHAPTER.test(startOf(child, 12)) ? 1 : 0) : countNumbered(child)
  }
  return count
}
const CHAPTER = /^\d+\.\d+(?:\.\d+)*\.?[\s\u00a0]/

function countArticles(element: ElementNode): number {
  let count = 0
  for (const child of element.children)
    if (child instanceof ElementNode && !child.dropped && child.hasBlock)
      count += child.name === 'article' && child.textLength > 0 ? 1 : countArticles(child)
  return count
}

/** The only `article` of a page, if its first-level heading is the page's title and it has enough prose. */
function onlyArticle(root: ElementNode, { title, total }: Judgement): ElementNode | null {
  const found: ElementNode[] = []
  collectArticles(root, found)
  const [article] = found
  if (article === undefined || found.length > 1 || article.prose < LEAST_ARTICLE || article.prose < LEAST_ARTICLE_SHARE * total) return null
  return holds(article, 'h1') && saysTitleInside(article, title) ? article : null
}

function saysTitleInside(element: ElementNode, title: string): boolean {
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped) continue
    if (child.name === 'h1' ? saysTitle(child, title) : mayHoldHeading(child) && saysTitleInside(child, title)) return true
  }
  return false
}

function collectArticles(element: ElementNode, found: ElementNode[]): void {
  for (const child of element.children)
    if (child instanceof ElementNode && !child.dropped && child.hasBlock && found.length < 2) {
      if (child.name === 'article') found.push(child)
      collectArticles(child, found)
    }
}

/** Counts the remaining text, and the part of it in links. */
function measure(element: ElementNode, shown: { text: number; links: number }): void {
  shown.text += element.textLength
  shown.links += element.linkLength
  subtractDropped(element, shown)
}

function subtractDropped(parent: ElementNode, shown: { text: number; links: number }): void {
  for (const child of parent.children) {
    if (child instanceof TextNode) continue
    if (child.dropped) {
      shown.text -= child.textLength
      shown.links -= child.linkLength
    } else subtractDropped(child, shown)
  }
}

const pathOf = (url: URL | null): string => (url === null ? '' : url.pathname + url.search)

/** @param path  of the page's URL, with its query: forums without a path of their own number their threads there */
function isDiscussion(path: string): boolean {
  return THREAD.test(path)
}
const THREAD =
  /^[^?]*\/(?:forums?|threads?|topics?|viewtopic|showthread|discussions?|questions?|comments|boards?|community|t|r|q)(?:[/.?]|$)|^[^?]*\/(?:thread|topic|forum)-\d|^[^?]*\?(?:.*&)?(?:topic|showtopic)=\d/i
