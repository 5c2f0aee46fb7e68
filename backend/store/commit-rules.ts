/** The rules of run commits, for every database. */
import type { RunStatus } from '#contract/runs.ts'
import { NOT_FETCHED } from '#backend/crawler/outcomes.ts'
import type { LostWhy, RunChanges, RunCommit, RunEnding } from './run-store.ts'

/** What a commit came to: stored, now or before, or not at all. */
export type Written = { kind: 'done'; status: RunStatus; commitNo: number; kept: number; eventSeq: number } | { kind: 'lost'; why: LostWhy }

/** What a refused commit finds of its run. */
export type RunOfRefused = { status: RunStatus; token: number; commitNo: number; kept: number; eventSeq: number }

/** A commit is refused when it was stored before and its answer was lost, or when the run is no longer its owner's. */
export function refusalOf(run: RunOfRefused | undefined, { commitNo, token }: Pick<RunCommit, 'commitNo' | 'token'>): Written {
  if (run?.token !== token) return { kind: 'lost', why: 'taken' }
  if (run.commitNo === commitNo + 1) {
    const { eventSeq, kept, status } = run
    return { kind: 'done', status: status === 'canceling' ? 'running' : status, commitNo: run.commitNo, kept, eventSeq }
  }
  return { kind: 'lost', why: run.status === 'canceling' ? 'canceling' : 'taken' }
}

/** How many more URLs have an outcome: those that were settled or added with one, less those that were reopened. */
export function newOutcomes({ added, reopened, settled }: RunChanges): number {
  return added.reduce((sum, { outcome }) => sum + (outcome === null ? 0 : 1), settled.length) - reopened
}

/**
 * A crawl that has kept nothing, since none of its start URLs could be fetched, has failed.
 *
 * @param seeds  the outcomes of the start URLs; null: this ending does not depend on them
 */
export function endingOf({ ifNothingFetched, ...ending }: NonNullable<RunCommit['ending']>, seeds: readonly Seed[] | null): RunEnding {
  const isNothing = seeds?.every(({ outcome }) => outcome === 'redirected' || (outcome !== null && NOT_FETCHED.has(outcome)))
  return ifNothingFetched !== undefined && isNothing === true ? ifNothingFetched : ending
}

type Seed = { outcome: string | null }
