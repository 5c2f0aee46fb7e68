/** What features do inside the transactions that change a run: the store calls them, and knows nothing of what they write. */
import type { RunStatus } from '#contract/runs.ts'
import type { Steps } from './steps.ts'

/** Progress of a run that is being committed. `added`: results of this commit. `used`: credits in all, when its task has said so. */
export type CommittedRun = { runNo: number; teamId: string; kind: string; added: number; used: number | null }

/** A run that is ending; `kept`: its results in all. */
export type EndedRun = { runNo: number; teamId: string; kind: string; status: RunStatus; kept: number; used: number | null }

export type RunHooks = {
  /** Called in each commit that adds results, or says what was used. */
  onCommit(run: CommittedRun): Steps<void>
  /** Called once for each run, in the transaction that ends it, after `onCommit`. */
  onEnd(run: EndedRun): Steps<void>
}

export const NO_HOOKS: RunHooks = { *onCommit() {}, *onEnd() {} }
