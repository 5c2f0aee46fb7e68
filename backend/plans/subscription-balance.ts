/**
 * The balance of a team's subscription: its plan, and the credits that are left.
 *
 * No counter is stored. The balance is the plan's allowance minus the ledger: an unfinished run counts with all credits that it reserved, a
 * finished one with those that it used. The commit that ends a run therefore returns its unused credits, nothing has to run at midnight, and
 * no balance can be lost.
 */
import { sql } from 'kysely'
import type { RunKind } from '#contract/runs.ts'
import { countRows } from '#backend/platform/database/count-rows.ts'
import type { Rows, SubscriptionTable } from '#backend/platform/database/database.ts'
import { dayStart, freePeriodStart, left } from './credit-rules.ts'
import type { Allowance } from './credit-rules.ts'
import { toPlan } from './plan.ts'
import type { Plan } from './plan.ts'

/** A subscription with its plan and its remaining credits. */
export type SubscriptionBalance = {
  subscription: SubscriptionTable
  plan: Plan
  periodStartAt: number | null
  periodLeft: number
  dailyLeft: number
}

/** Statuses that grant access; the others are unpaid or ended. */
export const ACTIVE = ['active', 'trialing']

/** Before its first payment, a subscription does not change the team's plan. */
export const NOT_BEGUN = ['incomplete', 'incomplete_expired']

/** After this time, a run that never ends no longer counts towards the limit of concurrent runs. */
const CONCURRENCY_MS = 2 * 60 * 60 * 1000

/** Above all times and all numbers of runs. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** The credits charged by a ledger entry. */
const CHARGED = sql<number>`CASE state WHEN 'held' THEN requested ELSE used END`

/** The team's active subscription, or null. A paid one takes precedence over the free one. */
export async function activeBalance(rows: Rows, teamId: string, at: number): Promise<SubscriptionBalance | null> {
  const found = await rows
    .selectFrom('subscription')
    .innerJoin('plan', 'plan.id', 'subscription.planId')
    .selectAll('subscription')
    .where('subscription.teamId', '=', teamId)
    .where('subscription.status', 'in', ACTIVE)
    .orderBy('plan.isDefault')
    .orderBy('subscription.startAt', 'desc')
    .orderBy('subscription.id', 'desc')
    .executeTakeFirst()
  return found ? balanceOf(rows, found, at) : null
}

/** The balance of a subscription. */
export async function balanceOf(rows: Rows, subscription: SubscriptionTable, at: number): Promise<SubscriptionBalance> {
  const plan = toPlan(await rows.selectFrom('plan').selectAll().where('id', '=', subscription.planId).executeTakeFirstOrThrow())
  const share = await shareOf(rows, subscription, plan, at)
  const { since } = share
  const { period, today } = hasEnded(subscription.status) ? { period: 0, today: 0 } : await usedOf(rows, subscription.teamId, share, at)
  return {
    subscription,
    plan,
    periodStartAt: since === 0 ? subscription.periodStartAt : since,
    periodLeft: left(plan.pageCredit, period),
    dailyLeft: left(plan.dailyPageCredit, today),
  }
}

/** The charges since the period began, and those of today. */
function usedOf(rows: Rows, teamId: string, share: Share, at: number): Promise<{ period: number; today: number }> {
  return rows
    .selectFrom('creditEntry')
    .select([
      sql<number>`coalesce(sum(${CHARGED}), 0)`.as('period'),
      sql<number>`coalesce(sum(CASE WHEN created_at >= ${dayStart(at)} THEN ${CHARGED} ELSE 0 END), 0)`.as('today'),
    ])
    .where('teamId', '=', teamId)
    .where(ofShare(share, share.since))
    .executeTakeFirstOrThrow()
}

/** What a team was charged under its unbilled subscriptions to a plan, since an instant; not what it was charged under others in between. */
export async function chargedUnder(rows: Rows, { planId, teamId }: { planId: string; teamId: string }, since: number): Promise<number> {
  const earlier = await unbilledRanges(rows, { planId, teamId })
  const share = { since, countsAfter: NO_LIMIT, earlier, others: [] }
  const { charged } = await rows
    .selectFrom('creditEntry')
    .select(sql<number>`coalesce(sum(${CHARGED}), 0)`.as('charged'))
    .where('teamId', '=', teamId)
    .where(ofShare(share, since))
    .executeTakeFirstOrThrow()
  return charged
}

/** A subscription with such a status has no credits left. */
export const hasEnded = (status: string) => status === 'canceled' || status === 'incomplete_expired'

/**
 * Selects the ledger entries of a subscription: runs after `countsAfter` and in the earlier ranges, since an instant; not those of the other
 * subscriptions.
 */
