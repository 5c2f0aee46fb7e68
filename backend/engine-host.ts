/**
 * The API's hold on the engine: starts its process with the first job, starts it again when it dies, lets it go when it has been idle.
 *
 * What it hands over are hints; a message that is lost costs half a second at most, since the engine looks at the tables itself.
 */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { EngineSettings } from '#backend/crawler/engine/engine-needs.ts'
import { childHost } from '#backend/platform/child-host.ts'
import type { ChildLog } from '#backend/platform/child-host.ts'
import type { RunHint } from '#backend/platform/events/event-bus.ts'
import type { ModelSetup } from '#backend/models/model-setup.ts'
import type { SearchSetup } from '#backend/searches/providers/configured.ts'
import type { MetricValues } from './metric-values.ts'
import type { FromEngine, RenderingSetup, ToEngine } from './engine-messages.ts'

/** The engine's interface for the features. */
export type EngineHost = {
  /** Hint: a job may be waiting. */
  wake(): void
  /** Hint: the run's status asks to stop it. */
  cancel(runNo: number): void
  /** The engine's metrics; null while it is not running, or does not answer. */
  measure?(): Promise<MetricValues[] | null>
  /** A signal to the whole process group may end it before `close` does: that is no death. */
  retire?(): void
  /** Commits and ends. */
  close(): Promise<void>
}

/**
 * Flags of the engine's process, not those of the API's.
 *
 * A nursery of 8 MiB from the start holds what a page leaves behind until it is garbage, and few helper threads of V8 stand in each
 * other's way: together 1.30 instead of 1.66 CPU seconds per 1,000 pages on one core; a nursery of 16 MiB gained nothing and took 50 more.
 * A heap that may grow to 96 MiB before V8 collects all of it: that happened five times a second, since the bodies of pages come and go
 * beside it, which was a tenth of the work (1.69 to 1.54 CPU seconds). At the end of 10,000 pages the process is as large as without it.
 * Its code is compiled earlier, and less is drawn into one function: a fresh engine spends a fifth of a short crawl on compiling itself, and
 * that makes it a twentieth less (1.57 to 1.47 CPU seconds), with no difference in the long run.
 * The compile cache is filled for these very flags by `scripts/compile.ts`. A Node that does not know one of them runs the engine without:
 * `childHost` starts it again, and says so in the log.
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
/** How long to wait for an answer; a starting or busy process may miss it. */
const MEASURE_MS = 1000
/** Less than the ten seconds after which a container is killed. */
const CLOSE_GRACE_MS = 6000
const KILL_AFTER_MS = CLOSE_GRACE_MS + 2500
const LONGEST_BACK_OFF_MS = 30_000
/** The engine sends a heartbeat every second. A commit on a slow disk takes seconds; a hung engine would keep the lock of the database. */
const SILENT_MS = 10_000

/**
 * @param search   who searches the web
 * @param models   the language models of the installation, and what opens the keys of teams' own
 * @param proxyKey  opens the passwords of proxy servers
 * @param secretsKey  opens the headers and credentials of runs
 * @param hasWork  whether any run is unfinished: then the engine is started at once, since a crash left it so
 * @param onHint   called for every hint of a commit
 * @param rendering  the browser that draws pages; null where there is none
 * @param onRendering  the browser could not be started, or could again
 * @param isMeasured  whether it counts what it does
 * @param onStuck  the engine cannot write to the database, or can again
 */
export function engineHost(needs: {
  /** The path of a file, or the address of a PostgreSQL. */
  database: string
  /** The file in which the engine notes what it is at work on; absent: beside the database. */
  notes?: string
  /** By what name it leases runs and hosts that engines of other machines may want; absent: it is alone. */
  owner?: string
  settings: EngineSettings
  search: SearchSetup
  models?: { setup: ModelSetup; key: Buffer } | null
  rendering: RenderingSetup | null
  proxyKey: Buffer
  secretsKey: Buffer
  isMeasured?: boolean
  traced?: { version: string } | null
  hasWork: () => boolean
  onHint: (hint: RunHint) => void
  onStuck: (isStuck: boolean) => void
  onRendering: (isUsable: boolean) => void
  log: ChildLog
}): EngineHost {
  const {
    database,
    notes,
    owner,
    onRendering,
    rendering,
    settings,
    search,
    models = null,
    proxyKey,
    secretsKey,
    isMeasured = false,
    traced = null,
    hasWork,
    onHint,
    onStuck,
    log,
  } = needs
  const child = childHost<ToEngine, FromEngine>({
    name: 'the engine',
    spawn: (withFlags) =>
      fork(new URL('./engine-process.ts', import.meta.url), [], {
        execArgv: withFlags ? ENGINE_FLAGS : COMPILE_CACHE,
        serialization: 'advanced',
        // What is written by hand is a report of V8 about its end; its log comes as messages.
        stdio: ['ignore', 2, 2, 'ipc'],
      }),
    greeting: (after) => ({
      type: 'start',
      database,
      ...(notes !== undefined && { notes }),
      ...(owner !== undefined && { owner }),
      settings,
      search,
      models,
      rendering,
      proxyKey,
      secretsKey,
      isAfterCrash: after !== null,
      wasKilled: after?.wasKilled ?? false,
      isMeasured,
      traced,
    }),
    onMessage: hear,
    onEnd: () => hasWork() && child.start(),
    onDeath: () => onStuck(false),
    longestBackOffMs: LONGEST_BACK_OFF_MS,
    silentMs: SILENT_MS,
    log,
  })
  /** Who waits for an answer, by its number. */
  const asked = new Map<number, (metrics: MetricValues[] | null) => void>()
  let askedNo = 0
  if (hasWork()) child.start()
  return {
    wake,
    cancel,
    measure,
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
    else if (message.type === 'rendering') onRendering(message.isUsable)
    else if (message.type === 'idle' && message.forMs >= IDLE_MS && !hasWork()) child.say({ type: 'close', graceMs: 0 })
  }
}
