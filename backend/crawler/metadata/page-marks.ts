/** Finds author and dates that the text of a page marks itself: microdata, `rel=author`, `time` elements, microformats, bylines. */
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { firstHeading, firstLink } from '#backend/crawler/html/tree-text.ts'
import { tidy } from '#backend/crawler/page/page.ts'

export type PageMarks = {
  authors: string[]
  published: string | null
  modified: string | null
  section: string | null
  tags: string[]
  image: string | null
}

const MAX_TEXT = 300
const MAX_AUTHORS = 20
/** More top-level articles than this are a list, whatever their lengths. */
const MAX_ARTICLES = 100
/** How many times the words of the next longest article the article of a page has, outside of links. */
const TEASER_SHARE = 3
/** Most elements that are read for a name or a date: each may read its surroundings, and a page needs only a few. */
const MAX_READINGS = 200

/** Types of microdata items within a page that do not describe the page. */
const OTHER_ITEM =
  /comment|review|answer|rating|offer|person|organization|imageobject|breadcrumb|listitem|postaladdress|useraction|website|advert/i
const ARTICLE_ITEM = /article|posting|report/i
/** Parts of a page with other people's words, or with other pages. */
const OTHER_PART =
  /(?:^|[\s_-])(?:comments?|comment-?list|replies|reply|related|recommended|recommendations|sidebar|widget|teasers?|(?<!\bh-)cards?|read-?more|more-?(?:stories|from)|popular|trending|newsletter|disqus|footer-?widgets?)(?:$|[\s_-])/i
const BYLINE =
  /(?:^|\s)(?:p-author|vcard|by-?line(?:[_-]{1,2}(?:name|author|authors))?|authors?|author[_-]{0,2}(?:name|names|link)|(?:[a-z]+[_-]{1,2}){0,3}(?:entry|post|article|story|meta|byline|content)[_-]{1,2}authors?(?:[_-]{1,2}name)?)(?:\s|$)/i
const PUBLISHED_CLASS =
  /(?:^|\s)(?:dt-published|published|pubdate|entry-date|(?:entry|post|article|story|publish|published|publication|pub|news|blog|content)[_-]{0,2}(?:date|time|timestamp|on|published|posted[_-]date)|(?:posted|created)[_-](?:on|date)|date[_-]?(?:published|posted|stamp|line|story|display-single)|byline[_-]{1,2}date|date|postdate)(?:\s|$)/i
const MODIFIED = /updated|modified|revised|revision|last-?edit|lastmod|last-?update|date-modified/i

/** Words before the date of the last change. */
const UPDATED =
  /^\s*(?:last\s+)?(?:updated|modified|edited|revised|changed|aktualisiert|zuletzt|geändert|mis à jour|modifié|actualizado|atualizado|aggiornato|bijgewerkt|uppdaterad|обновлено|изменено|更新|修改|最終更新|수정)/iu

/** Text before the name in a byline: `By`, `Von`, `文／`. */
const BEFORE_NAME =
  /^(?:(?:written|posted|reported|published|story|words|text)\s+by|by|von|texte?|par|por|di|da|door|av|af|od|autor(?:en|in|es)?|interview|auth?ors?|auteur|autore|автор(?:ы)?|текст|بقلم|كتب|نویسنده|लेखक|作者|文|撰文|記者|记者|著者|執筆|글|기자)(?:\s*[:：／/|]\s*|\s+)/iu
