/**
 * What in one run looks like a trap, counted over its URLs: patterns with too many URLs, with one content or with endless redirects, and
 * sites with too many hosts. The rules that a URL breaks by itself are in `traps.ts`.
 */
import { urlPattern } from './traps.ts'

const MOST_PATTERNS = 50_000
export const MOST_HOSTS_OF_SITE = 500
/** URLs of a host that may always be in progress while a pattern of it is close to its share of strange redirects. */
const LEAST_IN_PROGRESS = 4
/** Pages of one pattern with one content, in a row, that close it. */
const MOST_SAME = 20

type Pattern = { added: number; lastHash: string; sameInRow: number; strangeRedirects: number; closed: null | keyof typeof WHY_CLOSED }

const WHY_CLOSED = {
  same: 'URLs of this form all bring the same page',
  redirects: 'URLs of this form all redirect to addresses that nothing else names',
}

export type RunTraps = ReturnType<typeof createRunTraps>

/**
 * @param seedHosts  hosts that are never one too many
 * @param siteOf     the site of a host name
 */
export function createRunTraps({
  pageLimit,
  seedHosts,
  siteOf,
}: {
  pageLimit: number
  seedHosts: ReadonlySet<string>
  siteOf: (host: string) => string
}) {
  const patterns = new Map<string, Pattern>()
  const sites = new Map<string, Set<string>>()
  const redirectLimit = Math.max(10, Math.floor(pageLimit * 0.3))
  const patternLimit = Math.max(200, Math.floor(pageLimit * 0.3))
  /** Some pattern has strange redirects: hosts may wait for fewer URLs in progress. */
  let isRedirecting = false
  return {
    count,
    isOneHostTooMany,
    sawContent,
    sawRedirect,
    hasToWait,
    closedFor,
    get isRedirecting() {
      return isRedirecting
    },
  }

  /** Counts a URL to its pattern. True when the pattern has more than its share: large sites are one pattern, too, so such URLs wait. */
  function count(url: string): boolean {
    const name = urlPattern(url)
    let pattern = patterns.get(name)
    if (pattern === undefined) {
      pattern = { added: 0, lastHash: '', sameInRow: 0, strangeRedirects: 0, closed: null }
      patterns.set(name, pattern)
      if (patterns.size > MOST_PATTERNS) patterns.delete(patterns.keys().next().value!)
    }
    pattern.added += 1
    return pattern.added > patternLimit
  }

  /** Counts a new host to its site; true when the site has too many. */
  function isOneHostTooMany(hostKey: string): boolean {
    const host = new URL(hostKey).hostname
    if (seedHosts.has(host)) return false
    const site = siteOf(host)
    const ofSite = sites.get(site) ?? new Set()
    sites.set(site, ofSite)
    if (ofSite.has(hostKey)) return false
    if (ofSite.size >= MOST_HOSTS_OF_SITE) return true
    ofSite.add(hostKey)
    return false
  }

  /** Notes what a page held: twenty in a row of one pattern with one content close the pattern. */
  function sawContent(url: string, contentHash: string) {
    const pattern = patterns.get(urlPattern(url))
    if (pattern === undefined) return
    pattern.sameInRow = pattern.lastHash === contentHash ? pattern.sameInRow + 1 : 1
    pattern.lastHash = contentHash
    if (pattern.sameInRow >= MOST_SAME) pattern.closed = 'same'
  }

  /**
   * Notes that a URL redirected within its host to one that nothing else names. Links that do, and are no other spelling of where they lead,
   * can go on for ever: a pattern may have a share of them.
   */
  function sawRedirect(url: string, target: string) {
    if (stemOf(url) === stemOf(target)) return
    const pattern = patterns.get(urlPattern(url))
    if (pattern === undefined) return
    pattern.strangeRedirects += 1
    isRedirecting = true
    if (pattern.strangeRedirects >= redirectLimit) pattern.closed ??= 'redirects'
  }

  /**
   * Whether so many URLs of a host are in progress that the pattern of this one might exceed its share of strange redirects by far before
   * they end. Only where some have been seen; a few always go on, and what was submitted does.
   */
  function hasToWait({ isSeed, url }: { isSeed: boolean; url: string }, inProgress: number): boolean {
    if (!isRedirecting || isSeed || inProgress < LEAST_IN_PROGRESS) return false
    const pattern = patterns.get(urlPattern(url))
    if (pattern === undefined || pattern.closed !== null || pattern.strangeRedirects === 0) return false
    return pattern.strangeRedirects + inProgress >= redirectLimit
  }

  /** Why URLs of this pattern are no longer asked; null when they are. */
  function closedFor(url: string): { outcome: `trap:${string}`; detail: string } | null {
    const closed = patterns.get(urlPattern(url))?.closed
    return closed ? { outcome: `trap:${closed}`, detail: WHY_CLOSED[closed] } : null
  }
}

/** The last word of a path, without case and file extension: the same in most spellings of one address. */
function stemOf(url: string): string {
  const path = url.replace(/[?#].*$/, '').replace(/\/(?:index\.[a-z]+)?$/i, '')
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.[a-z]{2,5}$/i, '')
    .toLowerCase()
}
