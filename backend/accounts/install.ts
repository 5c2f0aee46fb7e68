/** The first run: creates the administrator, their default team and its API key, once and in one transaction. */
import { AppError } from '#backend/errors.ts'
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import { checkPassword } from './passwords.ts'
import type { PasswordWords } from './password-words.ts'
import type { Passwords } from './passwords.ts'
import { userRow } from './users.ts'

export type Installation = { email: string; password: string; newsletterConfirmed: boolean; analyticsConfirmed: boolean }

/** `true` when the administrator agreed to be counted. */
export const ANALYTICS_SETTING = 'analytics_confirmed'

/**
 * @param createDefaultTeam    creates a user's default team in the given transaction
 * @param hasNothingToConfirm  neither a privacy policy nor terms are published
 * @param onInstalled          called afterwards
 */
export function createInstall({
  createDefaultTeam,
  database,
  hasNothingToConfirm,
  newId,
  now,
  onInstalled,
  passwords,
  passwordWords,
}: InstallNeeds) {
  return { install, isInstalled, onlyOnce }

  /** Whether a user exists. */
  async function isInstalled(rows: Rows = database): Promise<boolean> {
    return (await rows.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined
  }

  /** Throws `forbidden` when a user exists already. */
  async function onlyOnce(): Promise<void> {
    if (await isInstalled()) throw new AppError('forbidden')
  }

  /** Throws `forbidden` when a user exists already; of several concurrent calls, the first one wins. */
  async function install({ email, password, newsletterConfirmed, analyticsConfirmed }: Installation, caller: string): Promise<void> {
    // Checked before the expensive hash, and again in the transaction.
    await onlyOnce()
    checkPassword(password, passwordWords.of({ email }))
    const passwordHash = await passwords.hash(password, caller)
    await database.transaction().execute(async (transaction) => {
      if (await isInstalled(transaction)) throw new AppError('forbidden')
      const id = newId()
      const administrator = { id, email, passwordHash, isSuperuser: true, emailVerified: true, newsletterConfirmed, hasNothingToConfirm }
      await transaction.insertInto('user').values(userRow(administrator, now())).execute()
      await createDefaultTeam(transaction, id)
      await transaction
        .insertInto('setting')
        .values({ name: ANALYTICS_SETTING, value: String(analyticsConfirmed) })
        .execute()
    })
    onInstalled?.()
  }
}

export type Install = ReturnType<typeof createInstall>

type InstallNeeds = {
  createDefaultTeam: (transaction: Transaction, userId: string) => Promise<unknown>
  database: Database
  hasNothingToConfirm: boolean
  newId: () => string
  now: () => number
  onInstalled?: () => void
  passwords: Passwords
  passwordWords: PasswordWords
}
