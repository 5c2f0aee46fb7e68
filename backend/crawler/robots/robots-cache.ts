import { LRUCache } from 'lru-cache'
import type { FailureReason } from '#backend/crawler/fetch/fetcher.ts'
import { proxyKey } from '#backend/crawler/fetch/proxy.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import { parseRobots } from './robots.ts'
import type { Robots } from './robots.ts'

/** The result of fetching a robots file, after redirects. */
export type RobotsAnswer =
  | { kind: 'answer'; status: number; text: string; maxAgeMs: number | null }
  /** `isSilent`: the origin did not answer at all. */
  | { kind: 'failure'; reason: FailureReason; detail?: string; isSilent?: boolean }

/** The cached state of an origin's robots file; plain values, stored as JSON. */
export type StoredRobots = {
  /** The rules in force; null when there have never been any. */
  robots: Robots | null
  /** When these rules were read. */
  readAt: number
  /** Until when this entry is used without a new request. */
  until: number
  /** Failed attempts in a row. */
  failures: number
  /** Set when the origin could not be reached: its pages would fail with the same reason. */
  reason?: FailureReason
  /** Why the file could not be fetched, in plain words. */
  detail?: string
}

/** What the robots rules say about an origin now. */
export type RobotsVerdictSource =
  | { kind: 'rules'; robots: Robots }
  /** Nothing may be fetched until `retryAt`, when the file is requested again. With a `reason`, pages of the origin would fail as well. */
  | { kind: 'unreachable'; retryAt: number; reason?: FailureReason; detail?: string }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** A missing name or a refused address is cheap to check again. */
const NOBODY_MS = 10_000
const DAY = 24 * HOUR
const LEAST_TTL = 5 * MINUTE
const MOST_STALE = 7 * DAY
/** A failed proxy or name server, a refused connection or silence may pass within seconds. */
const SOON_MS = 1000
const MAX_ORIGINS = 1000
/** Most rules of all origins together, so that a thousand huge files do not fill the memory. */
const MAX_RULES = 200_000

const NO_RULES: Robots = { rules: [], crawlDelayMs: null, sitemaps: [] }

/**
 * Caches the robots rules of origins, in memory over a store. Concurrent callers share one request per origin.
 *
 * Rules are valid for a day, or as long as `Cache-Control` says (at least five minutes). A 4xx other than 429 means that there are no
 * rules. 429, 5xx and silence forbid everything for a minute, then longer, up to an hour, unless there is an older copy of at most a week
 * (RFC 9309, 2.3.1 and 2.4).
 *
 * Rules that came through a proxy apply only to requests through that proxy and are not stored: its owner can make it return anything, and
 * that must not affect other teams.
 */
