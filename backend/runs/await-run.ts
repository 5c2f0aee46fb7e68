/** Waits for the end of a run. */
import { isTerminal } from '#contract/runs.ts'
import type { RunKind } from '#contract/runs.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import type { Run } from './run.ts'
import type { Runs } from './runs.ts'

/** Hints may get lost, so the run is read this often without one. */
const LOOK_EVERY_MS = 1000

/**
 * @param isEnough  ends the wait early
 * @returns  the run at its end, when it is enough, or when `signal` aborted
 */
export async function awaitRun(
  { bus, runs }: { bus: EventBus; runs: Runs },
  kind: RunKind,
  { id, no, teamId }: Pick<Run, 'id' | 'no' | 'teamId'>,
  signal: AbortSignal,
  isEnough: (run: Run) => boolean = () => false,
): Promise<Run> {
  let look = () => {}
  const unsubscribe = bus.subscribe(no, () => look())
  const timer = setInterval(() => look(), LOOK_EVERY_MS)
  const onAbort = () => look()
  signal.addEventListener('abort', onAbort)
  try {
    for (;;) {
      // Set up before the tables are read, so that a hint meanwhile is not missed.
      const hinted = new Promise<void>((resolve) => (look = resolve))
      const run = await runs.read(teamId, kind, id)
      if (signal.aborted || isTerminal(run.status) || isEnough(run)) return run
      await hinted
    }
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', onAbort)
    unsubscribe()
  }
}
