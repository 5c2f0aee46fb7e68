/**
 * The API's hold on the indexer: starts its process when pages were kept or a crawl was deleted, starts it again when it dies, lets
 * it go when it has nothing to do. An idle product has no such process.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import type { FromIndexer, ToIndexer } from './index-messages.ts'

export type IndexHost = {
  /** Something of a run was committed, or it was deleted. */
  hint(runNo: number): void
  close(): Promise<void>
}

type Log = { warn(facts: object, message: string): void }

/** Little memory and one helper thread of V8: this process is to be small and may be slow. */
const FLAGS = [
  '--max-semi-space-size=4',
  '--v8-pool-size=1',
  '--import',
  new URL('../../../gateway/compile-cache.js', import.meta.url).href,
]
/**
 * The first result of a crawl is not to wait for a process that starts. On a single core all that the indexer does is taken from the crawl:
 * there a short one is over before it begins (measured over three seconds: 713 instead of 642 pages/s).
 */
const START_MS = availableParallelism() > 1 ? 1000 : 8000
const IDLE_MS = 20_000
const LOOK_MS = 60_000
const BACK_OFF_MS = 1000
const LONGEST_BACK_OFF_MS = 60_000
const HEALTHY_MS = 60_000

/**
 * @param hasPages  whether there is anything that could be in the index; asked once, a little after the start
 * @param deleted   tells the deleted runs; asked once a minute, in case nobody has hinted at one
 */
export function indexHost(needs: {
  database: string
  file: string
  deleted: () => string
  hasPages: () => boolean
  log: Log
  logLevel: string
  lookMs?: number
  startMs?: number
}): IndexHost {
  const { database, file, deleted, hasPages, log, logLevel, lookMs = LOOK_MS, startMs = START_MS } = needs
  let child: ChildProcess | null = null
  let isClosing = false
  let isRetiring = false
  let faults = 0
  let starting: NodeJS.Timeout | undefined
  const hints = new Set<number>()
  /** As they were when the indexer was started last: it has looked at them itself. */
  let lastDeleted = ''
  const look = setInterval(() => deleted() !== lastDeleted && startSoon(0), lookMs)
  look.unref()
  const firstLook = setTimeout(() => (hasPages() || existsSync(file)) && startSoon(0), startMs * 3)
  firstLook.unref()
  return { hint, close }

  function hint(runNo: number) {
    if (isClosing) return
    if (child !== null && !isRetiring) return say({ type: 'hint', runNo })
    hints.add(runNo)
    startSoon(startMs)
  }

  function startSoon(ms: number) {
    // A process that is retiring is followed by the next when it has gone.
    if (child !== null || starting !== undefined || isClosing) return
    starting = setTimeout(start, ms)
    starting.unref()
  }

  function start() {
    starting = undefined
    isRetiring = false
    hints.clear()
    lastDeleted = deleted()
    const startedAt = performance.now()
    const started = fork(new URL('./index-process.ts', import.meta.url), [], { execArgv: FLAGS })
    child = started
    lower(started)
    started.on('message', (message: FromIndexer) => {
      if (message.forMs < IDLE_MS || isRetiring) return
      isRetiring = true
      say({ type: 'close' })
    })
    started.on('error', (fault) => log.warn({ err: fault }, 'the indexer could not be started'))
    started.once('exit', (code, signal) => {
      child = null
      if (isClosing) return
      if (isRetiring) {
        if (hints.size > 0) startSoon(0)
        return
      }
      faults = performance.now() - startedAt > HEALTHY_MS ? 1 : faults + 1
      const waitMs = Math.min(BACK_OFF_MS * 2 ** (faults - 1), LONGEST_BACK_OFF_MS)
      log.warn({ code, signal, waitMs }, 'the indexer has died and is started again; it goes on behind its last page')
      startSoon(waitMs)
    })
    say({ type: 'start', database, file, logLevel })
  }

  function say(message: ToIndexer) {
    if (child?.connected) child.send(message)
  }

  async function close() {
    isClosing = true
    clearTimeout(starting)
    clearTimeout(firstLook)
    clearInterval(look)
    const closing = child
    if (closing === null || closing.exitCode !== null || closing.signalCode !== null) return
    const gone = new Promise<void>((resolve) => closing.once('exit', () => resolve()))
    // Its transactions stand any end: there is nothing to wait for.
    closing.kill('SIGKILL')
    await gone
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
