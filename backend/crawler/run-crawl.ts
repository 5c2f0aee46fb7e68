/**
 * One crawl in the hands of its owner: leases URLs, sees each through robots, fetch and parser to its one end, and keeps the memory
 * that a commit writes.
 *
 * Nothing here waits for a commit. What a page brought lies in `changes` until the committer has written it; when the run is lost
 * (canceled, taken by somebody else, broken) everything in hand is dropped, and the tables are right as they are.
 */
import type { RunStatus } from '#contract/runs.ts'
import { urlIdentity } from './canonical-url.ts'
import { noChanges } from '#backend/store/run-store.ts'
import type { TakenRun } from '#backend/store/run-store.ts'
import type { BrowserSpec, CrawlSpec } from './crawl-spec.ts'
import type { Committer, Ending, OpenRun } from './committer.ts'
import type { Clock } from '#backend/platform/clock.ts'
import type { Fetched, Fetcher, FetchOutcome, FailureReason } from './fetch/fetcher.ts'
import { ROBOTS_TIMEOUT_MS } from './fetch/fetch-robots.ts'
import type { RunProxy } from './fetch/proxy.ts'
import { createFrontier } from './frontier.ts'
import type { FrontierStore } from './frontier-store.ts'
import type { Lease } from './frontier.ts'
import type { HostRecord } from './host-record.ts'
import { createHostQueue } from './host-queue.ts'
import type { Host, Hosts } from './hosts.ts'
import { FAILURES } from './outcomes.ts'
import type { ParsedPage, PageRules } from './page-rules.ts'
import type { ParsePool } from './parse-pool.ts'
import { LOST_SECRETS, NO_SECRETS, ownHeaders } from './own-headers.ts'
import type { RunSecrets } from './own-headers.ts'
import { pause } from './pause.ts'
import { blameFor, retryPolicy, retryReasonOf, signalOf } from './politeness.ts'
import type { HostSignal, RetryReason } from './politeness.ts'
import { robotsUrl } from './robots-cache.ts'
import type { RobotsCache, RobotsVerdictSource } from './robots-cache.ts'
import { judgeRobots } from './robots.ts'
import { compileScope } from './scope.ts'
import { seedFromSitemaps } from './sitemap-seeds.ts'
import { createTaskFetch } from './task-fetch.ts'
import { urlKey } from './url-key.ts'

const MOST_HOPS = 10
/** Fetched pages that may wait for a parser besides those in fetch: enough to keep a thread busy, few enough to be fetched again after a crash. */
const UNREAD_PAGES = 8
/** A host that answers at all answers a probe within this. */
const PROBE_TIMEOUT_MS = 10_000
const LEAST_BYTE_BUDGET = 1024 ** 3
const BYTES_PER_PAGE = 2 * 1024 ** 2
/** After so long the feed says that a robots file is waited for. */
const ROBOTS_SLOW_MS = 3000
const MOST_SAID_WAITS = 1000
/** Of the URLs in sitemap files, twice as many as pages are wanted are taken, and so many more: some of them fail. */
const SPARE_SITEMAP_URLS = 1000
/** What it means for a page that its origin did not even answer for its robots file. */
const OF_ORIGIN: { [reason in FailureReason]?: RetryReason } = { connect: 'origin_refuses', timeout: 'origin_silent' }

export type CrawlNeeds = {
  row: TakenRun
  spec: CrawlSpec
  /** Hosts of the start URLs, and of those that they moved to. */
  seedHosts: string[]
  /** Host keys of the addresses as they were submitted. */
  seedOrigins: string[]
  store: FrontierStore
  committer: Committer
  fetcher: Fetcher
  hosts: Hosts
  pool: ParsePool
  /** Headers and credentials for its own origins; `lost` when they cannot be opened. */
  secrets: RunSecrets | 'lost'
  /** What every request of the run leaves through. */
  through: RunProxy
  robots: RobotsCache
  siteOf: (host: string) => string
  /** What the run knows of its hosts from its last slice. */
  hostRecords: Map<string, HostRecord>
  clock: Clock
  /** Milliseconds of work after which a run ends with what it has. */
  mostWorkMs: number
  random: () => number
  obeysRobots: boolean
  maxConcurrency: number
  maxPageBytes: number
  /** The run is over for this engine: ended, or lost. */
  gone: (why: RunStatus | 'taken' | 'broken', fault?: unknown) => void
  /** Bytes that arrived and are not parsed yet. */
  holdBytes: (change: number) => void
  /** There may be something to lease. */
  pump: () => void
  report: (message: string, fault: unknown) => void
}

