/** Opens the background work: the engine with its browser, the index of stored pages, and the sweep of deleted runs. */
import { blobPlaceOf } from './config.ts'
import type { BackendConfig } from './config.ts'
import { PRODUCT_TOKEN } from './crawler/robots/robots.ts'
import { engineHost } from './engine-host.ts'
import type { EngineHost } from './engine-host.ts'
import type { Platform } from './open-platform.ts'
import { embeddedQueue } from './platform/queue/embedded-queue.ts'
import type { RunQueue } from './platform/queue/queue.ts'
import type { ServiceState } from './platform/service-watch.ts'
import type { SweepHost } from './removal/sweep-host.ts'
import { HOW_TO_INSTALL, NO_BROWSER, findChromium } from './renderer/find-chromium.ts'
import type { IndexHost } from './searches/own-index/index-host.ts'
import { modelSetup } from './models/model-setup.ts'
import { searchSetup } from './searches/providers/configured.ts'

/** For processes of the role `api`: workers do this work; they are notified over Redis, or find it in the tables. */
const noEngine: StartEngine = () => ({ wake: () => undefined, cancel: () => undefined, close: async () => undefined })
const NO_INDEX: IndexHost = { hint: () => undefined, retire: () => undefined, close: async () => undefined }
const NO_SWEEPER: SweepHost = { wake: () => undefined, close: async () => undefined }

/** Starts the engine, with the arguments for the engine's process. */
export type StartEngine = (needs: Parameters<typeof engineHost>[0]) => EngineHost

export type Work = {
  engine: EngineHost
  queue: RunQueue
  ownIndex: IndexHost
  sweeper: SweepHost
  /** The browser that renders pages: none found, working, or failed to start. */
  browser: () => ServiceState
  hasBrowser: boolean
  /** Whether that is a browser of this machine. */
  rendersHere: boolean
}

/** Opens the background work; processes and threads start on demand. */
export function openWork(config: BackendConfig, { jobs, ports, state, storage }: Platform, startEngine: StartEngine = engineHost): Work {
  const { bus, database, keyFor, log, now, warn } = ports
  const blobs = blobPlaceOf(config)
  const { looks } = state
  const isApi = config.role === 'api'
  const ownIndex = isApi ? NO_INDEX : state.openIndex()
  // It finds further deleted runs by itself.
  const sweeper = isApi ? NO_SWEEPER : state.openSweeper(() => ownIndex.hint(looks.firstDeletedRun() ?? 0))
  const remote =
    config.rendererUrl === undefined || config.rendererToken === undefined
      ? null
      : { urls: config.rendererUrl, token: config.rendererToken }
  const browser = remote === null ? findChromium({ ...config.browserPlaces, chromiumPath: config.chromiumPath }) : null
  const isBrowserMissing = remote === null && browser === null && config.chromiumPath !== undefined && config.chromiumPath !== NO_BROWSER
  if (isBrowserMissing)
    warn({ path: config.chromiumPath }, `CHROMIUM_PATH does not name an executable program: pages are not rendered. ${HOW_TO_INSTALL}`)
  let isBrowserWell = !isBrowserMissing
  const by = remote ?? (browser === null ? null : { browserPath: browser.path, dataDir: config.dataDir })
  const engine = (isApi ? noEngine : startEngine)({
    ...state.ofEngine,
    settings: {
      userAgent: config.crawlerUserAgent,
      productToken: PRODUCT_TOKEN,
      obeysRobots: config.crawlObeyRobots,
      maxConcurrency: config.crawlConcurrency,
      hostConcurrency: config.crawlHostConcurrency,
      hostDelayMs: config.crawlHostDelayMs,
      maxPageBytes: config.crawlMaxPageBytes,
      maxJobSeconds: config.crawlMaxJobSeconds,
      egressAllow: config.egressAllow.join(','),
      egressResolver: config.egressResolver ?? null,
      parserThreads: config.parserThreads,
      runConcurrency: config.workerConcurrency,
    },
    rendering: by === null ? null : { blobs, by, slots: config.renderConcurrency },
    onRendering: (isUsable) => {
      isBrowserWell = isUsable
    },
    search: searchSetup(config),
    models: { setup: modelSetup(config), key: keyFor('model keys') },
    proxyKey: keyFor('proxy passwords'),
    secretsKey: keyFor('secrets of runs'),
    isMeasured: config.metricsToken !== undefined,
    traced: config.isTraced ? { version: config.version } : null,
    hasWork: looks.hasUnfinishedRuns,
    onFault: storage.onFault,
    onStuck: storage.onEngine,
    onHint: (hint) => {
      bus.publish(hint)
      ownIndex.hint(hint.runNo)
    },
    log,
  })
  looks.onUnfinished(() => engine.wake())
  const wake = () => engine.wake()
  const rows = embeddedQueue({ now, wake })
  if (jobs !== null && !isApi) {
    const isWaiting = async (key: string) =>
      (await database.selectFrom('job').select('no').where('key', '=', key).executeTakeFirst()) !== undefined
    jobs.work({ isWaiting, wake, places: config.workerConcurrency })
    // The run may belong to another process's engine.
    bus.subscribeAll(({ runNo, status }) => status === 'canceling' && engine.cancel(runNo))
  }
  return {
    engine,
    queue: jobs?.tellingOthers(rows) ?? rows,
    ownIndex,
    sweeper,
    browser: () => {
      if (!isBrowserWell) return 'failed'
      return by === null ? 'off' : 'ok'
    },
    hasBrowser: by !== null,
    rendersHere: browser !== null,
  }
}
