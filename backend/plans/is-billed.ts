/** Whether the payment provider goes on taking money for a team, paid or waiting to be. */
import type { Rows } from '#backend/platform/database/database.ts'
import { hasEnded } from './subscription-balance.ts'

/** True for a subscription of the provider that has not ended. One that is scheduled to end counts until it has. */
export async function isBilled(rows: Rows, teamId: string): Promise<boolean> {
  const found = await rows
    .selectFrom('subscription')
    .select('status')
    .where('teamId', '=', teamId)
    .where('providerId', 'is not', null)
    .execute()
  return found.some(({ status }) => !hasEnded(status) && status !== 'incomplete')
}
