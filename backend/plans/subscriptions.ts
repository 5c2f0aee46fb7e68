/**
 * A team's subscription: choosing a plan, ending it, and its history.
 *
 * Only signed events of the provider activate a paid plan (`payment-events.ts`). This module redirects people to the provider's pages;
 * changes that only take something away are applied at once.
 */
import { setImmediate } from 'node:timers/promises'
import type { CallbackState, SubscriptionStatus } from '#contract/plans.ts'
import type { Database, SubscriptionTable, Transaction } from '#backend/platform/database/database.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import type { Catalogue } from './catalogue.ts'
import { EVENT_RANK } from './payment/event-order.ts'
import { takeFreePlan } from './free-plan.ts'
import type { HashEmail } from './free-plan.ts'
import { PaymentFault } from './payment/payment-provider.ts'
import type { PaymentProvider, ReturnUrls } from './payment/payment-provider.ts'
import type { Plan } from './plan.ts'
import { membersOf } from './credits.ts'
import { activeBalance, balanceOf } from './subscription-balance.ts'
import type { SubscriptionBalance } from './subscription-balance.ts'

export type Actor = { userId: string; teamId: string }

/** Statuses of a subscription with an open payment, which the owner can still make. */
const UNPAID = ['past_due', 'unpaid', 'paused']