export type Share = {
  since: number
  countsAfter: number
  earlier: readonly { after: number; until: number; endedAt: number }[]
  others: readonly { after: number; endedAt: number }[]
}

/**
 * The ledger entries of a share, from an instant on. Filters by time if that is selective, else by run number: a free plan's `countsAfter`
 * never moves, so its index would scan everything that the team ever did. The unary plus hides a column from the query planner's choice of
 * an index.
 */
function ofShare({ countsAfter, earlier, others }: Share, since: number) {
  if (since === 0) {
    const foreign = others.map(({ after, endedAt }) => sql`AND NOT (+run_no > ${after} AND +created_at < ${endedAt})`)
    return sql<boolean>`(run_no > ${countsAfter} ${sql.join(foreign, sql` `)})`
  }
  const ranges = earlier.map(({ after, until, endedAt }) => sql`(+run_no > ${after} AND +run_no <= ${until} AND +created_at <= ${endedAt})`)
  return sql<boolean>`created_at >= ${since} AND (${sql.join([sql`+run_no > ${countsAfter}`, ...ranges], sql` OR `)})`
}

/**
 * The share of a subscription. Unbilled plans have periods of our own; for billed ones, the provider's events move `countsAfter`. A team
 * can leave the free plan and take it again: its periods continue from the first time, and earlier charges still count.
 */
async function shareOf(rows: Rows, subscription: SubscriptionTable, plan: Plan, at: number): Promise<Share> {
  const { countsAfter, providerId, startAt } = subscription
  if (providerId !== null || startAt === null) return { since: 0, countsAfter, earlier: [], others: await othersOf(rows, subscription) }
  const earlier = plan.isDefault ? await earlierOf(rows, subscription) : []
  const firstStartAt = Math.min(startAt, ...earlier.map((each) => each.startAt ?? startAt))
  return { since: freePeriodStart(firstStartAt, at, plan.group), countsAfter, earlier, others: [] }
}

/** The unbilled plans that a team had while a payment for this subscription was due, and the range of their runs. */
function othersOf(rows: Rows, { createdAt, teamId }: SubscriptionTable) {
  return rows
    .selectFrom('subscription')
    .select(['countsAfter as after', 'updatedAt as endedAt'])
    .where('teamId', '=', teamId)
    .where('providerId', 'is', null)
    .where('status', 'not in', ACTIVE)
    .where('updatedAt', '>', createdAt)
    .execute()
}

/** The ranges of the earlier subscriptions of the team to the same plan. */
async function earlierOf(rows: Rows, { id, planId, teamId }: SubscriptionTable) {
  const ranges = await unbilledRanges(rows, { planId, teamId })
  return ranges.filter((range) => range.id < id)
}

/** A team's unbilled subscriptions to a plan, oldest first, and the range of their runs. */
async function unbilledRanges(rows: Rows, { planId, teamId }: Pick<SubscriptionTable, 'planId' | 'teamId'>) {
  const all = await rows
    .selectFrom('subscription')
    .select(['id', 'planId', 'providerId', 'status', 'countsAfter', 'startAt', 'updatedAt'])
    .where('teamId', '=', teamId)
    .where('status', 'not in', NOT_BEGUN)
    .orderBy('id')
    .execute()
  return all.flatMap(({ countsAfter, id, startAt, status, updatedAt, ...one }, index) => {
    if (one.planId !== planId || one.providerId !== null) return []
    // If the next subscription is billed, its `countsAfter` moves with each period, so the time of the end limits the runs too.
    const endedAt = ACTIVE.includes(status) ? NO_LIMIT : updatedAt
    // A subscription that ended before this one was canceled before its first payment, and never took its place.
    const next = all.slice(index + 1).find((later) => !hasEnded(later.status) || later.updatedAt >= endedAt)
    return [{ id, after: countsAfter, until: next?.countsAfter ?? NO_LIMIT, endedAt, startAt }]
  })
}

export const allowanceOf = ({ plan, periodLeft, dailyLeft }: SubscriptionBalance): Allowance => ({
  isFree: plan.isDefault,
  periodLeft,
  dailyLeft,
  maxDepth: plan.crawlMaxDepth,
  maxPages: plan.crawlMaxLimit,
  maxConcurrent: plan.maxConcurrentCrawl,
})

/** The number of a team's waiting and running runs of a kind, except one. */
export function activeRuns(rows: Rows, teamId: string, kind: RunKind, at: number, exceptNo: number): Promise<number> {
  return countRows(
    rows
      .selectFrom('run')
      .where('teamId', '=', teamId)
      .where('kind', '=', kind)
      .where('endedAt', 'is', null)
      .where('status', 'in', ['new', 'running'])
      .where('createdAt', '>', at - CONCURRENCY_MS)
      .where('no', '!=', exceptNo),
  )
}
