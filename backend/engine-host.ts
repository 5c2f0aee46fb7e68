/**
 * Controls the engine's process for the API: starts it with the first job, restarts it when it dies, and stops it when it has been idle.
 *
 * Messages to it are hints; a lost one costs at most half a second, because the engine reads the tables itself.
 */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { EngineSettings } from '#backend/crawler/engine/engine-means.ts'
import { childHost } from '#backend/platform/child-host.ts'
import type { ChildLog } from '#backend/platform/child-host.ts'
import type { BlobPlace } from '#backend/platform/blobs/open-blobs.ts'
import type { RunHint } from '#backend/platform/events/event-bus.ts'
import type { ModelSetup } from '#backend/models/model-setup.ts'
import type { SearchSetup } from '#backend/searches/providers/configured.ts'
import type { MetricValues } from './metric-values.ts'

/**
 * What the engine is told at its start.
 *
 * @property database   the path of a file, or the URL of a PostgreSQL
 * @property notes      the file in which it records what it is working on; absent: beside the database
 * @property owner      its name in leases, where engines of other machines exist; absent: it is alone
 * @property models     the installation's language models, and the key that decrypts those of teams
 * @property rendering  the browser that renders pages; absent if there is none
 * @property proxyKey   decrypts the passwords of proxy servers
 * @property secretsKey  decrypts the headers and credentials of runs
 * @property isMeasured  whether it collects metrics
 * @property traced     its traces are exported, with this version of the product; absent: no traces
 */
export type EngineStart = {
  database: string
  notes?: string
  owner?: string
  settings: EngineSettings
  search: SearchSetup
  models?: { setup: ModelSetup; key: Uint8Array } | null
  rendering?: RenderingSetup | null
  proxyKey: Uint8Array
  secretsKey: Uint8Array
  isMeasured?: boolean
  traced?: { version: string } | null
}

/**
 * @property blobs  where captured files are stored
 * @property by     the browser of this machine, or remote renderers with their token
 */
export type RenderingSetup = {
  blobs: BlobPlace
  by: { browserPath: string; dataDir: string } | { urls: readonly string[]; token: string }
  slots: number
}

/**
 * @property isAfterCrash  the previous engine died, and the API's process survived
 * @property wasKilled     it was killed from outside: then only the runs it was working on are suspects
 */
export type ToEngine =
  | ({ type: 'start'; isAfterCrash: boolean; wasKilled?: boolean } & EngineStart)
  | { type: 'wake' }
  | { type: 'measure'; id: number }
  | { type: 'cancel'; runNo: number }
  | { type: 'close'; graceMs: number }

export type FromEngine =
  | { type: 'ready' }
  | { type: 'hints'; hints: RunHint[] }
  | { type: 'idle'; forMs: number }
  | { type: 'stuck'; isStuck: boolean }
  /** The code of an error that broke a run. */
  | { type: 'fault'; code: string }
  | { type: 'measured'; id: number; metrics: MetricValues[] }
  /** The browser could not be started, or could again. */
  | { type: 'rendering'; isUsable: boolean }
  | { type: 'closed' }

/** The engine's interface for the features. */
export type EngineHost = {
  /** Hint: a job may be waiting. */
  wake(): void
  /** Hint: the run's status asks to stop it. */
  cancel(runNo: number): void
  /** The engine's metrics; null while it is not running, or does not answer. */
  measure?(): Promise<MetricValues[] | null>
  /** Its process dies again and again: jobs wait. */
  isFailing?(): boolean
  /** A signal to the whole process group may end it before `close` does: that does not count as a death. */
  retire?(): void
  /** Commits and ends. */
  close(): Promise<void>
}

/**
 * V8 flags of the engine's process.
 *
 * An initial young generation of 8 MiB holds what a page leaves behind until it is garbage, and fewer V8 helper threads compete for cores:
 * together 1.30 instead of 1.66 CPU seconds per 1,000 pages on one core; 16 MiB gained nothing and took 50 more MiB. A heap that may grow
 * to 96 MiB before a full GC: without it, bodies of pages outside of the heap trigger a full GC five times a second, a tenth of the work
 * (1.69 to 1.54 CPU seconds). After 10,000 pages the process is no larger than without it. Earlier compilation and less inlining: a fresh
 * engine spends a fifth of a short crawl on compilation, and these save a twentieth (1.57 to 1.47 CPU seconds), with no difference in the
 * long run. `scripts/compile.ts` fills the compile cache for exactly these flags. On a Node that does not know one of them, `childHost`
 * restarts the engine without flags, and logs it.
 */