export type CrawlRun = ReturnType<typeof createCrawlRun>

export function createCrawlRun(needs: CrawlNeeds) {
  const { clock, committer, fetcher, hosts, pool, random, robots, row, spec } = needs
  const { notice, proxy } = needs.through
  const { steady, wall } = clock
  const takenAt = steady()
  const deadline = takenAt + Math.max(0, needs.mostWorkMs - row.workedMs)
  const workedMs = () => Math.round(row.workedMs + steady() - takenAt)
  const stop = new AbortController()
  const headers = { 'accept-language': spec.page.locale }
  const { etag = null, lastModified = null } = spec.page.known ?? {}
  /** Sent with the start URL alone, which they belong to. */
  const conditions = {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  }
  /** What a user adds may be a secret: it goes to the origins of the submitted addresses and to no other. */
  const headersFor = ownHeaders(headers, needs.secrets === 'lost' ? NO_SECRETS : needs.secrets, needs.seedOrigins)
  const delayMs = spec.delayMs ?? 0
  const concurrency = delayMs > 0 ? 1 : Math.min(spec.maxConcurrency ?? needs.maxConcurrency, needs.maxConcurrency)
  const byteBudget = Math.max(row.pageLimit * BYTES_PER_PAGE, LEAST_BYTE_BUDGET)
  const seedHosts = new Set(needs.seedHosts)
  const frontier = createFrontier({
    maxDepth: spec.maxDepth,
    pageLimit: row.pageLimit,
    hosts,
    store: needs.store,
    onRead: needs.pump,
    report: needs.report,
    siteOf: needs.siteOf,
    seedHosts,
    records: needs.hostRecords,
    clock,
  })
  const fetchedAtStart = row.kept
  /** Of all generations: pages on their way to a parser still name theirs. */
  const ruleNames: string[] = []
  let rules = pageRules(0)
  let judge = compileScope(rules.scope)
  let fetching = 0
  /** With a delay: when the next request of the run may start. */
  let nextAt = 0
  /** Of sitemap files; pages are fetched meanwhile. */
  const sitemapQueue = createHostQueue({ hosts, maxConcurrency: concurrency, pump: needs.pump })
  let isReadingSitemaps = false
  let keptInMemory = row.kept
  let decodedBytes = 0
  let isGone = false
  let isYielding = false
  let warnedOfDrops = false
  /** Until when each host's robots file is waited for, as the feed has said. */
  const saidWaits = new Map<string, number>()

  const open: OpenRun = {
    no: row.runNo,
    share: row.teamId,
    token: row.token,
    commitNo: row.commitNo,
    kept: row.kept,
    eventSeq: row.eventSeq,
    workedMs,
    changes: noChanges(),
    ending: null,
    committed(status) {
      if (status !== 'running') leave(status)
      else frontier.committed()
    },
    lost(why, fault) {
      if (why === 'canceling') cancel()
      else leave(why, fault)
    },
  }
  pool.define(rules)
  return {
    isTask: false as const,
    no: row.runNo,
    share: row.teamId,
    start,
    workedMs,
    turn,
    look: () => undefined,
    cancel,
    lost: open.lost,
    yieldPlace,
    drop: () => leave('taken'),
    get pagesThisSlice() {
      return open.kept - fetchedAtStart
    },
    get isYielding() {
      return isYielding
    },
    get isIdle() {
      return frontier.inHand === 0
    },
    get inHand() {
      return frontier.inHand
    },
    get token() {
      return row.token
    },
    get knownBytes() {
      return frontier.bytes
    },
  }

  async function start(breathe: () => Promise<void>) {
    await frontier.rebuild(breathe)
    if (!row.isResumed) {
      feed('info', `Crawl of ${row.label} started`)
      const unmet = needsBrowser(spec.browser)
      if (unmet.length > 0) feed('warning', `No browser is available: pages are fetched over plain HTTP, without ${listed(unmet)}`)
    } else feed('info', 'Crawl resumed from its last checkpoint')
    if (notice !== null) feed(notice.type, notice.message)
    if (needs.secrets === 'lost') feed('warning', LOST_SECRETS)
    if (
      !row.isResumed &&
      spec.scope.allowedDomains.length > 0 &&
      needs.seedOrigins.every((origin) => judge(`${origin}/`)?.rule === 'domain')
    )
      feed('warning', 'No allowed domain matches the host of the start address: its links to its own pages are not followed')
    if (spec.sitemap !== undefined) void readSitemaps()
    committer.touch(open)
    checkEnd()
  }

  /** After an interruption they are read again: URLs that are known stay as they are. */
  async function readSitemaps() {
    isReadingSitemaps = true
    const fetch = createTaskFetch({
      fetcher,
      headersFor,
      hosts,
      maxPageBytes: needs.maxPageBytes,
      now: steady,
      proxy,
      random,
      signal: stop.signal,
      turnAt: sitemapQueue.turnAt,
    })
    try {
      await seedFromSitemaps(
        needs.seedOrigins.map((origin) => `${origin}/`),
        {
          add(links) {
            if (isOver() || open.ending !== null) return
            frontier.addLinks(links, -1, open.changes)
            committer.touch(open)
            needs.pump()
          },
          fetch,
          ignoresQuery: spec.ignoresQuery === true,
          judge: (url) => judge(url),
          limit: row.pageLimit * 2 + SPARE_SITEMAP_URLS,
          salt: row.urlSalt,
          signal: stop.signal,
          tell: feed,
        },
      )
    } catch (fault) {
      if (!isOver()) needs.report('the sitemap files of a crawl could not be read', fault)
    } finally {
      isReadingSitemaps = false
    }
    if (isOver()) return
    committer.touch(open)
    checkEnd()
  }

  // ---- leasing

  /** The next URL that may be asked now, ready to be worked on, or when to ask again. */
  function turn(at: number): { url: string; work: () => Promise<void>; giveUp: (fault: unknown) => void } | { opensAt: number } {
    const file = isReadingSitemaps ? sitemapQueue.turn(at) : null
    if (file !== null && !('opensAt' in file)) return file
    const leased = lease(at)
    if ('opensAt' in leased) return file === null ? leased : { opensAt: Math.min(file.opensAt, leased.opensAt) }
    if ('probe' in leased) {
      const { probe: host } = leased
      return { url: robotsUrl(host.key), work: () => probe(host), giveUp: () => frontier.probed(host, false, steady()) }
    }
    return { url: leased.lease.url, work: () => work(leased.lease), giveUp: (fault) => giveUp(leased.lease, fault) }
  }

  /** The next URL that may be asked now, a suspect host to be probed, or when to ask again. */
  function lease(at: number): ReturnType<typeof frontier.lease> {
    if (isGone || isYielding || open.ending !== null) return { opensAt: Infinity }
    if (at >= deadline) {
      endWith({
        status: 'finished',
        reason: 'time_limit',
        type: 'warning',
        message: (kept) => `The crawl reached its time limit with ${pages(kept)}`,
      })
      return { opensAt: Infinity }
    }
    if (at < nextAt) return { opensAt: nextAt }
    if (fetching >= concurrency || frontier.inHand >= concurrency + UNREAD_PAGES || keptInMemory + frontier.inHand >= row.pageLimit)
      return { opensAt: deadline }
    // Second tries may all be of URLs that hang: half of the places stay free of them.
    return frontier.lease(at, frontier.retriesInHand * 2 < concurrency)
  }

  /**
   * Sees a leased URL through to its end. Resolves when nothing of it is in hand any more; rejects only for a mistake of ours.
   *
   * Up to the start of its request nothing is awaited: the next lease is judged by what this one has taken.
   */
  async function work(leased: Lease): Promise<void> {
    const closed = frontier.isClosed(leased)
    if (closed !== null) return settle(leased, closed.outcome, closed.detail)
    if (needs.obeysRobots) {
      const source = robots.known(leased.host.key, proxy)
      if (source === null) return learnRobots(leased)
      if (!mayAsk(leased, source)) return
    }
    const isRetry = leased.tries > 0
    if (delayMs > 0) nextAt = steady() + delayMs
    fetching += 1
    hosts.start(leased.host, isRetry)
    let outcome: FetchOutcome | null = null
    try {
      outcome = await fetcher.fetch({
        url: leased.url,
        headers: leased.isSeed ? { ...headersFor(leased.host.key), ...conditions } : headersFor(leased.host.key),
        timeoutMs: spec.page.timeoutMs,
        maxBytes: needs.maxPageBytes,
        overflow: 'cut_html',
        share: open.share,
        proxy,
        signal: stop.signal,
        beforeHop: (hop) => beforeHop(leased.host, hop),
        isLate: (silentMs) => !isRetry && isTooSilent(leased, silentMs),
      })
    } finally {
      fetching -= 1
      hosts.end(leased.host, outcome === null ? null : lessonOf(leased, outcome), isRetry)
    }
    if (isOver()) return
    noteAnswer(leased, outcome)
    if (outcome.kind === 'redirected') return redirect(leased, outcome.to, outcome.status)
    if (outcome.kind === 'failure')
      return fail(leased, outcome.reason, outcome.detail, outcome.status ?? null, outcome.retryAfterMs ?? null, outcome.tookMs)
    if (outcome.status === 304 && spec.page.known !== undefined) return settle(leased, 'not_modified', null, 304, 0, outcome.tookMs)
    const reason = unwelcome(outcome.status)
    if (reason !== null) return fail(leased, reason, `HTTP ${outcome.status}`, outcome.status, outcome.headers.retryAfterMs, outcome.tookMs)
    if (outcome.hops.length > 0) {
      const { hi, lo } = urlKey(row.urlSalt, urlIdentity(outcome.url))
      frontier.sawRedirect(leased.url, outcome.url, hi, lo)
    }
    await read(leased, outcome)
  }

  /** Why an answer of this status is no page; null when it is one. */
  function unwelcome(status: number): RetryReason | null {
    if (status >= 400 && spec.page.keepsErrorPages === true) return null
    return retryReasonOf(status) ?? (status < 300 && status !== 204 && status !== 205 ? null : 'status')
  }

  /** Whether a URL that is asked for the first time has kept its place in silence for too long while others wait for it. */
  function isTooSilent(leased: Lease, silentMs: number): boolean {
    return silentMs >= hosts.patienceOf(leased.host) && frontier.isWantedByOthers(leased, fetching >= concurrency)
  }

  /** What an answer teaches about the host. A URL that was silent before and is so again teaches nothing new. */
  function lessonOf(leased: Lease, outcome: FetchOutcome): HostSignal | null {
    const signal = signalOf(outcome)
    return signal?.kind === 'timeout' && leased.tries > 0 && frontier.hasAnswered(leased) ? null : signal
  }

  /** Whether the host has answered at all is evidence for or against its being dead. */
  function noteAnswer(leased: Lease, outcome: FetchOutcome) {
    if (outcome.kind === 'fetched' && retryReasonOf(outcome.status) === 'status_busy') {
      if (frontier.tooBusy(leased, `HTTP ${outcome.status}`))
        feed('error', `${leased.host.key} asks for fewer requests and answers none: the rest of its URLs is given up`)
    } else if (outcome.kind !== 'failure' || outcome.status !== undefined) frontier.answered(leased)
    else if (blameFor(outcome.reason) === 'host') noteSilence(leased)
  }

  function noteSilence(leased: Lease) {
    if (frontier.unanswered(leased, steady())) feed('warning', `${leased.host.key} does not answer: it is left alone until it does`)
  }

  /** Asks a suspect host for its robots file: any answer proves that it lives. */
  async function probe(host: Host) {
    fetching += 1
    hosts.start(host)
    let outcome: FetchOutcome | null = null
    try {
      outcome = await fetcher.fetch({
        url: robotsUrl(host.key),
        headers,
        timeoutMs: PROBE_TIMEOUT_MS,
        maxBytes: needs.maxPageBytes,
        skipBody: () => true,
        proxy,
        signal: stop.signal,
        // A redirect is an answer.
        beforeHop: () => Promise.resolve('robots'),
      })
    } finally {
      fetching -= 1
      const isGood = outcome !== null && outcome.kind !== 'failure'
      hosts.end(host, isGood ? signalOf(outcome!) : null)
    }
    if (isOver()) return
    const isAlive = outcome.kind !== 'failure' || outcome.status !== undefined
    frontier.probed(host, isAlive, steady())
    if (isAlive) feed('info', `${host.key} answers`)
    else if (outcome.kind === 'failure') feed('warning', `${host.key} still does not answer: ${words(outcome.reason)}`)
    committer.touch(open)
  }

  /** Reads the robots rules of the host back, or asks for them, which is a request like others; the URL is handed out again afterwards. */
  async function learnRobots(leased: Lease) {
    const { host } = leased
    hosts.setAskingRobots(host, true)
    try {
      if ((await robots.recall(host.key, proxy)) === null) await askForRobots(host)
    } finally {
      hosts.setAskingRobots(host, false)
    }
    if (!isOver()) frontier.giveBack(leased)
  }

  async function askForRobots(host: Host) {
    hosts.start(host)
    const slow = setTimeout(() => {
      feed('info', `Waiting for the robots.txt of ${host.key}, ${ROBOTS_TIMEOUT_MS / 1000} seconds at most`)
      committer.touch(open)
    }, ROBOTS_SLOW_MS)
    try {
      const answer = await robots.get(host.key, stop.signal, proxy)
      if (answer.kind === 'rules') hosts.setCrawlDelay(host, answer.robots.crawlDelayMs)
    } finally {
      clearTimeout(slow)
      hosts.end(host, null)
    }
  }

  /** Robots rules: true when the URL may be fetched; otherwise it has ended, or waits. */
  function mayAsk(leased: Lease, source: RobotsVerdictSource): boolean {
    if (source.kind === 'unreachable' && source.reason !== undefined) {
      if (blameFor(source.reason) === 'host' && frontier.hasAnswered(leased)) noteSilence(leased)
      fail(leased, OF_ORIGIN[source.reason] ?? source.reason, source.detail ?? 'its host cannot be asked', null, null, null)
      return false
    }
    if (source.kind === 'unreachable') {
      const detail = source.detail ?? 'it cannot be had'
      const waitMs = Math.max(source.retryAt - steady(), 0)
      sayWait(leased, detail, waitMs)
      fail(leased, 'robots_unreachable', `robots.txt: ${detail}`, null, waitMs, null)
      return false
    }
    hosts.setCrawlDelay(leased.host, source.robots.crawlDelayMs)
    const verdict = judgeRobots(source.robots, leased.url)
    if (verdict.allowed) return true
    const line = `line ${verdict.line}: ${verdict.text}`
    feed('warning', `Skipped ${leased.url}: robots.txt forbids it (${line})`, { url: leased.url })
    settle(leased, 'robots', line)
    return false
  }

  /** Tells, once for each time, that pages of a host wait for its robots file, and until when. */
  function sayWait(leased: Lease, detail: string, retryAfterMs: number) {
    const next = retryPolicy('robots_unreachable', leased.tries + 1, retryAfterMs, 0)
    const { key } = leased.host
    if (!('retryInMs' in next) || (saidWaits.get(key) ?? 0) > steady()) return
    if (saidWaits.size >= MOST_SAID_WAITS) saidWaits.clear()
    const until = wall() + next.retryInMs
    saidWaits.set(key, steady() + next.retryInMs)
    const at = `${new Date(until).toISOString().slice(11, 19)} UTC`
    feed('warning', `The robots.txt of ${key} cannot be had (${detail}): its pages wait until ${at}, when it is asked for again`, {
      until: new Date(until).toISOString(),
    })
  }

  /** A redirect within the host pays like a page: its robots rules hold, and it waits the pause. */
  async function beforeHop(host: Host, hop: string): Promise<'go' | FailureReason> {
    if (needs.obeysRobots) {
      const source = robots.known(host.key, proxy)
      if (source?.kind === 'unreachable') return 'robots_unreachable'
      if (source?.kind === 'rules' && !judgeRobots(source.robots, hop).allowed) return 'robots'
    }
    const waitMs = hosts.opensAt(host) - steady()
    if (waitMs > 0) await pause(waitMs, stop.signal)
    if (stop.signal.aborted) return 'canceled'
    hosts.start(host)
    hosts.end(host, null)
    return 'go'
  }

  // ---- ends

  async function read(leased: Lease, fetched: Fetched) {
    const size = fetched.body.length
    needs.holdBytes(size)
    const job = {
      share: open.share,
      rules: rules.name,
      body: fetched.body,
      contentEncoding: fetched.headers.contentEncoding,
      contentType: fetched.headers.contentType,
      status: fetched.status,
      url: fetched.url,
      ...(spec.page.keepsValidators === true && {
        validators: { etag: fetched.headers.etag ?? null, lastModified: fetched.headers.lastModified ?? null },
      }),
    }
    const reply = await pool.parse(job)
    needs.holdBytes(-size)
    if (isOver()) return
    if (reply.kind === 'refusal') {
      feed('error', `Could not read ${leased.url}: ${words(reply.outcome)} (${reply.detail})`, { url: leased.url })
      return settle(leased, reply.outcome, reply.detail, fetched.status, size, fetched.tookMs)
    }
    keep(leased, fetched, reply, size)
  }

  function keep(leased: Lease, fetched: Fetched, page: ParsedPage, size: number) {
    const place = frontier.keepAs(leased, page.keyHi, page.keyLo)
    if (place === 'duplicate') return settle(leased, 'duplicate', fetched.url, fetched.status, size, fetched.tookMs)
    const { changes } = open
    const startedAt = performance.now()
    frontier.addLinks(page.links, frontier.depthOf(leased.seq), changes)
    pool.charge(open.share, performance.now() - startedAt)
    frontier.sawContent(leased.url, page.contentHash)
    if (typeof place === 'object') {
      // The page belongs to the row of its final URL, which was waiting; the leased one only led there.
      changes.settled.push({
        seq: place.seq,
        outcome: 'kept',
        detail: null,
        httpStatus: fetched.status,
        bytes: size,
        tookMs: Math.round(fetched.tookMs),
        tries: leased.tries + 1,
      })
      if (place.wasListed) changes.reopened += 1
    }
    changes.pages.push({
      hi: page.keyHi,
      lo: page.keyLo,
      url: fetched.url,
      title: page.title,
      httpStatus: fetched.status,
      contentType: page.mediaType,
      language: page.language,
      contentHash: page.contentHash,
      encoding: page.encoding,
      rawBytes: page.rawBytes,
      body: page.body,
    })
    keptInMemory += 1
    // The limit of bytes is there for pages that go on for ever; as many were submitted as were submitted.
    if (!leased.isSeed) decodedBytes += page.decodedBytes
    feed('info', `Fetched ${fetched.url}`, { url: fetched.url, status_code: fetched.status })
    for (const { plugin, detail } of page.pluginFaults ?? [])
      feed('error', `The plugin ${plugin} failed on ${fetched.url}: ${detail}`, { url: fetched.url, plugin })
    if (fetched.truncated)
      feed('warning', `${fetched.url} is larger than a page may be: its first ${size} bytes were kept`, { url: fetched.url })
    if (page.linksDropped > 0)
      feed('warning', `${fetched.url} has ${page.linksDropped} links more than are followed from one page`, { url: fetched.url })
    const detail = fetched.hops.length > 0 ? fetched.url : null
    const isOwn = typeof place !== 'object'
    settle(leased, isOwn ? 'kept' : 'redirected', detail, fetched.status, size, fetched.tookMs, page.body.length)
  }

  /** A redirect to another host: that address is a URL of its own, in the place of this one. */
  function redirect(leased: Lease, to: string, status: number) {
    if (leased.hops >= MOST_HOPS) return fail(leased, 'redirect_limit', `more than ${MOST_HOPS} redirects`, status, null, null)
    const host = new URL(to).hostname
    if (leased.isSeed && spec.scope.allowedDomains.length === 0 && !seedHosts.has(host)) joinHost(host, leased.url)
    const outside = leased.isSeed ? null : judge(to)
    if (outside !== null) return settle(leased, 'out_of_scope', `redirected to ${to} (${outside.rule}: ${outside.detail})`, status)
    const { hi, lo } = urlKey(row.urlSalt, urlIdentity(to))
    const isNew = frontier.addTarget({ hi, lo, url: to, depth: leased.depth, hops: leased.hops + 1, isSeed: leased.isSeed }, open.changes)
    // A chain that comes back to where it has been leads nowhere.
    if (!isNew && leased.hops > 0 && !frontier.hasPage(hi, lo))
      return fail(leased, 'redirect_loop', `redirected in a circle to ${to}`, status, null, null)
    settle(leased, 'redirected', to, status)
  }

  /** Many sites have moved once: where a start URL leads belongs to the crawl, unless its domains were named. */
  function joinHost(host: string, from: string) {
    seedHosts.add(host)
    rules = pageRules(seedHosts.size)
    judge = compileScope(rules.scope)
    pool.define(rules)
    feed('info', `${from} has moved to ${host}, which joins the crawl`, { url: from })
  }

  function fail(
    leased: Lease,
    reason: RetryReason,
    detail: string,
    status: number | null,
    retryAfterMs: number | null,
    tookMs: number | null,
  ) {
    if (reason === 'canceled') return frontier.giveBack(leased)
    const kind = reason === 'timeout' && frontier.hasAnswered(leased) ? 'silent' : reason
    const next = retryPolicy(kind, leased.tries + 1, retryAfterMs, random())
    if ('retryInMs' in next) {
      frontier.retryAt(leased, steady() + next.retryInMs, open.changes)
      committer.touch(open)
      return
    }
    const isRobots = next.giveUp === 'robots'
    feed(isRobots ? 'warning' : 'error', `Could not fetch ${leased.url}: ${words(next.giveUp)}${detail === '' ? '' : ` (${detail})`}`, {
      url: leased.url,
      ...(status === null ? {} : { status_code: status }),
    })
    settle(leased, next.giveUp, detail, status, null, tookMs)
  }

  /** A mistake of ours ends the URL alone. */
  function giveUp(leased: Lease, fault: unknown) {
    if (isOver() || !frontier.isInHand(leased)) return
    feed('error', `Could not work on ${leased.url}: a fault of ours`, { url: leased.url })
    settle(leased, 'internal', String(fault))
  }

  /** The one way in which a URL ends. */
  function settle(
    leased: Lease,
    outcome: string,
    detail: string | null,
    httpStatus: number | null = null,
    bytes: number | null = null,
    tookMs: number | null = null,
    pageBytes = 0,
  ) {
    frontier.settle(leased, outcome === 'kept')
    const { changes } = open
    changes.settled.push({
      seq: leased.seq,
      outcome,
      detail: detail?.slice(0, 500) ?? null,
      httpStatus,
      bytes,
      tookMs: tookMs === null ? null : Math.round(tookMs),
      tries: leased.tries + 1,
    })
    if (FAILURES.has(outcome)) changes.failed += 1
    if (frontier.dropped > 0 && !warnedOfDrops) {
      warnedOfDrops = true
      feed('warning', 'The crawl knows as many URLs as it can: further links are counted, not kept')
    }
    if (decodedBytes > byteBudget)
      endWith({
        status: 'finished',
        reason: 'byte_limit',
        type: 'warning',
        message: (kept) => `The crawl reached its limit of bytes with ${pages(kept)}`,
      })
    else checkEnd()
    committer.touch(open, pageBytes > 0 ? 1 : 0, pageBytes)
  }

  function checkEnd() {
    if (isGone || open.ending !== null || frontier.inHand > 0) return
    // There may be more to ask.
    if (isReadingSitemaps && keptInMemory < row.pageLimit) return
    if (keptInMemory >= row.pageLimit && !frontier.isDrained())
      endWith({
        status: 'finished',
        reason: 'page_limit',
        type: 'warning',
        message: (kept) => `The crawl reached its page limit with ${pages(kept)}`,
      })
    else if (frontier.isDrained())
      endWith({
        status: 'finished',
        reason: keptInMemory >= row.pageLimit ? 'page_limit' : 'drained',
        type: 'success',
        message: (kept) => (kept === 0 ? 'The crawl ended without a page' : `The crawl ended with ${pages(kept)}`),
      })
  }

  function endWith(ending: Ending) {
    if (isGone || open.ending !== null) return
    // What is still in hand is dropped: it stays pending, and the last commit gives it its end.
    stop.abort()
    open.ending = ending
    committer.touch(open)
  }

  // ---- leaving

  /** Stops at once: pages in hand are thrown away, and what is committed stays. */
  function cancel() {
    if (isGone || open.ending?.status === 'canceled') return
    stop.abort()
    open.changes = noChanges()
    open.ending = {
      status: 'canceled',
      reason: 'canceled',
      type: 'warning',
      message: (kept) => `The crawl was canceled with ${pages(kept)}`,
    }
    committer.touch(open)
  }

  /** No more leases; the place is free when nothing is in hand. */
  function yieldPlace() {
    isYielding = true
  }

  /** What comes in now is thrown away: its URL may be one that the tables do not know. */
  function isOver(): boolean {
    return isGone || open.ending?.status === 'canceled'
  }

  function leave(why: RunStatus | 'taken' | 'broken', fault?: unknown) {
    if (isGone) return
    isGone = true
    stop.abort()
    committer.forget(open)
    frontier.close()
    for (const name of ruleNames) pool.forget(name)
    needs.gone(why, fault)
  }

  function feed(type: 'info' | 'success' | 'warning' | 'error', message: string, metadata: Record<string, unknown> = {}) {
    open.changes.feed.push({ type, message: message.slice(0, 1000), at: wall(), metadata })
  }

  function pageRules(generation: number): PageRules {
    const name = `${row.runNo}/${row.token}/${generation}`
    ruleNames.push(name)
    const { allLinks = false, includeLinks, ...extraction } = spec.extraction
    return {
      name,
      share: row.teamId,
      extraction,
      scope: { ...spec.scope, seedHosts: [...seedHosts] },
      includeLinks,
      ...(allLinks && { allLinks }),
      ...(spec.ignoresQuery === true && { ignoresQuery: true }),
      salt: row.urlSalt,
      maxBytes: needs.maxPageBytes,
      plugins: spec.plugins,
    }
  }
}

