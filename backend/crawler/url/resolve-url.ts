import { encodeQuery } from './query-encoding.ts'

/** Characters that the URL parser leaves as they are in a path or query; a URL with any other goes through the parser. */
const SAFE = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~!$&()*+,;=:@/?%')
  SAFE[character.charCodeAt(0)] = 1

const MAX_REMEMBERED = 20_000

/** `isCalm`: a Markdown renderer finds no markup and no second URL in it (see `sealLine`) */
export type Destination = { readonly url: string; readonly isCalm: boolean }

/**
 * An absolute http(s) URL without its fragment. All links of a page to one URL share one object, and so do most links of a site; the object
 * caches what was computed about the URL.
 */
export class LinkTarget {
  readonly url: string
  /** The list of links that it was last added to, and its index there. */
  list = 0
  place = 0
  /** The judge that was asked last, and its answer. */
  judge: unknown = null
  judgement: unknown = null
  /** The URL as a Markdown link spells it; null until it is needed. */
  destination: Destination | null = null
  constructor(url: string) {
    this.url = url
  }
}

/**
 * URLs by origin and path, cached from page to page, so that each URL keeps its object. Measured on a page of 75 links: its tree and links take
 * 0.155 ms instead of 0.17.
 */
const siteTargets = new Map<string, Map<string, LinkTarget>>()
let siteTargetCount = 0
const MAX_SITE_TARGETS = 20_000
const MAX_KEPT_LENGTH = 300

function targetsOf(origin: string): Map<string, LinkTarget> {
  let targets = siteTargets.get(origin)
  if (targets === undefined) {
    targets = new Map()
    siteTargets.set(origin, targets)
    siteTargetCount++
  }
  return targets
}

let lastPage = ''
let lastParsed: URL | null = null

/** The parsed URL of the page that is being read, cached for all its callers. Treat it as read-only. */
export function parsePageUrl(pageUrl: string): URL | null {
  if (pageUrl !== lastPage) {
    lastParsed = URL.parse(pageUrl)
    lastPage = pageUrl
  }
  return lastParsed
}

/**
 * Makes the links and pictures of one page absolute for its results. Keeps the spelling of the page, unlike `canonicalUrl`, and rarely needs
 * the URL parser: 40 links take 6 µs, with `new URL` 70 µs (measured).
 *
 * A class, like everything that is created anew for each page: V8 discards the machine code of a function when a full GC finds no closure of
 * it, and between two pages there is none. Measured: a crawl of 4,000 pages spends 0.76 s on compilation instead of 0.94.
 */
export class LinkResolver {
  readonly #pageUrl: string
  readonly #base: URL | null
  readonly #origin: string
  readonly #folder: string
  readonly #isPlainBase: boolean
  /** The base without its fragment. */
  readonly #whole: string
  readonly #known = new Map<string, LinkTarget | null>()
  /** URLs of this page that did not fit into the tables shared by all pages. */
  readonly #others = new Map<string, LinkTarget>()
  readonly #ofSite: Map<string, LinkTarget> | null
  /** Absolute URLs of other sites: they mean the same on every page. */
  readonly #ofWeb: Map<string, LinkTarget>
  readonly #encoding: string

  /**
   * @param baseHref  of the page's `<base>`; null without one
   * @param encoding  of the page
   */
  constructor(pageUrl: string, baseHref: string | null, encoding = 'UTF-8') {
    const base = webUrl(baseHref === null ? null : URL.parse(baseHref, pageUrl)) ?? parsePageUrl(pageUrl)
    this.#pageUrl = pageUrl
    this.#encoding = encoding
    this.#base = base
    this.#origin = base?.origin ?? ''
    this.#folder = base === null ? '' : this.#origin + base.pathname.slice(0, base.pathname.lastIndexOf('/') + 1)
    this.#isPlainBase =
      base !== null && (base.protocol === 'http:' || base.protocol === 'https:') && base.username === '' && base.password === ''
    this.#whole = base === null ? '' : base.href.split('#', 1)[0]!
    if (siteTargetCount >= MAX_SITE_TARGETS) {
      siteTargets.clear()
      siteTargetCount = 0
    }
    this.#ofSite = this.#isPlainBase ? targetsOf(this.#origin) : null
    this.#ofWeb = targetsOf('')
  }

  /** The absolute http(s) URL without its fragment; null for other schemes and for a href that does not parse. */
  resolve(href: string): string | null {
    return this.target(href)?.url ?? null
  }

