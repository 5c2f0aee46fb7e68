/**
 * The spellings of a URL, from what a page says to the key of a page in the store:
 *
 * | spelling      | made by                           | used for                                                                       |
 * | ------------- | --------------------------------- | ------------------------------------------------------------------------------ |
 * | absolute      | `LinkResolver` (`resolve-url.ts`) | links and pictures in results: made absolute, otherwise spelled as on the page |
 * | with tracking | `canonicalUrlWithTracking`        | submitted URLs and redirect targets: tracking parameters stay                  |
 * | canonical     | `canonicalUrl`                    | links and sitemap entries: without tracking parameters                         |
 * | identity      | `urlIdentity`                     | whether two canonical URLs are the same page; never fetched                    |
 * | key           | `urlKey` (`url-key.ts`)           | the identity as 64 bits, in memory and in the store                            |
 * | host key      | `hostKey`                         | politeness and robots rules, which are kept per host                           |
 * | pattern       | `urlPattern` (`traps.ts`)         | groups URLs of one kind, to count them against crawler traps                   |
 *
 * Every link of every page needs its canonical spelling. A character scan recognises URLs that are clean already; all others go through the
 * WHATWG URL parser.
 */
import { withoutPathSession, withoutTracking } from './tracking-parameters.ts'

/** Longer URLs are rejected: no page has one. */
const MAX_URL_LENGTH = 8192

/**
 * The URL of a link or sitemap entry as it is filtered and fetched. It drops tracking and session parameters, which
 * `canonicalUrlWithTracking` keeps.
 *
 * Both return http(s) URLs only: no fragment, no userinfo, no default port, the host in lower-case ASCII without a trailing dot, dot
 * segments resolved, the query in its order, percent-encoding in one spelling (capital digits, unreserved characters plain; RFC 3986, 6.2.2).
 *
 * @param base  resolves a relative `url`
 * @returns     null when it is not an http(s) URL
 */
export function canonicalUrl(url: string, base?: string): string | null {
  return spell(url, base, true)
}

/** The URL that a person submitted or a redirect named, as it is fetched. Like `canonicalUrl`, but keeps all parameters of the query. */
export function canonicalUrlWithTracking(url: string, base?: string): string | null {
  return spell(url, base, false)
}

/**
 * The same for two spellings of one page: the URL without the slash that ends its path (the root keeps its slash). For comparing URLs and for
 * `urlKey`; a fetch uses the URL itself.
 *
 * @param canonical  from `canonicalUrl` or `canonicalUrlWithTracking`
 */
export function urlIdentity(canonical: string): string {
  const query = canonical.indexOf('?')
  const end = query < 0 ? canonical.length : query
  if (canonical.charCodeAt(end - 1) !== SLASH) return canonical
  const pathStart = canonical.indexOf('/', canonical.indexOf('://') + 3)
  if (pathStart === end - 1) return canonical
  return canonical.slice(0, end - 1) + canonical.slice(end)
}

/** The key under which politeness and robots rules are kept: scheme, host and port, the port always (`https://example.com:443`). */
export function hostKey(url: string): string {
  const authority = AUTHORITY.exec(url)
  if (!authority) {
    const parsed = new URL(url)
    const host = parsed.hostname.endsWith('.') ? parsed.hostname.slice(0, -1) : parsed.hostname
    return `${parsed.protocol}//${host}:${parsed.port || defaultPort(parsed.protocol)}`
  }
  return authority[2] === undefined ? `${authority[0]}:${defaultPort(authority[1]!)}` : authority[0]
}

// ---- spelling

const AUTHORITY = /^(https?:)\/\/(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::(\d+))?(?=\/|$)/
const SLASH = 47

function spell(input: string, base: string | undefined, strip: boolean): string | null {
  if (input.length > MAX_URL_LENGTH * 2) return null
  const hash = input.indexOf('#')
  const url = hash < 0 ? input : input.slice(0, hash)
  const fast = spellClean(url, base)
  if (fast === null) return spellParsed(url, base, strip)
  if (fast.length > MAX_URL_LENGTH) return null
  return strip ? withoutTracking(fast) : fast
}

/** The fast way: the absolute URL, or null when only the URL parser can tell. */
function spellClean(url: string, base: string | undefined): string | null {
  const pathStart = cleanAuthorityEnd(url)
  if (pathStart > 0) return isCleanPath(url, pathStart) ? url : null
  if (base === undefined || url.length === 0 || !isCleanStart(url)) return null
  const place = placeOf(base)
  if (place === null) return null
  if (url.charCodeAt(0) === SLASH) return url.charCodeAt(1) !== SLASH && isCleanPath(url, 0) ? place.origin + url : null
  const colon = url.indexOf(':')
  return colon < 0 && isCleanPath(url, 0) ? place.folder + url : null
}

/**
 * The last `https://host:port/` that the parser returned unchanged; the pages of a site share it. Saves 1 µs per URL of a site with a port,
 * which the pattern below does not match (measured).
 */
