/** New accounts: by registration, and by invitation to a team. */
import { AppError, fieldError } from '#backend/errors.ts'
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import type { MailLanguage, Mails } from '#backend/mails/mails.ts'
import type { Outbox } from '#backend/platform/outbox.ts'
import { LINK_LIFETIME_MS } from './one-time-links.ts'
import type { OneTimeLinks } from './one-time-links.ts'
import { checkPassword } from './passwords.ts'
import type { PasswordWords } from './password-words.ts'
import type { Passwords } from './passwords.ts'
import { userRow } from './users.ts'

type Registration = { email: string; password: string; firstName: string; lastName: string }
export type Registered = { email: string; firstName: string; lastName: string; emailVerified: boolean }

/** The invitation functions that registration needs. */
type InvitationCodes = {
  find(code: string): Promise<{ id: string; email: string; teamId: string; teamName: string } | null>
  /**
   * Adds the user to the team and uses the code up, in the given transaction; false when it was used meanwhile. A mailed code proves the
   * user's address.
   */
  take(transaction: Transaction, code: string, userId: string): Promise<boolean>
}

/**
 * @param hasNothingToConfirm  neither a privacy policy nor terms are published
 * @param isInstalled          whether there is an administrator: until then, only the first user can register
 * @param sendsMail            whether a mail server is set up; without one, new accounts may sign in at once with an unproved address
 */
export function createRegistration(needs: RegistrationNeeds) {
  const {
    database,
    hasNothingToConfirm,
    invitations,
    isInstalled,
    isSignupEnabled,
    links,
    mails,
    newId,
    now,
    passwords,
    passwordWords,
    queueMail,
    sendsMail,
  } = needs
  return { onlyWhileOpen, register, readInvitation, registerInvited }

  /** Throws `forbidden` while sign-up is switched off, and before the installation. */
  async function onlyWhileOpen(): Promise<void> {
    if (!isSignupEnabled || !(await isInstalled())) throw new AppError('forbidden')
  }

  /**
   * `caller` is the caller's network, for its turn at the hasher; `language` is that of the mail. Throws `forbidden` while registration is
   * closed, `invalid_input` for a weak password and for an address that has an account.
   */
  async function register(person: Registration, caller: string, language: MailLanguage): Promise<Registered> {
    await onlyWhileOpen()
    checkPassword(person.password, passwordWords.of(person))
    // Before the lookup: the duration of the hash hides its result.
    const passwordHash = await passwords.hash(person.password, caller)
    const emailVerified = !sendsMail
    await database.transaction().execute(async (transaction) => {
      if (await hasAccount(transaction, person.email)) throw fieldError('email', 'An account with this address exists.')
      const userId = await add(transaction, { ...person, passwordHash, emailVerified })
      if (emailVerified) return
      const token = await links.issue(transaction, 'verify-email', userId)
      await queueMail(transaction, {
        to: person.email,
        mail: mails.verifyEmail(token, language),
        until: now() + LINK_LIFETIME_MS['verify-email'],
      })
    })
    return registered(person, emailVerified)
  }

  /** Throws `not_found` for a code that is unknown or used. */
  async function readInvitation(code: string): Promise<{ email: string; isNewUser: boolean }> {
    const invitation = await invitations.find(code)
    if (!invitation) throw new AppError('not_found')
    return { email: invitation.email, isNewUser: !(await hasAccount(database, invitation.email)) }
  }

  /** Creates the verified account and the membership, both or neither. Throws `not_found` for an unknown or used code. */
  async function registerInvited(code: string, person: Registration, caller: string): Promise<Registered> {
    const invitation = await invitations.find(code)
    if (!invitation) throw new AppError('not_found')
    if (invitation.email.toLowerCase() !== person.email.toLowerCase()) throw refused('The invitation was sent to another address.')
    if (await hasAccount(database, person.email)) throw refused(HAS_ACCOUNT)
    checkPassword(person.password, passwordWords.of({ ...person, teamNames: [invitation.teamName] }))
    const passwordHash = await passwords.hash(person.password, caller)
    await database.transaction().execute(async (transaction) => {
      if (await hasAccount(transaction, person.email)) throw refused(HAS_ACCOUNT)
      // The account is verified; whether the address is also proved depends on how the code reached the person.
      const userId = await add(transaction, { ...person, passwordHash, emailVerified: true })
      if (!(await invitations.take(transaction, code, userId))) throw new AppError('not_found')
    })
    return registered(person, true)
  }

  async function add(transaction: Transaction, person: Registration & { passwordHash: string; emailVerified: boolean }): Promise<string> {
    const { email, passwordHash, firstName, lastName, emailVerified } = person
    const id = newId()
    const user = { id, email, passwordHash, firstName, lastName, emailVerified, emailProven: false, hasNothingToConfirm }
    await transaction.insertInto('user').values(userRow(user, now())).execute()
    return id
  }
}

export type RegistrationVerbs = ReturnType<typeof createRegistration>

type RegistrationNeeds = {
  database: Database
  hasNothingToConfirm: boolean
  invitations: InvitationCodes
  isInstalled: () => Promise<boolean>
  isSignupEnabled: boolean
  links: OneTimeLinks
  mails: Mails
  newId: () => string
  now: () => number
  passwords: Passwords
  passwordWords: PasswordWords
  queueMail: Outbox['queue']
  sendsMail: boolean
}

const registered = ({ email, firstName, lastName }: Registration, emailVerified: boolean): Registered => ({
  email,
  firstName,
  lastName,
  emailVerified,
})

const HAS_ACCOUNT = 'There is already an account for this address. Sign in and accept the invitation there.'

const refused = (message: string) => new AppError('invalid_input', { message })

async function hasAccount(rows: Rows, email: string): Promise<boolean> {
  return (await rows.selectFrom('user').select('id').where('emailLower', '=', email.toLowerCase()).executeTakeFirst()) !== undefined
}
