/** Deletes an account and the teams that it owns. The caller proves their identity with the password or a mailed code. */
import { isLanguage } from '#contract/languages.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import type { MailLanguage, Mails } from '#backend/mails/mails.ts'
import type { Outbox } from '#backend/platform/outbox.ts'
import type { OneTimeLinks } from './one-time-links.ts'
import { wrongPassword } from './passwords.ts'
import type { Passwords } from './passwords.ts'

type OwnedTeam = { id: string; name: string; otherMembers: number; runs: number; pages: number }
export type AccountContents = { teams: OwnedTeam[]; memberships: number; apiKeys: number; obstacles: string[] }

/** The request. `deleteTeams`: also delete teams that have other members. */
type DeletionProof = { currentPassword?: string | undefined; code?: string | undefined; deleteTeams: boolean }

const LAST_ADMINISTRATOR =
  'You are the only administrator of this installation: make another user an administrator first (npm run admin -- users create EMAIL --administrator).'

/**
 * @param endKeys   ends the API keys that a user created or could read
 * @param onDeleting  called in the transaction that deletes the account, after its teams
 * @param isBilled  whether a team has a subscription that the payment provider still bills
 * @param teams     deletes a team in the given transaction, counts its contents, and is told of the commit
 * @param withdrawInvitations  ends the invitations that a user sent and nobody has accepted
 */
export function createAccountDeletion({
  database,
  endKeys,
  isBilled,
  links,
  mails,
  onDeleting,
  passwords,
  queueMail,
  teams,
  withdrawInvitations,
}: Needs) {
  return { describe, mailCode, remove }

  /** Lists what would be deleted, and what prevents it. */
  async function describe(userId: string): Promise<AccountContents> {
    const owned: OwnedTeam[] = []
    for (const team of await ownedTeams(database, userId)) owned.push({ ...team, ...(await teams.contentsOf(team.id)) })
    const memberships = await countRows(database.selectFrom('teamMember').where('userId', '=', userId).where('isOwner', '=', 0))
    const apiKeys = await countRows(
      database
        .selectFrom('apiKey')
        .where('createdBy', '=', userId)
        .where('teamId', 'not in', owned.length > 0 ? owned.map(({ id }) => id) : ['']),
    )
    return { teams: owned, memberships, apiKeys, obstacles: await obstaclesOf(database, userId, owned) }
  }

  /** Mails a code to the account's address. It works once, for an hour, and replaces the previous code. */
  async function mailCode(userId: string, browser: MailLanguage): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      const user = await transaction.selectFrom('user').select(['email', 'language']).where('id', '=', userId).executeTakeFirst()
      if (user === undefined) throw new AppError('bad_access_token')
      const { email, language } = user
      const code = await links.issue(transaction, 'delete-account', userId)
      await queueMail(transaction, { to: email, mail: mails.deleteAccount(code, isLanguage(language) ? language : browser) })
    })
  }

  /**
   * Deletes an account with its sessions, keys and memberships, the invitations to it and from it, and the teams that it owns.
   *
   * Throws `invalid_input` for a missing or wrong proof, `deletion_refused` with the obstacle.
   */
  async function remove(userId: string, { currentPassword, code, deleteTeams }: DeletionProof): Promise<void> {
    const passwordHash = code === undefined ? await checkCurrent(userId, currentPassword) : null
    const deleted = await database.transaction().execute(async (transaction) => {
      if (code !== undefined && (await links.take(transaction, 'delete-account', code)) !== userId)
        throw fieldError('code', 'This code is not valid or has expired.')
      const user = await transaction.selectFrom('user').select(['emailLower', 'passwordHash']).where('id', '=', userId).executeTakeFirst()
      if (user === undefined) throw new AppError('bad_access_token')
      // The password may have changed during the comparison.
      if (code === undefined && user.passwordHash !== passwordHash) throw wrongPassword()
      const owned = await ownedTeams(transaction, userId)
      const [obstacle] = await obstaclesOf(transaction, userId, owned)
      if (obstacle !== undefined) throw new AppError('deletion_refused', { message: obstacle })
      const shared = owned.filter(({ otherMembers }) => otherMembers > 0)
      if (shared.length > 0 && !deleteTeams) throw new AppError('deletion_refused', { message: sharedTeams(shared) })
      for (const { id } of owned) await teams.removeIn(transaction, id)
      await onDeleting(transaction, userId)
      await endKeys(transaction, userId)
      await withdrawInvitations(transaction, userId)
      await transaction.deleteFrom('invitation').where('emailLower', '=', user.emailLower).execute()
      // Sessions, memberships and mailed links are deleted with the row (foreign keys).
      await transaction.deleteFrom('user').where('id', '=', userId).execute()
      return owned
    })
    for (const { id } of deleted) teams.onDeleted(id)
  }

  /** The hash that the password belongs to. */
  async function checkCurrent(userId: string, currentPassword: string | undefined): Promise<string> {
    const user = await database.selectFrom('user').select('passwordHash').where('id', '=', userId).executeTakeFirst()
    if (user === undefined) throw new AppError('bad_access_token')
    if (user.passwordHash === null) throw fieldError('code', 'This account has no password: have a code mailed to you.')
    if (currentPassword === undefined) throw fieldError('current_password', 'This field is required.')
    if (!(await passwords.matches(currentPassword, user.passwordHash, userId))) throw wrongPassword()
    return user.passwordHash
  }

  async function obstaclesOf(rows: Rows, userId: string, owned: readonly { id: string; name: string }[]): Promise<string[]> {
    const obstacles: string[] = []
    if (await isLastAdministrator(rows, userId)) obstacles.push(LAST_ADMINISTRATOR)
    for (const { id, name } of owned)
      if (await isBilled(rows, id)) obstacles.push(`The team ${name} pays for a plan: delete its subscription first.`)
    return obstacles
  }
}

