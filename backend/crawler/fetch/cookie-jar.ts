import { getDomain } from 'tldts'
import { readHttpDate } from './answer-headers.ts'

type Cookie = {
  name: string
  value: string
  path: string
  domain: string
  /** For the host itself only, not for its subdomains. */
  isHostOnly: boolean
  /** For https only. */
  isSecure: boolean
  /** Characters of its `Set-Cookie`. */
  length: number
}

export type CookieJar = {
  header: (url: string) => string
  isEmpty: () => boolean
  keep: (setCookie: string, url: string) => void
  copy: () => CookieJar
}

/**
 * Cookies for one chain of redirects; discarded afterwards. Supports only what redirects need: names, values, domains and paths, and no
 * lifetimes except "expired already".
 */
export function createCookieJar(before: Iterable<[key: string, cookie: Cookie]> = []): CookieJar {
  const cookies = new Map<string, Cookie>(before)
  return { header, isEmpty: () => cookies.size === 0, keep, copy: () => createCookieJar(cookies) }

  /** Stores one `Set-Cookie` value. */
  function keep(setCookie: string, url: string): void {
    if (setCookie.length > MAX_COOKIE_LENGTH) return
    const [pair, ...attributes] = setCookie.split(';')
    const equals = pair!.indexOf('=')
    const name = pair!.slice(0, Math.max(0, equals)).trim()
    const value = pair!.slice(equals + 1).trim()
    if ((name === '' && value === '') || CONTROL.test(pair!)) return
    const path = attributeOf(attributes, 'path')
    const domain = domainOf(attributeOf(attributes, 'domain'), hostOf(url))
    if (domain === null) return
    // A secure cookie that http has set goes back to http: it was never secret.
    const isSecure = url.startsWith('https:') && attributes.some((attribute) => attribute.trim().toLowerCase() === 'secure')
    const cookie = { name, value, path: path?.startsWith('/') ? path : folderOf(url), ...domain, isSecure, length: setCookie.length }
    const key = `${name} ${cookie.domain} ${cookie.path}`
    cookies.delete(key)
    if (isExpired(attributes)) return
    cookies.set(key, cookie)
    while (cookies.size > MAX_COOKIES || lengthOf(cookies) > MAX_JAR_LENGTH) cookies.delete(cookies.keys().next().value!)
  }

  /** The `Cookie` header for a URL; empty when no cookie applies. */
  function header(url: string): string {
    let text = ''
    // RFC 6265, 5.4: a server that gets two of one name takes the first, whose path is closer.
    const sent = [...cookies.values()].filter((cookie) => isFor(cookie, url)).toSorted((a, b) => b.path.length - a.path.length)
    for (const cookie of sent) {
      const pair = cookie.name === '' ? cookie.value : `${cookie.name}=${cookie.value}`
      const next = `${text === '' ? '' : `${text}; `}${pair}`
      if (next.length <= MAX_HEADER_LENGTH) text = next
    }
    return text
  }
}

/** RFC 6265bis, 5.6: no cookie has these. Other bytes go back as they came, and a cookie may have no name. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/

const MAX_COOKIES = 50
const MAX_COOKIE_LENGTH = 4096
/** Of all cookies together: jars are kept while their URLs wait. */
const MAX_JAR_LENGTH = 16_384
const MAX_HEADER_LENGTH = 8192

const lengthOf = (cookies: ReadonlyMap<string, Cookie>): number => [...cookies.values()].reduce((sum, { length }) => sum + length, 0)

/** The value of an attribute; of a repeated one, the last (RFC 6265, 5.3). */
function attributeOf(attributes: string[], name: string): string | undefined {
  for (const attribute of attributes.toReversed()) {
    const equals = attribute.indexOf('=')
    if (equals > 0 && attribute.slice(0, equals).trim().toLowerCase() === name) return attribute.slice(equals + 1).trim()
  }
  return undefined
}

/** Sites delete a cookie by a date in the past; `Max-Age` counts before `Expires` (RFC 6265, 5.3). */
function isExpired(attributes: string[]): boolean {
  const maxAge = attributeOf(attributes, 'max-age')
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0
  const expires = attributeOf(attributes, 'expires')
  const at = expires === undefined ? null : readHttpDate(expires)
  return at !== null && at <= Date.now()
}

/**
 * The domain of a cookie: that of its host, or the one it names; null when that is no domain of its host, or one that many owners share, such
 * as `co.uk` (RFC 6265, 5.3).
 */
function domainOf(named: string | undefined, host: string): { domain: string; isHostOnly: boolean } | null {
  const domain = (named ?? '').replace(/^\./, '').toLowerCase()
  if (domain === '') return { domain: host, isHostOnly: true }
  if (domain !== host && !isSubdomain(host, domain)) return null
  const isShared = getDomain(domain, { allowPrivateDomains: true }) === null
  return isShared && domain !== host ? null : { domain, isHostOnly: isShared }
}

function isFor({ domain, isHostOnly, isSecure, path }: Cookie, url: string): boolean {
  const host = hostOf(url)
  const isOfDomain = host === domain || (!isHostOnly && isSubdomain(host, domain))
  return isOfDomain && (!isSecure || url.startsWith('https:')) && isUnder(pathOf(url), path)
}

/** An address has no subdomains. */
const isSubdomain = (host: string, domain: string): boolean => host.endsWith(`.${domain}`) && !/^[\d.]+$/.test(host)

/** Cookies are not divided by port (RFC 6265, 8.5). */
const hostOf = (url: string): string => new URL(url).hostname

function pathOf(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3)).replace(/\?.*$/, '')
}

/** RFC 6265, 5.1.4: the path up to its last slash. */
function folderOf(url: string): string {
  const path = pathOf(url)
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && (folder.endsWith('/') || path[folder.length] === '/'))
}
