/**
 * What an engine gets from its process, and what it makes of that for all its runs: egress, hosts and their pace, robots rules, parser
 * threads.
 */
import type { RunHint, RunStore } from '#backend/store/run-store.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { createByteBudget } from './byte-budget.ts'
import { hostKey } from '#backend/crawler/url/canonical-url.ts'
import type { RunModels } from '#backend/crawler/crawl/crawl-extraction.ts'
import type { RunRendering } from '#backend/crawler/crawl/crawl-rendering.ts'
import type { RunSecrets } from '#backend/crawler/crawl/own-headers.ts'
import type { Renderer } from '#backend/crawler/crawl/renderer.ts'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import { robotsFetch } from '#backend/crawler/robots/fetch-robots.ts'
import type { Fetcher } from '#backend/crawler/fetch/fetcher.ts'
import { httpFetcher } from '#backend/crawler/fetch/http-fetcher.ts'
import { loadPool } from '#backend/crawler/fetch/pool.ts'
import type { RunProxy } from '#backend/crawler/fetch/proxy.ts'
import { createHosts, hostsThrough } from '#backend/crawler/frontier/hosts.ts'
import { createModelMeans } from '#backend/crawler/models/model-means.ts'
import type { ModelAccess, ModelSettings } from '#backend/crawler/models/model-port.ts'
import { createParsePool } from '#backend/crawler/page/parse-pool.ts'
import { createRenderQueue } from '#backend/crawler/crawl/render-queue.ts'
import { createRobotsCache } from '#backend/crawler/robots/robots-cache.ts'
import { definePageRules } from '#backend/crawler/tasks/task-pages.ts'
import type { Tasks } from '#backend/crawler/tasks/task.ts'
import type { EngineTrouble } from './engine-trouble.ts'
import type { WorkRecord } from './work-record.ts'

/** Settings of the operator, as plain values: they are sent to the engine's process. */
export type EngineSettings = {
  userAgent: string
  productToken: string
  obeysRobots: boolean
  maxConcurrency: number
  hostConcurrency: number
  hostDelayMs: number
  maxPageBytes: number
  maxJobSeconds: number
  egressAllow: string
  egressResolver: string | null
  parserThreads: number
  /** Runs in progress at once. */
  runConcurrency: number
}

