/** The backend's face. */
import { isDatabaseThere as isFileThere } from './platform/database/check-file.ts'
import { isPostgres } from './platform/database/kind.ts'
import { sqliteFile } from './platform/database/sqlite.ts'

export { createBackend } from './compose.ts'
export { BrowserFault, createRenderService } from './render-role.ts'
export type { Backend, BackendConfig, Log } from './compose.ts'
export { PlansFault } from './plans/plans-file.ts'
export { BlobFault } from './platform/blobs/open-blobs.ts'
export { DatabaseFault } from './platform/database/check-file.ts'

/** Whether the address names a database that has anything in it; null for one on a server, which is not asked. */
export const isDatabaseThere = (databaseUrl: string): boolean | null =>
  isPostgres(databaseUrl) ? null : isFileThere(sqliteFile(databaseUrl))
