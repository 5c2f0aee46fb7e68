import { attributeOf, growTree, type ElementNode, type TreeListener } from './html-tree.ts'
import { showsWithoutScripts } from './noscript.ts'
import { createResolver, type Address, type Resolver } from '#backend/crawler/url/resolve-url.ts'

/** One link of a page: an absolute http(s) address without fragment, and what the page calls it. */
export type PageLink = { url: string; text: string; nofollow: boolean }

export type ParsedPage = {
  root: ElementNode
  resolver: Resolver
  title: string | null
  language: string | null
  canonicalUrl: string | null
  metadata: Record<string, string | null>
  links: PageLink[]
  /** Of the links, in their order. */
  addresses: Address[]
  linksDropped: number
  refresh: string | null
  /** Says of itself that it is an article: one text with a headline and a date. */
  isPosting: boolean
  /** Texts of its JSON-LD scripts, those that are not too long. */
  linkedData: string[]
  /** Names and contents of metadata elements whose name was given before. */
  repeated: [name: string, content: string][]
  /** Of `<link rel=image_src>`. */
  imageHref: string | null
  /** The text itself may say author or date: it has microdata, `time` elements, or links to authors. */
  mayHoldMarks(): boolean
}

const MAX_TITLE_BYTES = 1024
const MAX_DESCRIPTION_BYTES = 2048
const MAX_METADATA_ENTRIES = 300
const MAX_NAME_LENGTH = 200
/** More of one page is a catalogue. */
const MAX_DATA_LENGTH = 512 * 1024
const MAX_LINKS = 10_000
/** Links that are looked at, since a page may name the same address again and again. */
const MAX_RAW_LINKS = 4 * MAX_LINKS
const MAX_LINK_BYTES = 2083
const MAX_LINK_TEXT = 100
/** A refresh after a longer wait reloads a page and leads nowhere. */
const MAX_REFRESH_SECONDS = 10
/** Types of schema.org under which a page says in JSON-LD that it is an article. */
const ARTICLE_DATA =
  /"@type"\s*:\s*(?:\[\s*)?"(?:https?:\/\/schema\.org\/)?(?:(?:News|Scholarly|Tech|Satirical|Opinion|Analysis|Reportage|Review)?(?:News)?Article|BlogPosting|LiveBlogPosting|SocialMediaPosting|Report)"/
/** Of `<meta itemprop>`, and of which items they say nothing of the page. */
const PROPERTIES = /^(?:author|datePublished|dateModified|uploadDate|keywords|articleSection|image|inLanguage)$/
const OTHER_ITEMS = /comment|review|answer|rating|offer|person|organization|imageobject|listitem|website/i
const ARTICLE_ITEM =
  /itemtype\s*=\s*["']?https?:\/\/schema\.org\/(?:(?:News|Scholarly|Tech|Satirical|OpinionNews|AnalysisNews|ReportageNews|ReviewNews)?Article|BlogPosting|SocialMediaPosting|Report)["'\s>]/
/** Raw link text kept while a link is open: room for white space and invisible characters. */
const MAX_RAW_TEXT = 1000

type RawLink = { href: string; text: string; imageAlt: string; title: string; nofollow: boolean }

/**
 * Parses an HTML document and reads off what it says of itself: title, metadata, links, canonical address, refresh.
 *
 * @param url  the final address of the page, absolute
 */
export function parsePage(html: string, url: string): ParsedPage {
  let title: string | null = null
  let language: string | null = null
  let baseHref: string | null = null
  let canonicalHref: string | null = null
  let refreshContent: string | null = null
  const metadata = new Map<string, string>()
  const rawLinks: RawLink[] = []
  let open: RawLink | null = null
  // Links behind the last one that is looked at.
  let beyond = 0
  let saysArticle = false
  const linkedData: string[] = []
  let dataLength = 0
  const repeated: [string, string][] = []
  let imageHref: string | null = null
  let hasMarks = false

  const listener: TreeListener = { opened, linkClosed, linkText, titleText, dataText, isShown: showsWithoutScripts }
  const root = growTree(html, listener)
  const resolver = createResolver(url, baseHref)
  const { links, addresses, dropped } = resolveLinks(rawLinks, resolver)
  const shownTitle = title === null ? null : clip(tidy(title), MAX_TITLE_BYTES) || null
  return {
    root,
    resolver,
    title: shownTitle,
    language,
    canonicalUrl: canonicalHref === null ? null : resolver.resolve(canonicalHref),
    metadata: Object.fromEntries(metadata),
    links,
    addresses,
    linksDropped: dropped + beyond,
    isPosting:
      saysArticle ||
      metadata.get('og:type')?.toLowerCase() === 'article' ||
      metadata.has('article:published_time') ||
      isMarkedArticle(html),
    refresh: refreshContent === null ? null : refreshTarget(refreshContent, url, resolver),
    linkedData,
    repeated,
    imageHref,
    mayHoldMarks: () => hasMarks || html.includes('itemprop'),
  }

  function opened(element: ElementNode, hidden: boolean) {
    switch (element.name) {
      case 'a':
      case 'area': {
        open = null
        const href = attributeOf(element, 'href')
        if (href === undefined || hidden || isFull()) return
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
          hasMarks ||= /\bauthor\b/i.test(rel)
        }
        rawLinks.push(link)
        if (element.name === 'a') open = link
        return
      }
      case 'frame': {
        const href = attributeOf(element, 'src')
        if (href !== undefined && !hidden && !isFull())
          rawLinks.push({ href, text: '', imageAlt: '', title: attributeOf(element, 'title') ?? '', nofollow: false })
        return
      }
      case 'img':
        if (open !== null && open.imageAlt === '') open.imageAlt = attributeOf(element, 'alt') ?? ''
        return
      case 'meta':
        return metaTag(element)
      case 'base':
        baseHref ??= attributeOf(element, 'href') ?? null
        return
      case 'html':
        language ??= clip((attributeOf(element, 'lang') ?? attributeOf(element, 'xml:lang') ?? '').trim(), 64) || null
        return
      case 'time':
        hasMarks ||= !hidden
        return
      case 'link': {
        const rel = attributeOf(element, 'rel')
        if (rel === undefined) return
        if (canonicalHref === null && /(?:^|\s)canonical(?:\s|$)/i.test(rel)) canonicalHref = attributeOf(element, 'href') ?? null
        else if (imageHref === null && /^\s*image_src\s*$/i.test(rel)) imageHref = attributeOf(element, 'href') ?? null
      }
    }
  }

  function isFull(): boolean {
    if (rawLinks.length < MAX_RAW_LINKS) return false
    beyond++
    return true
  }

  function metaTag(element: ElementNode) {
    const content = attributeOf(element, 'content')
    if (content === undefined) return
    if (attributeOf(element, 'http-equiv')?.toLowerCase() === 'refresh') refreshContent ??= content
    const name = (attributeOf(element, 'name') ?? attributeOf(element, 'property'))?.trim()
    if (!name) return metaProperty(element, content)
    if (name.length > MAX_NAME_LENGTH) return
    if (metadata.has(name)) return repeat(name, content)
    if (metadata.size < MAX_METADATA_ENTRIES) metadata.set(name, clip(withoutBidi(content), MAX_DESCRIPTION_BYTES))
  }

  /** Microdata and headers are no metadata by name: they are not given as they are. */
  function metaProperty(element: ElementNode, content: string) {
    if (attributeOf(element, 'http-equiv')?.toLowerCase() === 'content-language') return repeat('content-language', content)
    const property = attributeOf(element, 'itemprop')
    if (property === undefined) return
    const item = itemAround(element)
    const type = item === null ? '' : (attributeOf(item, 'itemtype') ?? '')
    if (property === 'name' && item !== null && /\bauthor\b/.test(attributeOf(item, 'itemprop') ?? '')) return repeat('author', content)
    if (PROPERTIES.test(property) && !OTHER_ITEMS.test(type)) repeat(property, content)
  }

  function repeat(name: string, content: string) {
    if (repeated.length < MAX_METADATA_ENTRIES) repeated.push([name, clip(withoutBidi(content), MAX_DESCRIPTION_BYTES)])
  }

  function linkClosed() {
    open = null
  }
  function linkText(text: string) {
    if (open !== null && open.text.length < MAX_RAW_TEXT) open.text += text.length > MAX_RAW_TEXT ? text.slice(0, MAX_RAW_TEXT) : text
  }
  function dataText(text: string) {
    saysArticle ||= ARTICLE_DATA.test(text)
    dataLength += text.length
    if (dataLength <= MAX_DATA_LENGTH) linkedData.push(text)
  }
  function titleText(text: string) {
    if (title === null) title = ''
    if (title.length < MAX_TITLE_BYTES * 4) title += text.slice(0, MAX_TITLE_BYTES * 4)
  }
}

/** Is one element of the page, and no more, marked as an article by microdata? Front pages mark many. */
function isMarkedArticle(html: string): boolean {
  const first = html.search(ARTICLE_ITEM)
  return first >= 0 && !ARTICLE_ITEM.test(html.slice(first + 1))
}

let lists = 0

/** Unique links in the order of the page; a link that is given twice keeps its shortest text. */
function resolveLinks(rawLinks: RawLink[], resolver: Resolver): { links: PageLink[]; addresses: Address[]; dropped: number } {
  const links: PageLink[] = []
  const addresses: Address[] = []
  const list = ++lists
  let dropped = 0
  for (const raw of rawLinks) {
    const address = resolver.address(raw.href)
    if (address === null) continue
    if (address.list === list) {
      const known = links[address.place]!
      if (!raw.nofollow) known.nofollow = false
      const text = labelOf(raw)
      if (text !== '' && (known.text === '' || text.length < known.text.length)) known.text = text
    } else if (links.length >= MAX_LINKS || address.url.length > MAX_LINK_BYTES) dropped++
    else {
      address.list = list
      address.place = links.length
      links.push({ url: address.url, text: labelOf(raw), nofollow: raw.nofollow })
      addresses.push(address)
    }
  }
  return { links, addresses, dropped }
}

function labelOf(raw: RawLink): string {
  const label = tidy(raw.text) || tidy(raw.imageAlt) || tidy(raw.title)
  return label.length <= MAX_LINK_TEXT ? label : cut(label, MAX_LINK_TEXT).trimEnd()
}

/** The microdata item that an element stands in. */
function itemAround(element: ElementNode): ElementNode | null {
  for (let around = element.parent; around !== null; around = around.parent)
    if (attributeOf(around, 'itemscope') !== undefined) return around
  return null
}

/** `5; url=/next` to the absolute address of /next. */
function refreshTarget(content: string, pageUrl: string, resolver: Resolver): string | null {
  const match = /^\s*(\d{1,9})(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))/is.exec(
    content.slice(0, MAX_LINK_BYTES + 100),
  )
  if (match === null || Number(match[1]) > MAX_REFRESH_SECONDS) return null
  const href = (match[2] ?? match[3] ?? match[4] ?? '').trim()
  const target = href === '' ? null : resolver.resolve(href)
  return target === null || target === pageUrl || target.length > MAX_LINK_BYTES ? null : target
}

const PLAIN_WORDS = /^[!-~]+(?: [!-~]+)*$/

/** White space made single, characters without a shape removed. */
export function tidy(text: string): string {
  // Most texts are plain words already: one look spares four.
  if (text === '' || PLAIN_WORDS.test(text)) return text
  return withoutBidi(text).replace(/\s+/g, ' ').trim()
}

const SHAPELESS =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Removes what can disguise a text: controls, zero-width characters, bidirectional marks, lone surrogates. */
function withoutBidi(text: string): string {
  if (/^[ -~]*$/.test(text)) return text
  return text.replace(SHAPELESS, '').replace(/[\ud800-\udfff]/gu, '')
}

/** The start of a text that fits in so many bytes of UTF-8, cut at a character. */
export function clip(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes))
  return text.slice(0, read)
}

function cut(text: string, length: number): string {
  const code = text.charCodeAt(length - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length)
}
