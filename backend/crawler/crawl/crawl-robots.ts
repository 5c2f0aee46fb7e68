/** The robots rules of a crawl's hosts: fetched before the first request, checked for each URL and for each redirect within a host. */
import { noteSilence } from './crawl-hosts.ts'
import type { Crawl } from './crawl.ts'
import type { FailureReason, HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import { ROBOTS_TIMEOUT_MS } from '#backend/crawler/robots/fetch-robots.ts'
import type { UrlLease } from '#backend/crawler/frontier/frontier.ts'
import type { Host } from '#backend/crawler/frontier/hosts.ts'
import { blameFor, retryPolicy } from '#backend/crawler/frontier/politeness.ts'
import type { RetryReason } from '#backend/crawler/frontier/politeness.ts'
import type { RobotsVerdictSource } from '#backend/crawler/robots/robots-cache.ts'
import { judgeRobots } from '#backend/crawler/robots/robots.ts'
import { failUrl, settle } from './settle-url.ts'

/** After this time the feed says that the crawl waits for a robots file. */
const ROBOTS_SLOW_MS = 3000
const MOST_SAID_WAITS = 1000
/** The failure of a page whose origin did not answer the request for its robots file. */
const OF_ORIGIN: { [reason in FailureReason]?: RetryReason } = {
  connect: 'origin_refuses',
  timeout: 'origin_silent',
  name_server: 'origin_unresolved',
}

export function createCrawlRobots(crawl: Crawl) {
  const { clock, feed, frontier, hosts, proxy, robots, stop } = crawl
  /** The end of each host's wait for its robots file, as last reported in the feed. */
  const saidWaits = new Map<string, number>()
  return { mayAsk, beforeHop }

  /** True when a leased URL may be fetched; otherwise it was settled, or waits for the robots rules. */
  function mayAsk(leased: UrlLease): boolean | Promise<false> {
    if (!crawl.obeysRobots) return true
    const source = robots.known(leased.host.key, proxy)
    return source === null ? learn(leased) : isAllowed(leased, source)
  }

  /** Reads the host's robots rules from the store, or fetches them, which is a request like others; then the URL is leased again. */
  async function learn(leased: UrlLease): Promise<false> {
    const { host } = leased
    let answer: RobotsVerdictSource | null = null
    hosts.setAskingRobots(host, true)
    try {
      if ((await robots.recall(host.key, proxy)) === null) answer = await ask(host)
    } finally {
      hosts.setAskingRobots(host, false)
    }
    if (crawl.isOver()) return false
    // An unreachable origin is remembered for a second only. After a longer pause, the next lease would ask it again, without an end.
    if (answer !== null && isOfOrigin(answer)) isAllowed(leased, answer)
    else frontier.giveBack(leased)
    return false
  }

  async function ask(host: Host): Promise<RobotsVerdictSource> {
    hosts.start(host)
    const slow = setTimeout(() => {
      feed('info', `Waiting for the robots.txt of ${host.key}, ${ROBOTS_TIMEOUT_MS / 1000} seconds at most`)
      crawl.touch()
    }, ROBOTS_SLOW_MS)
    try {
      const answer = await robots.get(host.key, stop.signal, proxy)
      if (answer.kind === 'rules') hosts.setCrawlDelay(host, answer.robots.crawlDelayMs)
      return answer
    } finally {
      clearTimeout(slow)
      hosts.end(host, null)
    }
  }

  function isAllowed(leased: UrlLease, source: RobotsVerdictSource): boolean {
    if (isOfOrigin(source)) {
      if (blameFor(source.reason) === 'host' && frontier.hasAnswered(leased)) noteSilence(crawl, leased)
      failUrl(crawl, leased, OF_ORIGIN[source.reason] ?? source.reason, source.detail ?? 'its host cannot be reached')
      return false
    }
    if (source.kind === 'unreachable') {
      const detail = source.detail ?? 'it cannot be fetched'
      const retryAfterMs = Math.max(source.retryAt - clock.steady(), 0)
      sayWait(leased, detail, retryAfterMs)
      failUrl(crawl, leased, 'robots_unreachable', `robots.txt: ${detail}`, { retryAfterMs })
      return false
    }
    hosts.setCrawlDelay(leased.host, source.robots.crawlDelayMs)
    const verdict = judgeRobots(source.robots, leased.url)
    if (verdict.allowed) return true
    const line = `line ${verdict.line}: ${verdict.text}`
    feed('warning', `Skipped ${leased.url}: robots.txt forbids it (${line})`, { url: leased.url })
    settle(crawl, leased, 'robots', line)
    return false
  }

  /** Tells the feed, once per wait, that pages of a host wait for its robots file, and until when. */
  function sayWait(leased: UrlLease, detail: string, retryAfterMs: number) {
    const next = retryPolicy('robots_unreachable', leased.tries + 1, retryAfterMs, 0)
    const { key } = leased.host
    if (!('retryInMs' in next) || (saidWaits.get(key) ?? 0) > clock.steady()) return
    if (saidWaits.size >= MOST_SAID_WAITS) saidWaits.clear()
    const until = clock.wall() + next.retryInMs
    saidWaits.set(key, clock.steady() + next.retryInMs)
    const at = `${new Date(until).toISOString().slice(11, 19)} UTC`
    feed('warning', `The robots.txt of ${key} cannot be fetched (${detail}): its pages wait until ${at}, when it is fetched again`, {
      until: new Date(until).toISOString(),
    })
  }

  /** Treats a redirect within the host like a page: checks its robots rules and waits the pause. */
  async function beforeHop(host: Host, hop: string): Promise<HopVerdict> {
    if (crawl.obeysRobots) {
      const source = robots.known(host.key, proxy)
      if (source?.kind === 'unreachable') return 'robots_unreachable'
      if (source?.kind === 'rules' && !judgeRobots(source.robots, hop).allowed) return 'robots'
    }
    return (await hosts.hop(host, stop.signal)) ? 'go' : 'canceled'
  }
}

/** Whether pages of the origin would fail for the same reason as its robots file. */
const isOfOrigin = (source: RobotsVerdictSource): source is RobotsVerdictSource & { kind: 'unreachable'; reason: FailureReason } =>
  source.kind === 'unreachable' && source.reason !== undefined
