/** Sign-in by the word of a provider: the account of the address that the provider has verified, made when there is none. */
import type { TokenPair } from '#contract/accounts.ts'
import type { OAUTH_PROVIDERS } from '#contract/accounts.ts'
import { isEmail } from '#contract/addresses.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import type { OneTimeLinks } from './one-time-links.ts'
import type { Person, Provider } from './providers/provider.ts'
import { userRow } from './users.ts'

export type ProviderName = (typeof OAUTH_PROVIDERS)[number]

const MAX_NAME = 150

/**
 * @param isSignupEnabled  whether somebody without an account gets one
 * @param providers        those that are switched on
 */
export function createProviderSignIn(needs: ProviderSignInNeeds) {
  const { database, isInstalled, isSignupEnabled, links, newId, now, providers, sessions } = needs
  return { signIn }

  /** Throws `forbidden` for a provider that is off, `invalid_input` for a token that proves no address to us, `provider_unavailable`. */
  async function signIn(name: ProviderName, token: string): Promise<TokenPair> {
    const provider = providers[name]
    if (!provider) throw new AppError('forbidden')
    const person = await provider(token)
    if (!person || !isEmail(person.email)) throw invalidToken()
    return database.transaction().execute(async (transaction) => sessions.openIn(transaction, await userOf(transaction, person)))
  }

  async function userOf(transaction: Transaction, person: Person): Promise<string> {
    const user = await transaction
      .selectFrom('user')
      .select(['id', 'isActive', 'emailVerified'])
      .where('emailLower', '=', person.email.toLowerCase())
      .executeTakeFirst()
    if (!user) return add(transaction, person)
    if (user.isActive !== 1) throw invalidToken()
    if (user.emailVerified !== 1) await claim(transaction, user.id)
    return user.id
  }

  async function add(transaction: Transaction, { email, firstName, lastName }: Person): Promise<string> {
    if (!isSignupEnabled || !(await isInstalled(transaction))) throw new AppError('forbidden')
    const names = { firstName: firstName.slice(0, MAX_NAME), lastName: lastName.slice(0, MAX_NAME) }
    const id = newId()
    await transaction
      .insertInto('user')
      .values(userRow({ id, email, passwordHash: null, ...names, emailVerified: true }, now()))
      .execute()
    return id
  }

  /**
   * Whoever made this account never showed that the address is theirs: it may be a stranger who waits for its owner to come. From
   * here on it is the owner's, and neither that password nor a link opens it any more.
   */
  async function claim(transaction: Transaction, userId: string): Promise<void> {
    await transaction.updateTable('user').set({ emailVerified: 1, passwordHash: null, updatedAt: now() }).where('id', '=', userId).execute()
    await links.withdraw(transaction, userId)
    await sessions.endAllOf(transaction, userId)
  }
}

export type ProviderSignIn = ReturnType<typeof createProviderSignIn>

type ProviderSignInNeeds = {
  database: Database
  isInstalled: (transaction: Transaction) => Promise<boolean>
  isSignupEnabled: boolean
  links: OneTimeLinks
  newId: () => string
  now: () => number
  providers: Partial<Record<ProviderName, Provider>>
  sessions: {
    openIn: (transaction: Transaction, userId: string) => Promise<TokenPair>
    endAllOf: (transaction: Transaction, userId: string) => Promise<void>
  }
}

const invalidToken = () => fieldError('token', 'Invalid token')
