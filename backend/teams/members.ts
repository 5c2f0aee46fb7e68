/** Members of a team. Each request reads them anew, so a removed member loses access with the next request. */
import { AppError } from '#backend/errors.ts'
import type { MemberActor } from '#backend/http/actor.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Database, Rows, Transaction } from '#backend/platform/database/database.ts'

export type Member = {
  /** Of the membership. */
  id: string
  isOwner: boolean
  userId: string
  email: string
  firstName: string
  lastName: string
  privacyConfirmedAt: number | null
  termsConfirmedAt: number | null
  newsletterConfirmed: boolean
}

/** @param endAccess  ends the team's API keys that a member has read, and the invitations that they sent */
export function createMembers({ database, endAccess, newId, now }: MemberNeeds) {
  return { join, count, list, remove, isMember }

  /** Makes a user a member, in the caller's transaction; does nothing for a member. */
  async function join(transaction: Transaction, { teamId, userId }: { teamId: string; userId: string }): Promise<void> {
    await transaction
      .insertInto('teamMember')
      .values({ id: newId(), teamId, userId, isOwner: 0, createdAt: now() })
      .onConflict((conflict) => conflict.columns(['teamId', 'userId']).doNothing())
      .execute()
  }

  function count(teamId: string): Promise<number> {
    return countRows(database.selectFrom('teamMember').where('teamId', '=', teamId))
  }

  /** Members of a team, its owner first, then in the order of joining. */
  async function list(teamId: string, { limit, offset }: { limit: number; offset: number }): Promise<Member[]> {
    const rows = await database
      .selectFrom('teamMember')
      .innerJoin('user', 'user.id', 'teamMember.userId')
      .select(['teamMember.id', 'teamMember.isOwner', 'teamMember.userId', 'user.email', 'user.firstName', 'user.lastName'])
      .select(['user.privacyConfirmedAt', 'user.termsConfirmedAt', 'user.newsletterConfirmed'])
      .where('teamMember.teamId', '=', teamId)
      .orderBy('teamMember.isOwner', 'desc')
      .orderBy('teamMember.createdAt')
      .orderBy('teamMember.id')
      .limit(limit)
      .offset(offset)
      .execute()
    return rows.map((row) => ({ ...row, isOwner: row.isOwner === 1, newsletterConfirmed: row.newsletterConfirmed === 1 }))
  }

  /**
   * Ends a membership (members may end their own) and, if `revokesKeys`, the API keys that the person has read and the invitations that they
   * sent: one may be to another address of their own.
   *
   * Throws `not_found` for a membership of another team, `forbidden` for the owner's.
   */
  async function remove(teamId: string, id: string, { revokesKeys }: { revokesKeys: boolean }): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      const member = await transaction
        .selectFrom('teamMember')
        .select(['isOwner', 'userId'])
        .where('id', '=', id)
        .where('teamId', '=', teamId)
        .executeTakeFirst()
      if (!member) throw new AppError('not_found')
      if (member.isOwner === 1) throw new AppError('forbidden', { message: 'The owner cannot be removed.' })
      await transaction.deleteFrom('teamMember').where('id', '=', id).execute()
      if (revokesKeys) await endAccess(transaction, { teamId, userId: member.userId })
    })
  }

  function isMember(teamId: string, userId: string): Promise<boolean> {
    return isMemberOf(database, teamId, userId)
  }
}

type MemberNeeds = {
  database: Database
  endAccess: (transaction: Transaction, member: { teamId: string; userId: string }) => Promise<void>
  newId: () => string
  now: () => number
}

export type Members = ReturnType<typeof createMembers>

export async function isMemberOf(rows: Rows, teamId: string, userId: string): Promise<boolean> {
  const row = await rows.selectFrom('teamMember').select('id').where('teamId', '=', teamId).where('userId', '=', userId).executeTakeFirst()
  return row !== undefined
}

/** For writes that give access: the caller may have been removed, or the team deleted, since the request came in. Throws `not_found`. */
export async function checkMember(transaction: Transaction, { teamId, userId }: MemberActor): Promise<void> {
  if (!(await isMemberOf(transaction, teamId, userId))) throw new AppError('not_found')
}

/** Throws `forbidden` unless the caller owns the team. */
export async function checkOwner(rows: Rows, { teamId, userId }: MemberActor): Promise<void> {
  const owner = await rows
    .selectFrom('teamMember')
    .select('id')
    .where('teamId', '=', teamId)
    .where('userId', '=', userId)
    .where('isOwner', '=', 1)
    .executeTakeFirst()
  if (!owner) throw new AppError('forbidden', { message: 'Only the owner of the team may do that.' })
}
