/**
 * The API's hold on the engine: starts its process with the first job, starts it again when it dies, lets it go when it has been idle.
 *
 * What it hands over are hints; a message that is lost costs half a second at most, since the engine looks at the tables itself.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { EngineLog, EngineSettings } from '#backend/crawler/engine.ts'
import type { RunHint } from '#backend/platform/events/event-bus.ts'
import type { SearchSetup } from '#backend/searches/providers/configured.ts'
import type { FromEngine, ToEngine } from './engine-messages.ts'

/** What the features see of it. */
export type EngineHost = {
  /** There may be a job. */
  wake(): void
  /** The run's status says that it is to be stopped. */
  cancel(runNo: number): void
  /** Commits and ends. */
  close(): Promise<void>
}

/**
 * Flags of the engine's process, not those of the API's.
 *
 * A nursery of 8 MiB from the start holds what a page leaves behind until it is garbage, and few helper threads of V8 stand in each
 * other's way: together 1.30 instead of 1.66 CPU seconds per 1,000 pages on one core; a nursery of 16 MiB gained nothing and took 50 more.
 * A heap that may grow to 96 MiB before all of it is looked through: V8 did so five times a second, since the bodies of pages come and go
 * beside it, which was a tenth of the work (1.69 to 1.54 CPU seconds). At the end of 10,000 pages the process is as large as without it.
 * Its code is compiled earlier, and less is drawn into one function: a fresh engine spends a fifth of a short crawl on compiling itself, and
 * that makes it a twentieth less (1.57 to 1.47 CPU seconds), with no difference in the long run.
 * The compile cache is filled for these very flags by `scripts/compile.ts`.
 */
export const ENGINE_FLAGS = [
  '--min-semi-space-size=8',
  '--max-semi-space-size=8',
  '--initial-heap-size=96',
  '--invocation-count-for-maglev=200',
  '--max-maglev-inlined-bytecode-size-cumulative=300',
  '--max-inlined-bytecode-size-cumulative=300',
  `--v8-pool-size=${Math.min(4, Math.max(1, availableParallelism() >> 1))}`,
  '--import',
  new URL('../gateway/compile-cache.js', import.meta.url).href,
]

const IDLE_MS = 5 * 60_000
/** Short of the ten seconds after which a container is killed. */
const CLOSE_GRACE_MS = 6000
const LONGEST_BACK_OFF_MS = 30_000
const HEALTHY_MS = 60_000

/**
 * @param search   who searches the web
 * @param proxyKey  opens the passwords of proxy servers
 * @param hasWork  whether any run is unfinished: then the engine is started at once, since a crash left it so
 * @param onHint   called for every hint of a commit
 */
export function engineHost(needs: {
  database: string
  settings: EngineSettings
  search: SearchSetup
  proxyKey: Buffer
  logLevel: string
  hasWork: () => boolean
  onHint: (hint: RunHint) => void
  log: EngineLog
}): EngineHost {
  const { database, settings, search, proxyKey, logLevel, hasWork, onHint, log } = needs
  let child: ChildProcess | null = null
  let isClosing = false
  let faults = 0
  let restart: NodeJS.Timeout | undefined
  if (hasWork()) start()
  return { wake, cancel, close }

  function wake() {
    if (child === null && restart === undefined && !isClosing) start()
    else say({ type: 'wake' })
  }

  function cancel(runNo: number) {
    say({ type: 'cancel', runNo })
  }

  /** @param isAfterCrash  the last one died of itself, and this process has lived on: what it had in hand is suspect */
  function start({ isAfterCrash = false }: { isAfterCrash?: boolean } = {}) {
    restart = undefined
    const startedAt = performance.now()
    const started = fork(new URL('./engine-process.ts', import.meta.url), [], {
      execArgv: ENGINE_FLAGS,
      serialization: 'advanced',
    })
    child = started
    started.on('message', (message: FromEngine) => hear(message))
    started.on('error', (fault) => log.error({ err: fault }, 'the engine could not be started'))
    started.once('exit', (code, signal) => {
      if (child === started) child = null
      if (isClosing) return
      if (code === 0) {
        if (hasWork()) start()
        return
      }
      faults = performance.now() - startedAt > HEALTHY_MS ? 1 : faults + 1
      const waitMs = Math.min(1000 * 2 ** (faults - 1), LONGEST_BACK_OFF_MS)
      log.error({ code, signal, waitMs }, 'the engine has died and is started again; its runs go on from their last checkpoint')
      restart = setTimeout(() => start({ isAfterCrash: true }), waitMs)
    })
    say({ type: 'start', database, settings, search, proxyKey, logLevel, isAfterCrash })
  }

  function hear(message: FromEngine) {
    if (message.type === 'hints') for (const hint of message.hints) onHint(hint)
    else if (message.type === 'idle' && message.forMs >= IDLE_MS && !hasWork()) say({ type: 'close', graceMs: 0 })
  }

  function say(message: ToEngine) {
    if (child?.connected) child.send(message)
  }

  async function close() {
    isClosing = true
    clearTimeout(restart)
    const closing = child
    if (closing === null || closing.exitCode !== null) return
    const gone = new Promise<void>((resolve) => closing.once('exit', () => resolve()))
    say({ type: 'close', graceMs: CLOSE_GRACE_MS })
    const force = setTimeout(() => closing.kill('SIGKILL'), CLOSE_GRACE_MS + 2500)
    await gone
    clearTimeout(force)
  }
}
