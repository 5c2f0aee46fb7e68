/**
 * The program of the engine's process: its own event loop, its own database connection, a lower priority than the API.
 *
 * It ends when it is told to, and when its parent has ended: the next engine takes over the runs.
 */
import { randomUUID } from 'node:crypto'
import { setPriority } from 'node:os'
import { createEngine } from '#backend/crawler/engine/engine.ts'
import type { Engine } from '#backend/crawler/engine/engine.ts'
import type { EngineSettings } from '#backend/crawler/engine/engine-means.ts'
import type { Renderer } from '#backend/crawler/crawl/renderer.ts'
import { keepsCaptures } from '#backend/crawls/keep-captures.ts'
import { createWorkRecord, readWorkRecord, workRecordOf } from '#backend/crawler/engine/work-record.ts'
import { steadyClock } from '#backend/platform/clock.ts'
import { openBlobs } from '#backend/platform/blobs/open-blobs.ts'
import { isPostgres } from '#backend/platform/database/kind.ts'
import { createIds } from '#backend/platform/ids.ts'
import { logToParent } from '#backend/platform/parent-log.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import { runCredits } from '#backend/plans/run-credits.ts'
import { remoteRenderer } from '#backend/renderer/remote-renderer.ts'
import { rendererHost } from '#backend/renderer/renderer-host.ts'
import { openSecrets } from '#backend/runs/run-secrets.ts'
import { configuredProviders } from '#backend/searches/providers/configured.ts'
import { logFailures } from '#backend/searches/providers/log-failures.ts'
import { upgradeSpec } from './older-specs.ts'
import { ownPages } from '#backend/searches/providers/own-index.ts'
import { createSearchSite } from '#backend/searches/search-site.ts'
import { createSearchTask } from '#backend/searches/search-job.ts'
import { createSitemapTask } from '#backend/sitemaps/sitemap-job.ts'
import type { FromEngine, RenderingSetup, ToEngine } from './engine-host.ts'
import type { MetricValues } from './metric-values.ts'
import { runModels } from './models/run-models.ts'
import { runProxies } from './proxies/run-proxies.ts'
import { attempt } from './store/run-store.ts'
import type { RunStore } from './store/run-store.ts'
import { openEngineState } from './engine-sqlite.ts'

/** Measured on two cores: with +5 the API answers in a third of the time, and the crawl is no slower. */
const PRIORITY = 5
/** Also the heartbeat: after ten seconds without one the parent kills this process. */
const IDLE_NOTE_MS = 1000

let engine: Engine | null = null
let readMetrics: ((engine: Engine) => Promise<MetricValues[]>) | null = null
const closers: (() => unknown)[] = []

setPriority(PRIORITY)
process.on('message', (message: ToEngine) => void receive(message))
process.on('disconnect', () => process.exit(0))
// The parent handles signals to the process group: it sends `close` when it is time.
process.on('SIGTERM', () => undefined)
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)

async function receive(message: ToEngine) {
  if (message.type === 'start') await start(message)
  else if (message.type === 'measure') await tellMetrics(message.id)
  else if (message.type === 'wake') engine?.wake()
  else if (message.type === 'cancel') engine?.cancel(message.runNo)
  else {
    await engine?.close({ graceMs: message.graceMs })
    for (const close of closers) await close()
    process.send?.({ type: 'closed' } satisfies FromEngine, () => process.exit(0))
  }
}

