/**
 * Who has the free plan, and with which team. Only a default team may have it, but a user who deletes that team gets another one: if the
 * deleted team has used credits, its owner can choose the plan again when the period ends. The same holds for a person who deletes their
 * account and signs up again.
 */
import { AppError } from '#backend/errors.ts'
import type { Rows, Transaction } from '#backend/platform/database/database.ts'
import { freePeriod } from './credit-rules.ts'
import { chargedUnder } from './subscription-balance.ts'

const MINUTE_MS = 60_000

type Taking = { teamId: string; at: number }

/** A keyed hash of an email address in lower case. */
export type HashEmail = (emailLower: string) => string

/**
 * Notes that a team begins the free plan. Throws `plan_refused` while the credits count that its owner has used with a deleted team or
 * account.
 *
 * @param hashEmail  null if the operator gives the plan, who is never refused
 */
export async function takeFreePlan(
  transaction: Transaction,
  { at, hashEmail, teamId }: Taking & { hashEmail: HashEmail | null },
): Promise<void> {
  for (const userId of await ownersOf(transaction, teamId)) {
    const known = await transaction.selectFrom('freePlan').selectAll().where('userId', '=', userId).executeTakeFirst()
    if (known?.teamId === teamId) continue
    const usedUntil = hashEmail === null ? 0 : (known?.usedUntil ?? (await usedUntilByAccount(transaction, userId, hashEmail)))
    if (usedUntil > at) throw tooEarly(usedUntil)
    const taken = { teamId, startAt: at, usedUntil: null }
    await transaction
      .insertInto('freePlan')
      .values({ userId, ...taken })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(taken))
      .execute()
  }
}

/** Before a team is deleted, with its ledger: if it has used the free plan in this period, notes when the period ends. */
export async function noteFreePlanUse(transaction: Transaction, { at, teamId }: Taking): Promise<void> {
  const plan = await transaction.selectFrom('plan').select(['id', 'planGroup']).where('isDefault', '=', 1).executeTakeFirst()
  if (!plan) return
  for (const userId of await ownersOf(transaction, teamId)) {
    const taken = await transaction.selectFrom('freePlan').selectAll().where('userId', '=', userId).executeTakeFirst()
    if (taken?.teamId !== teamId) continue
    const period = freePeriod(taken.startAt, at, plan.planGroup)
    if ((await chargedUnder(transaction, { planId: plan.id, teamId }, period.startAt)) === 0) continue
    await transaction.updateTable('freePlan').set({ usedUntil: period.endAt }).where('userId', '=', userId).execute()
  }
}

/**
 * Before an account is deleted, after its teams: if one of them has used the free plan in this period, notes when the period ends. An
 * address without a proof may be that of another person, who must not be refused.
 */
export async function keepFreePlanUse(
  transaction: Transaction,
  { at, hashEmail, userId }: { at: number; hashEmail: HashEmail; userId: string },
): Promise<void> {
  const found = await transaction
    .selectFrom('freePlan')
    .innerJoin('user', 'user.id', 'freePlan.userId')
    .select(['user.emailLower', 'freePlan.usedUntil'])
    .where('user.id', '=', userId)
    .where('user.emailProven', '=', 1)
    .where('freePlan.usedUntil', '>', at)
    .executeTakeFirst()
  if (!found || found.usedUntil === null) return
  const row = { emailHash: hashEmail(found.emailLower), usedUntil: found.usedUntil }
  await transaction
    .insertInto('pastFreePlan')
    .values(row)
    .onConflict((conflict) => conflict.column('emailHash').doUpdateSet(row))
    .execute()
}

/** Deletes the notes about deleted accounts whose period has ended. */
export async function forgetFreePlanUse(rows: Rows, at: number): Promise<void> {
  await rows.deleteFrom('pastFreePlan').where('usedUntil', '<=', at).execute()
}

/** Until when the credits of a former account of the user's address count; 0 if there are none. */
async function usedUntilByAccount(rows: Rows, userId: string, hashEmail: HashEmail): Promise<number> {
  const { emailLower } = await rows.selectFrom('user').select('emailLower').where('id', '=', userId).executeTakeFirstOrThrow()
  const past = await rows.selectFrom('pastFreePlan').select('usedUntil').where('emailHash', '=', hashEmail(emailLower)).executeTakeFirst()
  return past?.usedUntil ?? 0
}

async function ownersOf(rows: Rows, teamId: string): Promise<string[]> {
  const owners = await rows.selectFrom('teamMember').select('userId').where('teamId', '=', teamId).where('isOwner', '=', 1).execute()
  return owners.map(({ userId }) => userId)
}

/** Names the first minute in which the plan can be chosen. */
function tooEarly(endAt: number): AppError {
  const minute = new Date(Math.ceil(endAt / MINUTE_MS) * MINUTE_MS).toISOString()
  const [day, time] = [minute.slice(0, 10), minute.slice(11, 16)]
  const message = `A team that you deleted has used the free plan. It can be chosen again on ${day} at ${time} UTC.`
  return new AppError('plan_refused', { message })
}
