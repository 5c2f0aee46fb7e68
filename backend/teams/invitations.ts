/**
 * Invitations to a team: one per team and email address, in the letter case that was last typed.
 *
 * Only the hash of the mailed code is stored. A second invitation of the same address replaces the first, whose code then no longer works.
 * The same holds for an invitation that was answered before, perhaps of a member who has left the team since.
 */
import { createHash } from 'node:crypto'
import { isLanguage } from '#contract/languages.ts'
import type { Language } from '#contract/languages.ts'
import type { Updateable } from 'kysely'
import type { InvitationTable, Database, Rows, Transaction } from '#backend/platform/database/database.ts'
import type { Mails } from '#backend/mails/mails.ts'
import type { Outbox } from '#backend/platform/outbox.ts'
import { CLEAR_CHARACTERS, randomText } from '#backend/platform/random-text.ts'
import { AppError } from '#backend/errors.ts'
import { checkMember, checkOwner, isMemberOf } from './members.ts'
import type { Members } from './members.ts'
import type { TeamOfMember } from './teams.ts'

export type Invitation = { id: string; email: string; createdAt: number }
export type OwnInvitation = { id: string; team: TeamOfMember; createdAt: number }

const CODE_LENGTH = 64

/**
 * @param checkInvitation throws when the plan has no seat for one more invitation
 * @param checkSeat       throws when the plan has no seat for an invited person who accepts
 * @param teamsById       teams as the user sees them, member or not
 */
