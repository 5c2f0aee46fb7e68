/** Plans, the subscription of a team, and the payment provider's events. Without enterprise mode every team is on "Unlimited". */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { flag, shape, text, wrong } from './fields.ts'
import { EVENT_BODY } from './sizes.ts'

const PLANS = '/api/v1/plan'
const TAG = 'Subscriptions'

/** Means "unlimited" in every number of a plan. */
export const UNLIMITED = -1

export const PLAN_GROUPS = ['yearly', 'monthly'] as const
export type PlanGroup = (typeof PLAN_GROUPS)[number]

export const FEATURE_ICONS = ['info', 'cross', 'check', ''] as const

/** The words of the payment provider. */
export const SUBSCRIPTION_STATUSES = [
  'active',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'paused',
  'trialing',
  'unpaid',
] as const
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number]

/** Values of `state` with which the provider sends people back to `/stripe-callback/`. */
export const CALLBACK_STATES = [
  'payment-success',
  'payment-cancel',
  'subscription-cancel',
  'subscription-cancel-success',
  'payment-method-update-cancel',
  'payment-method-update-success',
] as const
export type CallbackState = (typeof CALLBACK_STATES)[number]

export const planFeature = z.object({
  title: z.string(),
  help_text: z.nullable(z.string()),
  icon: z.nullable(z.enum(FEATURE_ICONS)),
})
export type PlanFeature = z.output<typeof planFeature>

export const plan = z.object({
  uuid: z.string(),
  name: z.string(),
  /** The popular badge: null is no badge, '' the badge with its usual text. */
  label: z.nullable(z.string()),
  group: z.enum(PLAN_GROUPS),
  description: z.string(),
  /** Euro for the whole period, like `price`: "190.00". */
  price_before_discount: z.nullable(z.string()),
  price: z.string(),
  number_of_users: z.int(),
  page_credit: z.int(),
  daily_page_credit: z.int(),
  crawl_max_depth: z.int(),
  crawl_max_limit: z.int(),
  max_concurrent_crawl: z.int(),
  /** The free plan; one plan at most. */
  is_default: z.boolean(),
  features: z.array(planFeature),
})
export type Plan = z.output<typeof plan>

export const subscription = z.object({
  uuid: z.string(),
  plan,
  status: z.enum(SUBSCRIPTION_STATUSES),
  remain_page_credit: z.int(),
  remain_daily_page_credit: z.int(),
  start_at: z.nullable(z.string()),
  current_period_start_at: z.nullable(z.string()),
  current_period_end_at: z.nullable(z.string()),
  cancel_at: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Subscription = z.output<typeof subscription>

export const currentSubscription = z.object({
  /** Null on "Unlimited"; tells which card of the plans is the team's own. */
  plan_uuid: z.nullable(z.string()),
  plan_name: z.string(),
  status: z.enum(SUBSCRIPTION_STATUSES),
  plan_page_credit: z.int(),
  plan_daily_page_credit: z.int(),
  plan_number_users: z.int(),
  remain_number_users: z.int(),
  remaining_page_credit: z.int(),
  remaining_daily_page_credit: z.int(),
  max_depth: z.int(),
  crawl_max_limit: z.int(),
  max_concurrent_crawl: z.int(),
  start_at: z.nullable(z.string()),
  current_period_start_at: z.nullable(z.string()),
  current_period_end_at: z.nullable(z.string()),
  cancel_at: z.nullable(z.string()),
  is_default: z.boolean(),
})
export type CurrentSubscription = z.output<typeof currentSubscription>

/** The URL to which the browser is redirected. */
export const redirection = z.object({ redirect_url: z.string() })
export type Redirection = z.output<typeof redirection>

export const listPlans = endpoint({
  method: 'GET',
  path: `${PLANS}/plans/`,
  access: 'public',
  tag: TAG,
  summary: 'The available plans, in order',
  answer: z.array(plan),
})
export const getPlan = endpoint({
  method: 'GET',
  path: `${PLANS}/plans/{id}/`,
  access: 'public',
  tag: TAG,
  summary: 'One plan',
  answer: plan,
})

export const listSubscriptions = endpoint({
  method: 'GET',
  path: `${PLANS}/subscriptions/`,
  access: 'team',
  tag: TAG,
  summary: 'All subscriptions of the team, newest first',
  answer: z.array(subscription),
})
export const getCurrentSubscription = endpoint({
  method: 'GET',
  path: `${PLANS}/subscriptions/current/`,
  access: 'team',
  tag: TAG,
  summary: "The team's plan and what is left of it",
  description: '403 when the team has no active plan. -1 means unlimited.',
  answer: currentSubscription,
})
export const getSubscription = endpoint({
  method: 'GET',
  path: `${PLANS}/subscriptions/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'One subscription of the team',
  answer: subscription,
})
export const startSubscription = endpoint({
  method: 'POST',
  path: `${PLANS}/subscriptions/start/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Subscribe to a plan',
  description: 'The free plan is active at once (204). For a paid plan the answer contains the URL of the payment page.',
  body: shape({
    plan_uuid: text().check(z.refine((value) => value === '' || isUuid(value), { error: 'Must be a valid UUID.' })),
  }),
  answer: redirection,
  orEmpty: true,
})
export const cancelSubscription = endpoint({
  method: 'DELETE',
  path: `${PLANS}/subscriptions/cancel/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Cancel the subscription',
  description:
    'Immediately (204), which forfeits the remaining credits, or at the end of the period, on the page whose URL the answer contains.',
  body: shape({ immediately: z._default(flag(), false) }),
  answer: redirection,
  orEmpty: true,
})
export const renewSubscription = endpoint({
  method: 'POST',
  path: `${PLANS}/subscriptions/renew/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Withdraw a cancellation before it takes effect',
  status: 204,
})
export const manageSubscription = endpoint({
  method: 'POST',
  path: `${PLANS}/subscriptions/manage-subscription/`,
  access: 'user+team',
  tag: TAG,
  summary: "The payment provider's page for invoices and payment methods",
  answer: redirection,
})

export const takePaymentEvent = endpoint({
  method: 'POST',
  path: `${PLANS}/webhook/stripe/`,
  access: 'public',
  tag: TAG,
  summary: 'Receives events about subscriptions from the payment provider',
  description: 'Accepted only with a `Stripe-Signature` over the unchanged body that is at most 5 minutes old; 403 otherwise.',
  body: z.looseObject(
    { type: text(), data: z.record(z.string(), z.unknown(), { error: wrong('Not a valid object.') }) },
    { error: wrong('Not a valid object.') },
  ),
  size: EVENT_BODY,
  isUncounted: true,
  status: 204,
})

const isUuid = (value: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
