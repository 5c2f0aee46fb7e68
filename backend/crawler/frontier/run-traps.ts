/**
 * Finds crawler traps by counting over a run's URLs: patterns with too many URLs, with identical content or with endless redirects, and
 * sites with too many hosts or ports. Rules on a single URL are in `url/traps.ts`.
 */
import type { TrapOutcome } from '#backend/crawler/outcomes.ts'
import { urlPattern } from '#backend/crawler/url/traps.ts'

const MOST_PATTERNS = 50_000
const MOST_HOSTS_OF_SITE = 500
/** With more, links could make a crawl scan the ports of a host. */
const MOST_PORTS_OF_NAME = 20
/** URLs of a host that may always be in progress, even when a pattern of it is near its share of strange redirects. */
const LEAST_IN_PROGRESS = 4
/** With more sets of parameter names than this, the parameters of a path are filters that combine, and most combinations list the same things. */
const MOST_FORMS = 10
/** So many pages of one pattern in a row with identical content close the pattern. */
const MOST_SAME = 20

type Pattern = { added: number; lastHash: string; sameInRow: number; strangeRedirects: number; closed: null | keyof typeof WHY_CLOSED }

const WHY_CLOSED = {
  same: 'All URLs of this form return the same page',
  redirects: 'All URLs of this form redirect to pages that nothing else links to',
}

export type RunTraps = ReturnType<typeof createRunTraps>

/**
 * @param seedHosts  hosts that never count as too many
 * @param siteOf     maps a host name to its site
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
  /** By path: the number of its patterns, each with other parameter names. */
  const forms = new Map<string, number>()
  const sites = new Map<string, Set<string>>()
  /** Host keys by their name. */
  const ports = new Map<string, Set<string>>()
  const redirectLimit = Math.max(10, Math.floor(pageLimit * 0.3))
  const patternLimit = Math.max(200, Math.floor(pageLimit * 0.3))
  /** Some pattern has strange redirects, so hosts may have to wait for URLs in progress. */
  let isRedirecting = false
  return {
    count,
    excessOf,
    sawContent,
    sawRedirect,
    hasToWait,
    closedFor,
    get isRedirecting() {
      return isRedirecting
    },
  }

  /**
   * Counts a URL towards its pattern. True when the pattern exceeds its share, or when the URL combines filters; such URLs wait but are not
   * dropped, because most large sites have few patterns.
   */
  function count(url: string): boolean {
    const name = urlPattern(url)
    let pattern = patterns.get(name)
    if (pattern === undefined) {
      pattern = { added: 0, lastHash: '', sameInRow: 0, strangeRedirects: 0, closed: null }
      patterns.set(name, pattern)
      countForm(pathOf(name), 1)
      if (patterns.size > MOST_PATTERNS) forgetPattern(patterns.keys().next().value!)
    }
    pattern.added += 1
    return pattern.added > patternLimit || combinesFilters(name)
  }

  function combinesFilters(name: string): boolean {
    const path = pathOf(name)
    return name.includes('&', path.length) && (forms.get(path) ?? 0) > MOST_FORMS
  }

  function forgetPattern(name: string) {
    patterns.delete(name)
    countForm(pathOf(name), -1)
  }

  function countForm(path: string, change: 1 | -1) {
    const count = (forms.get(path) ?? 0) + change
    if (count > 0) forms.set(path, count)
    else forms.delete(path)
  }

  /** Counts a new host towards its host name and its site. Returns the limit that it exceeds, in words for the URL's record; otherwise null. */
  function excessOf(hostKey: string): string | null {
    const host = new URL(hostKey).hostname
    const known = ports.get(host)
    if (known !== undefined && !known.has(hostKey) && known.size >= MOST_PORTS_OF_NAME)
      return `more than ${MOST_PORTS_OF_NAME} ports of one host name`
    if (!seedHosts.has(host) && isOneTooMany(host, hostKey)) return `more than ${MOST_HOSTS_OF_SITE} hosts of one site`
    if (known === undefined) ports.set(host, new Set([hostKey]))
    else known.add(hostKey)
    return null
  }

  function isOneTooMany(host: string, hostKey: string): boolean {
    const site = siteOf(host)
    const ofSite = sites.get(site) ?? new Set()
    sites.set(site, ofSite)
    if (ofSite.has(hostKey)) return false
    if (ofSite.size >= MOST_HOSTS_OF_SITE) return true
    ofSite.add(hostKey)
    return false
  }

  /** Notes the content of a page: twenty identical ones in a row close their pattern. */
  function sawContent(url: string, contentHash: string) {
    const pattern = patterns.get(urlPattern(url))
    if (pattern === undefined) return
    pattern.sameInRow = pattern.lastHash === contentHash ? pattern.sameInRow + 1 : 1
    pattern.lastHash = contentHash
    if (pattern.sameInRow >= MOST_SAME) pattern.closed = 'same'
  }

  /**
   * Notes a redirect within a host to a URL that nothing links to. Such redirects can go on for ever, unless the target is only another
   * spelling of the URL, such as its number with a title. So each pattern may have a share of them.
   */
  function sawRedirect(url: string, target: string) {
    if (stemOf(url) === stemOf(target) || isSpelledOut(url, target)) return
    const pattern = patterns.get(urlPattern(url))
    if (pattern === undefined) return
    pattern.strangeRedirects += 1
    isRedirecting = true
    if (pattern.strangeRedirects >= redirectLimit) pattern.closed ??= 'redirects'
  }

  /**
   * Whether a URL has to wait because so many of its host are in progress that its pattern could far exceed its share of strange redirects.
   * Applies only once there were such redirects; a few URLs, and all submitted ones, never wait.
   */
  function hasToWait({ isSeed, url }: { isSeed: boolean; url: string }, inProgress: number): boolean {
    if (!isRedirecting || isSeed || inProgress < LEAST_IN_PROGRESS) return false
    const pattern = patterns.get(urlPattern(url))
    if (pattern === undefined || pattern.closed !== null || pattern.strangeRedirects === 0) return false
    return pattern.strangeRedirects + inProgress >= redirectLimit
  }

  /** Why the URL's pattern is closed; null while it is open. */
  function closedFor(url: string): { outcome: TrapOutcome; detail: string } | null {
    const closed = patterns.get(urlPattern(url))?.closed
    return closed ? { outcome: `trap:${closed}`, detail: WHY_CLOSED[closed] } : null
  }
}

