/** Whether the payment provider still bills a team, paid or unpaid. */
import type { Rows } from '#backend/platform/database/database.ts'
import { hasEnded } from './subscription-balance.ts'

/** True for a subscription at the provider that has not ended. One that is scheduled to end counts until then. */
export async function isBilled(rows: Rows, teamId: string): Promise<boolean> {
  const found = await rows
    .selectFrom('subscription')
    .select('status')
    .where('teamId', '=', teamId)
    .where('providerId', 'is not', null)
    .execute()
  return found.some(({ status }) => !hasEnded(status) && status !== 'incomplete')
}
