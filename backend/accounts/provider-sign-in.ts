/** Sign-in through an identity provider: finds the account of the address that the provider has verified, or creates it. */
import type { TokenPair } from '#contract/accounts.ts'
import type { OAUTH_PROVIDERS } from '#contract/accounts.ts'
import { isEmail } from '#contract/addresses.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import type { Database, Transaction } from '#backend/platform/database/database.ts'
import type { Claim } from './claim-account.ts'
import type { Oidc } from './providers/oidc.ts'
import type { Grant, Person, Provider } from './providers/provider.ts'
import { userRow } from './users.ts'

export type ProviderName = (typeof OAUTH_PROVIDERS)[number]

const MAX_NAME = 150

/**
 * @param claim            gives the account to the person whose address the provider verified
 * @param hasNothingToConfirm  neither a privacy policy nor terms are published
 * @param isSignupEnabled  whether new accounts are created
 * @param oidc             the operator's own OpenID provider, null if none is configured
 * @param providers        the configured ones
 */
export function createProviderSignIn(needs: ProviderSignInNeeds) {
  const { claim, database, hasNothingToConfirm, isInstalled, isSignupEnabled, newId, now, oidc, providers, sessions } = needs
  return { onlyWithOidc, signIn, start }

  /** Throws `forbidden` if no OpenID provider is configured. */
  function onlyWithOidc(): void {
    if (oidc === null) throw new AppError('forbidden')
  }

  /** Begins a sign-in with the OpenID provider. Throws `forbidden` if none is configured, `provider_unavailable`. */
  async function start(state: string, redirectUri: string): Promise<{ authorizationUrl: string; ticket: string }> {
    if (oidc === null) throw new AppError('forbidden')
    return oidc.start(state, redirectUri)
  }

  /**
   * `from` is the caller's network address. Throws `forbidden` for a provider that is off, `invalid_input` for a token without a verified
   * address for us, `provider_unavailable`.
   */
  async function signIn(name: ProviderName, grant: Grant, from: string | null): Promise<TokenPair> {
    const provider = providers[name]
    if (!provider) throw new AppError('forbidden')
    const person = await provider(grant)
    if (!person || !isEmail(person.email)) throw invalidToken()
    return database.transaction().execute(async (transaction) => sessions.openIn(transaction, await userOf(transaction, person), from))
  }

  async function userOf(transaction: Transaction, person: Person): Promise<string> {
    const user = await transaction
      .selectFrom('user')
      .select(['id', 'isActive'])
      .where('emailLower', '=', person.email.toLowerCase())
      .executeTakeFirst()
    if (!user) return add(transaction, person)
    if (user.isActive !== 1) throw invalidToken()
    await claim(transaction, user.id)
    return user.id
  }

  async function add(transaction: Transaction, { email, firstName, lastName }: Person): Promise<string> {
    if (!isSignupEnabled || !(await isInstalled(transaction))) throw new AppError('forbidden')
    const names = { firstName: firstName.slice(0, MAX_NAME), lastName: lastName.slice(0, MAX_NAME) }
    const id = newId()
    await transaction
      .insertInto('user')
      .values(userRow({ id, email, passwordHash: null, ...names, emailVerified: true, hasNothingToConfirm }, now()))
      .execute()
    return id
  }
}

export type ProviderSignIn = ReturnType<typeof createProviderSignIn>

type ProviderSignInNeeds = {
  claim: Claim
  database: Database
  hasNothingToConfirm: boolean
  isInstalled: (transaction: Transaction) => Promise<boolean>
  isSignupEnabled: boolean
  newId: () => string
  now: () => number
  oidc: Oidc | null
  providers: Partial<Record<ProviderName, Provider>>
  sessions: { openIn: (transaction: Transaction, userId: string, from: string | null) => Promise<TokenPair> }
}

const invalidToken = () => fieldError('token', 'Invalid token')
