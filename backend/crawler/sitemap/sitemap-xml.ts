/**
 * Parses a sitemap: a urlset or an index of the sitemaps protocol, an RSS or Atom feed, or a text file of URLs.
 *
 * The decoded bytes of one file are written to the reader as they arrive, and it emits each entry as soon as it is complete, so that memory
 * does not grow with the file. It never fetches, and expands nothing but XML's five entities and numeric characters: a DOCTYPE ends the
 * parsing. From a malformed file come the entries that were valid.
 */
import { parseZoned } from '#backend/crawler/fetch/zoned-dates.ts'
import { TextDecoder as WebTextDecoder } from '@exodus/bytes/encoding.js'
import { Parser } from 'htmlparser2'
import { xmlEncoding } from '#backend/crawler/html/charset.ts'

/** Limits per file, after decoding. The first two are the protocol's own (sitemaps.org, "Sitemap file location"). */
export const SITEMAP_LIMITS = { maxBytes: 50 * 1024 * 1024, maxEntries: 50_000 } as const

/** A URL as the file spells it, those of feeds made absolute; without surrounding white space. `lastmod` in a form of XML Schema's `date` or `dateTime`. */
export type SitemapEntry = { url: string; lastmod: string | null }

type SitemapKind = 'urlset' | 'index' | 'rss' | 'atom' | 'text'

/** Why a file was not parsed completely; entries that were emitted before stay valid. */
export type SitemapProblem = 'doctype' | 'not_sitemap' | 'too_large' | 'too_many' | 'broken'

export type SitemapSummary = { kind: SitemapKind | null; entries: number; problem: SitemapProblem | null }

export type SitemapReader = {
  /** Takes the next bytes. False: no more are needed, and `end` returns the reason. */
  write(chunk: Uint8Array): boolean
  /** Ends the file; `isCut` when it is known to be incomplete. */
  end(isCut?: boolean): SitemapSummary
}

/** Longer URLs, dates and tags are skipped. */
const MAX_TEXT = 8192
/** Most bytes of an open tag or comment that the parser holds. */
const MAX_MARKUP = 1024 * 1024
const MAX_DEPTH = 64
/** Most bytes that are held until the encoding is known. */
const SNIFFED_BYTES = 1024

/**
 * @param contentType  the header; its charset applies after a byte order mark
 * @param fileUrl      resolves relative URLs of feeds (RFC 4287, 4.2.7.1); those of sitemaps stay as they are, since the protocol has none
 * @param onPage       receives the URL of a page
 * @param onSitemap    receives the URL of a further file, from an index
 */
export function createSitemapReader({
  contentType,
  fileUrl,
  limits = SITEMAP_LIMITS,
  onPage,
  onSitemap,
}: {
  contentType: string | null
  fileUrl: string
  limits?: { maxBytes: number; maxEntries: number }
  onPage: (entry: SitemapEntry) => void
  onSitemap: (entry: SitemapEntry) => void
}): SitemapReader {
  let bytes = 0
  let head: Uint8Array | null = new Uint8Array(0)
  let decode: ((chunk: Uint8Array | null) => string) | null = null
  let body: Body | null = null
  let leading = ''
  const state: SitemapSummary = { kind: null, entries: 0, problem: null }
  const found = (to: (entry: SitemapEntry) => void) => (entry: SitemapEntry) => {
    // Entries read before a file became too large count.
    if (state.problem !== null && state.problem !== 'too_large') return
    if (state.entries >= limits.maxEntries) return void (state.problem = 'too_many')
    state.entries += 1
    to(entry)
  }
  const stop = (problem: SitemapProblem) => void (state.problem ??= problem)
  const needs = {
    fileUrl,
    onPage: found(onPage),
    onSitemap: found(onSitemap),
    setKind: (kind: SitemapKind) => void (state.kind = kind),
    stop,
  }
  return { write, end }

  function write(chunk: Uint8Array): boolean {
    if (state.problem !== null) return false
    const room = limits.maxBytes - bytes
    bytes += chunk.length
    read(chunk.length > room ? chunk.subarray(0, room) : chunk)
    if (chunk.length > room) stop('too_large')
    return state.problem === null
  }

  function read(chunk: Uint8Array): void {
    if (head === null) return take(decode!(chunk))
    head = joined(head, chunk)
    if (head.length >= SNIFFED_BYTES) takeHead()
  }

  function takeHead(): void {
    const start = head!
    head = null
    decode = decoderFor(start, contentType)
    take(decode(start))
  }

  function take(text: string): void {
    if (body) return body.write(text)
    // White space before the XML declaration is invalid, but nearly every reader tolerates it.
    leading = (leading + text).replace(/^[\s\ufeff]+/, '')
    if (leading === '') return
    body = leading.startsWith('<') ? xmlBody(needs) : textBody(needs)
    body.write(leading)
  }

  function end(isCut = false): SitemapSummary {
    if (state.problem === null || state.problem === 'too_large') {
      if (head !== null) takeHead()
      take(decode!(null))
      body?.end(isCut || state.problem !== null)
      if (state.kind === null || (state.kind === 'text' && state.entries === 0)) state.problem ??= 'not_sitemap'
    }
    return { ...state }
  }
}

