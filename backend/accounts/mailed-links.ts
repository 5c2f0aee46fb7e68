/** What people do with the links of mails: verify an address, set a new password. And asking for such a mail. */
import { setTimeout as pause } from 'node:timers/promises'
import type { TokenPair } from '#contract/accounts.ts'
import { isLanguage } from '#contract/languages.ts'
import { AppError } from '#backend/errors.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import type { AccountMails, MailLanguage } from './account-mails.ts'
import type { Claim } from './claim-account.ts'
import { LINK_LIFETIME_MS } from './one-time-links.ts'
import type { LinkPurpose, OneTimeLinks } from './one-time-links.ts'
import { checkPassword } from './passwords.ts'
import type { PasswordWords } from './password-words.ts'
import type { Passwords } from './passwords.ts'
import type { QueueMail } from './registration.ts'

/**
 * Asking for a mail takes no less than this. A known address costs a row more than an unknown one, which is half of the work when the
 * disk is fast (0.6 ms against 0.4, November 2026); behind this time it cannot be seen.
 */
const LEAST_ASKING_MS = 20

/**
 * @param claim     gives the account to the reader of the mail
 * @param sessions  opens one, or ends all of a user, in the given transaction
 */
export function createMailedLinks({ claim, database, links, mails, now, passwords, passwordWords, queueMail, sessions }: MailedLinksNeeds) {
  return { resendVerification, forgotPassword, verifyEmail, isResetGood, resetPassword }

  /** Mails a link to an active user whose address is not verified; does as much for anybody else, and mails nothing. */
  function resendVerification(email: string, language: MailLanguage = null): Promise<void> {
    return mailLink('verify-email', { email, language }, ({ emailVerified }) => emailVerified === 0)
  }

  /** Mails a link to an active user; does as much for anybody else, and mails nothing. */
  function forgotPassword(email: string, language: MailLanguage = null): Promise<void> {
    return mailLink('reset-password', { email, language }, () => true)
  }

  /** Verifies the address and signs its user in, who calls from a network address. Throws `not_found` for a token that is not good. */
  function verifyEmail(token: string, from: string | null = null): Promise<TokenPair> {
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
   * Sets the password of the token's user. The reader of the mail holds the address, so the account is claimed; every session and every
   * other link end. Throws `not_found` for a token that is not good, `invalid_input` for a poor password, which uses no token up.
   */
  async function resetPassword(token: string, password: string, caller: string): Promise<void> {
    // Before the costly part, and again where it counts.
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

  /** @param asked  the address that was typed, and the language of the browser for a user who has chosen none */
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
      // To the address of the account, not to the one that was typed: two that differ in letter case may be two mailboxes.
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
  mails: AccountMails
  now: () => number
  passwords: Passwords
  passwordWords: PasswordWords
  queueMail: QueueMail
  sessions: {
    openIn: (transaction: Transaction, userId: string, from: string | null) => Promise<TokenPair>
    endAllOf: (transaction: Transaction, userId: string) => Promise<void>
  }
}
