/**
 * The RunQueue port: which runs wait for their turn, and from when on. The rows of the runs are the truth; jobs can be derived from them,
 * so a run is worked on at least once.
 *
 * A waiting run has one job, created in the transaction that makes it wait, and removed in the one that takes or ends the run.
 */
import type { Transaction } from '#backend/platform/database/database.ts'

type JobKind = 'crawl' | 'search' | 'sitemap'

/**
 * A limited slice of a run: safe to run twice, derivable from the run's row.
 *
 * @property dueAt    not taken before this instant, at most `MOST_DELAY_MS` ahead; absent: at once
 * @property isShort  ends within seconds, and usually a user waits for it: goes before the other jobs of its team
 */
export type Job = { key: string; kind: JobKind; runNo: number; teamId: string; dueAt?: number; isShort?: boolean }

/**
 * The producers' side; engines take jobs in the transactions of the run store. A job is identified by its key: a second one with the same
 * key is dropped while the first is unfinished.
 */
export type RunQueue = {
  /** Adds a job in the caller's transaction; call `wake` after the commit. */
  enqueue(transaction: Transaction, job: Job): Promise<void>
  /** Tells the workers that there may be a job. */
  wake(): void
}

/** The key of one slice of a run. */
export const sliceKey = (runNo: number, sliceNo: number) => `run:${runNo}:${sliceNo}`
/**
 * The range of the keys of all jobs of a run, without its end. `;` follows `:` in ASCII, so run numbers with the same beginning are not in it.
 */
export const jobKeysOf = (runNo: number): [from: string, before: string] => [`run:${runNo}:`, `run:${runNo};`]

/** A job that is due even later was created while the clock was wrong, and is due at once. */
export const MOST_DELAY_MS = 3_600_000

/** The order of a job within its team: by `priority`, then by `runAt`, then by age. `runAt` 0 is due whatever the clock says. */
export function turnOf({ dueAt, isShort = false }: Pick<Job, 'dueAt' | 'isShort'>, now: number): { priority: number; runAt: number } {
  if (isShort) return { priority: -1, runAt: 0 }
  return dueAt === undefined ? { priority: 1, runAt: 0 } : { priority: 0, runAt: Math.min(dueAt, now + MOST_DELAY_MS) }
}
