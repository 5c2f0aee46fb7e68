import { markedRoleOf, roleOf, type Role } from './furniture.ts'
import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { leadsWithin } from '../drop-contents.ts'
import { dropButtons, dropContentsIn, dropLinks, headsPage, repeatsTitle } from './page-header.ts'
import { areDocumentationTags, isItemOfReference } from './reference-items.ts'
import { isAmongWords, isInSentence, opensPicture } from './within-text.ts'
import { discount, weighOne } from '../weigh.ts'
import { areReviews, isMenuOfDishes, saysWhatIsShown } from './named-content.ts'
import { isHeaderOfPart } from './part-header.ts'
import { ENOUGH } from '../prose.ts'
import { holdsRecipeList } from '../described-parts.ts'
import { isShareIcon, isShareLink } from './share-links.ts'
import { isSiteLink, leadsToTranslation, listOfLanguages } from './site-marks.ts'
import { isInline, firstShown, namesHeading, holds, mayHold, mayHoldHeading, mayHoldLink } from '#backend/crawler/html/tree-text.ts'

/** Least prose of a text beside which a long list of links is furniture, … */
const LEAST_REST = 60
/** … and least characters outside links of a stub. */
const LEAST_WORDS = 60
const MOST = 0.7
const MUCH = 0.35
/** Least prose of a text that a page can declare as its article. */
const LEAST_DECLARED = 120

/** Facts about a page that the furniture rules use. */
export type Judgement = {
  root: ElementNode
  total: number
  textLength: number
  keepsComments: boolean
  url: string
  file: string
  title: string
  wholeTitle: string
  /** Elements that the page marks as the text of an article in microdata. */
  declared: ElementNode[]
  /** Parts that JSON-LD describes, which stay, … */
  parts: ReadonlySet<ElementNode>
  /** … and the elements around them. */
  aroundParts: ReadonlySet<ElementNode>
  /** A generator wrote it that puts nothing of a site around the text. */
  isBare: boolean
}

/** The one element that the page declares to be its text (`itemprop="articleBody"`), unless it holds too little to be all of it. */
export function declaredText({ declared, total }: Judgement): ElementNode | null {
  const [text, ...others] = declared
  return text !== undefined && others.length === 0 && text.prose >= LEAST_DECLARED && text.prose > 0.2 * total ? text : null
}

/** A box with text: handbooks have sidebars in their text. */
function isBox(element: ElementNode): boolean {
  return (
    element.prose >= 60 &&
    element.linkLength * 2 <= element.textLength &&
    attributeOf(element, 'class')?.trim().toLowerCase() === 'sidebar' &&
    !holds(element, 'form')
  )
}

/** Code in a box that is named after its bar or menu, such as Prism's `code-toolbar`. */
function isCode(element: ElementNode): boolean {
  if (element.name !== 'div' || element.linkLength * 2 > element.textLength || attributeOf(element, 'role') !== undefined) return false
  return element.children.some((child) => child instanceof ElementNode && child.name === 'pre')
}

/** A list of definitions or steps: hand-written manuals use `menu` for lists, and `widget` for the options of a widget. */
function isListOfText(element: ElementNode): boolean {
  return (
    (element.name === 'dl' || element.name === 'menu') &&
    element.prose >= 60 &&
    element.linkLength * 4 <= element.textLength &&
    !holds(element, 'form') &&
    !holds(element, 'button')
  )
}

/** An element with most of the prose, or with so much that too little would be left, is not furniture, whatever its name. */
function isTooMuch(element: ElementNode, page: Judgement): boolean {
  if (element.name === 'body' || element.name === 'html') return true
  if (element.name === 'nav' || element.name === 'footer' || element.name === 'aside')
    return element.prose > MOST * page.total && element.prose > ENOUGH
  // With hardly any prose, its share says little: compare all words.
  const rest = page.total - element.prose
  if (element.prose < 200) return element.textLength > 0.5 * page.textLength && !(isLinks(element) && isTextBeside(element, rest, page))
  return element.prose > MOST * page.total || (element.prose > MUCH * page.total && rest < ENOUGH)
}

const isLinks = (element: ElementNode) => element.linkLength > 0.8 * element.textLength

/** Is there a text beside a long list of links, at least a stub: some prose, or a first heading and a few words outside links? */
function isTextBeside(element: ElementNode, prose: number, { root }: Judgement): boolean {
  if (prose >= LEAST_REST) return true
  const words = root.textLength - root.linkLength - (element.textLength - element.linkLength)
  return words >= LEAST_WORDS && !holds(element, 'h1') && holds(root, 'h1')
}

