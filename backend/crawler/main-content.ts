import { roleOf, type Role } from './furniture.ts'
import { attributeOf, ElementNode, TextNode } from './html-tree.ts'

/** The least text of a block that counts as prose: shorter ones are labels, dates, menu entries. */
const MIN_PROSE = 30
/** From this length on a block's text counts in full; shorter ones count less, since teasers are short and paragraphs are not. */
const FULL_PROSE = 160
/** A child that holds this share of the prose is where the main content is. */
const MAIN_SHARE = 0.75
const MOST = 0.7
const MUCH = 0.35
/** Prose of a short article. */
const ENOUGH = 500

/**
 * Drops from a tree what is not worth reading; what stays is the main content.
 *
 * @param url        addresses of forums keep their comments, which are all there is to read
 * @param title      of the page
 * @param isPosting  the page calls itself an article: its headline is its title, and not said again in the text
 * @returns    is it mostly running text?
 */
export function keepMainContent(
  root: ElementNode,
  { url, title, isPosting }: { url: string; title: string; isPosting: boolean },
): { isArticle: boolean } {
  weigh(root)
  const page: Judgement = { total: root.prose, textLength: root.textLength, keepsComments: isDiscussion(url) }
  dropFurniture(root, page, false)
  weigh(root)
  const main = dropAround(root, plainWords(title.split(/\s[|\-–—·»:]\s|\|/, 1)[0] ?? ''))
  const isArticle = !page.keepsComments && main.prose >= (isPosting ? 150 : 300) && main.linkLength < 0.45 * main.textLength
  if (isArticle) dropInterruptions(main)
  if (isArticle && isPosting) dropHeadline(root, plainWords(title))
  return { isArticle }
}

type Judgement = { total: number; textLength: number; keepsComments: boolean }

/** A text in a box among paragraphs: handbooks call it a sidebar. */
function isBox(element: ElementNode): boolean {
  if (
    element.name !== 'div' ||
    element.prose < 60 ||
    element.linkLength * 4 > element.textLength ||
    attributeOf(element, 'class') !== 'sidebar'
  )
    return false
  let paragraphs = 0
  for (const sibling of element.parent!.children) if (sibling instanceof ElementNode && !sibling.hasBlock && sibling.prose > 0) paragraphs++
  return paragraphs > 0
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

/** Counts prose bottom-up: text outside links, of blocks that are long enough and not mostly links. */
function weigh(element: ElementNode): number {
  let own = element.textLength
  let ownLinked = element.linkLength
  let prose = 0
  for (const child of element.children) {
    if (child instanceof TextNode) continue
    if (child.dropped) {
      own -= child.textLength
      ownLinked -= child.linkLength
    } else if (child.tag.block || child.hasBlock) {
      own -= child.textLength
      ownLinked -= child.linkLength
      prose += weigh(child)
    }
  }
  if (own >= MIN_PROSE && ownLinked * 2 < own) {
    const plain = own - ownLinked
    prose += plain >= FULL_PROSE || element.tag.pre ? plain : (plain * plain) / FULL_PROSE
  }
  element.prose = prose
  return prose
}

function dropFurniture(element: ElementNode, page: Judgement, inArticle: boolean): void {
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped) continue
    const role = roleOf(child)
    // A heading is read whole but for the marks that edit it or link to it.
    if (HEADING.test(element.name) && role !== 'furniture' && role !== 'hidden') continue
    if (role !== 'none' && role !== 'body' && isUnwanted(child, role, page, inArticle)) {
      child.dropped = true
      continue
    }
    dropFurniture(child, page, inArticle || child.name === 'article' || child.name === 'main' || role === 'body')
  }
}

