/** One-time tokens in mails. Stored as a hash; valid once and for a limited time; a new one replaces the old one of the same purpose. */
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import { ALPHANUMERIC, randomText } from '#backend/platform/random-text.ts'

export type LinkPurpose = 'verify-email' | 'reset-password' | 'delete-account'

const DAY_MS = 24 * 60 * 60 * 1000
export const LINK_LIFETIME_MS: Record<LinkPurpose, number> = {
  'verify-email': 7 * DAY_MS,
  'reset-password': DAY_MS / 24,
  'delete-account': DAY_MS / 24,
}

/** 64 characters have 381 bits. */
const TOKEN_LENGTH = 64
const TOKEN = /^[A-Za-z0-9]{64}$/

/** @param hash  a keyed hash, so that a copy of the database reveals no valid token */
export function createOneTimeLinks({ database, hash, now }: { database: Database; hash: (text: string) => string; now: () => number }) {
  return { newToken, issue, isGood, ownerOf, take, withdraw }

  function newToken(): string {
    return randomText(TOKEN_LENGTH, ALPHANUMERIC)
  }

  /** Issues a token for the user, which replaces the previous one. */
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

  /** Uses a token up. Returns the id of its user; null when it is unknown, used, expired, or its user is disabled. */
  async function take(transaction: Transaction, purpose: LinkPurpose, token: string): Promise<string | null> {
    const userId = await ownerOf(purpose, token, transaction)
    if (userId === null) return null
    await transaction.updateTable('oneTimeLink').set({ usedAt: now() }).where('tokenHash', '=', hash(token)).execute()
    return userId
  }

  /** Invalidates the user's tokens. */
  async function withdraw(transaction: Transaction, userId: string): Promise<void> {
    await transaction.deleteFrom('oneTimeLink').where('userId', '=', userId).where('usedAt', 'is', null).execute()
  }

  /** The user of a valid token, or null. Does not use it up. */
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
