/** How an endpoint answers: its failures in a row, its rests, and when the service switches it off. */
import type { SwitchedOff } from '#contract/webhooks.ts'
import { waitUntil } from '#backend/platform/clock.ts'
import type { Rows, Transaction } from '#backend/platform/database/database.ts'
import type { EndpointRow } from './endpoints.ts'

/** RFC 9110 names no limit for `Retry-After`; a receiver that asks for more is tried once an hour. */
export const LONGEST_REST_MS = 3_600_000

/** An attempt has succeeded: earlier failures are forgotten. */
export async function noteSuccess(transaction: Transaction, id: string, at: number, status: number): Promise<void> {
  await transaction
    .updateTable('webhookEndpoint')
    .set({ lastAttemptAt: at, lastStatus: status, failingSince: null, failures: 0, restUntil: 0 })
    .where('id', '=', id)
    .execute()
}

/**
 * An attempt has failed: the endpoint rests.
 *
 * @param restMs  the pause after so many failures in a row
 * @returns       the endpoint after it; undefined when it was removed meanwhile
 */
export async function noteFailure(
  transaction: Transaction,
  id: string,
  { at, now, restMs, status }: { at: number; now: number; restMs: (failures: number) => number; status: number | null },
): Promise<EndpointRow | undefined> {
  const row = await transaction.selectFrom('webhookEndpoint').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const failures = row.failures + 1
  const changed = {
    lastAttemptAt: at,
    lastStatus: status,
    failures,
    failingSince: row.failingSince ?? at,
    restUntil: Math.max(waitUntil(row.restUntil, now, LONGEST_REST_MS), now + restMs(failures)),
  }
  await transaction.updateTable('webhookEndpoint').set(changed).where('id', '=', id).execute()
  return { ...row, ...changed }
}

/** The service stops sending to it. False when it was off already. */
export async function switchOff(rows: Rows, id: string, why: SwitchedOff, now: number): Promise<boolean> {
  const { numUpdatedRows } = await rows
    .updateTable('webhookEndpoint')
    .set({ isEnabled: 0, switchedOff: why, switchedOffAt: now })
    .where('id', '=', id)
    .where('isEnabled', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