export function createInvitations({
  checkInvitation,
  checkSeat,
  database,
  mails,
  members,
  newId,
  now,
  outbox,
  teamsById,
}: InvitationNeeds) {
  return { invite, renewCode, list, withdraw, withdrawSentBy, ofUser, accept, acceptCode, decline, find, take }

  /** Invites an address and mails it a code. Throws `invalid_input` for a member's address, and like `checkMember` and `checkInvitation`. */
  async function invite({ userId, teamId }: { userId: string; teamId: string }, email: string): Promise<void> {
    const code = randomText(CODE_LENGTH, CLEAR_CHARACTERS)
    await database.transaction().execute(async (transaction) => {
      await checkMember(transaction, { userId, teamId })
      if (await hasMember(transaction, teamId, email)) throw alreadyMember()
      await checkInvitation(transaction, teamId)
      await write(transaction, { teamId, email, invitedBy: userId, codeHash: hashOf(code), provesAddress: 1 })
      const { name } = await transaction.selectFrom('team').select('name').where('id', '=', teamId).executeTakeFirstOrThrow()
      const language = await languageOf(transaction, email, userId)
      await outbox.queue(transaction, { to: email, mail: mails.invitation({ code, teamName: name, language }) })
    })
  }

  /**
   * Creates a new code for a pending invitation, for the team's owner to pass on; the previous code ends. Using this code proves no
   * address, because the owner, who chose the address, has read it. Throws `forbidden` unless the caller owns the team, `not_found` like
   * `withdraw`.
   */
  async function renewCode({ userId, teamId }: { userId: string; teamId: string }, id: string): Promise<string> {
    const code = randomText(CODE_LENGTH, CLEAR_CHARACTERS)
    await database.transaction().execute(async (transaction) => {
      await checkOwner(transaction, { teamId, userId })
      await changePending(transaction, teamId, id, { codeHash: hashOf(code), provesAddress: 0 })
    })
    return code
  }

  async function write(transaction: Transaction, wanted: NewInvitation) {
    const at = now()
    const sent = { ...wanted, emailLower: wanted.email.toLowerCase(), status: 'pending' as const, updatedAt: at }
    const { teamId, emailLower } = sent
    const known = await transaction
      .selectFrom('invitation')
      .select(['id', 'status', 'createdAt'])
      .where('teamId', '=', teamId)
      .where('emailLower', '=', emailLower)
      .executeTakeFirst()
    if (!known)
      return transaction
        .insertInto('invitation')
        .values({ id: newId(), ...sent, createdAt: at })
        .execute()
    // A pending invitation keeps its date; an answered one starts again.
    const createdAt = known.status === 'pending' ? known.createdAt : at
    return transaction
      .updateTable('invitation')
      .set({ ...sent, createdAt })
      .where('id', '=', known.id)
      .execute()
  }

  /** Pending invitations to a team, newest first. */
  async function list(teamId: string): Promise<Invitation[]> {
    return database
      .selectFrom('invitation')
      .select(['id', 'email', 'createdAt'])
      .where('teamId', '=', teamId)
      .where('status', '=', 'pending')
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .execute()
  }

  /** Throws `not_found` for an invitation of another team, or one that is no longer pending. */
  async function withdraw(teamId: string, id: string): Promise<void> {
    await changePending(database, teamId, id, { status: 'withdrawn' })
  }

  async function changePending(rows: Rows, teamId: string, id: string, values: Updateable<InvitationTable>): Promise<void> {
    const { numUpdatedRows } = await rows
      .updateTable('invitation')
      .set({ ...values, updatedAt: now() })
      .where('id', '=', id)
      .where('teamId', '=', teamId)
      .where('status', '=', 'pending')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('not_found')
  }

  /** Withdraws the pending invitations that a user sent, for one team or for all. */
  async function withdrawSentBy(transaction: Transaction, userId: string, teamId: string | null): Promise<void> {
    await transaction
      .updateTable('invitation')
      .set({ status: 'withdrawn', updatedAt: now() })
      .where('invitedBy', '=', userId)
      .where('status', '=', 'pending')
      .$if(teamId !== null, (query) => query.where('teamId', '=', teamId))
      .execute()
  }

  /** Pending invitations to a user, newest first; none for a user whose address is not proved. */
  async function ofUser(userId: string): Promise<OwnInvitation[]> {
    const rows = await pendingOf(database, userId)
      .select(['invitation.id', 'invitation.teamId', 'invitation.createdAt'])
      .orderBy('invitation.createdAt', 'desc')
      .orderBy('invitation.id', 'desc')
      .execute()
    const teams = await teamsById(
      userId,
      rows.map(({ teamId }) => teamId),
    )
    return rows.flatMap(({ id, teamId, createdAt }) => {
      const team = teams.get(teamId)
      return team ? [{ id, team, createdAt }] : []
    })
  }

  /**
   * Makes the user a member, unless they are one already. Throws `not_found` for an invitation of another user or one that is no longer
   * pending, and like `checkSeat`.
   */
  async function accept(userId: string, id: string): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      const teamId = await settle(transaction, userId, id, 'accepted')
      await join(transaction, teamId, userId)
    })
  }

  /**
   * Makes the user a member by the code of a link. Throws `not_found` for an unknown or used code, `invalid_input` when the invitation is
   * for another address, and like `checkSeat`.
   */
  async function acceptCode(userId: string, code: string): Promise<void> {
    const invitation = await find(code)
    if (!invitation) throw new AppError('not_found')
    await database.transaction().execute(async (transaction) => {
      const user = await transaction.selectFrom('user').select('emailLower').where('id', '=', userId).executeTakeFirst()
      if (user?.emailLower !== invitation.email.toLowerCase()) throw new AppError('invalid_input', { message: OTHER_ADDRESS })
      if (!(await take(transaction, code, userId))) throw new AppError('not_found')
    })
  }

  /** Throws `not_found` for an invitation of another user, or one that is no longer pending. */
  async function decline(userId: string, id: string): Promise<void> {
    await database.transaction().execute((transaction) => settle(transaction, userId, id, 'declined'))
  }

  /** Answers an invitation of the user; returns its team. */
  async function settle(transaction: Transaction, userId: string, id: string, status: 'accepted' | 'declined'): Promise<string> {
    const found = await pendingOf(transaction, userId).select('invitation.teamId').where('invitation.id', '=', id).executeTakeFirst()
    if (!found) throw new AppError('not_found')
    await transaction.updateTable('invitation').set({ status, updatedAt: now() }).where('id', '=', id).execute()
    return found.teamId
  }

  /** The pending invitation of a code, or null. */
  async function find(code: string): Promise<{ id: string; email: string; teamId: string; teamName: string } | null> {
    const row = await database
      .selectFrom('invitation')
      .innerJoin('team', 'team.id', 'invitation.teamId')
      .select(['invitation.id', 'invitation.email', 'invitation.teamId', 'team.name as teamName'])
      .where('codeHash', '=', hashOf(code))
      .where('status', '=', 'pending')
      .executeTakeFirst()
    return row ?? null
  }

  /**
   * Uses a code up and makes the user a member, in the given transaction. A mailed code proves the user's address if that is the invited
   * one. False when the code was used meanwhile.
   */
  async function take(transaction: Transaction, code: string, userId: string): Promise<boolean> {
    const taken = await transaction
      .updateTable('invitation')
      .set({ status: 'accepted', updatedAt: now() })
      .where('codeHash', '=', hashOf(code))
      .where('status', '=', 'pending')
      .returning(['teamId', 'emailLower', 'provesAddress'])
      .executeTakeFirst()
    if (!taken) return false
    await join(transaction, taken.teamId, userId)
    if (taken.provesAddress === 1)
      await transaction
        .updateTable('user')
        .set({ emailProven: 1 })
        .where('id', '=', userId)
        .where('emailLower', '=', taken.emailLower)
        .execute()
    return true
  }

  async function join(transaction: Transaction, teamId: string, userId: string): Promise<void> {
    if (!(await isMemberOf(transaction, teamId, userId))) await checkSeat(transaction, teamId)
    await members.join(transaction, { teamId, userId })
  }
}

