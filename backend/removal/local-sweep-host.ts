/** Sweeps in the API's own process, for databases whose server does the work. */
import type { RunSweep } from '#backend/store/run-sweep.ts'
import type { SweepHost } from './sweep-host.ts'
import { sweepAll } from './sweep-loop.ts'

/** Delay before a sweep, because deletions come in groups. */
const START_MS = 200
/** Interval for finding marks of other processes. */
const LOOK_MS = 60_000

/**
 * @param before   called before each sweep
 * @param hasWork  whether anything is marked as deleted
 */
export function localSweepHost({
  before,
  hasWork,
  sweep,
  warn,
}: {
  before: () => Promise<unknown>
  hasWork: () => boolean
  sweep: RunSweep
  warn: (facts: object, message: string) => void
}): SweepHost {
  let sweeping: Promise<void> | null = null
  let isWoken = false
  let isClosing = false
  let interrupt: () => void = () => undefined
  const timers = [setInterval(() => hasWork() && wake(), LOOK_MS), setTimeout(() => hasWork() && wake(), START_MS * 10)]
  for (const timer of timers) timer.unref()
  return { wake, close }

  function wake(): void {
    isWoken = true
    interrupt()
    if (sweeping === null && !isClosing) sweeping = run().finally(() => (sweeping = null))
  }

  async function run(): Promise<void> {
    if (!(await pause(START_MS, false))) return
    try {
      await before()
      while (isWoken && !isClosing) {
        isWoken = false
        await sweepAll({
          checkpoint: () => undefined,
          pause,
          say: (message) => message.type === 'fault' && warn(message, 'deleted data cannot be removed at the moment'),
          sweep,
        })
      }
    } catch (fault) {
      warn({ err: fault }, 'the removal of deleted data was interrupted; it goes on within a minute')
    }
  }

  async function pause(ms: number, canWake: boolean): Promise<boolean> {
    if (!isClosing && !(canWake && isWoken))
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        timer.unref()
        interrupt = () => {
          if (!canWake && !isClosing) return
          clearTimeout(timer)
          resolve()
        }
      })
    return !isClosing
  }

  async function close(): Promise<void> {
    isClosing = true
    for (const timer of timers) clearTimeout(timer)
    interrupt()
    await sweeping
  }
}
