import { attributeOf, growTree, type ElementNode, type TreeListener } from '#backend/crawler/html/html-tree.ts'
import { embeddedDocument } from '#backend/crawler/html/embedded-document.ts'
import { placeLateParts } from '#backend/crawler/html/late-parts.ts'
import { showsWithoutScripts } from './noscript.ts'
import { LinkResolver, type LinkTarget } from '#backend/crawler/url/resolve-url.ts'

/** One link of a page: an absolute http(s) URL without fragment, and its text. */
export type PageLink = { url: string; text: string; nofollow: boolean }

/** A web page, parsed: its tree, and what it says about itself. */
export type HtmlPage = {
  root: ElementNode
  resolver: LinkResolver
  title: string | null
  language: string | null
  canonicalUrl: string | null
  metadata: Record<string, string | null>
  links: PageLink[]
  /** The targets of the links, in the same order. */
  targets: LinkTarget[]
  linksDropped: number
  refresh: string | null
  /** The software that wrote the page, as its metadata name it; empty if they do not. */
  generator: string
  /** Whether the page declares itself an article: one text with a headline and a date. */
  isPosting: boolean
  /** Texts of its JSON-LD scripts, except those that are too long. */
  linkedData: string[]
  /** Metadata elements whose name occurred before: name and content. */
  repeated: [name: string, content: string][]
  /** The target of `<link rel=image_src>`. */
  imageHref: string | null
  /** The target of the first `<link rel=icon>`. */
  iconHref: string | null
  /** Whether the text itself may name author or date: it has microdata, `time` elements, or links to authors. */
  mayHoldMarks(): boolean
}

