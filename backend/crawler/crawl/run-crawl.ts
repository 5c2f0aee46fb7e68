/**
 * Runs one crawl: leases URLs, and takes each through robots rules (`crawl-robots.ts`), fetch and parser to its outcome (`settle-url.ts`).
 *
 * When the run is lost (canceled, taken by another engine, broken) all work in progress is discarded; the tables stay consistent.
 */
import type { RunStatus } from '#contract/runs.ts'
import { noChanges } from '#backend/store/run-store.ts'
import { urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { reasonOf } from './committer.ts'
import { isTooSilent, lessonOf, noteAnswer, probe } from './crawl-hosts.ts'
import { createCrawlBrowser } from './crawl-browser.ts'
import type { PageOutcome, Rendering } from './crawl-rendering.ts'
import { createCrawlRobots } from './crawl-robots.ts'
import { createCrawlSitemaps } from './crawl-sitemaps.ts'
import { listed, needsBrowser, pages } from './crawl-texts.ts'
import { createCrawlPart, partsFor } from './crawl-part.ts'
import { createCrawl } from './crawl.ts'
import type { CrawlNeeds } from './crawl.ts'
import { isWanted, statedType } from '#backend/crawler/documents/document-types.ts'
import { isUnreadable } from '#backend/crawler/documents/kind.ts'
import type { Fetched, FetchOutcome, HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { UrlLease } from '#backend/crawler/frontier/frontier.ts'
import type { Turn } from '#backend/crawler/frontier/host-requests.ts'
import { LOST_SECRETS } from './own-headers.ts'
import { retryReasonOf } from '#backend/crawler/frontier/politeness.ts'
import type { RetryReason } from '#backend/crawler/frontier/politeness.ts'
import type { SaidByAnswer } from '#backend/crawler/page/answer-links.ts'
import { robotsUrl } from '#backend/crawler/robots/robots-cache.ts'
import {
  checkEnd,
  endWith,
  failUrl,
  followRedirect,
  keepPage,
  passPage,
  readByModel,
  refusePage,
  settle,
  unwantedType,
  settleOutOfScope,
} from './settle-url.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'

/**
 * Fetched pages that may wait for a parser, besides fetches in progress: enough to keep a thread busy, few enough to fetch again after a
 * crash.
 */
const UNREAD_PAGES = 8
/** Parsed pages that may wait for a commit, besides fetches in progress; they too are fetched again after a crash. */
const UNCOMMITTED_PAGES = 30

export type CrawlRun = ReturnType<typeof createCrawlRun>

/** A crawl is divided only if at least this many hosts have URLs waiting, and only if it wants more pages than this. */
const LEAST_HOSTS_OF_PARTS = 16
const LEAST_PAGES_OF_PARTS = 64
/** With more known URLs a crawl stays whole: dividing them would take too long. */
const MOST_URLS_OF_PARTS = 150_000

export function createCrawlRun(needs: CrawlNeeds) {
  const { fetcher, hosts, pool, row, spec } = needs
  const { steady } = needs.clock
  const crawl = createCrawl(needs, {
    committed(status, part) {
      if (status !== 'running') return leave(status)
      crawl.frontier.committed()
      crawl.part?.committed(part)
      // The sooner it is divided, the sooner other engines can help.
      if (wantsParts() > 1) yieldPlace()
    },
    lost,
    rest: () => crawl.part?.rest() ?? null,
  })
  if (needs.parts !== undefined && row.allowed !== undefined) crawl.part = createCrawlPart(crawl, needs.parts)
  const { concurrency, feed, frontier, open, rules, stop } = crawl
  const robots = createCrawlRobots(crawl)
  const sitemaps = createCrawlSitemaps(crawl)
  const browser = createCrawlBrowser(crawl, { arrived, beforeHop })
  const { etag = null, lastModified = null } = spec.page.known ?? {}
  /** For a conditional request of the start URL only. */
  const conditions = {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  }
  const keptAtStart = row.kept
  /** For crawls with a delay: when the run's next request may start. */
  let nextAt = 0
  let isYielding = false
  return {
    isTask: false as const,
    /** Needs no place among the runs in progress. */
    isShort: row.pageLimit === 1,
    no: row.runNo,
    share: row.share,
    team: row.teamId,
    start,
    workedMs: crawl.workedMs,
    turn,
    look: () => undefined,
    cancel,
    lost,
    yieldPlace,
    wantsParts,
    drop: () => leave('taken'),
    /** What the log says of its end. */
    endFacts: (status: RunStatus) => ({
      reason: reasonOf(open.ending, status),
      pages: open.kept + (open.keptByOthers ?? 0),
      workedMs: crawl.workedMs(),
    }),
    get pagesThisSlice() {
      return open.kept - keptAtStart
    },
    get isYielding() {
      return isYielding
    },
    get isIdle() {
      return frontier.inProgress === 0
    },
    get inProgress() {
      return frontier.inProgress
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
    if (crawl.part !== null) crawl.part.start()
    else if (!row.isResumed) {
      feed('info', `Crawl of ${row.label} started`)
      const unmet = browser === null ? needsBrowser(spec.browser) : []
      if (unmet.length > 0) feed('warning', `No browser is available: pages are fetched over plain HTTP, without ${listed(unmet)}`)
    } else feed('info', 'Crawl resumed from its last checkpoint')
    const { notice } = needs.through
    if (notice !== null) feed(notice.type, notice.message)
    if (needs.secrets === 'lost') feed('warning', LOST_SECRETS)
    if (
      !row.isResumed &&
      spec.scope.allowedDomains.length > 0 &&
      needs.seedOrigins.every((origin) => rules.judge(`${origin}/`)?.rule === 'domain')
    )
      feed('warning', 'No allowed domain matches the host of the start URL: its links to its own pages are not followed')
    if (spec.sitemap !== undefined) void sitemaps.read()
    needs.committer.touchEarly(open)
    checkEnd(crawl)
  }

  // ---- leasing

  /** The next URL that may be asked now, as work to begin, or when to ask again. */
  function turn(at: number): Turn {
    const file = sitemaps.turn(at)
    if (file !== null && !('opensAt' in file)) return file
    const leased = lease(at)
    if ('opensAt' in leased) return file === null ? leased : { opensAt: Math.min(file.opensAt, leased.opensAt) }
    if ('probe' in leased) {
      const { probe: host } = leased
      return { url: robotsUrl(host.key), work: () => probe(crawl, host), giveUp: () => frontier.probed(host, false, steady()) }
    }
    return { url: leased.lease.url, work: () => work(leased.lease), giveUp: (fault) => giveUp(leased.lease, fault) }
  }

  /** The next URL that may be asked now, a suspect host to probe, or when to ask again. */
  function lease(at: number): ReturnType<typeof frontier.lease> {
    if (crawl.isGone || isYielding || open.ending !== null) return { opensAt: Infinity }
    if (at >= crawl.deadline) {
      endWith(crawl, {
        status: 'finished',
        reason: 'time_limit',
        type: 'warning',
        message: (kept) => `The crawl reached its time limit with ${pages(kept)}`,
      })
      return { opensAt: Infinity }
    }
    if (at < nextAt) return { opensAt: nextAt }
    if (
      crawl.fetching >= concurrency ||
      frontier.inProgress >= concurrency + UNREAD_PAGES ||
      crawl.kept + frontier.inProgress >= crawl.allowed()
    )
      return { opensAt: crawl.deadline }
    // Parts of a crawl are exempt: they wait longer for their commits.
    if (crawl.part === null && frontier.inProgress + crawl.kept - open.kept >= concurrency + UNCOMMITTED_PAGES)
      return { opensAt: crawl.deadline }
    if (browser?.hasRoom() === false || crawl.extraction?.hasRoom() === false) return { opensAt: crawl.deadline }
    // Retries may all be URLs that hang, so they get at most half of the places.
    return frontier.lease(at, frontier.retriesInProgress * 2 < concurrency)
  }

  /**
   * Takes a leased URL through to its outcome. Resolves when nothing of it is in progress any more; rejects only for an internal error.
   *
   * Starts its request without awaiting anything: the next lease must see what this one has taken.
   */
  async function work(leased: UrlLease): Promise<void> {
    const closed = frontier.isClosed(leased)
    if (closed !== null) return settle(crawl, leased, closed.outcome, closed.detail)
    const mayAsk = robots.mayAsk(leased)
    if (mayAsk !== true) return void (await mayAsk)
    rest()
    const inBrowser = browser?.atOnce(leased) ?? null
    if (inBrowser !== null) return inBrowser.finally(rest)
    const isRetry = leased.tries > 0
    crawl.fetching += 1
    hosts.start(leased.host, isRetry)
    let outcome: FetchOutcome | null = null
    try {
      outcome = await fetchPage(leased, isRetry)
    } finally {
      crawl.fetching -= 1
      rest()
      hosts.end(leased.host, outcome === null ? null : lessonOf(crawl, leased, outcome), isRetry)
    }
    if (!crawl.isOver()) await arrived(leased, outcome, null)
  }

  /** Starts the run's delay: at the start of a request, and again at its end, as in `afterEnd`. */
  function rest() {
    if (crawl.delayMs > 0) nextAt = steady() + crawl.delayMs
  }

  /** Handles the outcome of a leased URL, from a plain fetch or from the browser. */
  async function arrived(leased: UrlLease, outcome: PageOutcome, rendering: Rendering | null): Promise<void> {
    noteAnswer(crawl, leased, outcome)
    if (outcome.kind === 'redirected') return followRedirect(crawl, leased, outcome.to, outcome.status, outcome.trail)
    if (outcome.kind === 'failure') return failUrl(crawl, leased, outcome.reason, outcome.detail, outcome)
    if (outcome.status === 304 && spec.page.known !== undefined)
      return settle(crawl, leased, 'not_modified', null, { status: 304, bytes: 0, tookMs: outcome.tookMs })
    const reason = unwelcome(outcome.status)
    if (reason !== null) {
      browser?.drop(rendering)
      const { headers, status, tookMs } = outcome
      return failUrl(crawl, leased, reason, `HTTP ${status}`, { status, retryAfterMs: headers.retryAfterMs, tookMs })
    }
    if (outcome.hops.length > 0) {
      const { hi, lo } = urlKey(row.urlSalt, urlIdentity(outcome.url))
      frontier.sawRedirect(leased.url, outcome.url, hi, lo)
    }
    // A slash at its end makes it no other page.
    const isSame = urlIdentity(outcome.url) === urlIdentity(leased.url)
    const outside = leased.isSeed || isSame ? null : rules.judgeTarget(outcome.url)
    if (outside !== null) {
      browser?.drop(rendering)
      return settleOutOfScope(crawl, leased, outcome.url, outside, outcome)
    }
    await read(leased, outcome, rendering)
  }

  function fetchPage(leased: UrlLease, isRetry: boolean): Promise<FetchOutcome> {
    const headers = crawl.headersFor(leased.host.key)
    return fetcher.fetch({
      url: leased.url,
      headers: leased.isSeed ? { ...headers, ...conditions } : headers,
      timeoutMs: spec.page.timeoutMs,
      maxBytes: needs.maxPageBytes,
      overflow: 'cut_html',
      // A radio station never ends.
      skipBody: isUnreadable,
      share: open.share,
      proxy: crawl.proxy,
      signal: stop.signal,
      trail: crawl.trails.get(leased.url),
      beforeHop: (hop) => beforeHop(leased, hop),
      isLate: (silentMs) => !isRetry && isTooSilent(crawl, leased, silentMs),
    })
  }

  /**
   * Checks `exclude_paths` and the robots rules for a redirect within the host. `include_paths` applies to its last target alone, since a
   * site may redirect through a page that sets a cookie.
   */
  async function beforeHop(leased: UrlLease, hop: string): Promise<HopVerdict> {
    if (!leased.isSeed && rules.judgeTarget(hop)?.rule === 'exclude_paths') return 'redirected'
    return robots.beforeHop(leased.host, hop)
  }

  /** Why an answer with this status is no page; null when it is one. */
  function unwelcome(status: number): RetryReason | null {
    if (status >= 400 && spec.page.keepsErrorPages === true) return null
    return retryReasonOf(status) ?? (status < 300 && status !== 204 && status !== 205 ? null : 'status')
  }

  async function read(leased: UrlLease, fetched: Fetched, rendering: Rendering | null) {
    const size = fetched.body.length
    const stated = rendering === null ? statedType(fetched.headers.contentType) : null
    // A web page is parsed for its links even if its type is not kept; any other document is not.
    if (stated !== null && stated !== 'html' && !isWanted({ keep: spec.page.keepTypes, skip: spec.page.skipTypes }, stated))
      return settle(crawl, leased, 'document_type', stated, { status: fetched.status, bytes: size, tookMs: fetched.tookMs })
    needs.holdBytes(size)
    const reply = await pool.parse({
      share: open.share,
      rules: rules.name,
      body: fetched.body,
      contentEncoding: fetched.headers.contentEncoding,
      contentType: fetched.headers.contentType,
      status: fetched.status,
      url: fetched.url,
      ...saidBy(fetched),
      ...(spec.page.keepsValidators === true && {
        validators: { etag: fetched.headers.etag ?? null, lastModified: fetched.headers.lastModified ?? null },
      }),
      ...(rendering !== null && { metadata: browser!.metadataOf(rendering) }),
    })
    needs.holdBytes(-size)
    if (rendering !== null) return browser!.keep(leased, fetched, reply, size, rendering)
    if (crawl.isOver()) return
    if (reply.kind === 'refusal') return refusePage(crawl, leased, fetched, reply, size)
    const inBrowser = browser?.shell(leased, fetched, reply, size) ?? null
    if (inBrowser !== null) await inBrowser
    else {
      const unwanted = unwantedType(crawl, reply)
      if (unwanted !== null) return passPage(crawl, leased, fetched, reply, size, unwanted)
      const page = crawl.extraction === null ? reply : await readByModel(crawl, leased, reply, fetched.url)
      if (!crawl.isOver()) keepPage(crawl, leased, fetched, page, size)
    }
  }

  /** Settles a URL after an internal error; the crawl goes on. */
  function giveUp(leased: UrlLease, fault: unknown) {
    if (crawl.isOver() || !frontier.isInProgress(leased)) return
    feed('error', `Internal error while processing ${leased.url}`, { url: leased.url })
    settle(crawl, leased, 'internal', String(fault))
  }

  // ---- leaving

  /** Stops at once: discards pages in progress; committed pages stay. */
  function cancel() {
    if (crawl.isGone || open.ending?.status === 'canceled') return
    stop.abort()
    open.changes = noChanges()
    open.ending = {
      status: 'canceled',
      reason: 'canceled',
      type: 'warning',
      message: (kept) => `The crawl was canceled with ${pages(kept)}`,
    }
    crawl.touch()
  }

  function lost(why: 'canceling' | 'taken' | 'broken', fault?: unknown) {
    if (why === 'canceling') cancel()
    else leave(why, fault)
  }

  /** Leases no more; the place is free when nothing is in progress. */
  function yieldPlace() {
    isYielding = true
  }

  /** Into how many parts to divide the crawl for several engines; 1 leaves it whole. */
  function wantsParts(): number {
    if (crawl.part !== null || crawl.isReadingSitemaps || crawl.isOver() || open.ending !== null) return 1
    const engines = needs.parts?.engines() ?? 1
    if (engines === 1 || row.pageLimit - crawl.kept < LEAST_PAGES_OF_PARTS) return 1
    if (frontier.known > MOST_URLS_OF_PARTS) return 1
    const parts = partsFor(concurrency, engines)
    return parts > 1 && frontier.isWide(LEAST_HOSTS_OF_PARTS) ? parts : 1
  }

  function leave(why: RunStatus | 'taken' | 'broken', fault?: unknown) {
    if (crawl.isGone) return
    crawl.isGone = true
    stop.abort()
    needs.committer.forget(open)
    crawl.part?.close()
    frontier.close()
    rules.forget()
    needs.gone(why, fault)
  }
}

function saidBy({ headers: { link, refresh, robotsTag } }: Fetched): { said?: SaidByAnswer } {
  if (link === undefined && refresh === undefined && robotsTag === undefined) return {}
  return {
    said: { ...(link !== undefined && { link }), ...(refresh !== undefined && { refresh }), ...(robotsTag !== undefined && { robotsTag }) },
  }
}
