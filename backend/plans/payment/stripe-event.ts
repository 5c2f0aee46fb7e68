/**
 * Parses Stripe's events. Their shape depends on the API version of the operator's webhook endpoint, so fields that newer versions have
 * moved are looked up in both places. Source: https://docs.stripe.com/api/events/types
 */
import { createHash } from 'node:crypto'
import type { PaidInvoice, PaidSubscription, PaymentEvent } from './payment-provider.ts'

type Fields = Record<string, unknown>

/** Events of unknown types, and objects that do not match their type, are of no concern. */
export function readStripeEvent(message: Fields): PaymentEvent {
  const type = text(message['type']) ?? ''
  const object = fields(fields(message['data'])?.['object'])
  return {
    // Every event has an id; without one, its content identifies it.
    id: text(message['id']) ?? `sha256:${createHash('sha256').update(JSON.stringify(message)).digest('hex')}`,
    type,
    at: number(message['created']) ?? 0,
    objectId: text(object?.['id']),
    about: (object && readObject(type, object)) ?? { kind: 'other' },
  }
}

function readObject(type: string, object: Fields): PaymentEvent['about'] | null {
  const change = /^customer\.subscription\.(created|updated|deleted)$/.exec(type)?.[1] as 'created' | 'updated' | 'deleted' | undefined
  if (change !== undefined) {
    const subscription = readSubscription(object)
    return subscription && { kind: 'subscription', change, subscription }
  }
  if (!/^invoice\.(payment_succeeded|payment_failed|paid)$/.test(type)) return null
  const invoice = readInvoice(object)
  return invoice && { kind: 'invoice', isPaid: type !== 'invoice.payment_failed', invoice }
}

/** Parses a subscription; null for any other object. */
export function readSubscription(object: Fields): PaidSubscription | null {
  const [id, customerId, status] = [text(object['id']), idOf(object['customer']), text(object['status'])]
  if (id === null || customerId === null || status === null) return null
  const item = fields(list(fields(object['items'])?.['data'])[0])
  const periodEndAt = moment(item?.['current_period_end']) ?? moment(object['current_period_end'])
  return {
    id,
    customerId,
    priceId: idOf(item?.['price']) ?? idOf(item?.['plan']) ?? idOf(object['plan']),
    status,
    startAt: moment(object['start_date']) ?? moment(object['created']),
    periodStartAt: moment(item?.['current_period_start']) ?? moment(object['current_period_start']),
    periodEndAt,
    cancelAt: moment(object['cancel_at']) ?? (object['cancel_at_period_end'] === true ? periodEndAt : null),
  }
}

function readInvoice(object: Fields): PaidInvoice | null {
  const [id, customerId] = [text(object['id']), idOf(object['customer'])]
  if (id === null || customerId === null) return null
  const payment = fields(fields(list(fields(object['payments'])?.['data'])[0])?.['payment'])
  return {
    id,
    customerId,
    paymentId: idOf(payment?.['payment_intent']) ?? idOf(payment?.['charge']) ?? idOf(object['payment_intent']) ?? idOf(object['charge']),
    amount: number(object['total']) ?? 0,
    currency: text(object['currency']) ?? 'eur',
    status: text(object['status']) ?? 'open',
  }
}

/** The id of an object that may be given by its id alone. */
const idOf = (value: unknown) => text(value) ?? text(fields(value)?.['id'])
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, 255) : null)
const number = (value: unknown) => (typeof value === 'number' && Number.isSafeInteger(value) ? value : null)
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const fields = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Fields) : undefined)
/** The end of the year 9999; what is later cannot be written as an instant. */
const LAST_SECOND = 253_402_300_799
/** Converts seconds to milliseconds; null for what is no time between 1970 and 9999. */
function moment(value: unknown): number | null {
  const seconds = number(value)
  return seconds === null || seconds < 0 || seconds > LAST_SECOND ? null : seconds * 1000
}
