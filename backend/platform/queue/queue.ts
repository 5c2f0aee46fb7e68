/** The Queue port. It hands out work at least once; the rows of the runs, not the queue, are the truth. */
import type { Transaction } from '#backend/platform/database/database.ts'

export type JobKind = 'crawl' | 'search' | 'sitemap'

/** A bounded slice of a run: safe to run twice, derivable from the run's row. */
export type Job = { key: string; kind: JobKind; runNo: number; teamId: string; priority: number }

/** One key is one job: a second one with the same key, while the first is unfinished, is dropped. */
export type Queue = {
  /** Adds a job in the caller's transaction; `wake` afterwards, when it has been committed. */
  enqueue(transaction: Transaction, job: Job): Promise<void>
  /** Tells whoever works that there may be a job. */
  wake(): void
}

/** The key of one slice of a run. */
export const sliceKey = (runNo: number, sliceNo: number) => `run:${runNo}:${sliceNo}`
