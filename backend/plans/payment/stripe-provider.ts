/** Payment by Stripe, through its official library, which is loaded on first use so that an idle server saves its memory. */
import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import { loadOnce } from '#backend/platform/load-once.ts'
import { PaymentFault } from './payment-provider.ts'
import type { PaymentProvider, ReturnUrls } from './payment-provider.ts'
import { readStripeEvent, readSubscription } from './stripe-event.ts'
import { isSigned } from './stripe-signature.ts'

const ASK_MS = 10_000
const RETRIES = 1
const TOLERANCE_SECONDS = 300

/**
 * @param apiBase         URL of Stripe's API; another host in tests
 * @param askMs           longest wait for one answer
 * @param secretKey       undefined: payment is off
 * @param webhookSecrets  each of them may sign events: there are two during a rotation
 */
export function stripeProvider({
  apiBase,
  askMs = ASK_MS,
  now,
  secretKey,
  warn,
  webhookSecrets,
}: {
  apiBase: string
  askMs?: number
  now: () => number
  secretKey: string | undefined
  warn: (facts: object, message: string) => void
  webhookSecrets: readonly string[]
}): PaymentProvider {
  const opened = secretKey === undefined ? null : loadOnce(() => open(secretKey, apiBase, askMs))
  return {
    createCustomer: ({ id, name, email }) =>
      ask(async (stripe) => {
        const facts = { name, ...(email !== '' && { email }), metadata: { team: id } }
        // One idempotency key per team, so that repeated or concurrent requests return the same customer.
        const idempotencyKey = `seine-${createHash('sha256')
          .update(JSON.stringify([id, facts]))
          .digest('hex')}`
        return (await stripe.customers.create(facts, { idempotencyKey })).id
      }),
    createCheckout: ({ customerId, priceId, teamId }, { done, canceled }) =>
      page(async (stripe) => {
        const session = await stripe.checkout.sessions.create({
          mode: 'subscription',
          customer: customerId,
          client_reference_id: teamId,
          line_items: [{ price: priceId, quantity: 1 }],
          subscription_data: { metadata: { team: teamId } },
          success_url: done,
          cancel_url: canceled,
        })
        return session.url
      }),
    confirmUpgrade: ({ customerId, subscriptionId, priceId }, back) =>
      page(async (stripe) => {
        const { items } = await stripe.subscriptions.retrieve(subscriptionId)
        const item = items.data[0]
        if (!item) throw new PaymentFault('it has no such subscription.')
        const update = { subscription: subscriptionId, items: [{ id: item.id, price: priceId, quantity: 1 }] }
        return flow(stripe, customerId, { type: 'subscription_update_confirm', subscription_update_confirm: update }, back)
      }),
    cancelPage: ({ customerId, subscriptionId }, back) =>
      page((stripe) =>
        flow(stripe, customerId, { type: 'subscription_cancel', subscription_cancel: { subscription: subscriptionId } }, back),
      ),
    updatePaymentMethod: (customerId, back) => page((stripe) => flow(stripe, customerId, { type: 'payment_method_update' }, back)),
    portal: (customerId, returnTo) =>
      page(async (stripe) => (await stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnTo })).url),
    cancelNow: (subscriptionId) => ask(async (stripe) => void (await stripe.subscriptions.cancel(subscriptionId))),
    renew: (subscriptionId) =>
      ask(async (stripe) => {
        const { cancel_at_period_end: endsWithPeriod } = await stripe.subscriptions.retrieve(subscriptionId)
        await stripe.subscriptions.update(subscriptionId, endsWithPeriod ? { cancel_at_period_end: false } : { cancel_at: '' })
      }),
    readSubscription: async (subscriptionId) =>
      secretKey === undefined
        ? null
        : ask(async (stripe) => readSubscription({ ...(await stripe.subscriptions.retrieve(subscriptionId)) })),
    isGenuine: (body, signature) => isSigned(signature, body, { secrets: webhookSecrets, at: now(), toleranceSeconds: TOLERANCE_SECONDS }),
    readEvent: readStripeEvent,
  }

  /** The URL of a page, checked before a browser is redirected to it. */
  async function page(work: (stripe: Stripe) => Promise<string | null>): Promise<string> {
    const url = await ask(work)
    if (url !== null && isPaymentPage(url, apiBase)) return url
    warn({ host: URL.parse(url ?? '')?.host }, 'the payment provider returned a URL of another host')
    throw new PaymentFault('the payment provider returned a URL of another host.')
  }

  async function ask<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    if (opened === null) throw new PaymentFault('payment is not set up.')
    const stripe = await opened()
    try {
      return await work(stripe)
    } catch (error) {
      if (error instanceof PaymentFault) throw error
      warn({ err: error }, 'a request to the payment provider failed')
      throw new PaymentFault(reasonOf(error), { cause: error })
    }
  }
}

async function open(secretKey: string, apiBase: string, askMs: number): Promise<Stripe> {
  const { Stripe: library } = await import('stripe')
  const { hostname, port, protocol } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  return new library(secretKey, {
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    protocol: isPlain ? 'http' : 'https',
    maxNetworkRetries: RETRIES,
    telemetry: false,
    timeout: askMs,
  })
}

/** A flow of the customer portal, with links back from its end and from before. */
async function flow(
  stripe: Stripe,
  customer: string,
  errand: Omit<Stripe.BillingPortal.SessionCreateParams.FlowData, 'after_completion'>,
  { done, canceled }: ReturnUrls,
): Promise<string> {
  const session = await stripe.billingPortal.sessions.create({
    customer,
    return_url: canceled,
    flow_data: { ...errand, after_completion: { type: 'redirect', redirect: { return_url: done } } },
  })
  return session.url
}

/** Allows Stripe's own hosts over https, and the operator's `apiBase`. */
export function isPaymentPage(page: string, apiBase: string): boolean {
  const url = URL.parse(page)
  if (!url || url.username !== '' || url.password !== '') return false
  return url.origin === new URL(apiBase).origin || (url.protocol === 'https:' && url.port === '' && /(^|\.)stripe\.com$/.test(url.hostname))
}

/** The message for people; the operator's log has the details. */
function reasonOf(error: unknown): string {
  const { type, statusCode } = error as { type?: unknown; statusCode?: unknown }
  if (type === 'StripeAuthenticationError' || type === 'StripePermissionError') return 'the payment provider does not know this service.'
  if (type === 'StripeConnectionError' || type === 'StripeRateLimitError' || (typeof statusCode === 'number' && statusCode >= 500))
    return 'the payment provider does not answer.'
  return 'the payment provider refused.'
}
