/** A crawl of simulated hosts with a simulated clock. Run, frontier, hosts, politeness and tables are the real ones; there is no network. */
import { createCrawl } from '#contract/crawls.ts'
import type { SpiderOptions } from '#contract/crawls.ts'
import { crawlSpecOfV1 } from '#backend/crawls/v1-options.ts'
import { createCommitter } from '#backend/crawler/crawl/committer.ts'
import type { FailureReason, FetchOutcome, FetchRequest } from '#backend/crawler/fetch/fetcher.ts'
import { createHosts } from '#backend/crawler/frontier/hosts.ts'
import type { ParsedPage } from '#backend/crawler/page/page-rules.ts'
import { createCrawlRun } from '#backend/crawler/crawl/run-crawl.ts'
import type { CrawlNeeds } from '#backend/crawler/crawl/crawl.ts'
import { runCredits } from '#backend/plans/run-credits.ts'
import { createSqliteRunStore } from '#backend/store/sqlite/sqlite-run-store.ts'
import { SALT, blockOf, insertRun, keyOf } from './frontier.ts'
import { openMigrated } from '../migrated.ts'

/** What a host does with a request. `afterMs: Infinity` never ends; `headAfterMs` sends the head of an answer whose body hangs. */
export type SimulatedAnswer = {
  afterMs: number
  status?: number
  retryAfterMs?: number
  fails?: FailureReason
  headAfterMs?: number
}
export type SimulatedHost = {
  /** Links of the host's start page. */
  links: string[]
  /** @param at  milliseconds since the crawl began; @param times  how often this path was requested, including this request */
  answer: (path: string, at: number, times: number) => SimulatedAnswer
}
export type SimulatedRequest = { host: string; path: string; at: number; until: number }

const TICK_MS = 100

/**
 * Crawls the start pages of these hosts (by name) and the links on them.
 *
 * @param hosts  `a.test` is requested as http://a.test/
 */
