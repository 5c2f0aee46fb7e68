/** Who takes the money: pages of theirs to send people to, and signed events of what came of it. */

/** Where a page sends people back to. */
export type ReturnAddresses = { done: string; left: string }

/** A subscription as the provider has it at some moment. Times are epoch milliseconds. */
export type PaidSubscription = {
  id: string
  customerId: string
  priceId: string | null
  /** In the provider's words, which are ours. */
  status: string
  startAt: number | null
  periodStartAt: number | null
  periodEndAt: number | null
  cancelAt: number | null
}

/** An invoice that was paid, or could not be. The amount is in cents. */
export type PaidInvoice = {
  id: string
  customerId: string
  paymentId: string | null
  amount: number
  currency: string
  status: string
}

/** Something that the provider says has happened; `at` in seconds, as exact as the provider is. */
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

/** The provider did not do what it was asked for; the message is for people. */
export class PaymentFault extends Error {}

/** All verbs but the last two ask the provider, and throw `PaymentFault`. Each that gives an address gives one that a browser may be sent to. */
export type PaymentProvider = {
  /** Gives the provider's name for a team; the same for the same team. */
  createCustomer(team: { id: string; name: string; email: string }): Promise<string>
  createCheckout(order: { customerId: string; priceId: string; teamId: string }, back: ReturnAddresses): Promise<string>
  /** The page that confirms the change of a subscription to another price. */
  confirmUpgrade(change: { customerId: string; subscriptionId: string; priceId: string }, back: ReturnAddresses): Promise<string>
  /** The page that confirms that a subscription ends with its period. */
  cancelPage(subscription: { customerId: string; subscriptionId: string }, back: ReturnAddresses): Promise<string>
  updatePaymentMethod(customerId: string, back: ReturnAddresses): Promise<string>
  /** Invoices and payment methods. */
  portal(customerId: string, returnTo: string): Promise<string>
  cancelNow(subscriptionId: string): Promise<void>
  /** Takes back that a subscription is to end. */
  renew(subscriptionId: string): Promise<void>
  /** A subscription as it is now; null when payment is not set up. */
  readSubscription(subscriptionId: string): Promise<PaidSubscription | null>
  /**
   * Whether a message is from the provider, by the bytes as they came and the header with its signature, and not older than 5 minutes.
   */
  isGenuine(body: Buffer, signature: string): boolean
  /** What a genuine message says. */
  readEvent(message: Record<string, unknown>): PaymentEvent
}
