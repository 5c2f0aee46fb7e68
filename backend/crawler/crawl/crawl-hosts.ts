/** What a crawl learns about its hosts from their answers: their pace, and whether they answer at all. */
import type { FailedRendering } from './crawl-rendering.ts'
import { words } from './crawl-texts.ts'
import type { Crawl } from './crawl.ts'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import type { UrlLease } from '#backend/crawler/frontier/frontier.ts'
import type { Host } from '#backend/crawler/frontier/hosts.ts'
import { blameFor, retryReasonOf, signalOf } from '#backend/crawler/frontier/politeness.ts'
import type { HostSignal } from '#backend/crawler/frontier/politeness.ts'
import { robotsUrl } from '#backend/crawler/robots/robots-cache.ts'

/** A host that is alive answers a probe within this time. */
const PROBE_TIMEOUT_MS = 10_000

/** Whether a URL on its first try has waited too long for its answer while other URLs need the place. */
export function isTooSilent({ concurrency, fetching, frontier, hosts }: Crawl, leased: UrlLease, silentMs: number): boolean {
  return silentMs >= hosts.patienceOf(leased.host) && frontier.isWantedByOthers(leased, fetching >= concurrency)
}

/** What an outcome says about the pace of the host; null when a URL is silent for the second time. */
export function lessonOf({ frontier }: Crawl, leased: UrlLease, outcome: FetchOutcome): HostSignal | null {
  const signal = signalOf(outcome)
  return signal?.kind === 'timeout' && leased.tries > 0 && frontier.hasAnswered(leased) ? null : signal
}

/** Notes whether the host answered, as evidence that it is alive or dead. */
export function noteAnswer(crawl: Crawl, leased: UrlLease, outcome: FetchOutcome | FailedRendering) {
  const { feed, frontier } = crawl
  if (outcome.kind === 'fetched' && retryReasonOf(outcome.status) === 'status_busy') {
    if (frontier.tooBusy(leased, `HTTP ${outcome.status}`))
      feed('error', `${leased.host.key} keeps asking for fewer requests: its remaining URLs are given up`)
  } else if (outcome.kind !== 'failure' || outcome.status !== undefined) frontier.answered(leased)
  else if (blameFor(outcome.reason) === 'host') noteSilence(crawl, leased)
}

export function noteSilence({ clock, feed, frontier }: Crawl, leased: UrlLease) {
  if (frontier.unanswered(leased, clock.steady())) feed('warning', `${leased.host.key} does not answer: its URLs wait until it does`)
}

/** Requests the robots file of a suspect host: any answer proves that the host is alive. */
export async function probe(crawl: Crawl, host: Host) {
  const { clock, feed, fetcher, frontier, headers, hosts, maxPageBytes, proxy, stop } = crawl
  crawl.fetching += 1
  hosts.start(host)
  let outcome: FetchOutcome | null = null
  try {
    outcome = await fetcher.fetch({
      url: robotsUrl(host.key),
      headers,
      timeoutMs: PROBE_TIMEOUT_MS,
      maxBytes: maxPageBytes,
      skipBody: () => true,
      proxy,
      signal: stop.signal,
      // A redirect is an answer: do not follow it.
      beforeHop: () => Promise.resolve('robots'),
    })
  } finally {
    crawl.fetching -= 1
    const isGood = outcome !== null && outcome.kind !== 'failure'
    hosts.end(host, isGood ? signalOf(outcome!) : null)
  }
  if (crawl.isOver()) return
  const isAlive = outcome.kind !== 'failure' || outcome.status !== undefined
  frontier.probed(host, isAlive, clock.steady())
  if (isAlive) feed('info', `${host.key} answers`)
  else if (outcome.kind === 'failure') feed('warning', `${host.key} still does not answer: ${words(outcome.reason)}`)
  crawl.touch()
}
