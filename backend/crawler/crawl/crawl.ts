/**
 * What the parts of one crawl share: its means, its frontier, and what has happened since the last commit.
 *
 * Nothing waits for a commit. The result of a page stays in `open.changes` until the committer has written it.
 */
import type { FeedType, RunStatus } from '#contract/runs.ts'
import { noChanges } from '#backend/store/run-store.ts'
import type { TakenRun } from '#backend/store/run-store.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { partOf } from '#backend/store/run-parts.ts'
import type { PartState, Rest, RunParts } from '#backend/store/run-parts.ts'
import type { Committer, OpenRun } from './committer.ts'
import { createCrawlExtraction } from './crawl-extraction.ts'
import type { RunModels } from './crawl-extraction.ts'
import type { RunRendering } from './crawl-rendering.ts'
import { createCrawlRules } from './crawl-rules.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { Fetcher } from '#backend/crawler/fetch/fetcher.ts'
import type { RunProxy } from '#backend/crawler/fetch/proxy.ts'
import type { FrontierStore } from '#backend/crawler/frontier/frontier-store.ts'
import { createFrontier } from '#backend/crawler/frontier/frontier.ts'
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
  /** Hosts of the start URLs, and of those that they moved to. */
  seedHosts: string[]
  /** Host keys of the addresses as they were submitted. */
  seedOrigins: string[]
  store: FrontierStore
  committer: Committer
  /** Where several engines may work on one crawl. */
  parts?: RunParts | undefined
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
  /** Draws pages with a browser; null where there is none. */
  rendering: RunRendering | null
  /** Asks language models; null where there is none. */
  models: RunModels | null
  /** The run is over for this engine: ended, or lost. */
  gone: (why: RunStatus | 'taken' | 'broken', fault?: unknown) => void
  /** Bytes that arrived and are not parsed yet. */
  holdBytes: (change: number) => void
  /** There may be something to lease. */
  pump: () => void
  report: (message: string, fault: unknown) => void
}

/** What a crawl does as a part of a larger one (`crawl-part.ts`). */
export type CrawlPart = {
  start: () => void
  committed: (state: PartState | undefined) => void
  checkEnd: () => void
  /** Why it has nothing to do at this moment; null while it has. */
  rest: () => Rest | null
  close: () => void
}

export type Crawl = ReturnType<typeof createCrawl>

/** @param told  hears of commits, and that the run is lost */
export function createCrawl(needs: CrawlNeeds, told: Pick<OpenRun, 'committed' | 'lost' | 'rest'>) {
  const { clock, hosts, row, spec } = needs
  const takenAt = clock.steady()
  const workedMs = () => Math.round(row.workedMs + clock.steady() - takenAt)
  const delayMs = spec.delayMs ?? 0
  const part = partOf(row.runNo)
  let allowed = row.allowed ?? row.pageLimit
  const seedHosts = new Set(needs.seedHosts)
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
    ...told,
  }
  const stop = new AbortController()
  const headers = { 'accept-language': spec.page.locale }
  const crawl = {
    ...needs,
    proxy: needs.through.proxy,
    open,
    workedMs,
    /** When the run ends with what it has. */
    deadline: takenAt + Math.max(0, needs.mostWorkMs - row.workedMs),
    /** Of all requests. */
    headers,
    /** What a user adds may be a secret: it goes to the origins of the submitted addresses and to no other. */
    headersFor: ownHeaders(headers, needs.secrets === 'lost' ? NO_SECRETS : needs.secrets, needs.seedOrigins),
    delayMs,
    concurrency: delayMs > 0 ? 1 : shareOf(Math.min(spec.maxConcurrency ?? needs.maxConcurrency, needs.maxConcurrency)),
    /** Pages that it may keep: those of its limit, or those that a part was promised of them. */
    allowed: () => allowed,
    allow: (most: number) => void (allowed = most),
    joinHostOf,
    byteBudget: Math.max(row.pageLimit * BYTES_PER_PAGE, LEAST_BYTE_BUDGET),
    frontier: createFrontier({
      maxDepth: spec.maxDepth,
      pageLimit: row.pageLimit,
      part,
      hosts,
      store: needs.store,
      onRead: needs.pump,
      report: needs.report,
      siteOf: needs.siteOf,
      seedHosts,
      records: needs.hostRecords,
      clock,
    }),
    rules: createCrawlRules({
      findsShells: needs.rendering !== null && spec.browser !== null,
      maxPageBytes: needs.maxPageBytes,
      pool: needs.pool,
      row,
      seedHosts,
      spec,
    }),
    stop,
    /** What it does as a part of a larger crawl; null when it is whole. */
    part: null as CrawlPart | null,
    /** Has pages read by a model; null when the crawl wants none. */
    extraction: createCrawlExtraction({ feed, models: needs.models, plugins: spec.plugins, run: row, signal: stop.signal }),
    /** URLs that the browser could not draw, or that are no pages for it, by seq, and why: they are fetched plainly. */
    unrendered: new Map<number, string>(),
    /** Requests in progress. */
    fetching: 0,
    /** Pages, with those that are not committed yet. */
    kept: row.kept,
    decodedBytes: 0,
    /** It is over for this engine: nothing more is written. */
    isGone: false,
    isReadingSitemaps: false,
    /** It knows as many URLs as it may, and the feed has said so. */
    isFull: false,
    feed,
    /** Something is to be committed: pages and their bytes count for when. */
    touch: (pages = 0, bytes = 0) => needs.committer.touch(open, pages, bytes),
    isOver,
  }
  return crawl

  function feed(type: FeedType, message: string, metadata: Record<string, unknown> = {}) {
    open.changes.feed.push({ type, message: message.slice(0, MOST_MESSAGE), at: clock.wall(), metadata })
  }

  /** Requests at once are divided among the parts of a run; the first ones get what is left over. */
  function shareOf(most: number): number {
    return part === null ? most : Math.max(1, Math.floor(most / part.parts) + (part.part < most % part.parts ? 1 : 0))
  }

  /** Where a start URL leads belongs to the crawl, unless its domains were named. False: it belonged to it already, or does not. */
  function joinHostOf(url: string): boolean {
    const host = new URL(url).hostname
    if (spec.scope.allowedDomains.length > 0 || crawl.rules.isSeedHost(host)) return false
    crawl.rules.join(host)
    return true
  }

  /** What comes in now is thrown away: its URL may be one that the tables do not know. */
  function isOver(): boolean {
    return crawl.isGone || open.ending?.status === 'canceled'
  }
}