function isUnwanted(element: ElementNode, role: Role, page: Judgement, inArticle: boolean): boolean {
  switch (role) {
    case 'hidden':
      return true
    case 'furniture':
      return !isTooMuch(element, page) && !isBox(element)
    case 'perhaps':
      return (
        element.prose <= 0.2 * page.total &&
        element.textLength < 0.5 * page.textLength &&
        element.name !== 'body' &&
        element.name !== 'html'
      )
    case 'header':
      return !inArticle && !isTooMuch(element, page) && !HEADING.test(element.name)
    case 'comments':
      return !page.keepsComments && page.total - element.prose > 200 && element.name !== 'body'
    case 'byline':
      return element.textLength < 200 && element.prose < 100 && !page.keepsComments
  }
  return false
}

/** Goes down to where the prose is and drops, on each level, what does not look like a part of it. */
function dropAround(root: ElementNode, title: string): ElementNode {
  let current = root
  for (;;) {
    let best: ElementNode | null = null
    for (const child of current.children)
      if (child instanceof ElementNode && !child.dropped && (best === null || child.prose > best.prose)) best = child
    if (
      best === null ||
      !best.hasBlock ||
      HOLDERS_OF_PARTS.has(best.name) ||
      best.prose < MAIN_SHARE * current.prose ||
      isOneOfMany(best, current)
    )
      return current
    const isMarked = best.name === 'main' || best.name === 'article' || roleOf(best) === 'body'
    // Few words of prose among much else: a front page, of which all parts are wanted.
    if (!isMarked && best.prose < ENOUGH && best.textLength < 0.75 * shownLength(current)) return current
    let isBefore = true
    for (const child of current.children) {
      if (child === best) isBefore = false
      else if (child instanceof ElementNode && !child.dropped && !belongs(child, best, isBefore, isMarked, title)) child.dropped = true
    }
    current = best
  }
}

function shownLength(element: ElementNode): number {
  let length = element.textLength
  for (const child of element.children) if (child instanceof ElementNode && child.dropped) length -= child.textLength
  return length
}

/** Does a neighbour of the main part belong to it: its title, its introduction, its table, or more of the same? */
function belongs(element: ElementNode, best: ElementNode, isBefore: boolean, isMarked: boolean, title: string): boolean {
  if (!element.tag.block && !element.hasBlock) return element.textLength === 0 || (isBefore && element.linkLength * 2 < element.textLength)
  if (isBefore && element.textLength > 0 && element.textLength < 400 && (holdsTitle(element) || saysTitle(element, title))) return true
  if (element.linkLength > 0.35 * element.textLength) return false
  if (
    element.name === best.name &&
    element.name !== 'p' &&
    element.prose > 60 &&
    attributeOf(element, 'class') === attributeOf(best, 'class')
  )
    return true
  if (isMarked && !isBefore) return false
  if (element.prose >= (isBefore ? 60 : 120)) return true
  return element.textLength >= 150 && (element.tag.pre || holds(element, 'table') || holds(element, 'pre'))
}

/** Posts of a thread, tabs of a product, entries of a list: one has the most words, all are wanted. */
function isOneOfMany(element: ElementNode, parent: ElementNode): boolean {
  const signature = signatureOf(element)
  if (signature === null) return false
  for (const other of parent.children)
    if (
      other !== element &&
      other instanceof ElementNode &&
      !other.dropped &&
      other.name === element.name &&
      other.textLength > 0 &&
      signatureOf(other) === signature
    )
      return true
  return false
}

/** The first class names of an element and of the first one in it; null when they say nothing. */
function signatureOf(element: ElementNode): string | null {
  const own = firstClass(element)
  if (own === '' || LAYOUT_CLASS.test(own)) return null
  for (const child of element.children)
    if (child instanceof ElementNode && (child.textLength > 0 || child.tag.block)) return `${own} ${child.name} ${firstClass(child)}`
  return own
}

function firstClass(element: ElementNode): string {
  return attributeOf(element, 'class')?.trim().split(/\s/, 1)[0] ?? ''
}

function saysTitle(element: ElementNode, title: string): boolean {
  const start = title.slice(0, 24)
  return start.length > 8 && plainWords(allText(element)).includes(start)
}

