/**
 * The API's hold on the indexer: starts its process when pages were kept or a crawl was deleted, starts it again when it dies, lets
 * it go when it has nothing to do. An idle product has no such process.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { childHost } from '#backend/platform/child-host.ts'
import type { ChildLog } from '#backend/platform/child-host.ts'

/** A hint is never the truth: the indexer reads the tables. */
export type ToIndexer = { type: 'start'; database: string; file: string } | { type: 'hint'; runNo: number } | { type: 'close' }

export type FromIndexer = { type: 'idle'; forMs: number }

export type IndexHost = {
  /** Something of a run was committed, or it was deleted. */
  hint(runNo: number): void
  /** A signal to the whole process group may end it before `close` does: that is no death. */
  retire(): void
  close(): Promise<void>
}

/** Little memory and one helper thread of V8: this process is to be small and may be slow. */
const V8_FLAGS = ['--max-semi-space-size=4', '--v8-pool-size=1', '--expose-gc']
const COMPILE_CACHE = ['--import', new URL('../../../gateway/compile-cache.js', import.meta.url).href]
/**
 * The first result of a crawl is not to wait for a process that starts. On a single core all that the indexer does is taken from the crawl:
 * there a short one is over before it begins (measured over three seconds: 713 instead of 642 pages/s).
 */
const START_MS = availableParallelism() > 1 ? 1000 : 8000
const IDLE_MS = 20_000
const LOOK_MS = 60_000
const LONGEST_BACK_OFF_MS = 60_000
/** It says every two seconds that it lives, at the lowest priority of the machine. */
const SILENT_MS = 120_000

/**
 * @param hasPages  whether there is anything that could be in the index; asked once, a little after the start
 * @param deleted   tells the deleted runs; asked once a minute, in case nobody has hinted at one
 */
export function indexHost(needs: {
  database: string
  file: string
  deleted: () => string
  hasPages: () => boolean
  log: ChildLog
  lookMs?: number
  startMs?: number
}): IndexHost {
  const { database, file, deleted, hasPages, log, lookMs = LOOK_MS, startMs = START_MS } = needs
  let isClosing = false
  let isRetiring = false
  const hints = new Set<number>()
  /** As they were when the indexer was started last: it has looked at them itself. */
  let lastDeleted = ''
  const child = childHost<ToIndexer, FromIndexer>({
    name: 'the indexer',
    spawn: (withFlags) => {
      const execArgv = withFlags ? [...V8_FLAGS, ...COMPILE_CACHE] : COMPILE_CACHE
      const started = fork(new URL('./index-process.ts', import.meta.url), [], { execArgv, stdio: ['ignore', 2, 2, 'ipc'] })
      lower(started)
      return started
    },
    // From here on it looks for itself.
    greeting: () => {
      isRetiring = false
      hints.clear()
      lastDeleted = deleted()
      return { type: 'start', database, file }
    },
    onMessage: ({ forMs }) => {
      if (forMs < IDLE_MS || isRetiring) return
      isRetiring = true
      child.expectEnd()
      child.say({ type: 'close' })
    },
    onEnd: () => hints.size > 0 && child.start(),
    longestBackOffMs: LONGEST_BACK_OFF_MS,
    silentMs: SILENT_MS,
    log,
  })
  const look = setInterval(() => deleted() !== lastDeleted && child.start(), lookMs)
  look.unref()
  const firstLook = setTimeout(() => (hasPages() || existsSync(file)) && child.start(), startMs * 3)
  firstLook.unref()
  return { hint, retire: child.retire, close }

  function hint(runNo: number) {
    if (isClosing) return
    if (child.isRunning && !isRetiring) return child.say({ type: 'hint', runNo })
    // A process that is retiring is followed by the next when it has ended.
    hints.add(runNo)
    child.start(startMs)
  }

  /** Its transactions stand any end: there is nothing to wait for. */
  async function close() {
    isClosing = true
    clearTimeout(firstLook)
    clearInterval(look)
    await child.close()
  }
}

/** Low from its first instruction: loading its code is already more work than anybody should notice. */
function lower({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) setPriority(pid, 19)
  } catch {
    // It lowers itself as soon as it runs.
  }
}