/** @param dashboard  the dashboard's URL, without a final slash */
export function createSubscriptions({ catalogue, dashboard, database, hashEmail, isEnterprise, newId, now, provider }: Needs) {
  return { onlyWithPlans, list, read, current, start, cancel, renew, manage }

  /** Every subscription of the team, newest first. */
  async function list(teamId: string): Promise<SubscriptionBalance[]> {
    const rows = await selectOf(teamId).orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
    const balances: SubscriptionBalance[] = []
    for (const row of rows) {
      balances.push(await balanceOf(database, row, now()))
      await setImmediate()
    }
    return balances
  }

  /** Throws `not_found`. */
  async function read(teamId: string, id: string): Promise<SubscriptionBalance> {
    const row = await selectOf(teamId).where('id', '=', id).executeTakeFirst()
    if (!row) throw new AppError('not_found')
    return balanceOf(database, row, now())
  }

  /** The active subscription; null where there are no plans, and so no limits. Throws `no_active_plan`. */
  async function current(teamId: string): Promise<(SubscriptionBalance & { members: number }) | null> {
    if (!isEnterprise) return null
    return { ...(await activeOf(teamId)), members: await membersOf(database, teamId) }
  }

  /**
   * Chooses a plan. Returns the page to pay on, or null when the free plan is active at once.
   *
   * Throws `invalid_input`, `plan_refused` and `payment_failed`; then nothing has changed.
   */
  async function start(actor: Actor, planId: string): Promise<string | null> {
    const plan = await catalogue.find(planId)
    if (!plan) throw fieldError('plan_uuid', 'No such plan.')
    if (plan.isDefault) return startFree(actor.teamId, plan)
    const active = await activeBalance(database, actor.teamId, now())
    if (active?.plan.id === plan.id) throw refused('This team is already subscribed.')
    const billed = active?.subscription.providerId ? active.subscription : await unpaidOf(actor.teamId)
    if (active && billed === active.subscription && plan.price < active.plan.price)
      throw refused('Switching to a cheaper plan is not possible.')
    return pageOf(() => payingPage(actor.teamId, plan, billed))
  }

  /**
   * The page to pay on. An unpaid subscription must be settled before a second one starts: the owner pays it, or changes it to the wanted
   * plan.
   */
  async function payingPage(teamId: string, { id, priceId }: Plan, billed: SubscriptionTable | null): Promise<string> {
    if (priceId === null) throw new PaymentFault('this plan has no price at the payment provider.')
    const customerId = await customerOf(teamId)
    const back = returnUrls('payment-success', 'payment-cancel')
    const subscriptionId = billed?.providerId ?? null
    if (subscriptionId === null) return provider.createCheckout({ customerId, priceId, teamId }, back)
    if (billed?.planId === id) return provider.updatePaymentMethod(customerId, methodReturnUrls())
    return provider.confirmUpgrade({ customerId, subscriptionId, priceId }, back)
  }

  async function startFree(teamId: string, plan: Plan): Promise<null> {
    return database.transaction().execute(async (transaction) => {
      const team = await transaction.selectFrom('team').select('isDefault').where('id', '=', teamId).executeTakeFirstOrThrow()
      if (team.isDefault !== 1) throw refused('The free plan is reserved for the default team.')
      const at = now()
      if (await activeBalance(transaction, teamId, at)) throw refused('This team is already subscribed.')
      await takeFreePlan(transaction, { at, teamId, hashEmail })
      await insertUnbilled(transaction, { id: newId(), teamId, planId: plan.id, at })
      return null
    })
  }

  /**
   * Ends the subscription. Returns the page to confirm it, or null when it has ended at once, with its credits.
   *
   * Throws `no_active_plan`, `plan_refused` and `payment_failed`.
   */
  async function cancel({ teamId }: Actor, immediately: boolean): Promise<string | null> {
    const { plan, subscription } = await activeOf(teamId)
    if (plan.isDefault) throw refused('The free plan cannot be cancelled.')
    const { providerId } = subscription
    if (!immediately) {
      if (providerId === null) throw refused('This plan is not billed: it can only be cancelled immediately.')
      const back = returnUrls('subscription-cancel-success', 'subscription-cancel')
      return pageOf(async () => provider.cancelPage({ customerId: await customerOf(teamId), subscriptionId: providerId }, back))
    }
    if (providerId !== null) await done(() => provider.cancelNow(providerId))
    await database
      .updateTable('subscription')
      .set({ status: 'canceled' satisfies SubscriptionStatus, eventRank: EVENT_RANK.deleted, updatedAt: now() })
      .where('id', '=', subscription.id)
      .execute()
    return null
  }

  /** Withdraws a scheduled cancellation. Throws like `cancel`. */
  async function renew({ teamId }: Actor): Promise<void> {
    const { plan, subscription } = await activeOf(teamId)
    if (plan.isDefault) throw refused('The free plan needs no renewal.')
    const { cancelAt, id, providerId } = subscription
    if (cancelAt === null) throw refused('No cancellation is scheduled.')
    if (providerId !== null) await done(() => provider.renew(providerId))
    await database.updateTable('subscription').set({ cancelAt: null, updatedAt: now() }).where('id', '=', id).execute()
  }

  /** The provider's page for invoices and payment methods; with an open payment, the page to change the payment method. */
  async function manage({ teamId }: Actor): Promise<string> {
    const active = await activeBalance(database, teamId, now())
    const unpaid = await unpaidOf(teamId)
    const team = await database.selectFrom('team').select('paymentCustomerId').where('id', '=', teamId).executeTakeFirstOrThrow()
    const { paymentCustomerId } = team
    if (!active && !unpaid) throw new AppError('no_active_plan')
    if (paymentCustomerId === null) throw refused('There is nothing to pay on this plan.')
    return pageOf(() =>
      !active && unpaid
        ? provider.updatePaymentMethod(paymentCustomerId, methodReturnUrls())
        : provider.portal(paymentCustomerId, `${dashboard()}/dashboard/settings#billing`),
    )
  }

  /** Throws `forbidden` where there are no plans: there, no subscription is started or changed. */
  function onlyWithPlans(): void {
    if (!isEnterprise) throw new AppError('forbidden')
  }

  async function activeOf(teamId: string): Promise<SubscriptionBalance> {
    const balance = await activeBalance(database, teamId, now())
    if (!balance) throw new AppError('no_active_plan')
    return balance
  }

  /** The newest subscription with an open payment; it always exists at the provider. */
  async function unpaidOf(teamId: string): Promise<SubscriptionTable | null> {
    const waiting = selectOf(teamId).where('status', 'in', UNPAID).where('providerId', 'is not', null)
    return (await waiting.orderBy('createdAt', 'desc').orderBy('id', 'desc').executeTakeFirst()) ?? null
  }

  function selectOf(teamId: string) {
    return database.selectFrom('subscription').selectAll().where('teamId', '=', teamId)
  }

  /** The team's customer id at the provider, which is created the first time. */
  async function customerOf(teamId: string): Promise<string> {
    const team = await database
      .selectFrom('team')
      .innerJoin('teamMember', 'teamMember.teamId', 'team.id')
      .innerJoin('user', 'user.id', 'teamMember.userId')
      .select(['team.name', 'team.paymentCustomerId', 'user.email'])
      .where('team.id', '=', teamId)
      .orderBy('teamMember.isOwner', 'desc')
      .orderBy('teamMember.createdAt')
      .executeTakeFirstOrThrow()
    if (team.paymentCustomerId !== null) return team.paymentCustomerId
    const made = await provider.createCustomer({ id: teamId, name: team.name, email: team.email })
    // A concurrent request may have stored an id already; the first one stays.
    await database
      .updateTable('team')
      .set({ paymentCustomerId: made })
      .where('id', '=', teamId)
      .where('paymentCustomerId', 'is', null)
      .execute()
    const kept = await database.selectFrom('team').select('paymentCustomerId').where('id', '=', teamId).executeTakeFirstOrThrow()
    return kept.paymentCustomerId ?? made
  }

  function methodReturnUrls(): ReturnUrls {
    return returnUrls('payment-method-update-success', 'payment-method-update-cancel')
  }

  function returnUrls(whenDone: CallbackState, whenCanceled: CallbackState): ReturnUrls {
    const to = (state: CallbackState) => `${dashboard()}/stripe-callback/?state=${state}`
    return { done: to(whenDone), canceled: to(whenCanceled) }
  }
}