function allText(element: ElementNode): string {
  let text = ''
  for (const child of element.children) {
    if (child instanceof TextNode) text += child.data
    else if (!child.dropped && !child.tag.silent) text += child.tag.block ? ' ' + allText(child) + ' ' : allText(child)
  }
  return text
}

function holdsTitle(element: ElementNode): boolean {
  return HEADING.test(element.name) ? element.name === 'h1' || element.name === 'h2' : holds(element, 'h1')
}

function holds(element: ElementNode, name: string): boolean {
  if (element.name === name) return true
  for (const child of element.children) if (child instanceof ElementNode && !child.dropped && holds(child, name)) return true
  return false
}

/** Drops what stands between the paragraphs of an article without being of it: pointers to other articles, calls to subscribe or share. */
function dropInterruptions(element: ElementNode): void {
  let follows = false
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped || !(child.tag.block || child.hasBlock)) continue
    const { textLength, linkLength } = child
    if (textLength === 0) continue
    if (
      child.name !== 'figcaption' &&
      textLength < 1500 &&
      child.prose < 0.35 * element.prose &&
      roleOf(child) === 'caption' &&
      !NUMBERED.test(startOf(child))
    ) {
      dropWords(child, holds(child, 'figcaption') && /gallery|slideshow|carousel/i.test(attributeOf(child, 'class') ?? ''))
      continue
    }
    const isHeading = HEADING.test(child.name)
    const isLinks = linkLength > 0.6 * textLength
    if (follows && isLinks && !isHeading) {
      child.dropped = true
      continue
    }
    follows = false
    if (!child.hasBlock) {
      if (textLength > 200 || child.tag.pre || child.name === 'td' || child.name === 'th' || child.name === 'dt') continue
      const text = startOf(child)
      if (textLength < 60 && POINTS_ELSEWHERE.test(text)) {
        // Only what is followed by links: a chapter may well be called so.
        follows = isHeading || !isLinks
        if (follows && !isFollowedByLinks(element, child)) follows = false
        if (follows || isLinks) child.dropped = true
      } else if (child.name === 'p' || child.name === 'div' || child.name === 'center' || isHeading) {
        if (
          !ENTRIES.has(element.name) &&
          !(child.name === 'div' && hasOwnWords(element)) &&
          linkLength > 0.9 * textLength &&
          textLength > 12 &&
          !isHeading &&
          !/[.!?…]\W?$/.test(endOf(child))
        )
          child.dropped = true
        else if (linkLength > 0.3 * textLength && INVITES.test(text) && !endOf(child).endsWith('.')) child.dropped = true
        else if (NOTICE.test(text)) child.dropped = true
      }
    } else if (
      isLinks &&
      child.prose === 0 &&
      child.name !== 'table' &&
      (child.name !== 'section' || holds(child, 'img')) &&
      isCards(child)
    )
      child.dropped = true
    else if (!KEPT_WHOLE.has(child.name)) dropInterruptions(child)
  }
}

/** Drops the words beside a picture and keeps the picture. */
function dropWords(element: ElementNode, isGallery: boolean): void {
  if (!holds(element, 'img')) element.dropped = true
  else
    for (const child of element.children)
      if (child instanceof ElementNode && child.textLength > 0 && (isGallery || child.name !== 'figcaption')) dropWords(child, isGallery)
}

function hasOwnWords(element: ElementNode): boolean {
  return element.children.some((child) => child instanceof TextNode && child.data.trim() !== '')
}

function isFollowedByLinks(parent: ElementNode, heading: ElementNode): boolean {
  const { children } = parent
  for (let at = children.indexOf(heading) + 1; at < children.length; at++) {
    const next = children[at]!
    if (next instanceof TextNode || next.dropped || next.textLength === 0) continue
    return next.linkLength > 0.6 * next.textLength
  }
  return false
}

/** Pictures and headlines that lead elsewhere. */
function isCards(element: ElementNode): boolean {
  return (
    element.textLength > 30 &&
    (holds(element, 'img') || holds(element, 'article') || holds(element, 'h3') || holds(element, 'h4')) &&
    holds(element, 'a')
  )
}

