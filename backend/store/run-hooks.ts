/** Hooks of features inside the transactions that change a run: the store calls them without knowing what they write. */
import type { RunStatus } from '#contract/runs.ts'
import type { Steps } from './steps.ts'

/** Progress of a run in a commit. `added`: results of this commit. `used`: credits in total, if its task has reported them. */
export type CommittedRun = { runNo: number; teamId: string; kind: string; added: number; used: number | null }

/** A run that is ending; `kept`: all its results. */
export type EndedRun = { runNo: number; teamId: string; kind: string; status: RunStatus; kept: number; used: number | null }

export type RunHooks = {
  /** Called in each commit that adds results, or reports used credits. */
  onCommit(run: CommittedRun): Steps<void>
  /** Called once per run, in the transaction that ends it, after `onCommit`. */
  onEnd(run: EndedRun): Steps<void>
}

export const NO_HOOKS: RunHooks = { *onCommit() {}, *onEnd() {} }