/**
 * @param inCode  in code, class names and ids are those of highlighters and of what is defined: they say nothing about the page
 * @returns was anything dropped? Then the prose of the rest is counted again
 */
export function dropFurniture(element: ElementNode, page: Judgement, inArticle: boolean, inCode = false): boolean {
  let isChanged = false
  const isNamedByCode = inCode || holdsOnlyCode(element)
  const inHeading = namesHeading(element.name)
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped) continue
    const role = isNamedByCode ? markedRoleOf(child) : roleOf(child)
    if (role === 'body' && attributeOf(child, 'itemprop') === 'articleBody') page.declared.push(child)
    // A heading is kept as a whole, except for its edit and anchor links.
    if (inHeading && role !== 'furniture' && role !== 'hidden') continue
    // The source of a quotation.
    if (element.name === 'blockquote' && child.name === 'footer') continue
    // The content of a definition belongs to its term, whatever its class names.
    if (element.name === 'dd' && role === 'furniture' && child.name !== 'nav') continue
    if (child.name === 'img' && isShareIcon(child) && !isInSentence(child)) {
      child.dropped = true
      continue
    }
    if (child.name === 'a') {
      if (isSiteLink(child, page.url) || (isShareLink(child) && !isInSentence(child))) {
        child.dropped = true
        if (child.textLength > 0) {
          isChanged = true
          discount(child)
        }
        continue
      }
      if (leadsToTranslation(child)) {
        const list = listOfLanguages(child)
        if (list !== null) {
          list.dropped = isChanged = true
          // The list may be the element that this loop visits: then it is done.
          if (list === element) return true
          continue
        }
      }
    }
    if (isCard(child) || isSearchForm(child)) {
      child.dropped = isChanged = true
      discount(child)
    } else if (role !== 'none' && role !== 'body' && isUnwanted(child, role, page, inArticle) && !isOfRecipe(child, role, page)) {
      child.dropped = true
      isChanged ||= child.textLength > 0
    } else {
      const isInArticle = inArticle || child.name === 'article' || child.name === 'main' || role === 'body'
      // Who wrote an entry, and when, belongs to it.
      const isOfOthers = page.parts.has(child) || (role === 'comments' && areReviews(child, page.textLength))
      const judgement = isOfOthers ? { ...page, keepsComments: true } : page
      if (dropFurniture(child, judgement, isInArticle, isNamedByCode)) isChanged = true
      if (child.name === 'figure' && isLeftCaption(child)) child.dropped = isChanged = true
    }
  }
  if (isChanged) weighOne(element)
  return isChanged
}

/** Is all of it code? In a block with a `code` element, the bar with the language and the buttons is beside that element. */
function holdsOnlyCode(element: ElementNode): boolean {
  if (element.name === 'code') return !element.hasBlock || element.parent?.name === 'pre'
  return element.name === 'pre' && !isCodeAmongBoxes(element.children)
}

function isCodeAmongBoxes(nodes: readonly TreeNode[]): boolean {
  let hasCode = false
  for (const node of nodes) {
    if (node instanceof ElementNode) hasCode ||= node.name === 'code'
    else if (node.data.trim() !== '') return false
  }
  return hasCode
}

/** A hover card in the middle of a sentence, behind the name that it explains: a picture and links that a script shows on hover. */
function isCard(element: ElementNode): boolean {
  return (
    element.linkLength > 60 &&
    element.name === 'span' &&
    !element.hasBlock &&
    element.linkLength > 0.9 * element.textLength &&
    element.parent!.name === 'span' &&
    element.parent!.textLength > element.textLength &&
    holds(element, 'img')
  )
}

/** A figure whose picture was dropped, so that only its caption is left. */
function isLeftCaption(figure: ElementNode): boolean {
  let hasLost = false
  for (const child of figure.children) {
    if (child instanceof TextNode) {
      if (child.data.trim() !== '') return false
    } else if (child.dropped) hasLost ||= mayHold(child, 'img')
    else if (child.name !== 'figcaption' || mayHold(child, 'img')) return false
  }
  return hasLost
}

/** A form with one line of labels whose values go into a URL: a search, a filter, a choice of the language. */
function isSearchForm(element: ElementNode): boolean {
  return (
    element.name === 'form' &&
    element.textLength > 0 &&
    element.textLength < MOST_LABELS &&
    attributeOf(element, 'method')?.toLowerCase() !== 'post' &&
    holds(element, 'input') &&
    !mayHoldHeading(element)
  )
}
const MOST_LABELS = 60

