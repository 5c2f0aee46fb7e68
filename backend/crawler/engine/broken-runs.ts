/** Retries runs whose memory broke: rebuilds them from the store after a while, and ends them when that has not helped. */
import { StoreTrouble } from '#backend/store/run-store.ts'
import type { HeldRun, RunHint, RunStore } from '#backend/store/run-store.ts'
import type { EngineLog } from './engine-means.ts'
import type { EngineTrouble } from './engine-trouble.ts'
import type { HeldRuns } from './held-runs.ts'

/** After so many breaks without a page in between a run is ended. */
export const MOST_BREAKS = 3
export const BROKEN = { reason: 'internal', message: 'Stopped after repeated internal errors' }

export type BrokenRuns = ReturnType<typeof createBrokenRuns>

export function createBrokenRuns({
  held,
  log,
  now,
  onFault,
  publish,
  store,
  trouble,
}: {
  held: HeldRuns
  log: EngineLog
  now: () => number
  /** Called with the error that broke a run. */
  onFault: (fault: unknown) => void
  publish: (hints: RunHint[]) => void
  store: RunStore
  trouble: EngineTrouble
}) {
  /** Breaks in a row, by run. */
  const breaks = new Map<number, number>()
  return {
    broke,
    taskBroke,
    endEarly,
    /** Call when a run has made progress, or does not belong to this engine any more. */
    forget: (runNo: number) => void breaks.delete(runNo),
  }

  async function broke(run: HeldRun, fault: unknown) {
    // A full disk is not the run's fault; the next look at the store finds the run without an owner.
    if (fault instanceof StoreTrouble) return trouble.troubled(fault)
    onFault(fault)
    const { runNo } = run
    const times = (breaks.get(runNo) ?? 0) + 1
    breaks.set(runNo, times)
    log.error({ run: held.idOf(runNo), times, err: fault }, 'a run failed; its state is rebuilt from the tables')
    if (times >= MOST_BREAKS) breaks.delete(runNo)
    await tryAgain(run, times)
  }

  /**
   * Retries a task after a while, or ends it when that has not helped. Its crashes are counted in its row, because some take the engine
   * down.
   */
  async function taskBroke(run: HeldRun, fault: unknown) {
    if (fault instanceof StoreTrouble) return trouble.troubled(fault)
    onFault(fault)
    const { runNo } = run
    log.error({ run: held.idOf(runNo), err: fault }, 'a task failed')
    try {
      await tryAgain(run, await store.countCrash(runNo))
    } catch (storeFault) {
      log.error({ run: held.idOf(runNo), err: storeFault }, 'the end of a failed task could not be stored')
    }
  }

  /** Releases a broken run to be taken again later; after the last retry, ends it. */
  async function tryAgain(run: HeldRun, times: number) {
    held.taking.add(run.runNo)
    try {
      if (times >= MOST_BREAKS) await endEarly(run.runNo, BROKEN)
      else await store.release(run, now() + retryWaitMs(times))
    } catch (fault) {
      // The next look at the store finds the run without an owner.
      trouble.troubled(fault)
    } finally {
      held.taking.delete(run.runNo)
    }
  }

  /** Ends a run that cannot go on, with a message for its feed; its pages are kept. */
  async function endEarly(runNo: number, why: { reason: string; message: string }) {
    const ended = await store.endEarly(runNo, why)
    if (ended !== null) publish([ended])
  }
}

/** Milliseconds before the retry after so many breaks in a row: 1 s, then 4 s. */
const retryWaitMs = (times: number) => 1000 * 4 ** (times - 1)