export const MAX_TITLE_BYTES = 1024
const MAX_DESCRIPTION_BYTES = 2048
const MAX_METADATA_ENTRIES = 300
const MAX_NAME_LENGTH = 200
/** A page with more items is a catalogue. */
const MAX_DATA_LENGTH = 512 * 1024
const MAX_LINKS = 10_000
/** Limit of the links that are read per page: some pages repeat the same URL thousands of times. */
const MAX_RAW_LINKS = 4 * MAX_LINKS
const MAX_LINK_BYTES = 2083
const MAX_LINK_TEXT = 100
/** A refresh after a longer wait reloads a page and leads nowhere. */
const MAX_REFRESH_SECONDS = 10
/** Types of schema.org by which a page declares in JSON-LD that it is an article. */
const ARTICLE_DATA =
  /"@type"\s*:\s*(?:\[\s*)?"(?:https?:\/\/schema\.org\/)?(?:(?:News|Scholarly|Tech|Satirical|Opinion|Analysis|Reportage|Review)?(?:News)?Article|BlogPosting|LiveBlogPosting|SocialMediaPosting|Report)"/
/** Values of `<meta itemprop>` that describe the page, unless they belong to one of the items below. */
const PROPERTIES = /^(?:author|datePublished|dateModified|uploadDate|keywords|articleSection|image|inLanguage)$/
const OTHER_ITEMS = /comment|review|answer|rating|offer|person|organization|imageobject|listitem|website/i
const ARTICLE_ITEM =
  /itemtype\s*=\s*["']?https?:\/\/schema\.org\/(?:(?:News|Scholarly|Tech|Satirical|OpinionNews|AnalysisNews|ReportageNews|ReviewNews)?Article|BlogPosting|SocialMediaPosting|Report)["'\s>]/
const OF_PAGE = new Set(['base', 'link', 'meta'])
/** Raw link text kept while a link is open: room for white space and invisible characters. */
const MAX_RAW_TEXT = 1000

type RawLink = { href: string; text: string; imageAlt: string; title: string; nofollow: boolean }

/**
 * Parses an HTML document and reads what the page says about itself: title, metadata, links, canonical URL, refresh.
 *
 * @param url       the final URL of the page, absolute
 * @param isXml     whether the document is XHTML
 * @param encoding  of the document's bytes; queries of links are escaped in it
 */
export function parsePage(html: string, url: string, { isXml = false, encoding = 'UTF-8' } = {}): HtmlPage {
  let whole = html
  let page = new PageListener()
  let root = growTree(html, page, isXml)
  if (page.mayHaveLateParts) {
    // Once only: a page with n parts of one name, each with a place for the next, would be parsed n times.
    whole = placeLateParts(html)
    if (whole !== html) {
      page = new PageListener()
      root = growTree(whole, page, isXml)
    }
  }
  const resolver = new LinkResolver(url, page.baseHref, encoding)
  const { metadata, title } = page
  const { links, targets, dropped } = resolveLinks(page.rawLinks, resolver)
  const shownTitle = title === null ? null : clip(tidy(title), MAX_TITLE_BYTES) || null
  return {
    root,
    resolver,
    title: shownTitle,
    language: page.language,
    canonicalUrl: page.canonicalHref === null ? null : resolver.resolve(page.canonicalHref),
    metadata: Object.fromEntries(metadata),
    links,
    targets,
    linksDropped: dropped + page.beyond,
    isPosting:
      page.saysArticle ||
      metadata.get('og:type')?.toLowerCase() === 'article' ||
      metadata.has('article:published_time') ||
      isMarkedArticle(whole),
    generator: metadata.get('generator') ?? metadata.get('Generator') ?? metadata.get('GENERATOR') ?? '',
    refresh: page.refreshContent === null ? null : refreshTarget(page.refreshContent, url, resolver),
    linkedData: page.linkedData,
    repeated: page.repeated,
    imageHref: page.imageHref,
    iconHref: page.iconHref,
    mayHoldMarks: () => page.hasMarks || whole.includes('itemprop'),
  }
}

/** Collects what a page says about itself while its tree is built. A class for the reason that `LinkResolver` gives. */
class PageListener implements TreeListener {
  title: string | null = null
  language: string | null = null
  baseHref: string | null = null
  canonicalHref: string | null = null
  refreshContent: string | null = null
  readonly metadata = new Map<string, string>()
  readonly rawLinks: RawLink[] = []
  /** The number of links after the first `MAX_RAW_LINKS`. */
  beyond = 0
  saysArticle = false
  readonly linkedData: string[] = []
  readonly repeated: [string, string][] = []
  imageHref: string | null = null
  iconHref: string | null = null
  hasMarks = false
  mayHaveLateParts = false
  /** Whether the element that names the page has been read: the first title with text. */
  #isTitled = false
  #open: RawLink | null = null
  #dataLength = 0

  isShown(noscript: ElementNode): boolean {
    return showsWithoutScripts(noscript)
  }

  opened(element: ElementNode, hidden: boolean, isDrawn: boolean): void {
    // In a template or a drawing these say nothing of the page.
    if (hidden && OF_PAGE.has(element.name)) return
    switch (element.name) {
      case 'a':
      case 'area': {
        this.#open = null
        // A drawing has links as well, under an old name often (SVG 2, 16.3).
        const href = attributeOf(element, 'href') ?? (isDrawn ? attributeOf(element, 'xlink:href') : undefined)
        if (href === undefined || (hidden && !isDrawn) || this.#isFull()) return
        const link: RawLink = {
          href,
          text: '',
          imageAlt: attributeOf(element, 'alt') ?? '',
          title: attributeOf(element, 'title') ?? attributeOf(element, 'aria-label') ?? '',
          nofollow: false,
        }
        const rel = attributeOf(element, 'rel')
        if (rel !== undefined) {
          link.nofollow = /\bnofollow\b/i.test(rel)
          this.hasMarks ||= /\bauthor\b/i.test(rel)
        }
        this.rawLinks.push(link)
        if (element.name === 'a') this.#open = link
        return
      }
      case 'frame':
      case 'embed':
      case 'iframe':
      case 'object': {
        const href = element.name === 'frame' ? (attributeOf(element, 'src') ?? null) : embeddedDocument(element)
        if (href !== null && !hidden && !this.#isFull())
          this.rawLinks.push({ href, text: '', imageAlt: '', title: attributeOf(element, 'title') ?? '', nofollow: false })
        return
      }
      case 'img':
        if (this.#open !== null && this.#open.imageAlt === '') this.#open.imageAlt = attributeOf(element, 'alt') ?? ''
        return
      case 'meta':
        return this.#metaTag(element)
      case 'base':
        this.baseHref ??= attributeOf(element, 'href') ?? null
        return
      case 'html':
        this.language ??= clip((attributeOf(element, 'lang') ?? attributeOf(element, 'xml:lang') ?? '').trim(), 64) || null
        return
      case 'title':
        this.#isTitled ||= this.title !== null && this.title.trim() !== ''
        return
      case 'template':
        this.mayHaveLateParts ||= attributeOf(element, 'id') !== undefined
        return
      case 'time':
        this.hasMarks ||= !hidden
        return
      case 'link': {
        const rel = attributeOf(element, 'rel')
        if (rel === undefined) return
        // An empty one names no page (HTML, 4.2.4), not even the one that `base` names.
        if (this.canonicalHref === null && /(?:^|\s)canonical(?:\s|$)/i.test(rel))
          this.canonicalHref = attributeOf(element, 'href')?.trim() || null
        else if (this.imageHref === null && /^\s*image_src\s*$/i.test(rel)) this.imageHref = attributeOf(element, 'href') ?? null
        else if (this.iconHref === null && /(?:^|\s)icon(?:\s|$)/i.test(rel)) this.iconHref = attributeOf(element, 'href')?.trim() || null
      }
    }
  }

  #isFull(): boolean {
    if (this.rawLinks.length < MAX_RAW_LINKS) return false
    this.beyond++
    return true
  }

  #metaTag(element: ElementNode): void {
    const content = attributeOf(element, 'content')
    if (content === undefined) return
    if (attributeOf(element, 'http-equiv')?.toLowerCase() === 'refresh' && /^\s*[\d.]/.test(content)) this.refreshContent ??= content
    const name = (attributeOf(element, 'name') ?? attributeOf(element, 'property'))?.trim()
    if (!name) return this.#metaProperty(element, content)
    if (name.length > MAX_NAME_LENGTH) return
    if (this.metadata.has(name)) return this.#repeat(name, content)
    if (this.metadata.size < MAX_METADATA_ENTRIES) this.metadata.set(name, clip(withoutInvisible(content), MAX_DESCRIPTION_BYTES))
  }

  /** Reads a metadata element without a name: microdata or an HTTP header. They are used, but not returned under their own names. */
  #metaProperty(element: ElementNode, content: string): void {
    if (attributeOf(element, 'http-equiv')?.toLowerCase() === 'content-language') return this.#repeat('content-language', content)
    const property = attributeOf(element, 'itemprop')
    if (property === undefined) return
    const item = itemAround(element)
    const type = item === null ? '' : (attributeOf(item, 'itemtype') ?? '')
    if (property === 'name' && item !== null && /\bauthor\b/.test(attributeOf(item, 'itemprop') ?? ''))
      return this.#repeat('author', content)
    if (PROPERTIES.test(property) && !OTHER_ITEMS.test(type)) this.#repeat(property, content)
  }

  #repeat(name: string, content: string): void {
    if (this.repeated.length < MAX_METADATA_ENTRIES) this.repeated.push([name, clip(withoutInvisible(content), MAX_DESCRIPTION_BYTES)])
  }

  linkClosed(): void {
    this.#open = null
  }

  linkText(text: string): void {
    const link = this.#open
    if (link !== null && link.text.length < MAX_RAW_TEXT) link.text += text.length > MAX_RAW_TEXT ? text.slice(0, MAX_RAW_TEXT) : text
  }

  dataText(text: string): void {
    this.saysArticle ||= ARTICLE_DATA.test(text)
    this.#dataLength += text.length
    if (this.#dataLength <= MAX_DATA_LENGTH) this.linkedData.push(text)
  }

  titleText(text: string): void {
    if (this.#isTitled) return
    const title = this.title ?? ''
    this.title = title.length < MAX_TITLE_BYTES * 4 ? title + text.slice(0, MAX_TITLE_BYTES * 4) : title
  }
}

/** Is exactly one element of the page marked as an article by microdata? Front pages mark many. */
function isMarkedArticle(html: string): boolean {
  const first = html.search(ARTICLE_ITEM)
  return first >= 0 && !ARTICLE_ITEM.test(html.slice(first + 1)) && !isThemeOfManuals(html)
}

/** The theme of Read the Docs calls every page of a manual an article, and says nothing about it but which element has its text. */
function isThemeOfManuals(html: string): boolean {
  if (!PLAIN_ARTICLE.test(html)) return false
  const properties = html.match(ITEM_PROPERTY)
  return properties !== null && properties.every((property) => property.endsWith('articleBody'))
}
const PLAIN_ARTICLE = /itemtype\s*=\s*["']?https?:\/\/schema\.org\/Article["'\s>]/
const ITEM_PROPERTY = /(?<=\s)itemprop\s*=\s*["']?[\w:/.-]+/gi

let lists = 0

/** Unique links in the order of the page; a link that occurs twice keeps its shortest text. */
function resolveLinks(rawLinks: RawLink[], resolver: LinkResolver): { links: PageLink[]; targets: LinkTarget[]; dropped: number } {
  const links: PageLink[] = []
  const targets: LinkTarget[] = []
  const list = ++lists
  let dropped = 0
  for (const raw of rawLinks) {
    const target = resolver.target(raw.href)
    if (target === null) continue
    if (target.list === list) {
      const known = links[target.place]!
      if (!raw.nofollow) known.nofollow = false
      const text = labelOf(raw)
      if (text !== '' && (known.text === '' || text.length < known.text.length)) known.text = text
    } else if (links.length >= MAX_LINKS || target.url.length > MAX_LINK_BYTES) dropped++
    else {
      target.list = list
      target.place = links.length
      links.push({ url: target.url, text: labelOf(raw), nofollow: raw.nofollow })
      targets.push(target)
    }
  }
  return { links, targets, dropped }
}

function labelOf(raw: RawLink): string {
  const label = tidy(raw.text) || tidy(raw.imageAlt) || tidy(raw.title)
  return label.length <= MAX_LINK_TEXT ? label : cut(label, MAX_LINK_TEXT).trimEnd()
}

/** The microdata item around an element. */
function itemAround(element: ElementNode): ElementNode | null {
  for (let around = element.parent; around !== null; around = around.parent)
    if (attributeOf(around, 'itemscope') !== undefined) return around
  return null
}

/** Converts `5; url=/next` to the absolute URL of /next (HTML, "shared declarative refresh steps"). */
export function refreshTarget(content: string, pageUrl: string, resolver: LinkResolver): string | null {
  const match = /^\s*(?=[\d.])(\d{0,9})[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is.exec(
    content.slice(0, MAX_LINK_BYTES + 100),
  )
  if (match === null || Number(match[1]) > MAX_REFRESH_SECONDS) return null
  const href = (match[2] ?? match[3] ?? match[4] ?? '').trim()
  const target = href === '' ? null : resolver.resolve(href)
  return target === null || target === pageUrl || target.length > MAX_LINK_BYTES ? null : target
}

const PLAIN_WORDS = /^[!-~]+(?: [!-~]+)*$/

/** Makes white space single and removes invisible characters. */
export function tidy(text: string): string {
  // Most texts are plain words already: one check saves four replacements.
  if (text === '' || PLAIN_WORDS.test(text)) return text
  return withoutInvisible(text).replace(/\s+/g, ' ').trim()
}

/** A non-joiner (U+200C) after an Arabic letter or a sign of an Indic script belongs to the spelling of Persian, Kurdish and Indic words. */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|(?<![\p{Script=Arabic}\p{M}])\u200c/gu

/** Removes characters that can disguise a text: controls, zero-width characters, bidirectional marks, lone surrogates. */
function withoutInvisible(text: string): string {
  if (/^[ -~]*$/.test(text)) return text
  return text.replace(INVISIBLE, '').replace(/[\ud800-\udfff]/gu, '')
}

/** The start of a text that fits into this many bytes of UTF-8, cut at a character. */
export function clip(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes))
  return text.slice(0, read)
}

function cut(text: string, length: number): string {
  const code = text.charCodeAt(length - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length)
}
