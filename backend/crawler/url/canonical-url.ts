/**
 * How URLs are spelled, from what a page says to what names a page in the store:
 *
 * | spelling       | made by                    | used for                                                               |
 * | -------------- | -------------------------- | ---------------------------------------------------------------------- |
 * | absolute       | `resolve-url.ts`           | addresses in results, spelled as the page spells them                  |
 * | seed           | `seedUrl`                  | what was submitted, and redirect targets: tracking parameters are kept |
 * | canonical      | `canonicalUrl`             | links and sitemap entries, before they are filtered and fetched        |
 * | identity       | `urlIdentity`              | whether two canonical URLs are one page                                |
 * | key            | `urlKey` (`url-key.ts`)    | the identity as 64 bits, in memory and in the store                    |
 * | host key       | `hostKey`                  | politeness and robots rules, which are kept per host                   |
 * | pattern        | `urlPattern` (`traps.ts`)  | URLs of one kind, counted against crawler traps                        |
 *
 * The canonical spelling is asked for by every link of every page. URLs that are clean already never reach the URL parser: a scan over
 * their characters decides, and whatever it is not sure of is parsed by the rules of WHATWG.
 */
import { withoutPathSession, withoutTracking } from './tracking-parameters.ts'

/** Longer URLs are nobody's pages; they are not looked at. */
const MAX_URL_LENGTH = 8192

/**
 * The spelling that is fetched: http(s) only, no fragment, no userinfo, no default port, host in lower-case ASCII
 * without a trailing dot, dot segments resolved, percent-encoding in one spelling (capital digits, unreserved characters
 * plain; RFC 3986, 6.2.2), tracking and session parameters removed, order of the query kept.
 *
 * @param base  what a relative `url` is relative to
 * @returns     null when it is not an http(s) URL
 */
export function canonicalUrl(url: string, base?: string): string | null {
  return spell(url, base, true)
}

/** The canonical spelling with tracking parameters kept: for URLs that a person submitted, and for redirect targets. */
export function seedUrl(url: string, base?: string): string | null {
  return spell(url, base, false)
}

/** What makes two canonical URLs the same page: the URL without the slash that ends its path. The root keeps its one. */
export function urlIdentity(canonical: string): string {
  const query = canonical.indexOf('?')
  const end = query < 0 ? canonical.length : query
  if (canonical.charCodeAt(end - 1) !== SLASH) return canonical
  const pathStart = canonical.indexOf('/', canonical.indexOf('://') + 3)
  if (pathStart === end - 1) return canonical
  return canonical.slice(0, end - 1) + canonical.slice(end)
}

/** Scheme, host and port, the port always: `https://example.com:443`. What politeness and robots rules are kept by. */
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

/** The URL made absolute, when that needs no parser; else null. */
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
 * The last scheme, host and port, with the slash behind them, that the parser gave back as they were: the pages of a site share theirs.
 * Measured with a port, which the pattern below does not know: 1 µs less for each URL.
 */
let provenSite = ''
/** Index of the slash after a clean authority, or 0. The last label starts with a letter, so it cannot be a number. */
const CLEAN_AUTHORITY = /^https?:\/\/(?:[a-z0-9][a-z0-9-]*\.)*[a-z][a-z0-9-]*(?=\/)/
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

/** Where relative URLs of a base start. Links of a page share their base, so the last answer is kept. */
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

// Classes of ASCII characters in the part after the authority: 0 needs the parser, PLAIN stands as it is.
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

/** Whether path and query from `start` are already in the one spelling. */
function isCleanPath(url: string, start: number): boolean {
  let inQuery = false
  for (let i = start; i < url.length; i += 1) {
    const code = url.charCodeAt(i)
    const kind = code < 128 ? CLASS[code] : 0
    if (kind === PLAIN) {
      // a session id behind a semicolon needs a closer look
      if (code === 59 && !inQuery) return false
      continue
    }
    if (kind === DOT) {
      // a dot that opens a segment may be a dot segment
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
  if (strip && path.includes(';')) {
    const plain = withoutPathSession(path)
    // what is left may be a dot segment
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

/** One spelling of each escape: unreserved characters plain, hexadecimal digits capital. Lone percent signs stay. */
export function normalEscapes(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([0-9a-fA-F]{2})/g, (escape, digits: string, at: number) => {
    const code = parseInt(digits, 16)
    // behind a lone percent sign a plain character could become part of another escape
    const isBehindLone = LONE_PERCENT.test(text.slice(Math.max(0, at - 2), at))
    return isUnreserved(code) && !isBehindLone ? String.fromCharCode(code) : escape.toUpperCase()
  })
}
