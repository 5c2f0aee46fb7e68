/**
 * Elements of the site within a page's text: the name of the site or book as a heading, logos, links to translations of the page and back
 * to its top. Generators of manuals write them without class names.
 */
import { attributeOf, ElementNode, TextNode } from '#backend/crawler/html/html-tree.ts'
import { allText, holds, mayHoldLink, namesHeading, plainWords, startOf } from '#backend/crawler/html/tree-text.ts'
import { parsePageUrl } from '#backend/crawler/url/resolve-url.ts'

const MOST_TITLE = 100
const MOST_TOP_LINK = 30
const MOST_LANGUAGES = 1500
/** Most characters beside the links of a list of languages: "Available languages:". */
const MOST_LABEL = 40
/** Elements with links that are searched for the name of the site. */
const MOST_ELEMENTS = 100

/** "Back to top" in the languages of most manuals, and its symbols. */
const TOP =
  /^[^\p{L}\p{N}]*(?:(?:(?:go|jump|back|return|scroll) )*(?:to )?(?:the )?(?:page )?top(?: of (?:the |this )?(?:page|document|section))?|(?:nach|zum seiten|seiten) ?(?:oben|anfang)|zurück nach oben|(?:retour en )?haut(?: de (?:la )?page)?|(?:volver |ir )?(?:al inicio|arriba)|(?:torna )?su|inizio pagina|naar boven|(?:voltar )?ao topo|do góry|наверх|вверх|к началу(?: страницы)?|回到顶部|返回顶部|トップへ戻る|(?:この)?ページの(?:先頭|トップ)(?:へ|に)?(?:戻る)?)?[^\p{L}\p{N}]*$/iu
const TOP_PICTURE = /(?:^|[/_-])(?:up|top|totop|to-top|back-?to-?top)\.\w{3,4}$/i
const INDEX_FILE = /\/(?:index|default|contents|toc)\.[a-z]+$|\/$/i

/** Is a link the "back to top" link or the logo of the site? Such links are dropped. */
export function isSiteLink(link: ElementNode, pageUrl: string): boolean {
  const href = attributeOf(link, 'href')
  if (href === undefined) return false
  if (href.startsWith('#')) return leadsToTop(link, href)
  return link.textLength === 0 && holds(link, 'img') && isLogo(link, href, pageUrl)
}

/** Is it a link to a translation of the page, marked by `rel=alternate` and `hreflang`? */
export function leadsToTranslation(link: ElementNode): boolean {
  return (
    link.attributes !== null &&
    link.attributes.length >= 6 &&
    attributeOf(link, 'hreflang') !== undefined &&
    /\balternate\b/i.test(attributeOf(link, 'rel') ?? '')
  )
}

/** The list of translations that a link belongs to; null when the link is part of a text. */
export function listOfLanguages(link: ElementNode): ElementNode | null {
  let box = link.parent
  while (box !== null && !box.tag.block) box = box.parent
  if (box?.name === 'li') box = box.parent
  if (box === null || box.name === 'body' || box.textLength > MOST_LANGUAGES) return null
  const words = box.textLength - box.linkLength
  return words < MOST_LABEL || words < 3 * box.linkLength ? box : null
}

function leadsToTop(link: ElementNode, href: string): boolean {
  if (link.textLength > MOST_TOP_LINK) return false
  if (link.textLength > 0) return /^#(?:top|[\w-]*(?:top|header|start))?$/i.test(href) && TOP.test(allText(link).trim())
  const picture = firstPicture(link)
  if (picture === null) return false
  const words = (attributeOf(picture, 'alt') ?? '').trim()
  return words === '' ? TOP_PICTURE.test(attributeOf(picture, 'src') ?? '') : TOP.test(words)
}

export function firstPicture(element: ElementNode): ElementNode | null {
  for (const child of element.children) {
    if (child instanceof TextNode) continue
    const picture = child.name === 'img' ? child : firstPicture(child)
    if (picture !== null) return picture
  }
  return null
}

