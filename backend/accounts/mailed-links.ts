/** Links in mails: requesting them, verifying an address, setting a new password. */
import { setTimeout as pause } from 'node:timers/promises'
import type { TokenPair } from '#contract/accounts.ts'
import { isLanguage } from '#contract/languages.ts'
import { AppError } from '#backend/errors.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import type { MailLanguage, Mails } from '#backend/mails/mails.ts'
import type { Outbox } from '#backend/platform/outbox.ts'
import type { Claim } from './claim-account.ts'
import { LINK_LIFETIME_MS } from './one-time-links.ts'
import type { LinkPurpose, OneTimeLinks } from './one-time-links.ts'
import { checkPassword } from './passwords.ts'
import type { PasswordWords } from './password-words.ts'
import type { Passwords } from './passwords.ts'

/**
 * The least duration of a request for a mail. A known address costs one more row than an unknown one, half of the work on a fast disk (0.6
 * ms against 0.4, November 2026); this minimum hides the difference.
 */
const LEAST_ASKING_MS = 20

/**
 * @param claim     gives the account to the reader of the mail
 * @param sessions  opens a session, or ends all of a user's, in the given transaction
 */
export function createMailedLinks({ claim, database, links, mails, now, passwords, passwordWords, queueMail, sessions }: MailedLinksNeeds) {
  return { resendVerification, forgotPassword, verifyEmail, isResetGood, resetPassword }

  /** Mails a link to an active user whose address is not verified. For any other address it does the same work and mails nothing. */
  function resendVerification(email: string, language: MailLanguage): Promise<void> {
    return mailLink('verify-email', { email, language }, ({ emailVerified }) => emailVerified === 0)
  }

  /** Mails a link to an active user. For any other address it does the same work and mails nothing. */
  function forgotPassword(email: string, language: MailLanguage): Promise<void> {
    return mailLink('reset-password', { email, language }, () => true)
  }

  /** Verifies the address and signs its user in; `from` is the caller's network address. Throws `not_found` for an invalid token. */
  function verifyEmail(token: string, from: string | null): Promise<TokenPair> {
    return database.transaction().execute(async (transaction) => {
      const userId = await links.take(transaction, 'verify-email', token)
      if (userId === null) throw new AppError('not_found')
      await transaction.updateTable('user').set({ emailVerified: 1, emailProven: 1, updatedAt: now() }).where('id', '=', userId).execute()
      return sessions.openIn(transaction, userId, from)
    })
  }

  function isResetGood(token: string): Promise<boolean> {
    return links.isGood('reset-password', token)
  }

  /**
   * Sets the password of the token's user. The reader of the mail owns the address, so the account is claimed; every session and every
   * other link ends. Throws `not_found` for an invalid token, `invalid_input` for a weak password, which does not use up the token.
   */
  async function resetPassword(token: string, password: string, caller: string): Promise<void> {
    // Before the expensive hash, and again in the transaction.
    const owner = await links.ownerOf('reset-password', token)
    if (owner === null) throw new AppError('not_found')
    checkPassword(password, await passwordWords.ofUser(database, owner))
    const passwordHash = await passwords.hash(password, caller)
    await database.transaction().execute(async (transaction) => {
      const userId = await links.take(transaction, 'reset-password', token)
      if (userId === null) throw new AppError('not_found')
      await claim(transaction, userId)
      await transaction.updateTable('user').set({ passwordHash, updatedAt: now() }).where('id', '=', userId).execute()
      await links.withdraw(transaction, userId)
      await sessions.endAllOf(transaction, userId)
    })
  }

  /** @param asked  the typed address, and the browser's language for a user who has chosen none */
  async function mailLink(
    purpose: LinkPurpose,
    asked: { email: string; language: MailLanguage },
    isWanted: (user: { emailVerified: number }) => boolean,
  ): Promise<void> {
    const { email } = asked
    const work = database.transaction().execute(async (transaction) => {
      const user = await transaction
        .selectFrom('user')
        .select(['id', 'email', 'emailVerified', 'language'])
        .where('emailLower', '=', email.toLowerCase())
        .where('isActive', '=', 1)
        .executeTakeFirst()
      const reader = user && isWanted(user) ? user : null
      const token = reader ? await links.issue(transaction, purpose, reader.id) : links.newToken()
      const language = isLanguage(reader?.language) ? reader.language : asked.language
      const mail = purpose === 'verify-email' ? mails.verifyEmail(token, language) : mails.resetPassword(token, language)
      // To the account's spelling of the address: two spellings that differ in letter case may be two mailboxes.
      await queueMail(transaction, { to: reader?.email ?? email, mail, until: now() + LINK_LIFETIME_MS[purpose], isDecoy: reader === null })
    })
    await Promise.all([work, pause(LEAST_ASKING_MS)])
  }
}

export type MailedLinks = ReturnType<typeof createMailedLinks>

type MailedLinksNeeds = {
  claim: Claim
  database: Database
  links: OneTimeLinks
  mails: Mails
  now: () => number
  passwords: Passwords
  passwordWords: PasswordWords
  queueMail: Outbox['queue']
  sessions: {
    openIn: (transaction: Transaction, userId: string, from: string | null) => Promise<TokenPair>
    endAllOf: (transaction: Transaction, userId: string) => Promise<void>
  }
}
