/** Characters that URL parsing leaves alone in a path or query, by code; others take the slow way. */
const SAFE = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~!$&()*+,;=:@/?%')
  SAFE[character.charCodeAt(0)] = 1

const MAX_REMEMBERED = 20_000

/** `isCalm`: a renderer takes nothing in it for a mark or another address: see `sealLine` */
export type Destination = { readonly url: string; readonly isCalm: boolean }

/**
 * An absolute http(s) address without its fragment. All links of a page to one address have the same object, and so have most links of a
 * site: what was found out about the address stays with it.
 */
export class Address {
  readonly url: string
  /** The number of the list of links that it was put on last, and its place there. */
  list = 0
  place = 0
  /** What `judge` said of it. */
  judge: unknown = null
  judgement: unknown = null
  /** How Markdown spells it as the destination of a link; null until that is asked. */
  destination: Destination | null = null
  constructor(url: string) {
    this.url = url
  }
}

/**
 * Addresses by origin and path, kept from page to page. The answer is then the same object each time. Measured: a page of 75 links, 0.155 ms
 * instead of 0.17 for its tree and links.
 */
const siteAddresses = new Map<string, Map<string, Address>>()
let siteAddressCount = 0
const MAX_SITE_ADDRESSES = 20_000
const MAX_KEPT_LENGTH = 300

function addressesOf(origin: string): Map<string, Address> {
  let addresses = siteAddresses.get(origin)
  if (addresses === undefined) {
    addresses = new Map()
    siteAddresses.set(origin, addresses)
    siteAddressCount++
  }
  return addresses
}

let lastPage = ''
let lastParsed: URL | null = null

/** The address of a page in its parts, parsed once for all that ask while the page is read. Not to be changed. */
export function parsedAddress(pageUrl: string): URL | null {
  if (pageUrl !== lastPage) {
    lastParsed = URL.parse(pageUrl)
    lastPage = pageUrl
  }
  return lastParsed
}

/**
 * Makes addresses of one page absolute, as URL parsing does but mostly without it.
 *
 * A class, like everything else that is made anew for each page: V8 throws the machine code of a function away when a full collection finds no
 * closure of it, and between two pages there is none. Measured: a crawl of 4,000 pages compiles for 0.76 s instead of 0.94.
 * Measured: 40 links of a page by `new URL` 70 µs, by this 6 µs.
 */
export class Resolver {
  readonly #pageUrl: string
  readonly #base: URL | null
  readonly #origin: string
  readonly #folder: string
  readonly #isPlainBase: boolean
  /** The base without its fragment. */
  readonly #whole: string
  readonly #known = new Map<string, Address | null>()
  /** What the tables for all pages have no room for. */
  readonly #others = new Map<string, Address>()
  readonly #ofSite: Map<string, Address> | null
  /** Whole addresses mean the same on every page. */
  readonly #ofWeb: Map<string, Address>

  /** @param baseHref  of the page's `<base>`; null without one */
  constructor(pageUrl: string, baseHref: string | null) {
    const base = webUrl(baseHref === null ? null : URL.parse(baseHref, pageUrl)) ?? parsedAddress(pageUrl)
    this.#pageUrl = pageUrl
    this.#base = base
    this.#origin = base?.origin ?? ''
    this.#folder = base === null ? '' : this.#origin + base.pathname.slice(0, base.pathname.lastIndexOf('/') + 1)
    this.#isPlainBase =
      base !== null && (base.protocol === 'http:' || base.protocol === 'https:') && base.username === '' && base.password === ''
    this.#whole = base === null ? '' : base.href.split('#', 1)[0]!
    if (siteAddressCount >= MAX_SITE_ADDRESSES) {
      siteAddresses.clear()
      siteAddressCount = 0
    }
    this.#ofSite = this.#isPlainBase ? addressesOf(this.#origin) : null
    this.#ofWeb = addressesOf('')
  }

  /** The absolute http(s) address without its fragment; null for other schemes and for what does not parse. */
  resolve(href: string): string | null {
    return this.address(href)?.url ?? null
  }

  /** The same object for all spellings of an address on this page. */
  address(href: string): Address | null {
    const known = this.#known
    const isPath = this.#ofSite !== null && href.charCodeAt(0) === 47
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
    const answer = url === null ? null : this.#addressOf(url)
    if (known.size < MAX_REMEMBERED && href.length < 4096) known.set(href, answer)
    return answer
  }

  /** Is this only a place on the page itself? */
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

  #addressOf(url: string): Address {
    const ofSite = url.length < MAX_KEPT_LENGTH && this.#isOwn(url)
    const table = url.length >= MAX_KEPT_LENGTH ? this.#others : ofSite ? this.#ofSite! : this.#ofWeb
    // Cut from a text of its own, not from the page: a piece of a text keeps the whole of it in memory.
    const key = ofSite ? url.slice(this.#origin.length) : url
    let found = table.get(key) ?? this.#others.get(url)
    if (found !== undefined) return found
    found = new Address(url)
    if (table !== this.#others && siteAddressCount < MAX_SITE_ADDRESSES) {
      table.set(key, found)
      siteAddressCount++
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
      // A scheme, or a path with dot segments.
      else if (code === 58 && relative) return undefined
      else if (code === 47 && (href.charCodeAt(at + 1) === 46 || href.charCodeAt(at + 1) === 37)) return undefined
    }
    return head + href.slice(start)
  }

  #slow(href: string): string | null {
    const url = webUrl(URL.parse(href, this.#base?.href))
    if (url === null) return null
    url.hash = ''
    return url.href
  }
}

/** Where the colon behind a scheme is; 0 without one. */
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
