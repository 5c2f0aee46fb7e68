import { isNamedByIdAlone, markedRoleOf, roleOf, type Role } from './furniture.ts'
import { attributeOf, ElementNode, TextNode, type TreeNode } from '#backend/crawler/html/html-tree.ts'
import { leadsWithinPage } from './drop-contents.ts'
import { areReviews, isMenuOfDishes, saysWhatIsShown } from './named-content.ts'
import { isHeaderOfPart } from './part-header.ts'
import { ENOUGH, proseOf } from './prose.ts'
import { holdsRecipeList } from './described-parts.ts'
import { isShareIcon, isShareLink } from './share-links.ts'
import { isSiteLink, leadsToTranslation, listOfLanguages } from './site-marks.ts'
import { holdsOwnTitle, titleBox } from './title-box.ts'
import {
  isInline,
  allText,
  firstHeading,
  firstLine,
  firstLink,
  firstShown,
  namesHeading,
  holds,
  mayHold,
  mayHoldHeading,
  mayHoldLink,
  plainWords,
  saysTitle,
  startOf,
} from '#backend/crawler/html/tree-text.ts'

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

/** Something with code or definitions, whose id repeats its name: a function `skip` or `share` of a reference. */
function isItemOfReference(element: ElementNode): boolean {
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

/** Counts the prose of a tree again after parts were dropped. */
export function weigh(element: ElementNode): void {
  for (const child of element.children) if (child instanceof ElementNode && !child.dropped && !isInline(child)) weigh(child)
  weighOne(element)
}

/** Adds up the prose of an element from that of its blocks. */
function weighOne(element: ElementNode): void {
  let own = element.textLength
  let ownLinked = element.linkLength
  let prose = 0
  for (const child of element.children) {
    if (child instanceof TextNode) continue
    const isOther = !isInline(child)
    if (!isOther && !child.dropped) continue
    own -= child.textLength
    ownLinked -= child.linkLength
    if (isOther && !child.dropped) prose += child.prose
  }
  element.prose = prose + proseOf(own, ownLinked, element.tag.pre)
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

/** Subtracts the text of a dropped element from its ancestors: a sentence with a hover card is not a list of links. */
function discount(dropped: ElementNode): void {
  const { textLength, linkLength } = dropped
  for (let at: ElementNode | null = dropped; at !== null; at = at.parent) {
    at.textLength -= textLength
    at.linkLength -= linkLength
  }
}

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

/** Is it the documentation of parameters and results? Generators give it the class `tags`; unlike a list of topics it contains few links. */
function areDocumentationTags(element: ElementNode): boolean {
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

const TEASER = /teaser/i

/** Is it longer than a teaser of another page? */
export const isLongText = ({ prose, textLength, linkLength }: ElementNode): boolean => prose >= 400 && linkLength * 10 < textLength

/** Least characters of a paragraph beside a name that make it a sentence. "By" and "on" are shorter. */
const LEAST_SENTENCE = 25
const MOST_SEARCHED = 50

/** A name within a sentence: its paragraph has other words. */
function isInSentence(element: ElementNode): boolean {
  let around = element.parent!
  if (around.name === 'span' && around.textLength === element.textLength) around = around.parent!
  if (element.tag.block || element.hasBlock || around.name !== 'p') return false
  // Only the first nodes are searched: a paragraph may contain thousands of names.
  return around.children.slice(0, MOST_SEARCHED).some((child) => child instanceof TextNode && child.data.trim().length >= LEAST_SENTENCE)
}

/** Is it a word or a link in the middle of a line, such as a word with a tooltip? Without it the sentence would have a hole. */
function isAmongWords(element: ElementNode): boolean {
  const around = element.parent!
  if (!isInline(element) || element.textLength === 0 || !LINES.has(around.name) || around.children.length > MOST_PARTS) return false
  const at = around.children.indexOf(element)
  const [before, after] = [around.children[at - 1], around.children[at + 1]]
  return before instanceof TextNode && after instanceof TextNode && WORD_BEFORE.test(before.data) && WORD_AFTER.test(after.data)
}
const LINES = new Set(['p', 'li', 'td', 'dd', 'blockquote', 'figcaption'])
/** Longer lines are not searched: each such word asks anew. */
const MOST_PARTS = 500
const WORD_BEFORE = /[\p{L}\p{N},(“"]\s*$/u
const WORD_AFTER = /^(?:[,.;:!?)”"]|\s*[\p{L}\p{N}(])/u

/** Is it a link around a picture that a script shows in a box, named after that box: `<a class="lightbox" href="large.jpg">`? */
function opensPicture(element: ElementNode): boolean {
  if (element.name !== 'a' || element.textLength > 0 || !holds(element, 'img')) return false
  return PICTURE_FILE.test(attributeOf(element, 'href') ?? '') && POPUP.test(attributeOf(element, 'class') ?? '')
}
const PICTURE_FILE = /\.(?:avif|gif|jpe?g|png|webp)(?:[?#]|$)/i
const POPUP = /lightbox|popup|modal|overlay|slideshow|carousel/i

/** A bar that repeats the title above the page's heading. */
function repeatsTitle(element: ElementNode, page: Judgement): boolean {
  return (
    element.textLength < 200 &&
    !mayHoldHeading(element) &&
    element.parent !== null &&
    holds(element.parent, 'h1') &&
    plainWords(allText(element)) === page.title
  )
}

/** Is it the header of the text rather than of the site: mostly plain words, with a heading that contains the page's title? */
function headsPage(element: ElementNode, page: Judgement): boolean {
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
function namesItem(heading: ElementNode | null, { wholeTitle }: Judgement): boolean {
  if (heading?.name !== 'h1' || heading.linkLength > 0) return false
  const words = plainWords(startOf(heading, 300))
  const name = words.replace(KIND, '')
  if (name === words || name === '' || wholeTitle.endsWith(` ${words}`)) return false
  return ` ${wholeTitle} `.includes(` ${name} `)
}
const KIND = /^(?:module type|module|class type|class|parameter|library|package|interface|namespace|struct|enum|trait)\s/

/** Drops links beside a title: buttons, breadcrumbs. */
function dropLinks(header: ElementNode): void {
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
function dropContentsIn(header: ElementNode, file: string): void {
  for (const child of header.children)
    if (child instanceof ElementNode && !child.dropped && roleOf(child) === 'contents' && leadsWithin(child, file)) {
      child.dropped = true
      discount(child)
    }
}

/** Drops controls beside a title that are no `button` elements. */
function dropButtons(header: ElementNode): void {
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

/** Do most links of a table of contents lead to parts of the same page? Then those are content. */
function leadsWithin(element: ElementNode, file: string): boolean {
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