/** Does it hold ingredients or steps of a recipe, in a box that is named after its place? */
function isOfRecipe(element: ElementNode, role: Role, { aroundParts }: Judgement): boolean {
  return aroundParts.has(element) || ((role === 'furniture' || role === 'perhaps') && holdsRecipeList(element))
}

function isUnwanted(element: ElementNode, role: Role, page: Judgement, inArticle: boolean): boolean {
  // A marked article or main part is not furniture, unless it is small: teasers are marked as articles too.
  if ((element.name === 'article' || element.name === 'main') && element.prose > 0.2 * page.total) return false
  if (NAMED.has(role) && isTitleBox(element, page)) {
    dropLinks(element)
    dropButtons(element)
    return false
  }
  switch (role) {
    case 'hidden':
      return !isTooMuch(element, page)
    case 'furniture':
      // In threads, it says who wrote a post (MyBB).
      if (page.keepsComments && POST_AUTHOR.test(attributeOf(element, 'class') ?? '')) return false
      if (isMenuOfDishes(element) || saysWhatIsShown(element) || isItemOfReference(element)) return false
      return !isTooMuch(element, page) && !isBox(element) && !isCode(element) && !isListOfText(element)
    case 'perhaps':
      // A teaser links to its article; without a link it is the lead of this text.
      if (
        TEASER.test(attributeOf(element, 'class') ?? '') &&
        (isLongText(element) || (element.textLength >= 50 && element.linkLength === 0 && !mayHoldLink(element)))
      )
        return false
      if (areDocumentationTags(element) || isItemOfReference(element) || isAmongWords(element) || opensPicture(element)) return false
      return (
        element.prose <= 0.2 * page.total &&
        element.textLength < 0.5 * page.textLength &&
        element.name !== 'body' &&
        element.name !== 'html' &&
        // Pages with hardly any text consist of teasers.
        !(element.name === 'article' && page.total < ENOUGH)
      )
    case 'legal':
      return element.textLength < 0.5 * page.textLength
    case 'contents':
      return !isTooMuch(element, page) && leadsWithin(element, page.file)
    case 'header':
      dropContentsIn(element, page.file)
      if (repeatsTitle(element, page)) return true
      // Part of a line: the title of an entry.
      if (isInline(element) && element.name !== 'header') return false
      // In threads, these are headings of answers.
      if (page.keepsComments && mayHoldHeading(element) && element.linkLength === 0) return false
      if (!inArticle && !namesHeading(element.name) && !isTooMuch(element, page)) {
        if (!headsPage(element, page)) return !isHeaderOfPart(element, page.textLength)
        dropLinks(element)
      }
      if (holds(element, 'h1')) dropButtons(element)
      return false
    case 'comments':
      if (isReplyForm(element)) return !isTooMuch(element, page)
      if (areReviews(element, page.textLength)) return false
      return !page.keepsComments && page.total - element.prose > 200 && element.name !== 'body'
    case 'byline':
      return (
        !page.isBare &&
        element.textLength < 200 &&
        element.prose < 100 &&
        !page.keepsComments &&
        !isInSentence(element) &&
        !namesHeading(element.name) &&
        !namesHeading(firstShown(element)?.name ?? '')
      )
  }
  return false
}

const POST_AUTHOR = /^post[_-]author\s*$/

/** Roles by class names that the box of a page's title may have: `post-info`, `overlay`, `topbar`. */
const NAMED: ReadonlySet<Role> = new Set(['perhaps', 'byline', 'furniture'])

/** Is it a box with the page's title as a heading? Such boxes are named after what stands beside the title or the text, or after their place. */
const isTitleBox = (element: ElementNode, page: Judgement): boolean =>
  (element.name === 'div' || element.name === 'section') &&
  (holds(element, 'h1') || (element.prose > 0 && mayHoldHeading(element))) &&
  headsPage(element, page)

/** A form to write a comment, with the headings above it. */
function isReplyForm(element: ElementNode): boolean {
  return element.name === 'form' || (holds(element, 'form') && element.children.every(isOfForm))
}

function isOfForm(node: TreeNode): boolean {
  if (node instanceof TextNode) return node.data.trim() === ''
  return node.textLength === 0 || node.name === 'form' || namesHeading(node.name) || (node.hasBlock && node.children.every(isOfForm))
}

const TEASER = /teaser/i

/** Is it longer than a teaser of another page? */
export const isLongText = ({ prose, textLength, linkLength }: ElementNode): boolean => prose >= 400 && linkLength * 10 < textLength
