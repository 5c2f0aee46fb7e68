/** Where the blobs of an installation are, as a plain value for threads and other processes, and how to open them. */
import { loadOnce } from '#backend/platform/load-once.ts'
import type { BlobStore } from './blob-store.ts'
import { blobsFolder, directoryBlobs } from './directory-blobs.ts'
import type { S3Place } from './s3-blobs.ts'

export type BlobPlace = { kind: 'folder'; folder: string } | ({ kind: 's3' } & S3Place)

/** The default: blobs in the data folder. */
export const localBlobs = (dataDir: string): BlobPlace => ({ kind: 'folder', folder: blobsFolder(dataDir) })

/** Opens the store; the S3 client is loaded with the first call. */
export function openBlobs(place: BlobPlace): BlobStore {
  if (place.kind === 'folder') return directoryBlobs(place.folder)
  const store = loadOnce(async () => (await import('./s3-blobs.ts')).s3Blobs(place))
  return {
    put: async (key, content) => (await store()).put(key, content),
    get: async (key) => (await store()).get(key),
    delete: async (key) => (await store()).delete(key),
    async *list(prefix) {
      yield* (await store()).list(prefix)
    },
  }
}

/** Asks whether the bucket answers; null for a folder. Throws when it does not. */
export function pingBlobs(place: BlobPlace): (() => Promise<void>) | null {
  if (place.kind === 'folder') return null
  const store = loadOnce(async () => (await import('./s3-blobs.ts')).s3Blobs(place))
  return async () => (await store()).ping()
}

/** The bucket cannot be used with its configuration. */
export class BlobFault extends Error {}

/**
 * Requests one key from the bucket, so that a wrong name or secret is found at start and not with the first captured file.
 *
 * @param warn  called when the server cannot be reached, which may pass
 * @throws BlobFault when the server refuses the request
 */
export async function checkBlobs(place: BlobPlace, warn: (facts: object, message: string) => void): Promise<void> {
  if (place.kind === 'folder') return
  const { S3Refusal, s3Blobs } = await import('./s3-blobs.ts')
  try {
    await s3Blobs(place).list('start-check/').next()
  } catch (fault) {
    if (fault instanceof S3Refusal && fault.status < 500)
      throw new BlobFault(`BLOB_STORE names the bucket ${place.bucket} at ${place.endpoint}, but ${fault.message}`)
    warn({ err: fault }, 'the bucket of BLOB_STORE cannot be reached: captured files cannot be stored or read until it can')
  }
}