type Body = { write(text: string): void; end(isCut: boolean): void }
type BodyNeeds = {
  fileUrl: string
  onPage(entry: SitemapEntry): void
  onSitemap(entry: SitemapEntry): void
  setKind(kind: SitemapKind): void
  stop(problem: SitemapProblem): void
}

// ---- lines

const TOO_LONG = '-'.repeat(MAX_TEXT)

/** One URL per line; other lines are skipped. */
function textBody({ onPage, setKind }: BodyNeeds): Body {
  setKind('text')
  let rest = ''
  const line = (text: string) => {
    const url = text.trim()
    if (url.length <= MAX_TEXT && WEB_URL.test(url)) onPage({ url, lastmod: null })
  }
  return {
    write(text) {
      const lines = (rest + text).split(/\r\n|\r|\n/)
      rest = lines.pop() ?? ''
      // A line that is too long is skipped as a whole, its tail included.
      if (rest.length > MAX_TEXT) rest = TOO_LONG
      lines.forEach(line)
    },
    end(isCut) {
      if (!isCut) line(rest)
    },
  }
}

// ---- XML

/** The kind of a file by the name of its root element, without prefix and in lower case. */
const ROOTS: Record<string, { kind: SitemapKind; item: string; hasPrefixes: boolean }> = {
  urlset: { kind: 'urlset', item: 'url', hasPrefixes: true },
  sitemapindex: { kind: 'index', item: 'sitemap', hasPrefixes: true },
  rss: { kind: 'rss', item: 'item', hasPrefixes: false },
  rdf: { kind: 'rss', item: 'item', hasPrefixes: false },
  feed: { kind: 'atom', item: 'entry', hasPrefixes: false },
}
const URL_ELEMENTS = new Set(['loc', 'link'])
const DATES = new Set(['lastmod', 'pubdate', 'updated', 'date'])

type Open = { name: string; prefix: string }
/** An entry. `base` resolves its URL. */
type Item = { url: string; lastmod: string; guid: string; base: string }
const NO_ITEM: Item = { url: '', lastmod: '', guid: '', base: '' }

const SCHEME = /^[a-z][a-z\d+.-]*:/i
const WEB_URL = /^https?:\/\/\S+$/i

function xmlBody({ fileUrl, onPage, onSitemap, setKind, stop }: BodyNeeds): Body {
  const stack: Open[] = []
  let root: (typeof ROOTS)[string] | null = null
  let rootPrefix = ''
  let rootBase = fileUrl
  let item: Item | null = null
  /** The text being collected, and its field; null outside of URLs and dates. */
  let field: { is: 'url' | 'lastmod' | 'guid'; text: string; depth: number } | null = null
  let unmarked = 0
  let isOver = false

  const parser = new Parser(
    {
      onprocessinginstruction(name, text) {
        unmarked = 0
        if (name.toLowerCase() !== '!doctype') return
        leave(/^!doctype\s+html\b/i.test(text) ? 'not_sitemap' : 'doctype')
      },
      onopentag(name, attributes) {
        unmarked = 0
        if (isOver) return
        const open = nameOf(name)
        if (root === null) return begin(open, attributes)
        stack.push(open)
        if (stack.length > MAX_DEPTH) return leave('broken')
        if (open.name === root.item && isOwn(open)) {
          // An entry that was never closed ends where the next one begins.
          finishItem()
          item = { url: '', lastmod: '', guid: '', base: baseOf(attributes, rootBase) }
          field = null
        } else if (item !== null && stack.at(-2)?.name === root.item && isOwn(open)) openField(open.name, attributes)
      },
      ontext(text) {
        unmarked = 0
        if (field !== null && field.text.length <= MAX_TEXT) field.text += text
      },
      onclosetag(name) {
        unmarked = 0
        if (isOver || root === null) return
        const open = nameOf(name)
        if (field !== null && stack.length === field.depth) closeField()
        stack.pop()
        if (open.name === root.item && isOwn(open)) finishItem()
      },
      oncomment: () => void (unmarked = 0),
      oncdatastart: () => void (unmarked = 0),
    },
    { xmlMode: true, decodeEntities: true },
  )
  return {
    write(text) {
      if (isOver) return
      unmarked += text.length
      parser.write(text)
      if (unmarked > MAX_MARKUP) leave('broken')
    },
    end(isCut) {
      if (isOver) return
      // The file breaks off within an entry: its URL may be incomplete, so it is dropped.
      const isOpen = stack.length > 0
      isOver = true
      if (!isCut && isOpen) stop('broken')
    },
  }

  function begin(open: Open, attributes: Record<string, string>): void {
    const known = Object.hasOwn(ROOTS, open.name) ? ROOTS[open.name] : undefined
    if (known === undefined) return leave('not_sitemap')
    root = known
    rootPrefix = open.prefix
    rootBase = baseOf(attributes, fileUrl)
    stack.push(open)
    setKind(known.kind)
  }

  /** Extensions of the protocol (images, news, other languages) have elements with the same names. */
  function isOwn({ name, prefix }: Open): boolean {
    if (root!.hasPrefixes) return prefix === rootPrefix
    return prefix === '' || prefix === rootPrefix || name === 'date'
  }

  function openField(name: string, attributes: Record<string, string>): void {
    const depth = stack.length
    if (root!.kind === 'atom' && name === 'link') {
      const relation = (attributes['rel'] ?? 'alternate').toLowerCase()
      if (relation === 'alternate' && item!.url === '') item!.url = (attributes['href'] ?? '').slice(0, MAX_TEXT + 1)
    } else if (URL_ELEMENTS.has(name)) field = { is: 'url', text: '', depth }
    else if (name === 'guid' && attributes['isPermaLink'] !== 'false') field = { is: 'guid', text: '', depth }
    else if (DATES.has(name)) field = { is: 'lastmod', text: '', depth }
  }

  function closeField(): void {
    const { is, text } = field!
    field = null
    if (item !== null && item[is] === '') item[is] = text.trim()
  }

  function finishItem(): void {
    const { base, guid, lastmod, url: named } = item ?? NO_ITEM
    item = null
    // An RSS item without a link may name its page by its id (RSS 2.0, `guid`).
    const url = named === '' && WEB_URL.test(guid) ? guid : named
    if (url === '' || url.length > MAX_TEXT) return
    const isWhole = root!.hasPrefixes || SCHEME.test(url)
    const entry = { url: isWhole ? url : (URL.parse(url, base)?.href ?? url), lastmod: readLastmod(lastmod) }
    if (root!.kind === 'index') onSitemap(entry)
    else onPage(entry)
  }

  function leave(problem: SitemapProblem): void {
    isOver = true
    stop(problem)
    parser.pause()
  }
}