/** The path of a pattern. */
const pathOf = (pattern: string): string => {
  const query = pattern.indexOf('?')
  return query < 0 ? pattern : pattern.slice(0, query)
}

/** The last segment of a path, without case and file extension: most spellings of one URL share it. */
function stemOf(url: string): string {
  const path = url.replace(/[?#].*$/, '').replace(/\/(?:index\.[a-z]+)?$/i, '')
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.[a-z]{2,5}$/i, '')
    .toLowerCase()
}

/** Whether the last segment of a path, or a value of a query, is in the path of the target: `/topic/7` and `/topic/7-a-title`. */
function isSpelledOut(url: string, target: string): boolean {
  const path = `/${target.replace(/^https?:\/\/[^/]*|\?.*$/g, '').toLowerCase()}/`
  const values = [stemOf(url), ...(/\?(.*)/.exec(url)?.[1] ?? '').split('&').map((pair) => pair.slice(pair.indexOf('=') + 1).toLowerCase())]
  return values.some((value) => value !== '' && hasPart(path, value))
}

function hasPart(path: string, part: string): boolean {
  for (let at = path.indexOf(part); at >= 0; at = path.indexOf(part, at + 1))
    if (at > 0 && BETWEEN.test(path[at - 1]!) && BETWEEN.test(path[at + part.length]!)) return true
  return false
}

/** What stands between the parts of a path. */
const BETWEEN = /[/._-]/
