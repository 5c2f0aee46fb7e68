/**
 * Controls the sweeping thread: starts it after a deletion, and at start-up when an earlier process left work. An idle product has no such
 * thread.
 */
import { Worker } from 'node:worker_threads'
import type { BlobPlace } from '#backend/platform/blobs/open-blobs.ts'

export type SweepThreadData = { database: string; blobs: BlobPlace; index: string }

/** `wake`: something was marked. `close`: end after the current step. */
export type ToSweeper = { type: 'wake' } | { type: 'close' }

/** `waiting`: marked runs are still in the text index, so the indexer must run. `fault`: a step failed and will be retried. */
export type FromSweeper = { type: 'waiting' } | { type: 'fault'; message: string; code: string | undefined; waitMs: number }

export type SweepHost = {
  /** Call when something was marked as deleted. */
  wake(): void
  close(): Promise<void>
}

/** Delay before the start, because deletions come in groups, and starting a thread costs 50 ms of a core. */
const START_MS = 200
/** Interval for finding marks of other processes, and work of a thread that ended too early. */
const LOOK_MS = 60_000
const CLOSE_MS = 2000

/**
 * @param hasWork    whether anything is marked as deleted
 * @param onWaiting  called when marked runs are still in the text index
 * @param program    file of the thread
 */
export function sweepHost({
  data,
  hasWork,
  onWaiting,
  program,
  warn,
}: {
  data: SweepThreadData
  hasWork: () => boolean
  onWaiting: () => void
  program: URL
  warn: (facts: object, message: string) => void
}): SweepHost {
  let worker: Worker | null = null
  let starting: NodeJS.Timeout | undefined
  let isClosing = false
  /** Set when something was marked while a thread was about to end. */
  let isWoken = false
  const look = setInterval(() => hasWork() && wake(), LOOK_MS)
  look.unref()
  const first = setTimeout(() => hasWork() && wake(), START_MS * 10)
  first.unref()
  return { wake, close }

  function wake(): void {
    if (isClosing) return
    isWoken = true
    if (worker !== null) return worker.postMessage({ type: 'wake' } satisfies ToSweeper)
    if (starting !== undefined) return
    starting = setTimeout(() => {
      starting = undefined
      start()
    }, START_MS)
    starting.unref()
  }

  function start(): void {
    isWoken = false
    const started = new Worker(program, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
    })
    worker = started
    started.unref()
    started.on('message', (message: FromSweeper) => {
      if (message.type === 'waiting') onWaiting()
      else warn(message, 'deleted data cannot be removed at the moment')
    })
    // Its work is still marked: the next check starts another thread.
    started.on('error', (fault) => warn({ err: fault }, 'the removal of deleted data was interrupted; it goes on within a minute'))
    started.once('exit', () => {
      worker = null
      if (isWoken && hasWork()) wake()
    })
  }

  async function close(): Promise<void> {
    isClosing = true
    clearInterval(look)
    clearTimeout(first)
    clearTimeout(starting)
    if (worker === null) return
    const ending = worker
    const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()))
    ending.postMessage({ type: 'close' } satisfies ToSweeper)
    const force = setTimeout(() => void ending.terminate(), CLOSE_MS)
    await ended
    clearTimeout(force)
  }
}
