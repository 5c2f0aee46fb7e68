/** The PaymentProvider port: pages of the provider to redirect people to, and its signed events. */

/** URLs to which a page of the provider redirects back. */
export type ReturnUrls = { done: string; canceled: string }

/** A subscription as the provider has it at some moment. Times are epoch milliseconds. */
export type PaidSubscription = {
  id: string
  customerId: string
  priceId: string | null
  /** The provider's status, which is ours too. */
  status: string
  startAt: number | null
  periodStartAt: number | null
  periodEndAt: number | null
  cancelAt: number | null
}

/** An invoice that was paid, or whose payment failed. The amount is in cents. */
export type PaidInvoice = {
  id: string
  customerId: string
  paymentId: string | null
  amount: number
  currency: string
  status: string
}

/** An event of the provider; `at` is in seconds, the provider's precision. */
export type PaymentEvent = {
  id: string
  type: string
  at: number
  objectId: string | null
  about:
    | { kind: 'subscription'; change: 'created' | 'updated' | 'deleted'; subscription: PaidSubscription }
    | { kind: 'invoice'; isPaid: boolean; invoice: PaidInvoice }
    | { kind: 'other' }
}

/** The provider refused a request; the message is for people. */
export class PaymentFault extends Error {}

/** All functions but the last two ask the provider, and throw `PaymentFault`. Returned URLs are safe for a browser redirect. */
export type PaymentProvider = {
  /** Returns the provider's id for a team, always the same one. */
  createCustomer(team: { id: string; name: string; email: string }): Promise<string>
  createCheckout(order: { customerId: string; priceId: string; teamId: string }, back: ReturnUrls): Promise<string>
  /** A page to confirm the change of a subscription to another price. */
  confirmUpgrade(change: { customerId: string; subscriptionId: string; priceId: string }, back: ReturnUrls): Promise<string>
  /** A page to confirm that a subscription ends with its period. */
  cancelPage(subscription: { customerId: string; subscriptionId: string }, back: ReturnUrls): Promise<string>
  updatePaymentMethod(customerId: string, back: ReturnUrls): Promise<string>
  /** A page with invoices and payment methods. */
  portal(customerId: string, returnTo: string): Promise<string>
  cancelNow(subscriptionId: string): Promise<void>
  /** Withdraws a scheduled end of a subscription. */
  renew(subscriptionId: string): Promise<void>
  /** A subscription as it is now; null when payment is not set up. */
  readSubscription(subscriptionId: string): Promise<PaidSubscription | null>
  /** Whether the provider signed a message in the last 5 minutes. Takes the raw bytes of the body and the header with the signature. */
  isGenuine(body: Buffer, signature: string): boolean
  /** Parses a genuine message. */
  readEvent(message: Record<string, unknown>): PaymentEvent
}
