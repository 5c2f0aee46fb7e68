/** The calls of the RunStore whose statements are the same for every database. */
import type { UpgradeSpec } from '#backend/crawler/run-spec.ts'
import { endEarly, sweepUrls } from './end-run.ts'
import { describe, knownUrls, pageKeys, pendingByHost, pendingUrls, robots, taskDocument, taskUrls, waitingUrls } from './read-runs.ts'
import type { RunHooks } from './run-hooks.ts'
import { wholeRun } from './run-parts.ts'
import type { RunStore } from './run-store.ts'
import { all, change, one } from './steps.ts'
import type { Steps } from './steps.ts'

const SWEEP_BATCH = 5000

/** How a database executes steps. Both promises reject with `StoreTrouble` for trouble of the machine. */
export type StepRunner = {
  /** For steps that change nothing. */
  read<T>(steps: Steps<T>): Promise<T>
  /**
   * Atomic, and durable when it resolves.
   *
   * @param endsRuns  whether it may end runs
   */
  transaction<T>(steps: Steps<T>, options?: { endsRuns?: boolean }): Promise<T>
}

type SharedCalls = Pick<
  RunStore,
  | 'canceling'
  | 'countCrash'
  | 'describe'
  | 'endEarly'
  | 'knownUrls'
  | 'pageKeys'
  | 'pendingByHost'
  | 'pendingUrls'
  | 'robots'
  | 'sweep'
  | 'taskDocument'
  | 'taskUrls'
  | 'waitingUrls'
>

export function sharedCalls(
  { read, transaction }: StepRunner,
  { hooks, now, upgradeSpec }: { hooks: RunHooks; now: () => number; upgradeSpec: UpgradeSpec },
): SharedCalls {
  return {
    canceling: () => read(canceling()),
    countCrash: (runNo) => transaction(countCrash(wholeRun(runNo))),
    endEarly: (runNo, why) => transaction(endEarly(wholeRun(runNo), why, now, hooks), { endsRuns: true }),
    async sweep() {
      const run = await read(unsweptRun())
      if (run !== undefined) await transaction(sweepSome(run))
      return run !== undefined
    },

    describe: (runNo) => read(describe(runNo, upgradeSpec)),
    knownUrls: (...of) => read(knownUrls(...of)),
    pageKeys: (runNo) => read(pageKeys(runNo)),
    pendingByHost: (runNo) => read(pendingByHost(runNo)),
    pendingUrls: (...of) => read(pendingUrls(...of)),
    waitingUrls: (runNo) => read(waitingUrls(runNo)),
    taskDocument: (runNo) => read(taskDocument(runNo)),
    taskUrls: (...of) => read(taskUrls(...of)),
    robots: (hostKey) => read(robots(hostKey)),
  }
}

function* canceling(): Steps<number[]> {
  const rows = yield* all<{ no: number }>("SELECT no FROM run WHERE ended_at IS NULL AND status = 'canceling'")
  return rows.map(({ no }) => no)
}

function* countCrash(runNo: number): Steps<number> {
  const counted = yield* one<{ crashes: number }>(
    'UPDATE run SET crashes = crashes + 1 WHERE no = ? AND ended_at IS NULL RETURNING crashes',
    runNo,
  )
  return counted?.crashes ?? 0
}

type UnsweptRun = { no: number; status: string }

function unsweptRun(): Steps<UnsweptRun | undefined> {
  return one('SELECT no, status FROM run WHERE ended_at IS NOT NULL AND settled < known AND deleted_at IS NULL LIMIT 1')
}

function* sweepSome({ no, status }: UnsweptRun): Steps<void> {
  // Locks the row: engines take turns with one run, and a late one finds nothing to do.
  const isLeft = yield* change('UPDATE run SET settled = settled WHERE no = ? AND settled < known', no)
  if (isLeft === 0) return
  const swept = yield* sweepUrls(no, status, SWEEP_BATCH)
  // Nothing is left to sweep: all URLs have ended, whatever the counter said.
  if (swept === 0) yield* change('UPDATE run SET settled = known WHERE no = ?', no)
  else yield* change('UPDATE run SET settled = settled + ? WHERE no = ?', swept, no)
}