export async function simulateCrawl(
  hosts: Record<string, SimulatedHost>,
  {
    spider = {},
    hostConcurrency = 4,
    timeoutMs = 15_000,
  }: { spider?: Partial<SpiderOptions>; hostConcurrency?: number; timeoutMs?: number } = {},
) {
  const begin = 1_000_000
  let at = begin
  const connection = openMigrated()
  const now = () => at
  const seeds = Object.keys(hosts).map((name) => `http://${name}/`)
  const pageLimit = 100_000
  insertRun(connection, { seeds, pageLimit })
  const requests: SimulatedRequest[] = []
  const inProgress = new Set<{
    made: SimulatedRequest
    request: FetchRequest
    answer: SimulatedAnswer
    settle: (outcome: FetchOutcome) => void
  }>()
  const clock = { wall: now, steady: now }
  const limits = { concurrency: hostConcurrency, delayMs: 0 }
  let ids = 0
  const newId = () => String((ids += 1))
  const store = createSqliteRunStore({ connection, kinds: ['crawl'], owner: 'engine', now, newId, hooks: runCredits })
  const report = (message: string, fault: unknown) => {
    throw new Error(message, { cause: fault })
  }
  const known = createHosts({ addressOf: () => null, store, limits, clock, random: () => 0.5, report })
  const committer = createCommitter({
    store,
    hosts: known,
    now,
    isQuiet: () => false,
    publish: () => undefined,
    after: () => undefined,
    report,
  })
  const { options } = createCrawl.body.parse({
    url: seeds[0],
    options: {
      spider_options: { max_depth: 1, page_limit: pageLimit, ...spider },
      page_options: { ignore_rendering: true, timeout: timeoutMs },
      plugin_options: {},
    },
  })
  let status: string | null = null
  const run = createCrawlRun({
    row: {
      runNo: 1,
      id: 'run',
      teamId: 'team',
      share: 'team',
      kind: 'crawl',
      token: 1,
      pageLimit,
      commitNo: 0,
      kept: 0,
      eventSeq: 0,
      workedMs: 0,
      urlSalt: SALT,
      label: '',
      crashes: 0,
      isResumed: false,
    },
    spec: crawlSpecOfV1(options),
    seedHosts: Object.keys(hosts),
    seedOrigins: [],
    store,
    hostRecords: new Map(),
    committer,
    fetcher: { fetch, close: async () => undefined },
    hosts: known,
    pool: {
      parse,
      define: () => undefined,
      forget: () => undefined,
      charge: () => undefined,
      close: async () => undefined,
      queued: 0,
      threads: () => 0,
      queuedOf: () => 0,
    } satisfies CrawlNeeds['pool'],
    secrets: { headers: {}, credentials: {} },
    through: { proxy: null, notice: null },
    robots: { known: () => ALLOWED, get: async () => ALLOWED, recall: async () => ALLOWED },
    siteOf: (host) => host,
    clock,
    mostWorkMs: 3_600_000,
    random: () => 0.5,
    obeysRobots: true,
    maxConcurrency: 16,
    maxPageBytes: 1_000_000,
    rendering: null,
    models: null,
    gone: (why, fault) => {
      if (why === 'broken') throw fault
      status = why
    },
    holdBytes: () => undefined,
    pump: () => undefined,
    report,
  } as CrawlNeeds)
  await run.start(async () => undefined)
  while (status === null) {
    const opensAt = pump()
    await new Promise((resolve) => setImmediate(resolve))
    await committer.flush()
    if (status !== null || pumpFinds()) continue
    const ends = [...inProgress].map(endOf)
    const next = Math.min(opensAt, ...ends, inProgress.size > 0 ? at + TICK_MS : Infinity)
    if (next === Infinity) throw new Error('nothing is left to wait for, and the crawl has not ended')
    at = Math.max(at, next)
    if (at > begin + 3_700_000) throw new Error('the crawl does not end')
    for (const each of inProgress) settleWhenDue(each)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const rows = connection.prepare('SELECT url, outcome, detail FROM run_url WHERE run_no = 1').all() as {
    url: string
    outcome: string
    detail: string | null
  }[]
  const feed = (connection.prepare('SELECT messages FROM run_feed').all() as { messages: string }[]).flatMap(
    ({ messages }) => JSON.parse(messages) as { message: string }[],
  )
  connection.close()
  return {
    status,
    tookMs: at - begin,
    requests,
    /** How the URLs of a host ended: a count by outcome. */
    endsOf: (host: string) => {
      const counts: Record<string, number> = {}
      for (const { url, outcome } of rows) if (new URL(url).hostname === host) counts[outcome] = (counts[outcome] ?? 0) + 1
      return counts
    },
    details: (outcome: string) => [...new Set(rows.filter((row) => row.outcome === outcome).map(({ detail }) => detail))],
    /** When the last page of a healthy host arrived, in milliseconds since the start. */
    lastGood: (host: string, isGood: (path: string) => boolean = () => true) =>
      Math.max(0, ...requests.filter((one) => one.host === host && isGood(one.path) && one.until < Infinity).map(({ until }) => until)),
    asked: (host: string, isCounted: (path: string) => boolean = () => true) =>
      requests.filter((one) => one.host === host && isCounted(one.path)).length,
    mostAtOnce: (host: string) => {
      const ofHost = requests.filter((one) => one.host === host)
      return Math.max(0, ...ofHost.map(({ at }) => ofHost.filter((other) => other.at <= at && at < other.until).length))
    },
    feed: feed.map(({ message }) => message),
  }

  function pump(): number {
    for (;;) {
      const found = run.turn(at)
      if ('opensAt' in found) return found.opensAt
      void found.work()
    }
  }

  /** A request that has just ended may have made another URL ready. */
  function pumpFinds(): boolean {
    const before = requests.length
    pump()
    return requests.length > before
  }

  function fetch(request: FetchRequest): Promise<FetchOutcome> {
    const url = new URL(request.url)
    const made: SimulatedRequest = { host: url.hostname, path: url.pathname, at: at - begin, until: Infinity }
    requests.push(made)
    const times = requests.filter(({ host, path }) => host === made.host && path === made.path).length
    const answer = hosts[made.host]!.answer(made.path, made.at, times)
    return new Promise((resolve) => {
      const entry = { made, request, answer, settle }
      inProgress.add(entry)
      function settle(outcome: FetchOutcome) {
        inProgress.delete(entry)
        made.until = at - begin
        resolve(outcome)
      }
    })
  }

  function endOf({ answer, made, request }: { answer: SimulatedAnswer; made: SimulatedRequest; request: FetchRequest }): number {
    return begin + made.at + Math.min(answer.afterMs, request.timeoutMs)
  }

  function settleWhenDue(entry: typeof inProgress extends Set<infer Entry> ? Entry : never) {
    const { answer, made, request, settle } = entry
    const tookMs = at - begin - made.at
    const hasHead = answer.headAfterMs !== undefined && tookMs >= answer.headAfterMs
    const failure = (reason: FailureReason, detail: string): FetchOutcome => ({
      kind: 'failure',
      reason,
      detail,
      tookMs,
      ...(hasHead ? { status: 200 } : {}),
    })
    if (request.signal.aborted) return settle(failure('canceled', ''))
    if (at >= endOf(entry)) {
      if (answer.afterMs > request.timeoutMs) return settle(failure('timeout', 'the whole fetch took too long'))
      if (answer.fails !== undefined) return settle(failure(answer.fails, ''))
      return settle({
        kind: 'fetched',
        url: request.url,
        status: answer.status ?? 200,
        headers: { contentType: 'text/html', contentEncoding: '', retryAfterMs: answer.retryAfterMs ?? null, cacheControl: null },
        body: new Uint8Array(1),
        truncated: false,
        hops: [],
        firstByteMs: answer.afterMs,
        tookMs,
      })
    }
    const silentMs = hasHead ? tookMs - answer.headAfterMs! : tookMs
    if (request.isLate?.(silentMs) === true) settle(failure('timeout', 'others waited'))
  }

  async function parse({ url }: { url: string }): Promise<ParsedPage> {
    const { hostname, pathname } = new URL(url)
    const { hi, lo } = keyOf(url)
    return {
      kind: 'page',
      id: 0,
      title: null,
      description: null,
      language: null,
      mediaType: 'text/html',
      canonicalUrl: null,
      keyHi: hi,
      keyLo: lo,
      contentHash: url,
      copyKey: null,
      encoding: 0,
      rawBytes: 1,
      body: new Uint8Array([32]),
      decodedBytes: 1,
      links: blockOf(pathname === '/' ? hosts[hostname]!.links.map((path) => ({ url: `http://${hostname}${path}` })) : []),
      linksDropped: 0,
      cpuMs: 0,
    }
  }
}

const ALLOWED = { kind: 'rules' as const, robots: { rules: [], crawlDelayMs: null, sitemaps: [] } }
