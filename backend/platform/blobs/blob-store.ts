/**
 * The BlobStore port: files by key that are too large or too many for the database. Content is replaced as a whole: a reader gets the old
 * or the new one.
 *
 * A blob is stored before the commit of its row, and removed before that row. So every row has its blob, and leftovers of a crash are found
 * by their prefix. Adapters must pass `tests/support/engine/blob-conformance.ts`.
 */
import type { Readable } from 'node:stream'

export type BlobContent = Uint8Array | AsyncIterable<Uint8Array>

export type BlobStore = {
  /**
   * Stores content under a key, replacing the previous one, once all of it is durable. If the content breaks off, the previous one stays.
   * Returns its size.
   */
  put(key: string, content: BlobContent): Promise<{ bytes: number }>
  /** The content and its size; null when there is none. A stream that is not read to its end must be destroyed. */
  get(key: string): Promise<{ bytes: number; content: Readable } | null>
  /** Removes a blob; does nothing when there is none. */
  delete(key: string): Promise<void>
  /** Keys with the prefix and their sizes, in no order. Concurrent changes may be included or not. */
  list(prefix: string): AsyncIterable<{ key: string; bytes: number }>
}

export const MAX_BLOB_KEY = 200

/** Segments of lower-case letters, digits, `.`, `_` and `-` that start with a letter or digit: safe on any file system, and never `..`. */
const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/

/** Throws for an invalid key, which is a bug: keys are ours. */
export function checkBlobKey(key: string): void {
  if (key.length > MAX_BLOB_KEY || !KEY.test(key)) throw new TypeError(`not a key of a blob: ${JSON.stringify(key.slice(0, MAX_BLOB_KEY))}`)
}

/** The prefix of all blobs of a run. */
export const runBlobs = (runNo: number) => `runs/${runNo}/`

/** Removes all blobs with the prefix. */
export async function deleteBlobs(blobs: BlobStore, prefix: string): Promise<void> {
  for await (const { key } of blobs.list(prefix)) await blobs.delete(key)
}