export type EngineLog = {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

type EngineRenderer = { use: Renderer } & Omit<RunRendering, 'queue'>

const SHORTAGE_LOG_MS = 60_000

/** Called where the engine's work is traced. */
export type EngineTraces = {
  /** Does the work on a URL of a run; requests inside of it belong to its span. */
  work(run: string | undefined, url: string, work: () => Promise<void>): Promise<void>
  /** Wraps a fetcher. */
  fetching(fetcher: Fetcher): Fetcher
}

type EngineModels = { access: ModelAccess; settings: ModelSettings }

export type EngineNeeds = {
  store: RunStore
  settings: EngineSettings
  /** The wall clock. */
  now: () => number
  /** The clock for waits and durations; by default the wall clock, which then must not jump. */
  steady?: () => number
  random: () => number
  publish: (hints: RunHint[]) => void
  log: EngineLog
  /** Does the work of runs other than crawls; without it those runs are not taken. */
  tasks?: Tasks
  /** Resolves the proxy that a team's spec names, when the run is taken; null when no proxy has that name. */
  proxyFor?: ProxyFor
  /** Renders pages in a browser, and stores their captures; null without one. */
  renderer?: EngineRenderer | null
  /** Language models that crawls may ask; null without any. */
  models?: EngineModels | null
  traces?: EngineTraces | null
  /** Decrypts the sealed secrets of a run; null when that is not possible. */
  openSecrets?: (runId: string, sealed: string) => RunSecrets | null
  /** No other engine works on this database: leases of others are void, and hosts are not leased. */
  isAlone?: boolean
  /** The last engine on this database crashed: the runs that it worked on are suspects. */
  isAfterCrash?: boolean
  /** Runs that the last engine was working on when it died; null when unknown, and then all its runs are suspects. */
  suspects?: readonly number[] | null
  /** Records which runs are at work. */
  record?: WorkRecord
  /** Called when the database can no longer be written, and when it can again. */
  onStuck?: (isStuck: boolean) => void
  /** Called with the error that broke a run. */
  onFault?: (fault: unknown) => void
  /** Milliseconds between two looks at the store, besides those that hints trigger. */
  lookMs?: number
  /** Milliseconds between two searches for runs without an owner. */
  reconcileMs?: number
  /** After so many milliseconds a crawl gives its place to a waiting one. */
  sliceMs?: number
}

export type ProxyFor = (teamId: string, slug: string | null) => RunProxy | null | Promise<RunProxy | null>

const MOST_BYTES = 256 * 1024 * 1024

export type EngineMeans = ReturnType<typeof createEngineMeans>

/**
 * @param isShared  other engines work on the same database, so hosts are leased
 * @param shares    returns how many shares divide the memory for bodies
 */
export function createEngineMeans({
  clock,
  isShared,
  log,
  models: offered,
  random,
  renderer,
  report,
  settings,
  shares,
  store,
  traces,
}: {
  clock: Clock
  isShared: boolean
  log: EngineLog
  models: EngineModels | null
  random: () => number
  renderer: EngineRenderer | null
  report: EngineTrouble['report']
  settings: EngineSettings
  shares: () => number
  store: RunStore
  traces: EngineTraces | null
}) {
  const { steady } = clock
  // Loaded ahead, so that the first page does not wait for it.
  // If that fails, the first request loads it.
  loadPool().catch(() => undefined)
  const egress = createEgress({
    allow: settings.egressAllow,
    connectionsPerOrigin: settings.hostConcurrency,
    onShortage: shortageLog(log, steady),
    resolver: settings.egressResolver,
    userAgent: settings.userAgent,
  })
  const memory = createByteBudget({ most: MOST_BYTES, reserve: settings.maxPageBytes, shares })
  const plain = httpFetcher({ egress, memory })
  const fetcher = traces?.fetching(plain) ?? plain
  const hosts = createHosts({
    addressOf: egress.addressOf,
    store,
    limits: { concurrency: settings.hostConcurrency, delayMs: settings.hostDelayMs },
    clock,
    random,
    isShared,
    report,
  })
  const robots = createRobotsCache({
    fetch: robotsFetch({
      fetcher,
      beforeHop: async (url, signal, proxy) => void (await hosts.hop(hostsThrough(hosts, proxy).get(hostKey(url)), signal)),
    }),
    load: hosts.loadRobots,
    save: hosts.saveRobots,
    now: steady,
    productToken: settings.productToken,
  })
  const pool = createParsePool({ threads: settings.parserThreads })
  const rendering: RunRendering | null =
    renderer === null ? null : { ...renderer, queue: createRenderQueue({ hosts, now: steady, renderer: renderer.use }) }
  const modelMeans = offered === null ? null : createModelMeans({ now: steady, random, settings, models: offered.settings })
  const models: RunModels | null = modelMeans === null ? null : { access: offered!.access, means: modelMeans.means }
  definePageRules(pool, settings.maxPageBytes)
  return { fetcher, hosts, memory, models, pool, rendering, robots, close }

  /** Call after `hosts` is closed. */
  async function close() {
    rendering?.queue.close()
    await renderer?.use.close()
    await modelMeans?.close()
    await fetcher.close()
    await pool.close()
    await egress.close()
  }
}

/** Logs, once in a while, that this machine has no room for a new connection. */
function shortageLog(log: EngineLog, steady: () => number): (code: string) => void {
  let loggedAt = -Infinity
  return (code) => {
    if (steady() - loggedAt < SHORTAGE_LOG_MS) return
    loggedAt = steady()
    log.error({ code }, 'this machine cannot open more connections: raise its limit of open files, or lower CRAWL_CONCURRENCY')
  }
}