export type Invitations = ReturnType<typeof createInvitations>

type NewInvitation = Pick<InvitationTable, 'teamId' | 'email' | 'invitedBy' | 'codeHash'> & { provesAddress: 0 | 1 }

type InvitationNeeds = {
  checkInvitation: (transaction: Transaction, teamId: string) => Promise<void>
  checkSeat: (transaction: Transaction, teamId: string) => Promise<void>
  database: Database
  mails: Pick<Mails, 'invitation'>
  members: Pick<Members, 'join'>
  newId: () => string
  now: () => number
  outbox: Pick<Outbox, 'queue'>
  teamsById: (userId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, TeamOfMember>>
}

/** The language that the invited person has chosen, else that of the inviting user. */
async function languageOf(rows: Rows, email: string, invitedBy: string): Promise<Language | null> {
  const people = await rows
    .selectFrom('user')
    .select(['id', 'language'])
    .where((user) => user.or([user('emailLower', '=', email.toLowerCase()), user('id', '=', invitedBy)]))
    .execute()
  const known = people.flatMap(({ id, language }) => (isLanguage(language) ? [{ id, language }] : []))
  return (known.find(({ id }) => id !== invitedBy) ?? known[0])?.language ?? null
}

const ALREADY_MEMBER = 'This person already belongs to the team.'

const OTHER_ADDRESS = 'The invitation was sent to another address.'

const alreadyMember = () => new AppError('invalid_input', { message: ALREADY_MEMBER, fields: { non_field_errors: [ALREADY_MEMBER] } })

// A plain hash is enough for a code of 320 random bits.
const hashOf = (code: string) => createHash('sha256').update(code).digest('base64url')

const pendingOf = (rows: Rows, userId: string) =>
  rows
    .selectFrom('invitation')
    .innerJoin('user', 'user.emailLower', 'invitation.emailLower')
    .where('user.id', '=', userId)
    .where('user.emailProven', '=', 1)
    .where('invitation.status', '=', 'pending')

async function hasMember(rows: Rows, teamId: string, email: string): Promise<boolean> {
  const row = await rows
    .selectFrom('teamMember')
    .innerJoin('user', 'user.id', 'teamMember.userId')
    .select('teamMember.id')
    .where('teamMember.teamId', '=', teamId)
    .where('user.emailLower', '=', email.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}
