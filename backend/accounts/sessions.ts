/**
 * Sessions: opened by login, identified by their refresh token, ended by logout, by a change of the password, and when the user is
 * disabled.
 */
import type { TokenPair } from '#contract/accounts.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import type { Passwords } from './passwords.ts'
import type { Caller } from '#backend/http/rate-limits.ts'
import type { TokenClaims, TokenType, Tokens } from './tokens.ts'

/** @param hashAddress  a keyed hash of a network address */
export function createSessions({ database, hashAddress, now, passwords, tokens }: SessionNeeds) {
  return { login, openIn, refresh, verify, end, endAllOf, forgetAllOf, hasSignedInFrom, userOf, isOpen }

  /**
   * Opens a session. An unknown address, a wrong password and a disabled account get the same answer after the same time. Throws
   * `email_not_verified` when everything else is right.
   */
  async function login({ email, password }: { email: string; password: string }, { address, network }: Caller): Promise<TokenPair> {
    const user = await database
      .selectFrom('user')
      .select(['id', 'passwordHash', 'isActive', 'emailVerified'])
      .where('emailLower', '=', email.toLowerCase())
      .executeTakeFirst()
    const isRight = await passwords.matches(password, user?.passwordHash ?? null, network)
    if (!user || !isRight || user.isActive !== 1) throw wrongCredentials()
    if (user.emailVerified !== 1) throw new AppError('email_not_verified')
    return open(user.id, user.passwordHash, address)
  }

  /** Issues a new access token; the refresh token stays the same. Throws `bad_refresh_token`. */
  async function refresh(refreshToken: string): Promise<{ access: string }> {
    const claims = await livingClaims(refreshToken, 'refresh')
    if (!claims) throw new AppError('bad_refresh_token')
    return { access: await tokens.signAccess(claims) }
  }

  /** Throws `bad_refresh_token` unless the token, of either type, is valid. */
  async function verify(token: string): Promise<void> {
    if (!((await livingClaims(token, 'access')) ?? (await livingClaims(token, 'refresh')))) throw new AppError('bad_refresh_token')
  }

  /** Ends the session of a refresh token; ignores anything else. */
  async function end(refreshToken: unknown): Promise<void> {
    const claims = typeof refreshToken === 'string' ? await tokens.read(refreshToken, 'refresh') : null
    if (!claims) return
    await database.updateTable('session').set({ endedAt: now() }).where('id', '=', claims.sessionId).where('endedAt', 'is', null).execute()
  }

  /** Ends all sessions of a user, in the given transaction. */
  async function endAllOf(transaction: Transaction, userId: string): Promise<void> {
    await transaction.updateTable('session').set({ endedAt: now() }).where('userId', '=', userId).where('endedAt', 'is', null).execute()
  }

  /** Ends all sessions of a user and forgets where they signed in from. */
  async function forgetAllOf(transaction: Transaction, userId: string): Promise<void> {
    await transaction.deleteFrom('session').where('userId', '=', userId).execute()
  }

  /** Whether the account was signed in to from this network address, in a session that has not expired, ended or not. */
  async function hasSignedInFrom(email: string, address: string): Promise<boolean> {
    const session = await database
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.userId')
      .select('session.id')
      .where('user.emailLower', '=', email.toLowerCase())
      .where('session.addressHash', '=', hashAddress(address))
      .where('session.expiresAt', '>', now())
      .executeTakeFirst()
    return session !== undefined
  }

  /** The user and session of a valid access token, or null. */
  async function userOf(accessToken: string): Promise<{ userId: string; sessionId: string } | null> {
    const claims = await livingClaims(accessToken, 'access')
    return claims && { userId: claims.userId, sessionId: claims.sessionId }
  }

  function open(userId: string, passwordHash: string | null, from: string | null): Promise<TokenPair> {
    return database.transaction().execute(async (transaction) => {
      // The password may have changed, or the user been disabled, during the comparison.
      const user = await transaction.selectFrom('user').select(['passwordHash', 'isActive']).where('id', '=', userId).executeTakeFirst()
      if (user?.passwordHash !== passwordHash || user.isActive !== 1) throw wrongCredentials()
      return openIn(transaction, userId, from)
    })
  }

  /** Opens a session in the transaction that has checked the user. */
  async function openIn(transaction: Transaction, userId: string, from: string | null): Promise<TokenPair> {
    const { token, sessionId, expiresAt } = await tokens.signRefresh(userId)
    await transaction.deleteFrom('session').where('userId', '=', userId).where('expiresAt', '<=', now()).execute()
    const addressHash = from === null ? null : hashAddress(from)
    const session = { id: sessionId, userId, createdAt: now(), expiresAt, endedAt: null, addressHash }
    await transaction.insertInto('session').values(session).execute()
    return { access: await tokens.signAccess({ userId, sessionId }), refresh: token }
  }

  /** The claims of a token whose session is open and whose user is active, else null. */
  async function livingClaims(token: string, type: TokenType): Promise<TokenClaims | null> {
    const claims = await tokens.read(token, type)
    return claims && (await isOpen(claims)) ? claims : null
  }

  /** Whether the session is open and its user is active. */
  async function isOpen({ sessionId, userId }: { sessionId: string; userId: string }): Promise<boolean> {
    const session = await database
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.userId')
      .select('session.id')
      .where('session.id', '=', sessionId)
      .where('session.userId', '=', userId)
      .where('session.endedAt', 'is', null)
      .where('session.expiresAt', '>', now())
      .where('user.isActive', '=', 1)
      .executeTakeFirst()
    return session !== undefined
  }
}

export type Sessions = ReturnType<typeof createSessions>

type SessionNeeds = {
  database: Database
  hashAddress: (address: string) => string
  now: () => number
  passwords: Passwords
  tokens: Tokens
}

const wrongCredentials = () => fieldError('email', 'Wrong email address or password.')