export function createRobotsCache(needs: {
  /** Fetches a robots file; never rejects for failures of the site. */
  fetch: (url: string, signal?: AbortSignal, proxy?: Proxy | null) => Promise<RobotsAnswer>
  load: (hostKey: string) => Promise<StoredRobots | null>
  now: () => number
  productToken: string
  save: (hostKey: string, stored: StoredRobots) => void
}) {
  const { fetch, load, now, productToken, save } = needs
  const memory = new LRUCache<string, StoredRobots>({
    max: MAX_ORIGINS,
    maxSize: MAX_RULES,
    sizeCalculation: ({ robots }) => 1 + (robots?.rules.length ?? 0),
  })
  const asking = new Map<string, Promise<RobotsVerdictSource>>()
  return { get, known, recall }

  /** The rules from memory; null when the store or the origin must be asked. */
  function known(hostKey: string, proxy: Proxy | null = null): RobotsVerdictSource | null {
    const stored = memory.get(keyOf(hostKey, proxy)) ?? null
    return stored !== null && now() < stored.until ? present(stored) : null
  }

  /** The rules from memory or the store, without a request; null when the origin must be asked. */
  async function recall(hostKey: string, proxy: Proxy | null = null): Promise<RobotsVerdictSource | null> {
    await older(hostKey, proxy)
    return known(hostKey, proxy)
  }

  /** The rules, fetched if necessary. All callers share one request; the signal of the first one aborts it. */
  function get(hostKey: string, signal?: AbortSignal, proxy: Proxy | null = null): Promise<RobotsVerdictSource> {
    const answer = known(hostKey, proxy)
    if (answer !== null) return Promise.resolve(answer)
    const key = keyOf(hostKey, proxy)
    let pending = asking.get(key)
    if (pending === undefined) {
      pending = ask(hostKey, signal, proxy).finally(() => asking.delete(key))
      asking.set(key, pending)
    }
    return pending
  }

  async function ask(hostKey: string, signal: AbortSignal | undefined, proxy: Proxy | null): Promise<RobotsVerdictSource> {
    const stored = await recall(hostKey, proxy)
    return stored ?? askOrigin(hostKey, signal, proxy)
  }

  async function askOrigin(hostKey: string, signal: AbortSignal | undefined, proxy: Proxy | null): Promise<RobotsVerdictSource> {
    const answer = await fetch(robotsUrl(hostKey), signal, proxy)
    if (answer.kind === 'failure' && answer.reason === 'canceled') return { kind: 'unreachable', retryAt: now() }
    const stored = learn(answer, await older(hostKey, proxy))
    memory.set(keyOf(hostKey, proxy), stored)
    if (proxy === null) save(hostKey, stored)
    return present(stored)
  }

  async function older(hostKey: string, proxy: Proxy | null): Promise<StoredRobots | null> {
    const inMemory = memory.get(keyOf(hostKey, proxy))
    if (inMemory !== undefined || proxy !== null) return inMemory ?? null
    const stored = await load(hostKey)
    if (stored !== null) memory.set(hostKey, stored)
    return stored
  }

  function learn(answer: RobotsAnswer, older: StoredRobots | null): StoredRobots {
    const readAt = now()
    if (answer.kind === 'answer' && !isFault(answer.status)) {
      const ttlMs = Math.min(Math.max(answer.maxAgeMs ?? DAY, LEAST_TTL), DAY)
      const robots = answer.status >= 200 && answer.status < 300 ? detached(parseRobots(answer.text, productToken)) : NO_RULES
      return { robots, readAt, until: readAt + ttlMs, failures: 0 }
    }
    // redirects that lead nowhere count as no file, RFC 9309, 2.3.1.2
    if (answer.kind === 'failure' && LEADS_NOWHERE.has(answer.reason)) return { robots: NO_RULES, readAt, until: readAt + DAY, failures: 0 }
    const detail = answer.kind === 'answer' ? `HTTP ${answer.status}` : answer.detail
    // Pages would fail with the same reason, and have their own rules for retries.
    if (answer.kind === 'failure' && (NOBODY_THERE.has(answer.reason) || answer.isSilent === true) && older?.robots == null)
      return {
        robots: null,
        readAt: 0,
        until: readAt + (MAY_COME_SOON.has(answer.reason) ? SOON_MS : NOBODY_MS),
        failures: older?.failures ?? 0,
        reason: answer.reason,
        ...(detail === undefined ? {} : { detail }),
      }
    const failures = (older?.failures ?? 0) + 1
    const waitMs = Math.min(MINUTE * 2 ** Math.min(failures - 1, 10), HOUR)
    const isUsable = older?.robots != null && readAt - older.readAt < MOST_STALE
    return {
      robots: isUsable ? older.robots : null,
      readAt: isUsable ? older.readAt : 0,
      until: readAt + waitMs,
      failures,
      ...(detail === undefined || isUsable ? {} : { detail }),
    }
  }
}

const keyOf = (hostKey: string, proxy: Proxy | null) => (proxy === null ? hostKey : `${hostKey} ${proxyKey(proxy)}`)

export type RobotsCache = ReturnType<typeof createRobotsCache>

/** The URL of the robots file for a host key, without a default port. */
export function robotsUrl(hostKey: string): string {
  const origin = hostKey.replace(/^(http:.*):80$/, '$1').replace(/^(https:.*):443$/, '$1')
  return `${origin}/robots.txt`
}

const LEADS_NOWHERE: ReadonlySet<FailureReason> = new Set(['redirect_limit', 'redirect_loop', 'bad_redirect'])

/** Reasons that are not about the robots file: pages of the origin would fail as well. */
export const NOBODY_THERE: ReadonlySet<FailureReason> = new Set([
  'dns',
  'name_server',
  'no_socket',
  'refused_address',
  'tls',
  'connect',
  'proxy',
])
const MAY_COME_SOON: ReadonlySet<FailureReason> = new Set(['connect', 'name_server', 'no_socket', 'proxy', 'timeout'])

/** Copies the rules, because substrings would keep the whole file in memory. */
function detached(robots: Robots): Robots {
  return JSON.parse(JSON.stringify(robots)) as Robots
}

function isFault(status: number): boolean {
  return status === 429 || status >= 500 || status < 200
}

function present(stored: StoredRobots): RobotsVerdictSource {
  if (stored.robots !== null) return { kind: 'rules', robots: stored.robots }
  const { detail, reason, until: retryAt } = stored
  return { kind: 'unreachable', retryAt, ...(reason === undefined ? {} : { reason }), ...(detail === undefined ? {} : { detail }) }
}