const WORDS: Record<string, string> = {
  status: 'the server answered with an error',
  dns: 'the name could not be resolved',
  connect: 'no connection',
  timeout: 'it took too long',
  tls: 'no secure connection',
  reset: 'the connection broke off',
  refused_address: 'this address is not allowed',
  proxy: 'the proxy server failed',
  too_large: 'it is too large',
  bad_encoding: 'its encoding is broken or unknown',
  protocol: 'the answer is not HTTP',
  redirect_limit: 'too many redirects',
  redirect_loop: 'it redirects in a circle',
  bad_redirect: 'it redirects to nowhere',
  robots: 'robots.txt forbids it',
  robots_unreachable: 'its robots rules are unknown',
  unsupported_type: 'not a type that holds text',
  unparsable: 'it cannot be parsed',
  retry_after_too_long: 'it asks for too long a wait',
  host_dead: 'the host has stopped answering',
  host_busy: 'the host asks for fewer requests',
}
/** What is asked for that only a browser can do, in words. */
function needsBrowser(browser: BrowserSpec | null): string[] {
  if (browser === null) return []
  const types = new Set(browser.captures.map(({ type }) => type))
  return [
    ...(types.has('screenshot') ? ['screenshots'] : []),
    ...(types.has('pdf') ? ['PDFs'] : []),
    ...(browser.consentSelector !== null ? ['clicking on a cookie banner'] : []),
    ...(browser.waitMs === null ? [] : ['waiting after load']),
  ]
}
const listed = (parts: string[]) => [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ')
const words = (outcome: string) => WORDS[outcome] ?? outcome
const pages = (count: number) => `${count} ${count === 1 ? 'page' : 'pages'}`
