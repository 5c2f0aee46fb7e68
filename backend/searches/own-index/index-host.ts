/**
 * Controls the indexer's process for the API: starts it when pages were stored or a crawl was deleted, restarts it when it dies, and ends
 * it when it has nothing to do. An idle product has no such process.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { childHost } from '#backend/platform/child-host.ts'
import type { ChildLog } from '#backend/platform/child-host.ts'

/** A hint only wakes the indexer, which reads the tables. */
export type ToIndexer = { type: 'start'; database: string; file: string } | { type: 'hint'; runNo: number } | { type: 'close' }

export type FromIndexer = { type: 'idle'; forMs: number }

export type IndexHost = {
  /** A commit of the run was reported, or the run was deleted. */
  hint(runNo: number): void
  /** A signal to the whole process group may end it before `close` does: that does not count as a death. */
  retire(): void
  close(): Promise<void>
}

/** Little memory and one helper thread of V8: this process may be slow, but should be small. */
const V8_FLAGS = ['--max-semi-space-size=4', '--v8-pool-size=1', '--expose-gc']
const COMPILE_CACHE = ['--import', new URL('../../../gateway/compile-cache.js', import.meta.url).href]
/**
 * The first result of a crawl must not wait for this process to start. On a single core the indexer's work slows down the crawl, and this
 * delay lets a short crawl finish first (measured over three seconds: 713 instead of 642 pages/s).
 */
const START_MS = availableParallelism() > 1 ? 1000 : 8000
const IDLE_MS = 20_000
const LOOK_MS = 60_000
const LONGEST_BACK_OFF_MS = 60_000
/** It sends a heartbeat every two seconds, at the lowest priority of the machine. */
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
}): IndexHost {
  const { database, file, deleted, hasPages, log, lookMs = LOOK_MS } = needs
  let isClosing = false
  let isRetiring = false
  const hints = new Set<number>()
  /** The deleted runs when the indexer was started last: it compared these itself. */
  let lastDeleted = ''
  const child = childHost<ToIndexer, FromIndexer>({
    name: 'the indexer',
    spawn: (withFlags) => {
      const execArgv = withFlags ? [...V8_FLAGS, ...COMPILE_CACHE] : COMPILE_CACHE
      const started = fork(new URL('./index-process.ts', import.meta.url), [], { execArgv, stdio: ['ignore', 2, 2, 'ipc'] })
      lower(started)
      return started
    },
    // From now on the indexer compares by itself.
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
  const firstLook = setTimeout(() => (hasPages() || existsSync(file)) && child.start(), START_MS * 3)
  firstLook.unref()
  return { hint, retire: child.retire, close }

  function hint(runNo: number) {
    if (isClosing) return
    if (child.isRunning && !isRetiring) return child.say({ type: 'hint', runNo })
    // While one process ends, the next one starts only after it.
    hints.add(runNo)
    child.start(START_MS)
  }

  /** Its transactions survive any end, so do not wait for it. */
  async function close() {
    isClosing = true
    clearTimeout(firstLook)
    clearInterval(look)
    await child.close()
  }
}

/** Lowered from the first instruction on: even loading its code is noticeable work. */
function lower({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) setPriority(pid, 19)
  } catch {
    // It lowers its priority as soon as it runs.
  }
}
