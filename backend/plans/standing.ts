/**
 * Where a team stands: the plan that is active, and what is left of it.
 *
 * Nothing is counted down. What is left is what the plan gives less what the ledger says: of a run in hand all that it holds, of one that has
 * ended what it has used. So whoever ends a run, in whatever process, gives back in that same commit what was not used, midnight needs nobody
 * to be awake, and no balance can go astray.
 */
import { sql } from 'kysely'
import type { RunKind } from '#contract/runs.ts'
import type { Rows, SubscriptionTable } from '#backend/platform/database/database.ts'
import { dayStart, freePeriodStart, left } from './credit-rules.ts'
import type { Allowance } from './credit-rules.ts'
import { toPlan } from './plan.ts'
import type { Plan } from './plan.ts'

/** A subscription with its plan and what is left of it. */
export type Standing = {
  subscription: SubscriptionTable
  plan: Plan
  periodStartAt: number | null
  periodLeft: number
  dailyLeft: number
}

/** With one of these a plan may be used; the others wait for money, or have ended. */
export const ACTIVE = ['active', 'trialing']

/** How long a run counts as running at once with others, should it never end. */
const CONCURRENCY_MS = 2 * 60 * 60 * 1000

/** What an entry of the ledger costs. */
export const CHARGED = sql<number>`CASE state WHEN 'held' THEN requested ELSE used END`

/** The team's active subscription, or null; a paid one stands before the free one. */
export async function standingOf(rows: Rows, teamId: string, at: number): Promise<Standing | null> {
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
  return found ? withRest(rows, found, at) : null
}

/** What is left of a subscription. */
export async function withRest(rows: Rows, subscription: SubscriptionTable, at: number): Promise<Standing> {
  const plan = toPlan(await rows.selectFrom('plan').selectAll().where('id', '=', subscription.planId).executeTakeFirstOrThrow())
  const since = countsSince(subscription, plan, at)
  const { period, today } = isOver(subscription.status) ? { period: 0, today: 0 } : await usedSince(rows, subscription, since, at)
  return {
    subscription,
    plan,
    periodStartAt: since === 0 ? subscription.periodStartAt : since,
    periodLeft: left(plan.pageCredit, period),
    dailyLeft: left(plan.dailyPageCredit, today),
  }
}

/** What is charged to a subscription: since its period began, and of that today. */
function usedSince(rows: Rows, subscription: SubscriptionTable, since: number, at: number): Promise<{ period: number; today: number }> {
  return rows
    .selectFrom('creditEntry')
    .select([
      sql<number>`coalesce(sum(${CHARGED}), 0)`.as('period'),
      sql<number>`coalesce(sum(CASE WHEN created_at >= ${dayStart(at)} THEN ${CHARGED} ELSE 0 END), 0)`.as('today'),
    ])
    .where('teamId', '=', subscription.teamId)
    .where(ofPeriod(subscription.countsAfter, since))
    .executeTakeFirstOrThrow()
}

/**
 * The team's entries of a period. By the time where that bounds them, by the run's number otherwise: a free plan's number never moves, so its
 * index would lead through everything that the team ever did. The sign keeps the other column out of the choice of an index.
 */
export const ofPeriod = (countsAfter: number, since: number) =>
  since > 0 ? sql<boolean>`created_at >= ${since} AND +run_no > ${countsAfter}` : sql<boolean>`run_no > ${countsAfter}`

/** What has ended has nothing left to be counted. */
export const isOver = (status: string) => status === 'canceled' || status === 'incomplete_expired'

/** A plan that is not billed has periods of our own; those of the others begin with the provider's word, which moves `countsAfter`. */
export const countsSince = ({ providerId, startAt }: SubscriptionTable, { group }: Plan, at: number): number =>
  providerId === null && startAt !== null ? freePeriodStart(startAt, at, group) : 0

export const allowanceOf = ({ plan, periodLeft, dailyLeft }: Standing): Allowance => ({
  isFree: plan.isDefault,
  periodLeft,
  dailyLeft,
  maxDepth: plan.crawlMaxDepth,
  maxPages: plan.crawlMaxLimit,
  maxConcurrent: plan.maxConcurrentCrawl,
})

/** How many runs of a kind a team has that wait or run, but for one. */
export async function activeRuns(rows: Rows, teamId: string, kind: RunKind, at: number, exceptNo: number): Promise<number> {
  const { active } = await rows
    .selectFrom('run')
    .select(({ fn }) => fn.countAll<number>().as('active'))
    .where('teamId', '=', teamId)
    .where('kind', '=', kind)
    .where('endedAt', 'is', null)
    .where('status', 'in', ['new', 'running'])
    .where('createdAt', '>', at - CONCURRENCY_MS)
    .where('no', '!=', exceptNo)
    .executeTakeFirstOrThrow()
  return active
}
