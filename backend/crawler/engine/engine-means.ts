/** What all runs of an engine share for fetching and parsing: egress, hosts and their pace, robots rules, parser threads. */
import type { RunStore } from '#backend/store/run-store.ts'
import type { Clock } from '#backend/platform/clock.ts'
import { createByteBudget } from './byte-budget.ts'
import { hostKey } from '#backend/crawler/url/canonical-url.ts'
import type { RunModels } from '#backend/crawler/crawl/crawl-extraction.ts'
import type { RunRendering } from '#backend/crawler/crawl/crawl-rendering.ts'
import type { EngineLog, EngineModels, EngineRenderer, EngineSettings, EngineTraces } from './engine-needs.ts'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import { robotsFetch } from '#backend/crawler/robots/fetch-robots.ts'
import { httpFetcher } from '#backend/crawler/fetch/http-fetcher.ts'
import { loadPool } from '#backend/crawler/fetch/pool.ts'
import { createHosts } from '#backend/crawler/frontier/hosts.ts'
import { createModelMeans } from '#backend/crawler/models/model-means.ts'
import { createParsePool } from '#backend/crawler/page/parse-pool.ts'
import { createRenderQueue } from '#backend/crawler/crawl/render-queue.ts'
import { createRobotsCache } from '#backend/crawler/robots/robots-cache.ts'
import { definePageRules } from '#backend/crawler/tasks/task-pages.ts'

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
  settings: EngineSettings
  shares: () => number
  store: RunStore
  traces: EngineTraces | null
}) {
  const { steady } = clock
  // Loaded ahead, so that the first page does not wait for it.
  void loadPool()
  const egress = createEgress({
    allow: settings.egressAllow,
    connectionsPerOrigin: settings.hostConcurrency,
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
    report: (message, fault) => log.error({ err: fault }, message),
  })
  const robots = createRobotsCache({
    fetch: robotsFetch({ fetcher, beforeHop: async (url, signal) => void (await hosts.hop(hosts.get(hostKey(url)), signal)) }),
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
