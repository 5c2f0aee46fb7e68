/** What an operator does with accounts without an endpoint. Users are identified by their email address, in any letter case. */
import { email as emailField } from '#contract/fields.ts'
import { Refusal } from '#backend/errors.ts'
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import { passwordFaults } from './passwords.ts'
import { NO_WORDS } from './password-words.ts'
import type { PasswordWords, Words } from './password-words.ts'
import type { Passwords } from './passwords.ts'
import { userRow } from './users.ts'

type ListedUser = {
  email: string
  name: string
  isActive: boolean
  isAdministrator: boolean
  emailVerified: boolean
  createdAt: number
}

/**
 * @param hasNothingToConfirm  neither a privacy policy nor terms are published
 * @param endSessions    ends all sessions of a user in the given transaction
 * @param issueLink      returns the token of a link to set a password; it works once, for an hour
 * @param withdrawLinks  invalidates mailed links
 */
export function administerUsers({
  database,
  endSessions,
  hasNothingToConfirm,
  issueLink,
  newId,
  now,
  passwords,
  passwordWords,
  withdrawLinks,
}: Needs) {
  return { list, create, disable, enable, setPassword, resetToken }

  /** All users, the oldest first. */
  async function list(): Promise<ListedUser[]> {
    const rows = await database.selectFrom('user').selectAll().orderBy('createdAt').orderBy('id').execute()
    return rows.map((row) => ({
      email: row.email,
      name: [row.firstName, row.lastName].filter(Boolean).join(' '),
      isActive: row.isActive === 1,
      isAdministrator: row.isSuperuser === 1,
      emailVerified: row.emailVerified === 1,
      createdAt: row.createdAt,
    }))
  }

  /** Creates a user whose address the operator vouches for; without a password they need a link to set one. */
  async function create({ email, isAdministrator, password }: { email: string; isAdministrator: boolean; password: string | null }) {
    const address = emailField().safeParse(email)
    if (!address.success) throw new Refusal(`${email} is not an e-mail address.`)
    if (password !== null) checkPassword(password, passwordWords.of({ email: address.data }))
    const passwordHash = password === null ? null : await passwords.hash(password)
    const user = { id: newId(), email: address.data, passwordHash, isSuperuser: isAdministrator, emailVerified: true, hasNothingToConfirm }
    await database.transaction().execute(async (transaction) => {
      if (await find(transaction, user.email)) throw new Refusal(`There is an account for ${user.email} already.`)
      const anyUser = await transaction.selectFrom('user').select('id').limit(1).executeTakeFirst()
      if (!anyUser && !isAdministrator)
        throw new Refusal('No users exist yet: the first user has to be an administrator (--administrator).')
      await transaction.insertInto('user').values(userRow(user, now())).execute()
    })
  }

  /** Ends all sessions of the user and blocks sign-in. The API keys of their teams stay valid. */
  function disable(email: string): Promise<void> {
    return change(email, async (transaction, { id }) => {
      await transaction.updateTable('user').set({ isActive: 0, updatedAt: now() }).where('id', '=', id).execute()
      await endSessions(transaction, id)
      await withdrawLinks(transaction, id)
    })
  }

  function enable(email: string): Promise<void> {
    return change(email, async (transaction, { id }) => {
      await transaction.updateTable('user').set({ isActive: 1, updatedAt: now() }).where('id', '=', id).execute()
    })
  }

  /** Sets a password, and ends every session and mailed link. */
  async function setPassword(email: string, password: string): Promise<void> {
    const user = await find(database, email)
    checkPassword(password, user ? await passwordWords.ofUser(database, user.id) : NO_WORDS)
    const passwordHash = await passwords.hash(password)
    await change(email, async (transaction, { id }) => {
      await transaction.updateTable('user').set({ passwordHash, updatedAt: now() }).where('id', '=', id).execute()
      await endSessions(transaction, id)
      await withdrawLinks(transaction, id)
    })
  }

  /** Returns the token of a link to set a password. Sessions last until the password is set. */
  function resetToken(email: string): Promise<string> {
    return change(email, (transaction, { id, isActive }) => {
      if (isActive !== 1) throw new Refusal(`${email} is disabled: enable the account first.`)
      return issueLink(transaction, id)
    })
  }

  function change<T>(email: string, work: (transaction: Transaction, user: { id: string; isActive: number }) => Promise<T>): Promise<T> {
    return database.transaction().execute(async (transaction) => {
      const user = await find(transaction, email)
      if (!user) throw new Refusal(`There is no account for ${email}.`)
      return work(transaction, user)
    })
  }
}

type Needs = {
  database: Database
  endSessions: (transaction: Transaction, userId: string) => Promise<void>
  hasNothingToConfirm: boolean
  issueLink: (transaction: Transaction, userId: string) => Promise<string>
  newId: () => string
  now: () => number
  passwords: Passwords
  passwordWords: PasswordWords
  withdrawLinks: (transaction: Transaction, userId: string) => Promise<void>
}

const find = (rows: Rows, email: string) =>
  rows.selectFrom('user').select(['id', 'isActive']).where('emailLower', '=', email.trim().toLowerCase()).executeTakeFirst()

function checkPassword(password: string, words: Words): void {
  const faults = passwordFaults(password, words)
  if (faults.length > 0) throw new Refusal(faults.join(' '))
}