export type Subscriptions = ReturnType<typeof createSubscriptions>

type Needs = {
  catalogue: Pick<Catalogue, 'find'>
  dashboard: () => string
  database: Database
  hashEmail: HashEmail
  isEnterprise: boolean
  newId: () => string
  now: () => number
  provider: PaymentProvider
}

/** Creates an active subscription without billing, with full credits: the free plan, or a gift of the operator. */
export async function insertUnbilled(
  transaction: Transaction,
  { id, teamId, planId, at }: { id: string; teamId: string; planId: string; at: number },
): Promise<void> {
  await transaction
    .insertInto('subscription')
    .values({
      id,
      teamId,
      planId,
      status: 'active' satisfies SubscriptionStatus,
      providerId: null,
      startAt: at,
      periodStartAt: at,
      periodEndAt: null,
      cancelAt: null,
      countsAfter: await lastEntry(transaction, teamId),
      eventAt: 0,
      eventRank: 0,
      eventId: '',
      createdAt: at,
      updatedAt: at,
    })
    .execute()
}

/** The number of the newest ledger entry: entries up to it belong to earlier subscriptions. */
export async function lastEntry(transaction: Transaction, teamId: string): Promise<number> {
  const { last } = await transaction
    .selectFrom('creditEntry')
    .select(({ fn }) => fn.max<number | null>('runNo').as('last'))
    .where('teamId', '=', teamId)
    .executeTakeFirstOrThrow()
  return last ?? 0
}

const refused = (message: string) => new AppError('plan_refused', { message })

const pageOf = (work: () => Promise<string>) => orFailed('The payment page could not be opened', work)
const done = (work: () => Promise<void>) => orFailed('The subscription could not be changed', work)

async function orFailed<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof PaymentFault)) throw cause
    throw new AppError('payment_failed', { message: `${what}: ${cause.message}`, cause })
  }
}
