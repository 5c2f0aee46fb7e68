/**
 * The outcomes of a payment that the provider's redirect can name, and their texts. They change nothing: only the provider's events do.
 * Pure.
 */
import type { CallbackState } from '#contract/plans.ts'
import * as t from '#texts/plans.ts'

type Target = 'dashboard' | 'plans' | 'billing'

export type PaymentOutcome = {
  tone: 'success' | 'info' | 'warning'
  title: string
  text: string
  button: { label: string; target: Target } | null
  toast: { kind: 'success' | 'blank' | 'error'; message: string }
}

const DASHBOARD = { label: t.goToDashboard, target: 'dashboard' } as const
const BILLING = { label: t.goToBilling, target: 'billing' } as const

const OUTCOMES: Record<CallbackState, PaymentOutcome> = {
  'payment-success': {
    tone: 'success',
    title: t.subscriptionActivated,
    text: t.thankYouYourTeamCanWork,
    button: DASHBOARD,
    toast: { kind: 'success', message: t.newSubscriptionActivatedSuccessfully },
  },
  'payment-cancel': {
    tone: 'info',
    title: t.subscriptionCanceledTitle,
    text: t.nothingWasChargedAndThePlan,
    button: { label: t.viewPlans, target: 'plans' },
    toast: { kind: 'blank', message: t.subscriptionCanceled },
  },
  'subscription-cancel': {
    tone: 'success',
    title: t.subscriptionContinues,
    text: t.youKeptTheSubscriptionItGoes,
    button: DASHBOARD,
    toast: { kind: 'success', message: t.subscriptionWillContinueAsPlanned },
  },
  'subscription-cancel-success': {
    tone: 'info',
    title: t.subscriptionCancellationConfirmed,
    text: t.yourTeamKeepsItsPlanUntil,
    button: BILLING,
    toast: { kind: 'success', message: t.subscriptionWillBeDeactivatedAtThe },
  },
  'payment-method-update-cancel': {
    tone: 'info',
    title: t.paymentUpdateCanceledTitle,
    text: t.thePaymentMethodOnFileHas,
    button: BILLING,
    toast: { kind: 'blank', message: t.paymentUpdateCanceled },
  },
  'payment-method-update-success': {
    tone: 'success',
    title: t.paymentMethodUpdated,
    text: t.theNextPaymentIsTakenFrom,
    button: BILLING,
    toast: { kind: 'success', message: t.paymentMethodUpdatedSuccessfully },
  },
}

const UNKNOWN: PaymentOutcome = {
  tone: 'warning',
  title: t.unknownState,
  text: t.anUnexpectedErrorOccurredPleaseContact,
  button: null,
  toast: { kind: 'error', message: t.unknownCallbackState },
}

/** The outcome in a query (`?state=…`); any other value, or none, is unknown. */
export function paymentOutcome(query: string): PaymentOutcome {
  const state = new URLSearchParams(query).get('state') ?? ''
  return isKnown(state) ? OUTCOMES[state] : UNKNOWN
}

const isKnown = (state: string): state is CallbackState => Object.hasOwn(OUTCOMES, state)
