/** The backend's face. */
export { createBackend } from './compose.ts'
export type { Backend, BackendConfig, Log } from './compose.ts'
export { PlansFault } from './plans/plans-file.ts'
