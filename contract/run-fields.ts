/** Shapes that the endpoints of every kind of run share. */
import * as z from 'zod/mini'
import { queryFlag, wrong } from './fields.ts'
import { RUN_STATUSES } from './runs.ts'
import { MAX_DELETED_AT_ONCE } from './sizes.ts'

export const status = z.enum(RUN_STATUSES)

export const prefetchedQuery = z.object({ prefetched: queryFlag() })

/** The number of an event: digits only. A number that is too large counts as greater than every event's. */
export const eventNumber = z.pipe(
  z.string({ error: wrong('Enter a non-negative integer.') }).check(z.regex(/^\d+$/, { error: 'Enter a non-negative integer.' })),
  z.transform((digits: string) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER)),
)

/** Query of a stream: `after` is the number of the last event received; `ids` adds a line with the number before each event. */
export const followQuery = z.object({ prefetched: queryFlag(), ids: queryFlag(), after: z.optional(eventNumber) })

/** Deletes the run instead of stopping it. */
export const stopQuery = z.object({ purge: queryFlag() })

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Ids of runs, comma separated, in any letter case; each counts once. */
const runIds = z.pipe(
  z.string({ error: wrong('Not a valid string.') }).check(
    z.refine((text) => text.trim() !== '', { error: 'This field may not be blank.', abort: true }),
    z.refine((text) => idsIn(text).every((id) => UUID.test(id)), { error: 'Enter valid UUIDs, separated by commas.', abort: true }),
    z.refine((text) => idsIn(text).length <= MAX_DELETED_AT_ONCE, {
      error: `Ensure this field has no more than ${MAX_DELETED_AT_ONCE} elements.`,
    }),
  ),
  z.transform((text: string) => idsIn(text)),
)

const idsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((id) => id.trim().toLowerCase())
      .filter(Boolean),
  ),
]

/** The runs to delete. `purge=true` is required: a request without it never deletes. */
export const deleteQuery = z.object({
  ids: runIds,
  purge: z.pipe(
    queryFlag(),
    z.boolean().check(z.refine((isSaid) => isSaid, { error: 'Send purge=true: several runs can only be deleted, not stopped.' })),
  ),
})

/** How many of the ids named a run of the team that was not deleted yet. */
export const deletedCount = z.object({ deleted: z.int() })