async function start({
  database,
  isMeasured = false,
  traced = null,
  notes,
  owner = randomUUID(),
  rendering = null,
  isAfterCrash,
  wasKilled = false,
  models = null,
  proxyKey,
  search,
  secretsKey,
  settings,
}: Extract<ToEngine, { type: 'start' }>) {
  const state = isPostgres(database) ? (await import('./engine-postgres.ts')).openEngineState(database) : openEngineState(database)
  const { ask, ownSearch } = state
  const log = logToParent('engine')
  const ofRuns =
    models === null ? null : runModels({ ask, sealer: createSealer(Buffer.from(models.key)), setup: models.setup, warn: log.warn })
  const proxies = runProxies({ ask, sealer: createSealer(Buffer.from(proxyKey)) })
  const configured = configuredProviders(search, { now: Date.now, own: ownPages({ now: Date.now, search: ownSearch.search }) })
  const web = { ...configured, providers: logFailures(configured.providers, log) }
  const searchSite = createSearchSite(web)
  closers.push(web.close, ownSearch.close, async () => ofRuns?.close(), state.close)
  const secretSealer = createSealer(Buffer.from(secretsKey))
  const recordFile = notes ?? workRecordOf(database)
  const atWork = isAfterCrash ? readWorkRecord(recordFile) : []
  const record = createWorkRecord(recordFile)
  const newId = createIds(Date.now)
  closers.push(record.close)
  const tasks = {
    search: createSearchTask({ providers: web.providers }),
    sitemap: createSitemapTask(searchSite === undefined ? {} : { searchSite }),
  }
  const rows = state.createStore({
    kinds: ['crawl', ...Object.keys(tasks)],
    owner,
    now: state.now,
    newId,
    hooks: runCredits,
    upgradeSpec,
  })
  const meter = isMeasured ? (await import('./engine-metrics.ts')).meterStore(rows) : null
  readMetrics = meter?.read ?? null
  const tracing = traced === null ? null : await openTracing(traced, meter?.store ?? rows, log)
  engine = createEngine({
    store: tracing?.store ?? meter?.store ?? rows,
    traces: tracing?.traces ?? null,
    // The parent holds the lock of the data folder, and has one engine at a time.
    isAlone: !isPostgres(database),
    settings,
    now: state.now,
    steady: steadyClock(),
    random: Math.random,
    publish: (hints) => send({ type: 'hints', hints }),
    onStuck: (isStuck) => send({ type: 'stuck', isStuck }),
    onFault: (fault) => send({ type: 'fault', code: String((fault as { code?: unknown } | null)?.code) }),
    log,
    renderer:
      rendering === null
        ? null
        : {
            use: rendererOf(rendering, settings, log),
            ...keepsCaptures({ blobs: openBlobs(rendering.blobs), newId }),
          },
    models: ofRuns && { access: ofRuns.access, settings: models!.setup.settings },
    record,
    isAfterCrash,
    // The engine crashed by itself without work in progress: the cause is unknown, so every run is a suspect.
    suspects: wasKilled || atWork.length > 0 ? atWork : null,
    openSecrets: (runId, sealed) => openSecrets(secretSealer, runId, sealed),
    proxyFor: (teamId, slug) => attempt(() => proxies(teamId, slug)),
    tasks,
  })
  setInterval(() => send({ type: 'idle', forMs: engine!.idleMs() }), IDLE_NOTE_MS).unref()
  send({ type: 'ready' })
}

async function openTracing({ version }: { version: string }, store: RunStore, log: ReturnType<typeof logToParent>) {
  const [{ openTraces }, { traceEngine }] = await Promise.all([import('./platform/traces.ts'), import('./engine-traces.ts')])
  const traces = openTraces({ log, process: 'engine', version })
  closers.push(traces.close)
  return traceEngine(traces, store)
}

function rendererOf({ by, slots }: RenderingSetup, settings: EngineSettings, log: ReturnType<typeof logToParent>): Renderer {
  const onUsable = (isUsable: boolean) => send({ type: 'rendering', isUsable })
  if ('urls' in by) return remoteRenderer({ ...by, log, onUsable, slots })
  const { egressAllow, egressResolver, userAgent } = settings
  return rendererHost({
    dataDir: by.dataDir,
    settings: { browserPath: by.browserPath, slots, egressAllow, egressResolver, userAgent },
    log,
    onUsable,
  })
}

async function tellMetrics(id: number) {
  if (engine !== null && readMetrics !== null) send({ type: 'measured', id, metrics: await readMetrics(engine) })
}

function send(message: FromEngine) {
  // A parent that has just died gets no message: `disconnect` ends this process.
  if (process.connected) process.send!(message, () => undefined)
}
