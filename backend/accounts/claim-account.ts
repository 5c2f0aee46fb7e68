/** Claiming an account: the person who proved the email address takes the account over from the person who created it. */
import type { Transaction } from '#backend/platform/database/database.ts'

/**
 * Without a mail server, an account is usable before anyone has proved its address, so its creator may be a stranger who waits for the
 * owner of the address. The first proof therefore ends everything that the creator knows: the password, the sessions, mailed links, API
 * keys, and invitations that they sent. An account whose address was proved before keeps them.
 *
 * @param endKeys        ends the API keys that a user created or could read
 * @param endSessions    ends all sessions of a user and forgets where they signed in from
 * @param withdrawInvitations  ends the invitations that a user sent and nobody has accepted
 * @param withdrawLinks  invalidates the mailed links of a user
 */
export function createClaim({ endKeys, endSessions, now, withdrawInvitations, withdrawLinks }: ClaimNeeds) {
  return async function claim(transaction: Transaction, userId: string): Promise<void> {
    const user = await transaction.selectFrom('user').select('emailProven').where('id', '=', userId).executeTakeFirstOrThrow()
    const proven = { emailVerified: 1, emailProven: 1, updatedAt: now() }
    if (user.emailProven === 1) return void (await transaction.updateTable('user').set(proven).where('id', '=', userId).execute())
    await transaction
      .updateTable('user')
      .set({ ...proven, passwordHash: null })
      .where('id', '=', userId)
      .execute()
    await withdrawLinks(transaction, userId)
    await endSessions(transaction, userId)
    await endKeys(transaction, userId)
    await withdrawInvitations(transaction, userId)
  }
}

export type Claim = ReturnType<typeof createClaim>

type EndForUser = (transaction: Transaction, userId: string) => Promise<void>
type ClaimNeeds = {
  endKeys: EndForUser
  endSessions: EndForUser
  now: () => number
  withdrawInvitations: EndForUser
  withdrawLinks: EndForUser
}
