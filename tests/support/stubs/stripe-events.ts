/** Stripe's events: objects in the shape of its current API, and messages signed by its own library. */
import { randomBytes } from 'node:crypto'
import { Stripe } from 'stripe'

export const WEBHOOK_SECRET = 'whsec_of_tests_alone'
export const WEBHOOK_PATH = '/api/v1/plan/webhook/stripe/'

export const newName = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`

/** Times are unix seconds. */
export type StubSubscription = {
  id: string
  customer: string
  price: string
  status: string
  start: number
  periodStart: number
  periodEnd: number
  cancelAt: number | null
}

export const subscriptionObject = ({ id, customer, price, status, start, periodStart, periodEnd, cancelAt }: StubSubscription) => ({
  id,
  object: 'subscription',
  customer,
  status,
  cancel_at: cancelAt,
  cancel_at_period_end: cancelAt !== null && cancelAt === periodEnd,
  created: start,
  start_date: start,
  items: {
    object: 'list',
    data: [
      {
        id: `si_${id}`,
        object: 'subscription_item',
        price: { id: price, object: 'price' },
        current_period_start: periodStart,
        current_period_end: periodEnd,
      },
    ],
  },
})

/** The same as versions of the API before 2025 had it, with the period at the subscription. */
export function olderSubscriptionObject(subscription: StubSubscription) {
  const { items, ...object } = subscriptionObject(subscription)
  return {
    ...object,
    current_period_start: subscription.periodStart,
    current_period_end: subscription.periodEnd,
    items: { object: 'list', data: items.data.map(({ id, price }) => ({ id, price })) },
  }
}

export const invoiceObject = ({ customer, id = newName('in'), isPaid = true, total = 4900 }: InvoiceFacts) => ({
  id,
  object: 'invoice',
  customer,
  currency: 'eur',
  status: isPaid ? 'paid' : 'open',
  total,
  payments: { object: 'list', data: [{ payment: { type: 'payment_intent', payment_intent: `pi_${id}` } }] },
})
type InvoiceFacts = { customer: string; id?: string; isPaid?: boolean; total?: number }

export type StubEvent = { id: string; object: 'event'; type: string; created: number; data: { object: unknown } }

export const eventOf = (type: string, object: unknown, created: number, id = newName('evt')): StubEvent => ({
  id,
  object: 'event',
  type,
  created,
  data: { object },
})

/** The header that signs a body as Stripe's. */
export const signatureOf = (body: string, timestamp: number, secret = WEBHOOK_SECRET) =>
  Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