/** What resolves the URLs inside an element (XML Base). A longer base is ignored: each entry would cost its length. */
function baseOf(attributes: Record<string, string>, around: string): string {
  const stated = attributes['xml:base']
  return stated === undefined || stated.length > MAX_TEXT ? around : (URL.parse(stated, around)?.href ?? around)
}

function nameOf(name: string): Open {
  const colon = name.indexOf(':')
  return { name: name.slice(colon + 1).toLowerCase(), prefix: colon < 0 ? '' : name.slice(0, colon) }
}

// ---- dates

const W3C_DATE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(\.\d{1,9})?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i

/**
 * Parses a date of the sitemaps schema: `2026-03-04`, or an instant with seconds; null when it is neither. Dates of feeds (`Wed, 04 Mar
 * 2026 09:12:30 GMT`) become instants in UTC.
 */
export function readLastmod(text: string): string | null {
  if (text === '' || text.length > 64) return null
  const w3c = W3C_DATE.exec(text)
  if (w3c) {
    const [, day = '', minute, second = ':00', fraction = '', zone = ''] = w3c
    if (!isDay(day)) return null
    if (minute === undefined) return day
    const [hours = 0, minutes = 0] = minute.split(':').map(Number)
    if (hours > 23 || minutes > 59 || Number(second.slice(1)) > 59) return null
    const offset = zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
    if (offset.length === 6 && (Number(offset.slice(1, 3)) > 13 || Number(offset.slice(4)) > 59)) return null
    return `${day}T${minute}${second}${fraction}${offset}`
  }
  if (!/^[a-z]{3},?\s+\d{1,2}\s+[a-z]{3}\s+\d{4}\s+\d{2}:\d{2}/i.test(text)) return null
  const at = parseZoned(text)
  return Number.isNaN(at) ? null : new Date(at).toISOString().replace('.000Z', 'Z')
}

function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`)
  // Date turns 30 February into a day of March: reject it.
  return !Number.isNaN(at) && day > '0001' && new Date(at).toISOString().startsWith(day)
}

// ---- bytes

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

/** Chooses the decoder by byte order mark, header, or XML declaration; else UTF-8. Null ends the text. */
function decoderFor(head: Uint8Array, contentType: string | null): (chunk: Uint8Array | null) => string {
  const label = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(contentType ?? '')?.[1] ?? null
  const stated = xmlEncoding(head, label)
  const decoder = stated === 'UTF-8' || stated === 'replacement' ? new TextDecoder() : new WebTextDecoder(stated)
  return (chunk) => (chunk === null ? decoder.decode() : decoder.decode(chunk, { stream: true }))
}
