/** What a team has used. */
import type { Ports } from '#backend/ports.ts'
import { usageRoutes } from './routes.ts'
import { createUsage } from './usage.ts'

/** Its routes. */
export const usageFeature = ({ baseUrl, now, readers }: Ports) => ({
  routes: [usageRoutes({ baseUrl, usage: createUsage({ database: readers.database, now }) })],
})