/** A picture that links to the home page of the site or book; in a page's header also to that of another site. */
function isLogo(link: ElementNode, href: string, pageUrl: string): boolean {
  const place = placeOf(href, pageUrl)
  return place === 'above' || place === 'here' || (place === 'other site' && standsInHeader(link))
}

function standsInHeader(element: ElementNode): boolean {
  let at = element.parent
  for (let level = 0; level < 8 && at !== null; level++, at = at.parent) if (at.name === 'header') return true
  return false
}

/** Where a link leads: to the page itself, to the index page of a parent folder or of another site, or to any other page. */
function placeOf(href: string, pageUrl: string): 'here' | 'above' | 'other site' | 'elsewhere' {
  const page = parsePageUrl(pageUrl)
  const target = URL.parse(href, pageUrl)
  if (page === null || target === null || target.search !== '') return 'elsewhere'
  if (target.host !== page.host) return target.pathname === '/' ? 'other site' : 'elsewhere'
  if (target.pathname === page.pathname) return 'here'
  const folder = target.pathname.replace(INDEX_FILE, '/')
  if (!folder.endsWith('/') || !page.pathname.startsWith(folder)) return 'elsewhere'
  return page.pathname.replace(INDEX_FILE, '/') === folder ? 'here' : 'above'
}

/** The title without the name of the site: its first part if a link to the home page has that text, else its last parts. */
export function ownTitle(root: ElementNode, pageUrl: string, title: string): string {
  const end = title.search(SEPARATOR)
  if (end < 0) return title
  const first = title.slice(0, end)
  return namesSite(root, pageUrl, first) ? title.slice(end).replace(SEPARATOR, '') : first
}
const SEPARATOR = /\s[|\-–—·»:]\s|\|/

/** Does one of the first links lead to the home page and have this text? */
function namesSite(root: ElementNode, pageUrl: string, name: string): boolean {
  const words = plainWords(name)
  const letters = name.replace(/\s+/g, '').length
  let left = MOST_ELEMENTS
  return words !== '' && search(root)

  function search(element: ElementNode): boolean {
    for (const child of element.children) {
      if (child instanceof TextNode || !mayHoldLink(child) || --left < 0) continue
      const href = child.name === 'a' ? attributeOf(child, 'href') : undefined
      if (href === undefined ? search(child) : isNamed(child) && placeOf(href, pageUrl) === 'above') return true
    }
    return false
  }

  /** Most links have another length. */
  function isNamed(link: ElementNode): boolean {
    return link.textLength === letters && plainWords(startOf(link, MOST_TITLE)) === words
  }
}

/** Drops the name of the site or book above the page's heading: a first heading that is only a link to the index page. */
export function dropSiteName(root: ElementNode, pageUrl: string, title: string): void {
  const [first, next] = firstHeadings(root)
  if (first === undefined || next === undefined || first.name !== 'h1') return
  if (first.textLength > MOST_TITLE || first.linkLength < first.textLength || first.textLength === 0) return
  const link = onlyLink(first)
  const place = link === null ? 'elsewhere' : placeOf(attributeOf(link, 'href') ?? '#', pageUrl)
  if (place !== 'above' && place !== 'other site') return
  // If the title begins with it, it is the page's own name.
  const words = plainWords(startOf(first, MOST_TITLE))
  if (title !== '' && words !== '' && title.startsWith(words) && !plainWords(startOf(next, MOST_TITLE)).startsWith(title)) return
  first.dropped = true
}

/** The first two visible headings. */
function firstHeadings(root: ElementNode): ElementNode[] {
  const found: ElementNode[] = []
  findHeadings(root, found)
  return found
}

function findHeadings(element: ElementNode, found: ElementNode[]): void {
  for (const child of element.children) {
    if (found.length === 2) return
    if (child instanceof TextNode || child.dropped || child.textLength === 0) continue
    if (namesHeading(child.name)) found.push(child)
    else if (child.hasBlock) findHeadings(child, found)
  }
}

function onlyLink(element: ElementNode): ElementNode | null {
  for (const child of element.children) {
    if (child instanceof TextNode || child.textLength === 0) continue
    return child.name === 'a' ? child : onlyLink(child)
  }
  return null
}
