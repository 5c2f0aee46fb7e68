/** Shapes that the endpoints of every kind of run share. */
import * as z from 'zod/mini'
import { queryFlag, wrong } from './fields.ts'
import { RUN_STATUSES } from './runs.ts'

export const status = z.enum(RUN_STATUSES)

export const prefetchedQuery = z.object({ prefetched: queryFlag() })

/** The number of an event: digits alone. One too large for a number is greater than every event's. */
export const eventNumber = z.pipe(
  z.string({ error: wrong('Enter a non-negative integer.') }).check(z.regex(/^\d+$/, { error: 'Enter a non-negative integer.' })),
  z.transform((digits: string) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER)),
)

/** What a stream is asked for: `after` the number of the last event that is known, `ids` a line with its number before each event. */
export const followQuery = z.object({ prefetched: queryFlag(), ids: queryFlag(), after: z.optional(eventNumber) })
