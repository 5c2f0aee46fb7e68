/** Sweeps in steps with pauses until nothing removable is left; then waits a while for what cannot be removed yet. */
import { isTrouble } from '#backend/platform/database/trouble.ts'
import { pauseAfter } from './pace.ts'
import type { FromSweeper } from './sweep-host.ts'
import type { RunSweep } from '#backend/store/run-sweep.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5000
/** Most waits for a run to end; then it is left to the next sweep. */
const MOST_WAITS = 30
/** Wait before a retry when the disk is full or the database busy. */
const TROUBLE_MS = 10_000

/**
 * @param checkpoint  moves writes from the log into the database file; called every few steps and at the end
 * @param pause       resolves after so many milliseconds, or sooner when something was marked; false: end the sweep
 * @returns           when nothing is left, when the rest has been waited for long enough, or when `pause` returns false
 */
export async function sweepAll({
  checkpoint,
  pause,
  say,
  sweep,
}: {
  checkpoint: () => void
  pause: (ms: number, canWake: boolean) => Promise<boolean>
  say: (message: FromSweeper) => void
  sweep: RunSweep
}): Promise<void> {
  let waits = 0
  for (let steps = 1; ; steps += 1) {
    let waitMs: number
    let isIdle = false
    const from = performance.now()
    try {
      const step = await sweep.step()
      if (step !== null) {
        waits = 0
        if (steps % STEPS_PER_CHECKPOINT === 0) checkpoint()
        const isBusy = await sweep.isBusy()
        waitMs = pauseAfter({ spentMs: performance.now() - from, isBusy })
      } else {
        checkpoint()
        if (!(await sweep.isWaiting()) || waits >= MOST_WAITS) return
        if (sweep.waitingForIndex()) say({ type: 'waiting' })
        waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** waits)
        waits += 1
        isIdle = true
      }
    } catch (fault) {
      if (!isTrouble(fault)) throw fault
      waitMs = TROUBLE_MS
      const { code, message } = fault as { code?: string; message: string }
      say({ type: 'fault', code, message, waitMs })
    }
    if (!(await pause(waitMs, isIdle))) return
  }
}

/**
 * A step writes up to a few hundred database pages; beyond a thousand pages in the log, the next writer would have to run the checkpoint.
 */
const STEPS_PER_CHECKPOINT = 4
