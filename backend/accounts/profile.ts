/** The profile of a user: names, confirmations, password. */
import type { Language } from '#contract/languages.ts'
import type { Selectable } from 'kysely'
import { AppError, fieldError } from '#backend/errors.ts'
import type { Database, Transaction, UserTable } from '#backend/platform/database/database.ts'
import { checkPassword, wrongPassword } from './passwords.ts'
import type { PasswordWords } from './password-words.ts'
import type { Passwords } from './passwords.ts'

export type User = Omit<Selectable<UserTable>, 'passwordHash' | 'emailLower'> & { isProviderOnly: boolean }

/** The fields that a user may change; absent ones keep their value. A confirmation can be given but not withdrawn. */
type ProfileChange = {
  firstName?: string | undefined
  lastName?: string | undefined
  newsletterConfirmed?: boolean | undefined
  /** Null goes back to the browser's language. */
  language?: Language | null | undefined
  confirmsPrivacy?: boolean | undefined
  confirmsTerms?: boolean | undefined
  password?: string | undefined
  currentPassword?: string | undefined
}

/**
 * @param endSessions    ends all sessions of a user in the given transaction
 * @param withdrawLinks  invalidates the mailed links of a user
 */
export function createProfile({ database, endSessions, now, passwords, passwordWords, withdrawLinks }: ProfileNeeds) {
  return { read, change }

  async function read(userId: string): Promise<User> {
    const user = await database.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirst()
    if (!user) throw new AppError('bad_access_token')
    const { passwordHash, emailLower: _lower, ...shown } = user
    return { ...shown, isProviderOnly: passwordHash === null }
  }

  /**
   * A new password ends all sessions, the caller's included. Throws `invalid_input` when the new password is weak, or the current one is
   * wrong or missing.
   */
  async function change(userId: string, wanted: ProfileChange): Promise<User> {
    const { currentPassword, password } = wanted
    if (password !== undefined) checkPassword(password, await passwordWords.ofUser(database, userId))
    const proved = currentPassword !== undefined || password !== undefined ? await checkCurrent(userId, currentPassword) : undefined
    const passwordHash = password === undefined ? undefined : await passwords.hash(password, userId)
    const at = now()
    await database.transaction().execute(async (transaction) => {
      // The password may have changed during the comparison, and the account may have been deleted.
      const user = await transaction.selectFrom('user').select('passwordHash').where('id', '=', userId).executeTakeFirst()
      if (user === undefined) throw new AppError('bad_access_token')
      if (proved !== undefined && user.passwordHash !== proved) throw wrongPassword()
      await transaction
        .updateTable('user')
        .set({
          updatedAt: at,
          ...(wanted.firstName !== undefined && { firstName: wanted.firstName }),
          ...(wanted.lastName !== undefined && { lastName: wanted.lastName }),
          ...(wanted.newsletterConfirmed !== undefined && { newsletterConfirmed: Number(wanted.newsletterConfirmed) }),
          ...(wanted.language !== undefined && { language: wanted.language }),
          ...(wanted.confirmsPrivacy && { privacyConfirmedAt: at }),
          ...(wanted.confirmsTerms && { termsConfirmedAt: at }),
          ...(passwordHash !== undefined && { passwordHash }),
        })
        .where('id', '=', userId)
        .execute()
      if (passwordHash === undefined) return
      await endSessions(transaction, userId)
      await withdrawLinks(transaction, userId)
    })
    return read(userId)
  }

  /** The hash that the password belongs to; null for an account without one. */
  async function checkCurrent(userId: string, currentPassword: string | undefined): Promise<string | null> {
    const row = await database.selectFrom('user').select('passwordHash').where('id', '=', userId).executeTakeFirst()
    const passwordHash = row?.passwordHash ?? null
    if (currentPassword === undefined && passwordHash === null) return null
    if (currentPassword === undefined) throw fieldError('current_password', 'This field is required.')
    if (!(await passwords.matches(currentPassword, passwordHash, userId))) throw wrongPassword()
    return passwordHash
  }
}

export type Profile = ReturnType<typeof createProfile>

type ProfileNeeds = {
  database: Database
  endSessions: (transaction: Transaction, userId: string) => Promise<void>
  now: () => number
  passwords: Passwords
  passwordWords: PasswordWords
  withdrawLinks: (transaction: Transaction, userId: string) => Promise<void>
}
