/** Shapes that the endpoints of every kind of run share. */
import * as z from 'zod/mini'
import { queryFlag } from './fields.ts'
import { RUN_STATUSES } from './runs.ts'

export const status = z.enum(RUN_STATUSES)

export const prefetchedQuery = z.object({ prefetched: queryFlag() })
