/**
 * The state that the modules of one crawl share: what they work with, its frontier, and the changes since the last commit.
 *
 * Nothing waits for a commit: the result of a page stays in `open.changes` until the committer has written it.
 */
import type { FeedType, RunStatus } from '#contract/runs.ts'
import { noChanges } from '#backend/store/run-store.ts'
import type { TakenRun } from '#backend/store/run-store.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { partOf } from '#backend/store/run-parts.ts'
import type { PartState, Rest, RunParts } from '#backend/store/run-parts.ts'
import type { Committer, OpenRun } from './committer.ts'
import { createCopies } from './copies.ts'
import { createCrawlExtraction } from './crawl-extraction.ts'
import type { RunModels } from './crawl-extraction.ts'
import type { RunRendering } from './crawl-rendering.ts'
import { createCrawlRules } from './crawl-rules.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { Fetcher } from '#backend/crawler/fetch/fetcher.ts'
import type { RunProxy } from '#backend/crawler/fetch/proxy.ts'
import type { Trail } from '#backend/crawler/fetch/trail.ts'
import { createFrontier } from '#backend/crawler/frontier/frontier.ts'
import type { FrontierOptions } from '#backend/crawler/frontier/frontier.ts'
import type { HostRecord } from '#backend/crawler/frontier/host-record.ts'
import type { Hosts } from '#backend/crawler/frontier/hosts.ts'
import { NO_SECRETS, ownHeaders } from './own-headers.ts'
import type { RunSecrets } from './own-headers.ts'
import type { ParsePool } from '#backend/crawler/page/parse-pool.ts'
import type { RobotsCache } from '#backend/crawler/robots/robots-cache.ts'

const LEAST_BYTE_BUDGET = 1024 ** 3
const BYTES_PER_PAGE = 2 * 1024 ** 2
const MOST_MESSAGE = 1000

export type CrawlNeeds = {
  row: TakenRun
  spec: CrawlSpec
  /** Hosts of the start URLs, and hosts that they redirected to. */
  seedHosts: string[]
  /** Host keys of the submitted URLs. */
  seedOrigins: string[]
  store: FrontierOptions['store']
  committer: Committer
  /** Present where several engines may work on one crawl. */
  parts?: RunParts | undefined
  fetcher: Fetcher
  hosts: Hosts
  pool: ParsePool
  /** Headers and credentials for the crawl's own origins; `lost` when they cannot be decrypted. */
  secrets: RunSecrets | 'lost'
  /** The proxy of every request. */
  through: RunProxy
  robots: RobotsCache
  siteOf: (host: string) => string
  /** What the run learned of its hosts in its last slice. */
  hostRecords: Map<string, HostRecord>
  clock: Clock
  /** After so many milliseconds of work the run ends with what it has. */
  mostWorkMs: number
  random: () => number
  obeysRobots: boolean
  maxConcurrency: number
  maxPageBytes: number
  /** Renders pages in a browser; null without one. */
  rendering: RunRendering | null
  /** Asks language models; null without any. */
  models: RunModels | null
  /** Called when this engine is done with the run: it ended or was lost. */
  gone: (why: RunStatus | 'taken' | 'broken', fault?: unknown) => void
  /** Changes the count of bytes that have arrived and are not parsed yet. */
  holdBytes: (change: number) => void
  /** Called when there may be something to lease. */
  pump: () => void
  report: (message: string, fault: unknown) => void
}

/** What a part of a larger crawl does in addition (`crawl-part.ts`). */
export type CrawlPart = {
  start: () => void
  committed: (state: PartState | undefined) => void
  checkEnd: () => void
  /** Why it has nothing to do now; null while it has. */
  rest: () => Rest | null
  close: () => void
}

export type Crawl = ReturnType<typeof createCrawl>

