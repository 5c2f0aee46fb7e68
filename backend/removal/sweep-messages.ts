/** Messages to and from the sweeping thread. */
import type { BlobPlace } from '#backend/platform/blobs/open-blobs.ts'

export type SweepThreadData = { database: string; blobs: BlobPlace; index: string }

/** `wake`: something was marked. `close`: end after the step that is being done. */
export type ToSweeper = { type: 'wake' } | { type: 'close' }

/** `waiting`: runs are marked that the text index still has, so the indexer must run. `fault`: a step failed and is tried again. */
export type FromSweeper = { type: 'waiting' } | { type: 'fault'; message: string; code: string | undefined; waitMs: number }
