/** The exports of the backend for the gateway. */
import { isDatabaseThere as isFileThere } from './platform/database/check-file.ts'
import { isPostgres } from './platform/database/kind.ts'
import { sqliteFile } from './platform/database/sqlite.ts'

export { createBackend } from './compose.ts'
export { BrowserFault, createRenderService } from './render-role.ts'
export type { Backend, BackendConfig, Log } from './compose.ts'
export { PlansFault } from './plans/plans-file.ts'
export { DatabaseFault } from './platform/database/check-file.ts'

/** Whether the database at this URL contains data; null for a database server, which is not contacted. */
export const isDatabaseThere = (databaseUrl: string): boolean | null =>
  isPostgres(databaseUrl) ? null : isFileThere(sqliteFile(databaseUrl))
