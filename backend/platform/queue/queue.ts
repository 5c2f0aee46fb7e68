/**
 * The Queue port: which runs wait for their turn, and from when on. The rows of the runs are the truth, and a job is a hint that can be
 * derived from them; so work is handed out at least once.
 *
 * A run that waits has one job, made in the transaction that makes it wait, and removed in the one that takes the run or ends it.
 */
import type { Transaction } from '#backend/platform/database/database.ts'

export type JobKind = 'crawl' | 'search' | 'sitemap'

/**
 * A bounded slice of a run: safe to run twice, derivable from the run's row.
 *
 * @property dueAt    not handed out before this instant, `MOST_DELAY_MS` ahead at most; absent: at once
 * @property isShort  it ends within seconds and mostly someone waits for it: it goes before the other jobs of its team
 */
export type Job = { key: string; kind: JobKind; runNo: number; teamId: string; dueAt?: number; isShort?: boolean }

/** The side of those who make work. One key is one job: a second one with the same key, while the first is unfinished, is dropped. */
export type Queue = {
  /** Adds a job in the caller's transaction; `wake` afterwards, when it has been committed. */
  enqueue(transaction: Transaction, job: Job): Promise<void>
  /** Tells the workers that there may be a job. */
  wake(): void
}

/** A job that a worker may choose. */
export type WaitingJob = { runNo: number; kind: string; teamId: string; isShort: boolean }

/** The side of those who do the work, inside the transactions of the store of runs. */
export type WorkQueue = {
  /**
   * For each team and kind, first the short job, then the retry that is due, then the job that has waited longest, in this order within a team. However many
   * jobs wait or are not due yet, it reads a few of each team.
   *
   * @param withSuspects  whether it may be a run with a crash to its name
   */
  due(withSuspects: boolean): WaitingJob[]
  /** The run was taken: its job is removed. */
  take(runNo: number): void
  /** The run waits again, behind the other jobs of its team; with `dueAt` not before that, and then before them. False: it has a job already. */
  releaseAt(job: Omit<Job, 'kind'> & { kind: string }): boolean
}

/** The key of one slice of a run. */
export const sliceKey = (runNo: number, sliceNo: number) => `run:${runNo}:${sliceNo}`

/** A job that is due later than this was made while the clock was wrong, and is due at once. */
export const MOST_DELAY_MS = 3_600_000

/** Where a job stands among those of its team: by `priority`, then by `runAt`, then by age. `runAt` 0 is due whatever the clock says. */
export function turnOf({ dueAt, isShort = false }: Pick<Job, 'dueAt' | 'isShort'>, now: number): { priority: number; runAt: number } {
  if (isShort) return { priority: -1, runAt: 0 }
  return dueAt === undefined ? { priority: 1, runAt: 0 } : { priority: 0, runAt: Math.min(dueAt, now + MOST_DELAY_MS) }
}