let provenSite = ''
/** The last label starts with a letter, so that the host is no IPv4 address. */
const CLEAN_AUTHORITY = /^https?:\/\/(?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*(?=\/)/
/** Index of the slash after a clean authority, or 0. */
function cleanAuthorityEnd(url: string): number {
  if (provenSite !== '' && url.startsWith(provenSite)) return provenSite.length - 1
  const match = CLEAN_AUTHORITY.exec(url)
  if (match === null) return 0
  return match[0].includes('xn--') ? 0 : match[0].length
}

function isCleanStart(url: string): boolean {
  const first = url.charCodeAt(0)
  return first !== 63 && CLASS[first] === PLAIN
}

type Place = { origin: string; folder: string }
let lastBase: string | undefined
let lastPlace: Place | null = null

/** What relative URLs are appended to. Links of a page share their base, so the last answer is cached. */
function placeOf(base: string): Place | null {
  if (base === lastBase) return lastPlace
  const canonical = canonicalUrl(base)
  let place: Place | null = null
  if (canonical !== null) {
    const query = canonical.indexOf('?')
    const path = query < 0 ? canonical : canonical.slice(0, query)
    const pathStart = path.indexOf('/', path.indexOf('://') + 3)
    place = { origin: path.slice(0, pathStart), folder: path.slice(0, path.lastIndexOf('/') + 1) }
  }
  lastBase = base
  lastPlace = place
  return place
}

// Classes of ASCII characters behind the authority: PLAIN stays as it is, 0 needs the parser.
const PLAIN = 1
const DOT = 2
const PERCENT = 3
const QUESTION = 4
const CLASS = (() => {
  const table = new Uint8Array(128)
  for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~!$&()*+,;=:@/') table[char.charCodeAt(0)] = PLAIN
  table['.'.charCodeAt(0)] = DOT
  table['%'.charCodeAt(0)] = PERCENT
  table['?'.charCodeAt(0)] = QUESTION
  return table
})()

/** Whether path and query from `start` are canonical already. */
function isCleanPath(url: string, start: number): boolean {
  let inQuery = false
  for (let i = start; i < url.length; i += 1) {
    const code = url.charCodeAt(i)
    const kind = code < 128 ? CLASS[code] : 0
    if (kind === PLAIN) {
      // a semicolon may start a session id, and so may a bracket behind a slash
      if (!inQuery && (code === 59 || (code === 40 && (i === start || url.charCodeAt(i - 1) === SLASH)))) return false
      continue
    }
    if (kind === DOT) {
      // may be a dot segment
      if (!inQuery && (i === start || url.charCodeAt(i - 1) === SLASH)) return false
    } else if (kind === QUESTION) {
      if (inQuery) continue
      if (i + 1 === url.length) return false
      inQuery = true
    } else if (kind === PERCENT) {
      if (!isNormalEscape(url, i)) return false
      i += 2
    } else return false
  }
  return true
}

function spellParsed(url: string, base: string | undefined, strip: boolean): string | null {
  const parsed = URL.parse(url, base)
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return null
  let host = parsed.hostname
  if (host.endsWith('.')) host = host.slice(0, -1)
  if (host === '' || host.startsWith('.') || host.endsWith('.')) return null
  const port = parsed.port === '' ? '' : `:${parsed.port}`
  const site = `${parsed.protocol}//${host}${port}/`
  if (url.startsWith(site)) provenSite = site
  const path = normalEscapes(parsed.pathname)
  if (strip && (path.includes(';') || path.includes('/('))) {
    const plain = withoutPathSession(path)
    // the rest may be a dot segment
    if (plain !== path) return spellParsed(`${parsed.protocol}//${host}${port}${plain}${parsed.search}`, undefined, true)
  }
  const search = parsed.search.length > 1 ? normalEscapes(parsed.search) : ''
  const whole = `${parsed.protocol}//${host}${port}${path}${search}`
  if (whole.length > MAX_URL_LENGTH) return null
  return strip ? withoutTracking(whole) : whole
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80'
}

// ---- percent-encoding

function isNormalEscape(text: string, at: number): boolean {
  const high = capitalHex(text.charCodeAt(at + 1))
  const low = capitalHex(text.charCodeAt(at + 2))
  return high >= 0 && low >= 0 && !isUnreserved(high * 16 + low)
}

function capitalHex(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  return code >= 65 && code <= 70 ? code - 55 : -1
}

/** RFC 3986, 2.3: letters, digits, `-`, `.`, `_`, `~`. */
function isUnreserved(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 46 ||
    code === 95 ||
    code === 126
  )
}

const LONE_PERCENT = /%[0-9a-f]?$/i

/**
 * Percent-encoding in one spelling: unreserved characters plain, hexadecimal digits capital. For a path or query; robots rules use it as
 * well. Lone percent signs stay.
 */
export function normalEscapes(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([0-9a-fA-F]{2})/g, (escape, digits: string, at: number) => {
    const code = parseInt(digits, 16)
    // behind a lone percent sign, a decoded character could complete another escape
    const isBehindLone = LONE_PERCENT.test(text.slice(Math.max(0, at - 2), at))
    return isUnreserved(code) && !isBehindLone ? String.fromCharCode(code) : escape.toUpperCase()
  })
}
