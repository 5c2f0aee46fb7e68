/** What the backend is told when it starts: its options, and where it logs. */
import type { Config } from '#config/read-config.ts'
import { localBlobs } from './platform/blobs/open-blobs.ts'
import type { BlobPlace } from './platform/blobs/open-blobs.ts'

/** All that an operator can set, with the key that is generated where none is set. */
export type BackendConfig = Omit<Config, 'secretKey'> & {
  secretKey: string
  /** Where people reach the dashboard, without a slash at its end: what links in mails begin with. */
  linkBase: () => string
}

/** The log as the backend uses it. */
export type Log = {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** Where the blobs of an installation are. */
export const blobPlaceOf = ({ blobPlace, dataDir }: Pick<BackendConfig, 'blobPlace' | 'dataDir'>): BlobPlace =>
  blobPlace ?? localBlobs(dataDir)
