/** What the payment provider sends people back with, and what they are told. The words change nothing: only the provider's events do. Pure. */
import type { CallbackState } from '#contract/plans.ts'

type Target = 'dashboard' | 'plans' | 'billing'

export type PaymentOutcome = {
  tone: 'success' | 'info' | 'warning'
  title: string
  text: string
  button: { label: string; target: Target } | null
  toast: { kind: 'success' | 'blank' | 'error'; message: string }
}

const DASHBOARD = { label: 'Go to Dashboard', target: 'dashboard' } as const
const BILLING = { label: 'Go to Billing', target: 'billing' } as const

const OUTCOMES: Record<CallbackState, PaymentOutcome> = {
  'payment-success': {
    tone: 'success',
    title: 'Subscription Activated',
    text: 'Thank you. Your team can work with its new plan as soon as the payment is confirmed, usually within seconds.',
    button: DASHBOARD,
    toast: { kind: 'success', message: 'New subscription activated successfully!' },
  },
  'payment-cancel': {
    tone: 'info',
    title: 'Subscription Process Canceled',
    text: 'Nothing was charged, and the plan of your team is as it was.',
    button: { label: 'View Plans', target: 'plans' },
    toast: { kind: 'blank', message: 'Subscription process canceled.' },
  },
  'subscription-cancel': {
    tone: 'success',
    title: 'Subscription Continues',
    text: 'You kept the subscription. It goes on as before.',
    button: DASHBOARD,
    toast: { kind: 'success', message: 'Subscription will continue as planned.' },
  },
  'subscription-cancel-success': {
    tone: 'info',
    title: 'Subscription Cancellation Confirmed',
    text: 'Your team keeps its plan until the end of the current period. Until then the cancellation can be withdrawn.',
    button: BILLING,
    toast: { kind: 'success', message: 'Subscription will be deactivated at the end of the current period.' },
  },
  'payment-method-update-cancel': {
    tone: 'info',
    title: 'Payment Method Update Canceled',
    text: 'The payment method on file has not changed.',
    button: BILLING,
    toast: { kind: 'blank', message: 'Payment method update canceled.' },
  },
  'payment-method-update-success': {
    tone: 'success',
    title: 'Payment Method Updated',
    text: 'The next payment is taken from the new payment method.',
    button: BILLING,
    toast: { kind: 'success', message: 'Payment method updated successfully!' },
  },
}

const UNKNOWN: PaymentOutcome = {
  tone: 'warning',
  title: 'Unknown State',
  text: 'An unexpected error occurred. Please contact support.',
  button: null,
  toast: { kind: 'error', message: 'Unknown callback state' },
}

/** The outcome that a query (`?state=…`) names; any other value, or none, is unknown. */
export function paymentOutcome(query: string): PaymentOutcome {
  const state = new URLSearchParams(query).get('state') ?? ''
  return isKnown(state) ? OUTCOMES[state] : UNKNOWN
}

const isKnown = (state: string): state is CallbackState => Object.hasOwn(OUTCOMES, state)
