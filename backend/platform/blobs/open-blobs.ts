/** Where the blobs of an installation are, as a plain value for threads and other processes, and how to open them. */
import { loadOnce } from '#backend/platform/load-once.ts'
import type { AskService } from '#backend/platform/service-watch.ts'
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

/** By the error code of the server; the first match counts. */
const HINTS: readonly (readonly [codes: RegExp, hint: string])[] = [
  [/^NoSuchBucket$/, 'create the bucket, or correct BLOB_STORE'],
  [/^RequestTimeTooSkewed$/, 'correct the clock of this machine'],
  [/Region|^AuthorizationHeaderMalformed$|^PermanentRedirect$|^301$/, 'correct the region or the endpoint in BLOB_STORE'],
  [/Denied|AccessKey|Signature|Token|^40[13]$/, 'correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the rights of this key'],
]

/** Asks the bucket for one key; null for a folder. */
export function askBucket(place: BlobPlace): AskService | null {
  if (place.kind === 'folder') return null
  const opened = loadOnce(async () => {
    const { S3Refusal, s3Blobs } = await import('./s3-blobs.ts')
    return { S3Refusal, store: s3Blobs(place) }
  })
  const named = `BLOB_STORE names the bucket ${place.bucket} at ${place.endpoint}`
  return async () => {
    const { S3Refusal, store } = await opened()
    try {
      await store.ping()
      return null
    } catch (fault) {
      const { message } = fault as Error
      if (!(fault instanceof S3Refusal) || fault.status >= 500)
        return `${named}, which cannot be reached (${message}): files of pages cannot be stored or read until it can`
      const hint = HINTS.find(([codes]) => codes.test(fault.code))?.[1] ?? 'correct BLOB_STORE'
      return `${named}, but ${message}: ${hint}. Files of pages cannot be stored or read until then`
    }
  }
}