const ENTRIES = new Set(['li', 'dd', 'td'])
/** Parts in which every line belongs to the whole. */
const KEPT_WHOLE = new Set(['dl', 'table', 'blockquote', 'pre'])
/** Class names that place and do not name. */
const LAYOUT_CLASS =
  /^(?:row|col|columns?|container|wrap|section|block|inner|clearfix|grid|module|component|region|content|span\d|vc_|wp-block|elementor|et_|fusion|fl-|kt-|large|small|medium|mb?-?\d|text|box|field|zone)/i
/** One list or quote may hold most of an article's words; what stands around it is of the article all the same. */
const HOLDERS_OF_PARTS = new Set(['ul', 'ol', 'dl', 'li', 'blockquote', 'pre', 'figure', 'details'])
/** Captions that the text refers to. */
const NUMBERED = /^(?:fig|figure|table|tab|listing|example|abb|abbildung|tabelle|figura|tabla)\b.{0,3}\d/i
const HEADING = /^h[1-6]$/
const POINTS_ELSEWHERE =
  /^\W*(?:related|recommended|more (?:from|on|in|great|stories|news|like|about|coverage|reading)|read (?:more|also|next|this)|also read|further reading on|you (?:may|might)|see (?:also|more)|most (?:read|popular|viewed)|trending|popular|latest|don.t miss|what to read|up next|keep reading|top stories|in case you missed|editor.s picks|must.reads?|must read|lire aussi|à lire|lesen sie auch|mehr zum thema|leia também|leia mais|lea también|te puede interesar|leggi anche|baca juga|читайте также|lees ook|läs också|czytaj także)/i
const INVITES =
  /^\W*(?:related|read (?:more|also|next)|also(?: read)?:|see (?:also|more)|more:|watch|listen|don.t miss|click here|sign up|subscribe|follow|download|get (?:the|our|more)|join|like us|share|buy|check out|support us|support our|donate|follow us|lire aussi|leia também|lea también|leggi anche|baca juga|читайте также|lesen sie auch)/i
const NOTICE =
  /^\W*(?:advertisement|advertising|sponsored|story continues|article continues|continue reading|scroll (?:down|to)|share this|like this story|this slideshow requires|media playback is|please enable javascript|loading\b.{0,12}$|\(?image(?: credit)?: |photo(?: credit)?: |image copyright|publicidade|anzeige|werbung|реклама)/i

/** The last text inside an element. */
function endOf(element: ElementNode): string {
  for (let at = element.children.length - 1; at >= 0; at--) {
    const child = element.children[at]!
    const text = child instanceof TextNode ? child.data.trim() : child.dropped || child.tag.silent ? '' : endOf(child)
    if (text !== '') return text
  }
  return ''
}

/** The first words of a text. */
function startOf(element: ElementNode): string {
  let text = ''
  const read = (parent: ElementNode): void => {
    for (const child of parent.children) {
      if (text.length > 60) return
      if (child instanceof TextNode) text += child.data
      else if (!child.dropped && !child.tag.silent) read(child)
    }
  }
  read(element)
  return text.trim()
}

function dropHeadline(element: ElementNode, title: string): boolean {
  for (const child of element.children) {
    if (child instanceof TextNode || child.dropped || !(child.tag.block || child.hasBlock)) continue
    if (child.name === 'h1') {
      const headline = plainWords(startOf(child))
      child.dropped =
        headline !== '' && (title.startsWith(headline.slice(0, 40)) || headline.startsWith(title.slice(0, 40)) || title.includes(headline))
      return true
    }
    if (dropHeadline(child, title)) return true
  }
  return false
}

function plainWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function isDiscussion(url: string): boolean {
  return /\/(?:forums?|threads?|topics?|viewtopic|showthread|discussions?|questions?|comments|boards?|community|t|r|q)(?:[/.?]|$)/i.test(
    URL.parse(url)?.pathname ?? '',
  )
}