/** @param callbacks  called on commits, and when the run is lost */
export function createCrawl(needs: CrawlNeeds, callbacks: Pick<OpenRun, 'committed' | 'lost' | 'rest'>) {
  const { clock, hosts, row, spec } = needs
  const takenAt = clock.steady()
  const workedMs = () => Math.round(row.workedMs + clock.steady() - takenAt)
  const delayMs = spec.delayMs ?? 0
  const part = partOf(row.runNo)
  let allowed = row.allowed ?? row.pageLimit
  const seedHosts = new Set(needs.seedHosts)
  const open: OpenRun = {
    no: row.runNo,
    share: row.share,
    token: row.token,
    commitNo: row.commitNo,
    kept: row.kept,
    eventSeq: row.eventSeq,
    workedMs,
    changes: noChanges(),
    ending: null,
    ...callbacks,
  }
  const stop = new AbortController()
  const headers = { 'accept-language': spec.page.locale }
  const crawl = {
    ...needs,
    proxy: needs.through.proxy,
    open,
    workedMs,
    /** When the run ends with what it has, finished or not. */
    deadline: takenAt + Math.max(0, needs.mostWorkMs - row.workedMs),
    /** Sent with all requests. */
    headers,
    /** Users' own headers may be secrets: they go to the origins of the submitted URLs only. */
    headersFor: ownHeaders(headers, needs.secrets === 'lost' ? NO_SECRETS : needs.secrets, needs.seedOrigins),
    delayMs,
    concurrency: delayMs > 0 ? 1 : shareOf(Math.min(spec.maxConcurrency ?? needs.maxConcurrency, needs.maxConcurrency)),
    /** The most pages it may keep: its limit, or the share of it that a part was granted. */
    allowed: () => allowed,
    allow: (most: number) => void (allowed = most),
    joinHostOf,
    byteBudget: Math.max(row.pageLimit * BYTES_PER_PAGE, LEAST_BYTE_BUDGET),
    frontier: createFrontier({
      maxDepth: spec.maxDepth,
      pageLimit: row.pageLimit,
      part,
      hosts,
      runNo: row.runNo,
      store: needs.store,
      onRead: needs.pump,
      report: needs.report,
      siteOf: needs.siteOf,
      seedHosts,
      records: needs.hostRecords,
      clock,
    }),
    rules: createCrawlRules({
      // Also without a browser: no conditional request may be made for a shell, whose text can change while the shell stays the same.
      findsShells: spec.browser !== null && (needs.rendering !== null || spec.page.keepsValidators === true),
      maxPageBytes: needs.maxPageBytes,
      pool: needs.pool,
      row,
      seedHosts,
      spec,
    }),
    stop,
    /** Set for a part of a larger crawl; null when the crawl is whole. */
    part: null as CrawlPart | null,
    /** Extracts data with a model; null when the crawl asks none. */
    extraction: createCrawlExtraction({ feed, models: needs.models, plugins: spec.plugins, run: row, signal: stop.signal }),
    copies: createCopies(),
    /** By URL: the redirects that led there from other hosts, if they have set cookies. */
    trails: new Map<string, Trail>(),
    /** By seq: why a URL is fetched plainly after the browser could not render it or found a file. */
    unrendered: new Map<number, string>(),
    /** Requests in progress. */
    fetching: 0,
    /** Pages kept, including those not committed yet. */
    kept: row.kept,
    decodedBytes: 0,
    /** This engine is done with the run: nothing more is written. */
    isGone: false,
    isReadingSitemaps: false,
    /** Whether the run has reached its limit of known URLs, and the feed has reported it. */
    isFull: false,
    feed,
    /** Asks for a commit; pages and bytes decide how soon. */
    touch: (pages = 0, bytes = 0) => needs.committer.touch(open, pages, bytes),
    isOver,
  }
  return crawl

  function feed(type: FeedType, message: string, metadata: Record<string, unknown> = {}) {
    open.changes.feed.push({ type, message: message.slice(0, MOST_MESSAGE), at: clock.wall(), metadata })
  }

  /** The parts of a run divide its limit of concurrent requests; the remainder goes to the first parts. */
  function shareOf(most: number): number {
    return part === null ? most : Math.max(1, Math.floor(most / part.parts) + (part.part < most % part.parts ? 1 : 0))
  }

  /** Adds the host that a start URL redirected to, unless the crawl names its domains. False when nothing was added. */
  function joinHostOf(url: string): boolean {
    const host = new URL(url).hostname
    if (spec.scope.allowedDomains.length > 0 || crawl.rules.isSeedHost(host)) return false
    crawl.rules.join(host)
    return true
  }

  /** True when results that arrive now must be discarded: the tables may not know their URL. */
  function isOver(): boolean {
    return crawl.isGone || open.ending?.status === 'canceled'
  }
}
