/** Messages to and from the sweeping thread. */
import type { BlobPlace } from '#backend/platform/blobs/open-blobs.ts'

export type SweepThreadData = { database: string; blobs: BlobPlace; index: string }

/** `wake`: something was marked. `close`: end after the current step. */
export type ToSweeper = { type: 'wake' } | { type: 'close' }

/** `waiting`: marked runs are still in the text index, so the indexer must run. `fault`: a step failed and will be retried. */
export type FromSweeper = { type: 'waiting' } | { type: 'fault'; message: string; code: string | undefined; waitMs: number }
