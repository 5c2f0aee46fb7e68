/** Runs that broke: their memory is made again from the store after a while, unless that has not helped before. */
import { StoreTrouble } from '#backend/store/run-store.ts'
import type { HeldRun, RunHint, RunStore } from '#backend/store/run-store.ts'
import type { EngineLog } from './engine-needs.ts'
import type { EngineTrouble } from './engine-trouble.ts'
import type { HeldRuns } from './held-runs.ts'

/** A run whose memory had to be thrown away so often without a page in between is ended. */
export const MOST_BREAKS = 3
export const BROKEN = { reason: 'internal', message: 'Stopped after repeated internal errors' }

export type BrokenRuns = ReturnType<typeof createBrokenRuns>

export function createBrokenRuns({
  held,
  log,
  now,
  publish,
  store,
  trouble,
}: {
  held: HeldRuns
  log: EngineLog
  now: () => number
  publish: (hints: RunHint[]) => void
  store: RunStore
  trouble: EngineTrouble
}) {
  /** How often runs broke in a row. */
  const breaks = new Map<number, number>()
  return {
    broke,
    taskBroke,
    endEarly,
    /** The run has made progress, or has left. */
    forget: (runNo: number) => void breaks.delete(runNo),
  }

  async function broke(run: HeldRun, fault: unknown) {
    // A full disk is not the run's fault: the next look finds the run without an owner.
    if (fault instanceof StoreTrouble) return trouble.troubled(fault)
    const { runNo } = run
    const times = (breaks.get(runNo) ?? 0) + 1
    breaks.set(runNo, times)
    log.error({ run: held.idOf(runNo), times, err: fault }, 'a run has broken; its memory is made again from the tables')
    if (times >= MOST_BREAKS) breaks.delete(runNo)
    await tryAgain(run, times)
  }

  /** A task is started again after a while, unless that has not helped before; its crashes are counted in its row, since some take the engine with them. */
  async function taskBroke(run: HeldRun, fault: unknown) {
    if (fault instanceof StoreTrouble) return trouble.troubled(fault)
    const { runNo } = run
    log.error({ run: held.idOf(runNo), err: fault }, 'a task has broken')
    try {
      await tryAgain(run, await store.countCrash(runNo))
    } catch (storeFault) {
      log.error({ run: held.idOf(runNo), err: storeFault }, 'a task that broke could not be written down')
    }
  }

  /** Gives a run that has broken so many times back, to be taken later; after the last time it ends. */
  async function tryAgain(run: HeldRun, times: number) {
    held.taking.add(run.runNo)
    try {
      if (times >= MOST_BREAKS) await endEarly(run.runNo, BROKEN)
      else await store.release(run, now() + retryDelayMs(times))
    } catch (fault) {
      // The next look finds the run without an owner.
      trouble.troubled(fault)
    } finally {
      held.taking.delete(run.runNo)
    }
  }

  /** Ends a run that cannot go on, and says why; what it has is kept. */
  async function endEarly(runNo: number, why: { reason: string; message: string }) {
    const ended = await store.endEarly(runNo, why)
    if (ended !== null) publish([ended])
  }
}

/** After how long a run that has broken so many times in a row is tried again: 1 s, then 4 s. */
export const retryDelayMs = (times: number) => 1000 * 4 ** (times - 1)
