/**
 * The BlobStore port: files by a key, too large or too many for the database. What is stored under a key never changes in part: a reader
 * gets all of the old content or all of the new one.
 *
 * A blob is put before the row that names it is committed, and removed before that row is: so every row has its blob, and what a crash
 * leaves behind is found by its prefix. `tests/support/engine/blob-conformance.ts` is what an adapter must pass.
 */
import type { Readable } from 'node:stream'

export type BlobContent = Uint8Array | AsyncIterable<Uint8Array>

export type BlobStore = {
  /**
   * Stores content under a key, in the place of what was there, once all of it is durable. When the content breaks off, what was there
   * stays. Returns its bytes.
   */
  put(key: string, content: BlobContent): Promise<{ bytes: number }>
  /** The content and its bytes; null when there is none. A stream that is not read to its end must be destroyed. */
  get(key: string): Promise<{ bytes: number; content: Readable } | null>
  /** Removes it; nothing happens when there is none. */
  delete(key: string): Promise<void>
  /** Keys that begin with the prefix, with the bytes of each, in no order. What is put or removed meanwhile may be there or not. */
  list(prefix: string): AsyncIterable<{ key: string; bytes: number }>
}

export const MAX_BLOB_KEY = 200

/** Parts of small letters, digits, `.`, `_` and `-`, which begin with a letter or digit: on any file system one spelling, and never `..`. */
const KEY = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9][a-z0-9._-]*)*$/

/** Throws for a text that is no key; keys are made by us, so that is a mistake. */
export function checkBlobKey(key: string): void {
  if (key.length > MAX_BLOB_KEY || !KEY.test(key)) throw new TypeError(`not a key of a blob: ${JSON.stringify(key.slice(0, MAX_BLOB_KEY))}`)
}

/** Where everything of a run is. */
export const runBlobs = (runNo: number) => `runs/${runNo}/`

/** Removes every blob whose key begins with the prefix. */
export async function deleteBlobs(blobs: BlobStore, prefix: string): Promise<void> {
  for await (const { key } of blobs.list(prefix)) await blobs.delete(key)
}
