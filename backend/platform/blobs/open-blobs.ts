/** Where the blobs of an installation are, as a value that goes to threads and other processes, and the store that is opened there. */
import type { BlobStore } from './blob-store.ts'
import { blobsFolder, directoryBlobs } from './directory-blobs.ts'
import type { S3Place } from './s3-blobs.ts'

export type BlobPlace = { kind: 'folder'; folder: string } | ({ kind: 's3' } & S3Place)

/** The blobs in the data folder, which is where they are unless `BLOB_STORE` says otherwise. */
export const localBlobs = (dataDir: string): BlobPlace => ({ kind: 'folder', folder: blobsFolder(dataDir) })

/** Opens the store; the client of a bucket is loaded with the first call. */
export function openBlobs(place: BlobPlace): BlobStore {
  if (place.kind === 'folder') return directoryBlobs(place.folder)
  let opened: Promise<BlobStore> | null = null
  const store = () => (opened ??= import('./s3-blobs.ts').then(({ s3Blobs }) => s3Blobs(place)))
  return {
    put: async (key, content) => (await store()).put(key, content),
    get: async (key) => (await store()).get(key),
    delete: async (key) => (await store()).delete(key),
    async *list(prefix) {
      yield* (await store()).list(prefix)
    },
  }
}

/** The bucket cannot be used as it is configured. */
export class BlobFault extends Error {}

/**
 * Asks the bucket for one key, so that a wrong name or secret is known at start and not with the first captured file.
 *
 * @param warn  told when the server cannot be reached, which may pass
 * @throws BlobFault when the server refuses what it is asked
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