export type AccountDeletion = ReturnType<typeof createAccountDeletion>

type Needs = {
  database: Database
  endKeys: (transaction: Transaction, userId: string) => Promise<void>
  isBilled: (rows: Rows, teamId: string) => Promise<boolean>
  links: OneTimeLinks
  mails: Mails
  onDeleting: (transaction: Transaction, userId: string) => Promise<void>
  passwords: Passwords
  queueMail: Outbox['queue']
  teams: {
    contentsOf: (teamId: string) => Promise<{ runs: number; pages: number }>
    removeIn: (transaction: Transaction, teamId: string) => Promise<void>
    onDeleted: (teamId: string) => void
  }
  withdrawInvitations: (transaction: Transaction, userId: string) => Promise<void>
}

function ownedTeams(rows: Rows, userId: string): Promise<{ id: string; name: string; otherMembers: number }[]> {
  return rows
    .selectFrom('teamMember as own')
    .innerJoin('team', 'team.id', 'own.teamId')
    .where('own.userId', '=', userId)
    .where('own.isOwner', '=', 1)
    .select((team) => [
      'team.id',
      'team.name',
      team
        .selectFrom('teamMember as other')
        .whereRef('other.teamId', '=', 'team.id')
        .where('other.userId', '!=', userId)
        .select(team.fn.countAll<number>().as('total'))
        .as('otherMembers'),
    ])
    .orderBy('team.createdAt')
    .orderBy('team.id')
    .execute() as Promise<{ id: string; name: string; otherMembers: number }[]>
}

/** Without an administrator, an installation with sign-up closed would be locked; without any user, a stranger could install it again. */
async function isLastAdministrator(rows: Rows, userId: string): Promise<boolean> {
  const user = await rows.selectFrom('user').select('isSuperuser').where('id', '=', userId).executeTakeFirst()
  if (user?.isSuperuser !== 1) return false
  const other = await rows
    .selectFrom('user')
    .select('id')
    .where('isSuperuser', '=', 1)
    .where('isActive', '=', 1)
    .where('id', '!=', userId)
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}

function sharedTeams(teams: readonly { name: string }[]): string {
  const names = teams.map(({ name }) => name).join(', ')
  return `Others belong to teams that you own (${names}), which would be deleted: send delete_teams to delete them too.`
}
