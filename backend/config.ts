/** The backend's start parameters: its options, and its log. */
import type { Config } from '#config/read-config.ts'
import { localBlobs } from './platform/blobs/open-blobs.ts'
import type { BlobPlace } from './platform/blobs/open-blobs.ts'

/** All options, with the generated key where none is set. */
export type BackendConfig = Omit<Config, 'secretKey'> & {
  secretKey: string
  /** The URL of the dashboard without a trailing slash; links in mails start with it. */
  linkBase: () => string
}

/** The backend's log. */
export type Log = {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** The place of an installation's blobs. */
export const blobPlaceOf = ({ blobPlace, dataDir }: Pick<BackendConfig, 'blobPlace' | 'dataDir'>): BlobPlace =>
  blobPlace ?? localBlobs(dataDir)
