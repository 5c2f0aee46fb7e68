/**
 * Applies events of the payment provider.
 *
 * An event's id and its effect are one commit, so that a second delivery does nothing. Of two events about one thing the later one wins
 * (`event-order.ts`), so that the order of delivery does not matter. When the order is unclear, the provider is asked for the current
 * state. Events with an unknown team or price are logged and dropped: the provider would only send them again.
 */
import type { SubscriptionStatus } from '#contract/plans.ts'
import type { Database, PlanTable, SubscriptionTable, Transaction } from '#backend/platform/database/database.ts'
import { EVENT_RANK, compareStamps } from './event-order.ts'
import type { EventStamp } from './event-order.ts'
import type { PaidInvoice, PaidSubscription, PaymentEvent } from './payment-provider.ts'
import { ACTIVE, NOT_BEGUN } from '../subscription-balance.ts'
import { lastEntry } from '../subscriptions.ts'

type Change = 'created' | 'updated' | 'deleted'

const INVOICE_RANK = { failed: 1, paid: 2 } as const

export function createPaymentEvents({
  database,
  newId,
  now,
  readSubscription,
  warn,
}: {
  database: Database
  newId: () => string
  now: () => number
  /** Reads a subscription from the provider; null when payment is not set up. Throws when the provider does not answer. */
  readSubscription: (id: string) => Promise<PaidSubscription | null>
  warn: (facts: object, message: string) => void
}) {
  /**
   * Applies an event once. The caller has verified its signature.
   *
   * Throws when the provider has to be asked and does not answer: then nothing has changed, and the event must be sent again.
   */
  return async function takeEvent(event: PaymentEvent): Promise<void> {
    const { about } = event
    if (await isTaken(event, about)) return
    // Only events about subscriptions can be unclear.
    if (about.kind !== 'subscription') return
    const subscription = (await readSubscription(about.subscription.id)) ?? about.subscription
    await isTaken(event, { ...about, subscription }, { isClear: true })
  }

  /** False when it is unclear whether the event is the newest; then nothing was written. */
  async function isTaken(event: PaymentEvent, about: PaymentEvent['about'], { isClear = false } = {}): Promise<boolean> {
    return database.transaction().execute(async (transaction) => {
      const { at, id, objectId, type } = event
      const known = await transaction.selectFrom('paymentEvent').select('id').where('id', '=', id).executeTakeFirst()
      if (known) return true
      if (about.kind === 'subscription' && !isClear && (await isUnclear(transaction, event, about.change, about.subscription))) return false
      await transaction
        .insertInto('paymentEvent')
        .values({ id, type, objectId, happenedAt: at * 1000, receivedAt: now() })
        .execute()
      if (about.kind === 'subscription') await takeSubscription(transaction, event, about.change, about.subscription)
      if (about.kind === 'invoice') await takeInvoice(transaction, event, about.isPaid, about.invoice)
      return true
    })
  }

  async function isUnclear(transaction: Transaction, event: PaymentEvent, change: Change, { id }: PaidSubscription): Promise<boolean> {
    const known = await transaction.selectFrom('subscription').selectAll().where('providerId', '=', id).executeTakeFirst()
    return known !== undefined && compareStamps(stampOf(event, change), storedStamp(known)) === 'unclear'
  }

  async function takeSubscription(transaction: Transaction, event: PaymentEvent, change: Change, told: PaidSubscription) {
    const facts = { eventId: event.id, subscriptionId: told.id }
    const teamId = await teamOf(transaction, told.customerId)
    if (teamId === null) return warn({ ...facts, customerId: told.customerId }, 'an event of an unknown customer')
    const known = await transaction.selectFrom('subscription').selectAll().where('providerId', '=', told.id).executeTakeFirst()
    if (known && known.teamId !== teamId) return warn({ ...facts, teamId }, 'an event of a subscription that another team has')
    const plan = await planOf(transaction, told.priceId)
    if (plan?.isDefault === 1) return
    if (!plan) warn({ ...facts, priceId: told.priceId }, 'an event of an unknown price')
    if (!plan && !known) return

    const status = statusOf(change, told)
    if (ACTIVE.includes(status)) await endUnbilled(transaction, teamId, event.at)
    const stamp = stampOf(event, change)
    if (!known) return insert(transaction, { plan: plan!, status, teamId, told, stamp })
    if (compareStamps(stamp, storedStamp(known)) !== 'earlier') await update(transaction, known, { plan, status, told, stamp })
  }

  async function insert(transaction: Transaction, { plan, status, teamId, told, stamp }: Told & { plan: PlanTable; teamId: string }) {
    const at = now()
    await transaction
      .insertInto('subscription')
      .values({
        id: newId(),
        teamId,
        planId: plan.id,
        status,
        providerId: told.id,
        startAt: told.startAt ?? stamp.at * 1000,
        periodStartAt: told.periodStartAt,
        periodEndAt: told.periodEndAt,
        cancelAt: told.cancelAt,
        countsAfter: await lastEntry(transaction, teamId),
        eventAt: stamp.at,
        eventRank: stamp.rank,
        eventId: stamp.id,
        createdAt: at,
        updatedAt: at,
      })
      .execute()
  }

  /**
   * A new period starts with full credits, and so does the first payment: until then, runs were charged to another plan. A change of plan
   * within a period keeps the used ones.
   */
  async function update(
    transaction: Transaction,
    known: SubscriptionTable,
    { plan, status, told, stamp }: Told & { plan?: PlanTable | undefined },
  ) {
    const periodStartAt = told.periodStartAt ?? known.periodStartAt
    const isNewPeriod = periodStartAt !== known.periodStartAt
    const begins = NOT_BEGUN.includes(known.status) && !NOT_BEGUN.includes(status)
    await transaction
      .updateTable('subscription')
      .set({
        planId: plan?.id ?? known.planId,
        status,
        startAt: told.startAt ?? known.startAt,
        periodStartAt,
        periodEndAt: told.periodEndAt ?? known.periodEndAt,
        cancelAt: told.cancelAt,
        ...((isNewPeriod || begins) && { countsAfter: await lastEntry(transaction, known.teamId) }),
        eventAt: stamp.at,
        eventRank: stamp.rank,
        eventId: stamp.id,
        updatedAt: now(),
      })
      .where('id', '=', known.id)
      .execute()
  }

  /** Ends the team's unbilled plans, because it pays now. Those that began after the event stay. */
  async function endUnbilled(transaction: Transaction, teamId: string, eventAt: number) {
    await transaction
      .updateTable('subscription')
      .set({ status: 'canceled' satisfies SubscriptionStatus, updatedAt: now() })
      .where('teamId', '=', teamId)
      .where('providerId', 'is', null)
      .where('status', '=', 'active')
      .where('startAt', '<', (eventAt + 1) * 1000)
      .execute()
  }

  async function takeInvoice(transaction: Transaction, event: PaymentEvent, isPaid: boolean, told: PaidInvoice) {
    const teamId = await teamOf(transaction, told.customerId)
    if (teamId === null) return warn({ eventId: event.id, customerId: told.customerId }, 'an event of an unknown customer')
    const known = await transaction.selectFrom('payment').selectAll().where('invoiceId', '=', told.id).executeTakeFirst()
    const eventRank = isPaid ? INVOICE_RANK.paid : INVOICE_RANK.failed
    const { amount, currency, paymentId, status } = told
    const row = { amount, currency, paymentId, status, eventAt: event.at, eventRank, updatedAt: now() }
    if (!known) {
      const values = { ...row, id: newId(), teamId, invoiceId: told.id, createdAt: row.updatedAt }
      await transaction.insertInto('payment').values(values).execute()
    } else if (eventRank > known.eventRank || (eventRank === known.eventRank && event.at > known.eventAt))
      await transaction.updateTable('payment').set(row).where('id', '=', known.id).execute()
  }
}

export type TakeEvent = ReturnType<typeof createPaymentEvents>

type Told = { status: string; told: PaidSubscription; stamp: EventStamp }

/** A deleted subscription has ended, whatever status the event contains. */
const statusOf = (change: Change, { status }: PaidSubscription): string =>
  change === 'deleted' && !NOT_BEGUN.includes(status) ? 'canceled' : status

const stampOf = ({ at, id }: PaymentEvent, change: Change): EventStamp => ({ at, rank: EVENT_RANK[change], id })

const storedStamp = ({ eventAt, eventId, eventRank }: SubscriptionTable): EventStamp => ({ at: eventAt, rank: eventRank, id: eventId })

async function teamOf(transaction: Transaction, customerId: string): Promise<string | null> {
  const team = await transaction.selectFrom('team').select('id').where('paymentCustomerId', '=', customerId).executeTakeFirst()
  return team?.id ?? null
}

/** Includes plans that can no longer be chosen: a team may still have one. */
async function planOf(transaction: Transaction, priceId: string | null): Promise<PlanTable | undefined> {
  return priceId === null ? undefined : transaction.selectFrom('plan').selectAll().where('priceId', '=', priceId).executeTakeFirst()
}