const V8_FLAGS = [
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--initial-heap-size=96',
  '--invocation-count-for-maglev=200',
  '--max-maglev-inlined-bytecode-size-cumulative=300',
  '--max-inlined-bytecode-size-cumulative=300',
  `--v8-pool-size=${Math.min(4, Math.max(1, availableParallelism() >> 1))}`,
]
const COMPILE_CACHE = ['--import', new URL('../gateway/compile-cache.js', import.meta.url).href]
export const ENGINE_FLAGS = [...V8_FLAGS, ...COMPILE_CACHE]

const IDLE_MS = 5 * 60_000
/** How long to wait for metrics; a starting or busy process may miss it. */
const MEASURE_MS = 1000
/** Less than the ten seconds after which a container is killed. */
const CLOSE_GRACE_MS = 6000
const KILL_AFTER_MS = CLOSE_GRACE_MS + 2500
const LONGEST_BACK_OFF_MS = 30_000
/** The engine sends a heartbeat every second. A commit on a slow disk takes seconds; a hung engine would keep the database locked. */
const SILENT_MS = 10_000

/**
 * @param needs.hasWork  whether any run is unfinished, as after a crash: then the engine is started at once
 * @param needs.onFault  called with the error that broke a run
 * @param needs.onHint   called for every hint of a commit
 * @param needs.onRendering  called when the browser could not be started, or could again
 * @param needs.onStuck  called when the engine cannot write to the database, or can again
 */
export function engineHost(
  needs: EngineStart & {
    hasWork: () => boolean
    onFault: (fault: { code: string }) => void
    onHint: (hint: RunHint) => void
    onStuck: (isStuck: boolean) => void
    onRendering: (isUsable: boolean) => void
    log: ChildLog
  },
): EngineHost {
  const { hasWork, log, onFault, onHint, onRendering, onStuck, ...told } = needs
  const child = childHost<ToEngine, FromEngine>({
    name: 'the engine',
    spawn: (withFlags) =>
      fork(new URL('./engine-process.ts', import.meta.url), [], {
        execArgv: withFlags ? ENGINE_FLAGS : COMPILE_CACHE,
        serialization: 'advanced',
        // Only V8's own reports of a crash are written to stderr; the log comes as messages.
        stdio: ['ignore', 2, 2, 'ipc'],
      }),
    greeting: (after) => ({ type: 'start', ...told, isAfterCrash: after !== null, wasKilled: after?.wasKilled ?? false }),
    onMessage: hear,
    onEnd: () => hasWork() && child.start(),
    onDeath: () => onStuck(false),
    longestBackOffMs: LONGEST_BACK_OFF_MS,
    silentMs: SILENT_MS,
    log,
  })
  /** Callers that wait for metrics, by request number. */
  const asked = new Map<number, (metrics: MetricValues[] | null) => void>()
  let askedNo = 0
  if (hasWork()) child.start()
  return {
    wake,
    cancel,
    measure,
    isFailing: () => child.isFailing,
    retire: child.retire,
    close: () => child.close({ message: { type: 'close', graceMs: CLOSE_GRACE_MS }, graceMs: KILL_AFTER_MS }),
  }

  function wake() {
    child.start()
    child.say({ type: 'wake' })
  }

  function cancel(runNo: number) {
    child.say({ type: 'cancel', runNo })
  }

  function measure(): Promise<MetricValues[] | null> {
    if (!child.isRunning) return Promise.resolve(null)
    const id = (askedNo += 1)
    return new Promise((resolve) => {
      const timer = setTimeout(() => answer(null), MEASURE_MS)
      const answer = (metrics: MetricValues[] | null) => {
        clearTimeout(timer)
        asked.delete(id)
        resolve(metrics)
      }
      asked.set(id, answer)
      child.say({ type: 'measure', id })
    })
  }

  function hear(message: FromEngine) {
    if (message.type === 'measured') return asked.get(message.id)?.(message.metrics)
    if (message.type === 'hints') for (const hint of message.hints) onHint(hint)
    else if (message.type === 'stuck') onStuck(message.isStuck)
    else if (message.type === 'fault') onFault(message)
    else if (message.type === 'rendering') onRendering(message.isUsable)
    else if (message.type === 'idle' && message.forMs >= IDLE_MS && !hasWork()) child.say({ type: 'close', graceMs: 0 })
  }
}