/** Text after the name: `, our correspondent`; a date. */
const AFTER_NAME = /(?:\s*[|•·–—,(/]|\s+(?:on\b|am\b|le\b|\d)|\s기자).*$/u

/** Texts of links that are marked as author but are not a name. */
const NO_NAME =
  /^[^\p{L}\p{N}]*(?:google ?\+?|facebook|twitter|linkedin|instagram|e-?mail|rss|archives?|bio(?:graphy)?|profile|contact|website|follow|more|view (?:all )?posts)[^\p{L}\p{N}]*$/iu
/** An element for author and time may contain only the time. */
const TIME = /\d:\d\d|(?:^|\D)(?:19|20)\d\d(?:\D|$)/

/**
 * Walks the tree once.
 *
 * @param takesClasses  the page is an article, so class names may mark its byline and date too
 */
export function readPageMarks(root: ElementNode, takesClasses: boolean): PageMarks {
  const marks = noMarks()
  const bylines: string[] = []
  const timed = { published: [] as string[], modified: [] as string[], byClass: [] as string[] }
  const articles = topArticles(root)
  const article = mainArticle(articles)
  let readings = 0
  visit(root, true, false)
  // The entries of a list of articles say nothing about the list.
  if (articles.length > 1 && article === null) return noMarks()
  if (marks.authors.length === 0 && takesClasses) add(marks.authors, bylines.slice(0, 1))
  marks.published ??= timed.byClass[0] ?? timed.published[0] ?? null
  marks.modified ??= timed.modified[0] ?? null
  return marks

  /** @param isOwn  marks here are about the page itself; @param isAuthor  inside an author, whose links are not further authors */
  function visit(parent: ElementNode, isOwn: boolean, isAuthor: boolean): void {
    for (const element of parent.children) {
      if (!(element instanceof ElementNode)) continue
      let own = isOwn
      let author = isAuthor
      const name = element.name
      // ASP.NET puts the whole page into a form.
      if (name === 'aside' || name === 'nav' || (name === 'form' && element.textLength * 2 < root.textLength)) own = false
      // Teasers of other articles.
      if (name === 'article' && article !== null && element !== article && articles.includes(element)) own = false
      if (name === 'li' && own && isTeaser(element)) own = false
      if (element.attributes !== null) {
        const classes = attributeOf(element, 'class') ?? ''
        if (isOtherPart(element, root)) own = false
        const property = attributeOf(element, 'itemprop')
        const type = attributeOf(element, 'itemtype')
        if (own && property !== undefined) author = (++readings <= MAX_READINGS && readProperty(element, property)) || author
        if (type !== undefined && name !== 'html' && name !== 'body' && OTHER_ITEM.test(type) && !ARTICLE_ITEM.test(type)) own = false
        if (own) readElement(element, classes, author)
        if (own && BYLINE.test(classes)) author = true
      }
      visit(element, own, author)
    }
  }

  function readElement(element: ElementNode, classes: string, isAuthor: boolean): void {
    if (element.name === 'a') {
      const rel = attributeOf(element, 'rel') ?? ''
      if (/(?:^|\s)(?:author|tag)(?:\s|$)/i.test(rel) && ++readings > MAX_READINGS) return
      if (rel !== '' && /(?:^|\s)author(?:\s|$)/i.test(rel)) return addAuthor(nameIn(element))
      if (rel !== '' && /(?:^|\s)tag(?:\s|$)/i.test(rel)) return add(marks.tags, [shortText(element).replace(/^#/, '')])
    }
    if (element.name === 'time') {
      if (++readings > MAX_READINGS) return
      const date = attributeOf(element, 'datetime') ?? shortText(element)
      if (date === '') return
      const isChange = isModified(element, classes)
      if (isChange) timed.modified.push(date)
      // The classes of an article that was never changed may name both.
      if (PUBLISHED_CLASS.test(classes) || (!isChange && attributeOf(element, 'pubdate') !== undefined)) timed.byClass.push(date)
      else if (!isChange && !isInFooter(element)) timed.published.push(date)
      return
    }
    if (!takesClasses || classes === '' || !(BYLINE.test(classes) || PUBLISHED_CLASS.test(classes)) || ++readings > MAX_READINGS) return
    if (!isAuthor && BYLINE.test(classes) && element.textLength > 0 && element.textLength < 150) {
      const said = nameInByline(element)
      if (looksLikeName(said)) bylines.push(said)
    } else if (PUBLISHED_CLASS.test(classes) && element.textLength < 80 && !holdsTime(element)) {
      const said = attributeOf(element, 'datetime') ?? attributeOf(element, 'title') ?? shortText(element)
      if (UPDATED.test(said)) timed.modified.push(said)
      // Agencies call the line with the place a dateline, too.
      else if (timed.byClass.length === 0 && /\p{N}/u.test(said)) timed.byClass.push(said)
    }
  }

  function addAuthor(name: string): void {
    if (!NO_NAME.test(name) && !TIME.test(name)) add(marks.authors, [name])
  }

  /** @returns  whether the element is an author */
  function readProperty(element: ElementNode, property: string): boolean {
    for (const name of property.split(/\s+/, 5)) {
      switch (name) {
        case 'author':
        case 'creator': {
          addAuthor(nameIn(named(element) ?? element))
          return true
        }
        case 'datePublished':
        case 'uploadDate':
        case 'datePosted':
          marks.published ??= valueOf(element)
          break
        case 'dateModified':
          marks.modified ??= valueOf(element)
          break
        case 'articleSection':
          marks.section ??= valueOf(element)
          break
        case 'keywords':
          add(marks.tags, (valueOf(element) ?? '').split(/[,;]/))
          break
        case 'image':
        case 'thumbnailUrl':
          marks.image ??= attributeOf(element, 'src') ?? attributeOf(element, 'href') ?? attributeOf(element, 'content') ?? null
      }
    }
    return false
  }
}

const noMarks = (): PageMarks => ({ authors: [], published: null, modified: null, section: null, tags: [], image: null })

function add(list: string[], texts: readonly string[]): void {
  for (const text of texts) {
    const said = text.trim()
    if (said !== '' && list.length < MAX_AUTHORS && !list.includes(said)) list.push(said)
  }
}

function valueOf(element: ElementNode): string | null {
  // Microformats put the exact time of an abbreviation in its title.
  const exact = element.name === 'abbr' ? attributeOf(element, 'title') : undefined
  return (attributeOf(element, 'content') ?? attributeOf(element, 'datetime') ?? exact ?? shortText(element)) || null
}

/** The element that holds the name of an item. */
function named(element: ElementNode): ElementNode | null {
  for (const child of element.children) {
    if (!(child instanceof ElementNode)) continue
    if (/(?:^|\s)name(?:\s|$)/.test(attributeOf(child, 'itemprop') ?? '')) return child
    const inside = named(child)
    if (inside !== null) return inside
  }
  return null
}

/** The link or formatted name in a byline. */
function bylineLink(element: ElementNode): ElementNode | null {
  for (const child of element.children) {
    if (!(child instanceof ElementNode)) continue
    if (
      child.textLength > 1 &&
      (child.name === 'a' ||
        /(?:^|\s)(?:fn|n|p-name|name|(?:author|byline)[_-]{0,2}name)(?:\s|$)/.test(attributeOf(child, 'class') ?? '')) &&
      !NO_NAME.test(shortText(child))
    )
      return child
    const inside = bylineLink(child)
    if (inside !== null) return inside
  }
  return null
}

function shortText(element: ElementNode): string {
  return element.textLength > MAX_TEXT ? '' : tidy(textIn(element))
}

/** All text, even text that is not main content: bylines often are not. */
function textIn(element: ElementNode): string {
  let text = ''
  for (const child of element.children)
    if (child instanceof TextNode) text += child.data
    else if (!child.tag.silent) text += child.tag.block ? ` ${textIn(child)} ` : textIn(child)
  return text
}

/** The name that an element contains. */
function nameIn(element: ElementNode): string {
  return attributeOf(element, 'content') ?? shortText(element)
}

/** The name in a byline, without the words around it. */
function nameInByline(element: ElementNode): string {
  return shortText(bylineLink(element) ?? element)
    .replace(BEFORE_NAME, '')
    .replace(AFTER_NAME, '')
    .trim()
}

/** A few words without digits and sentences. */
function looksLikeName(text: string): boolean {
  return (
    text.length >= 2 && text.length <= 60 && text.split(' ').length <= 6 && /\p{L}{2}/u.test(text) && !/[\d:;!?@#]|\.\s+\p{Ll}/u.test(text)
  )
}

/** Whether a class of the element or its nearest ancestors, or the words before it, say that it is the modification date. */
function isModified(element: ElementNode, classes: string): boolean {
  if (MODIFIED.test(classes)) return true
  let around = element.parent
  for (let level = 0; around !== null && level < 2 && around.textLength < 120; level++) {
    if (MODIFIED.test(attributeOf(around, 'class') ?? '')) return true
    if (UPDATED.test(textIn(around))) return true
    around = around.parent
  }
  return false
}

function isInFooter(element: ElementNode): boolean {
  for (let around = element.parent; around !== null; around = around.parent) if (around.name === 'footer') return true
  return false
}

/** An element with most of the page's text is the page, whatever its name. */
function isOtherPart(element: ElementNode, root: ElementNode): boolean {
  const classes = attributeOf(element, 'class') ?? ''
  return classes !== '' && element.textLength * 2 < root.textLength && OTHER_PART.test(classes) && !WHOLE.has(element.name)
}
const WHOLE = new Set(['article', 'body', 'html', 'main'])

/** The articles of a page that are in no other one, nor in another part such as the comments. */
function topArticles(root: ElementNode): ElementNode[] {
  const found: ElementNode[] = []
  const walk = (element: ElementNode) => {
    for (const child of element.children)
      if (child instanceof ElementNode && child.hasBlock && child.name !== 'aside' && child.name !== 'nav' && found.length < MAX_ARTICLES) {
        if (child.name === 'article' && child.textLength > 0) found.push(child)
        else if (!isOtherPart(child, root)) walk(child)
      }
  }
  walk(root)
  return found
}

/** The only article, or the one beside which the others are teasers; null if there is none. */
function mainArticle(articles: readonly ElementNode[]): ElementNode | null {
  const [longest, second] = articles.toSorted((one, other) => wordsOf(other) - wordsOf(one))
  if (longest === undefined) return null
  return second === undefined || wordsOf(longest) > TEASER_SHARE * wordsOf(second) ? longest : null
}

const wordsOf = ({ linkLength, textLength }: ElementNode) => textLength - linkLength

/** A list entry whose heading is a link to the page that it is about. */
function isTeaser(entry: ElementNode): boolean {
  const heading = firstHeading(entry)
  if (heading === null || heading.name === 'h1' || heading.linkLength < heading.textLength) return false
  const link = firstLink(heading)
  return link !== null && !attributeOf(link, 'href')!.startsWith('#')
}

function holdsTime(element: ElementNode): boolean {
  return element.children.some((child) => child instanceof ElementNode && (child.name === 'time' || holdsTime(child)))
}
