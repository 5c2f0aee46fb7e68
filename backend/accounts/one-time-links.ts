/** One-time links: the tokens of mails. Kept by their hash, good once and for a while; a new one of a purpose replaces the old. */
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import { ALPHANUMERIC, randomText } from '#backend/platform/random-text.ts'

export type LinkPurpose = 'verify-email' | 'reset-password' | 'delete-account'

const DAY_MS = 24 * 60 * 60 * 1000
export const LINK_LIFETIME_MS: Record<LinkPurpose, number> = {
  'verify-email': 7 * DAY_MS,
  'reset-password': DAY_MS / 24,
  'delete-account': DAY_MS / 24,
}

/** 381 bits. */
const TOKEN_LENGTH = 64
const TOKEN = /^[A-Za-z0-9]{64}$/

/** @param hash  a hash that only we can make, so that a copy of the database opens nothing */
export function createOneTimeLinks({ database, hash, now }: { database: Database; hash: (text: string) => string; now: () => number }) {
  return { newToken, issue, isGood, ownerOf, take, withdraw }

  function newToken(): string {
    return randomText(TOKEN_LENGTH, ALPHANUMERIC)
  }

  /** A token for the user, instead of the one that they had. */
  async function issue(transaction: Transaction, purpose: LinkPurpose, userId: string): Promise<string> {
    const token = newToken()
    const at = now()
    const link = { tokenHash: hash(token), createdAt: at, expiresAt: at + LINK_LIFETIME_MS[purpose], usedAt: null }
    await transaction
      .insertInto('oneTimeLink')
      .values({ ...link, purpose, userId })
      .onConflict((conflict) => conflict.columns(['userId', 'purpose']).doUpdateSet(link))
      .execute()
    return token
  }

  async function isGood(purpose: LinkPurpose, token: string): Promise<boolean> {
    return (await ownerOf(purpose, token)) !== null
  }

  /** Uses a token up. The id of its user, or null when it is unknown, used, expired or of a disabled user. */
  async function take(transaction: Transaction, purpose: LinkPurpose, token: string): Promise<string | null> {
    const userId = await ownerOf(purpose, token, transaction)
    if (userId === null) return null
    await transaction.updateTable('oneTimeLink').set({ usedAt: now() }).where('tokenHash', '=', hash(token)).execute()
    return userId
  }

  /** Makes the links of a user useless that are still under way. */
  async function withdraw(transaction: Transaction, userId: string): Promise<void> {
    await transaction.deleteFrom('oneTimeLink').where('userId', '=', userId).where('usedAt', 'is', null).execute()
  }

  /** The id of the user whose good token it is, or null. Uses nothing up. */
  async function ownerOf(purpose: LinkPurpose, token: string, rows: Rows = database): Promise<string | null> {
    if (!TOKEN.test(token)) return null
    const link = await rows
      .selectFrom('oneTimeLink')
      .innerJoin('user', 'user.id', 'oneTimeLink.userId')
      .select('oneTimeLink.userId')
      .where('oneTimeLink.tokenHash', '=', hash(token))
      .where('oneTimeLink.purpose', '=', purpose)
      .where('oneTimeLink.usedAt', 'is', null)
      .where('oneTimeLink.expiresAt', '>', now())
      .where('user.isActive', '=', 1)
      .executeTakeFirst()
    return link?.userId ?? null
  }
}

export type OneTimeLinks = ReturnType<typeof createOneTimeLinks>