  /** Like `resolve`, as the object that all spellings of this URL on the page share. */
  target(href: string): LinkTarget | null {
    const known = this.#known
    // Two slashes name another host, although the path of a URL may begin with two as well.
    const isPath = this.#ofSite !== null && href.charCodeAt(0) === 47 && href.charCodeAt(1) !== 47
    const before = isPath ? (this.#ofSite.get(href) ?? known.get(href)) : known.get(href)
    if (before !== undefined) return before
    const colon = schemeEnd(href)
    if (colon > 0) {
      if (!isWebScheme(href, colon)) return null
      const elsewhere = this.#isOwn(href) ? undefined : this.#ofWeb.get(href)
      if (elsewhere !== undefined) return elsewhere
    }
    const quickly = this.#isPlainBase ? this.#quick(href) : undefined
    const url = quickly === undefined ? this.#slow(href) : quickly
    const answer = url === null ? null : this.#targetOf(url)
    if (known.size < MAX_REMEMBERED && href.length < 4096) known.set(href, answer)
    return answer
  }

  /** Whether the link only jumps within its own page. */
  isSamePage(href: string): boolean {
    if (href.startsWith('#')) return true
    const hash = href.indexOf('#')
    if (hash < 0) return false
    const page = this.#pageUrl.indexOf('#')
    return this.resolve(href) === (page < 0 ? this.#pageUrl : this.#pageUrl.slice(0, page))
  }

  #isOwn(url: string): boolean {
    return this.#ofSite !== null && url.charCodeAt(this.#origin.length) === 47 && url.startsWith(this.#origin)
  }

  #targetOf(url: string): LinkTarget {
    const ofSite = url.length < MAX_KEPT_LENGTH && this.#isOwn(url)
    const table = url.length >= MAX_KEPT_LENGTH ? this.#others : ofSite ? this.#ofSite! : this.#ofWeb
    // Cut from the URL, not from the page: a substring keeps its whole source string in memory.
    const key = ofSite ? url.slice(this.#origin.length) : url
    let found = table.get(key) ?? this.#others.get(url)
    if (found !== undefined) return found
    found = new LinkTarget(url)
    if (table !== this.#others && siteTargetCount < MAX_SITE_TARGETS) {
      table.set(key, found)
      siteTargetCount++
    } else this.#others.set(url, found)
    return found
  }

  #quick(href: string): string | undefined {
    const origin = this.#origin
    const first = href.charCodeAt(0)
    let start = 0
    let head = origin
    if (first === 35) return this.#whole
    if (first === 47) {
      if (href.charCodeAt(1) === 47) return undefined
    } else if (first === 104 && origin !== '' && href.startsWith(origin) && href.charCodeAt(origin.length) === 47) {
      start = origin.length
    } else if ((first | 32) >= 97 && (first | 32) <= 122) {
      head = this.#folder
    } else return undefined
    const relative = head === this.#folder && head !== origin
    let inQuery = false
    for (let at = start; at < href.length; at++) {
      const code = href.charCodeAt(at)
      if (code === 35) return head + href.slice(start, at)
      if (code > 127 || SAFE[code] === 0) return undefined
      if (code === 63) inQuery = true
      else if (inQuery) continue
      // A scheme.
      else if (code === 58 && relative) return undefined
      // A dot segment.
      else if (code === 47 && (href.charCodeAt(at + 1) === 46 || href.charCodeAt(at + 1) === 37)) return undefined
    }
    return head + href.slice(start)
  }

  #slow(href: string): string | null {
    const url = webUrl(URL.parse(encodeQuery(href, this.#encoding), this.#base?.href))
    if (url === null) return null
    url.hash = ''
    return url.href
  }
}

/** Index of the colon behind the scheme; 0 without a scheme. */
function schemeEnd(href: string): number {
  const first = href.charCodeAt(0) | 32
  if (first < 97 || first > 122) return 0
  for (let at = 1; at < href.length; at++) {
    const code = href.charCodeAt(at)
    if (code === 58) return at
    const isSchemeCharacter =
      ((code | 32) >= 97 && (code | 32) <= 122) || (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46
    if (!isSchemeCharacter) return 0
  }
  return 0
}

function isWebScheme(href: string, colon: number): boolean {
  return (colon === 4 || colon === 5) && /^https?:/i.test(href)
}

function webUrl(url: URL | null): URL | null {
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? url : null
}
