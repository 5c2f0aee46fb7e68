/** The product in enterprise mode: a plans file, and a stand-in for Stripe. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from './app.ts'
import { createClock } from './clock.ts'
import type { Clock } from './clock.ts'
import { startProduct } from './product.ts'
import { closedAtEnd } from './suite.ts'
import { WEBHOOK_PATH, WEBHOOK_SECRET } from './stubs/stripe-events.ts'
import { startStripeStub } from './stubs/stripe-stub.ts'

const limits = {
  number_of_users: 1,
  page_credit: 1000,
  daily_page_credit: 100,
  crawl_max_depth: 3,
  crawl_max_limit: 100,
  max_concurrent_crawl: 2,
}

const FREE = {
  uuid: '0d5c1e6a-0000-4000-8000-000000000001',
  name: 'Free',
  group: 'monthly',
  description: 'To try it out.',
  price: '0',
  is_default: true,
  ...limits,
  features: [
    { title: '1,000 pages a month', icon: 'check' },
    { title: 'Premium proxies', help_text: 'Proxy servers of the installation that only paid plans may use.', icon: 'cross' },
  ],
}
const studio = {
  name: 'Studio',
  description: 'For teams that crawl every day.',
  ...limits,
  number_of_users: 3,
  page_credit: 20_000,
  daily_page_credit: 1500,
  crawl_max_depth: 10,
  crawl_max_limit: 1000,
  max_concurrent_crawl: 4,
  features: [
    { title: '20,000 pages a month', icon: 'check' },
    { title: 'Premium proxies', help_text: 'Proxy servers of the installation that only paid plans may use.', icon: 'check' },
    { title: 'Invoices by mail', icon: 'info' },
    { title: 'All formats', icon: '' },
  ],
}
const fleet = {
  name: 'Fleet',
  description: 'No limits.',
  ...limits,
  number_of_users: -1,
  page_credit: -1,
  daily_page_credit: -1,
  crawl_max_depth: -1,
  crawl_max_limit: -1,
  max_concurrent_crawl: -1,
}

/** The plans of the file by short names. */
export const PLANS = {
  free: FREE,
  studio: {
    ...studio,
    uuid: '0d5c1e6a-0000-4000-8000-000000000002',
    group: 'monthly',
    price: '49.00',
    label: '',
    stripe_price_id: 'price_studio',
  },
  studioYearly: {
    ...studio,
    uuid: '0d5c1e6a-0000-4000-8000-000000000003',
    group: 'yearly',
    price: '490.00',
    price_before_discount: '588.00',
    label: 'Two months free',
    stripe_price_id: 'price_studio_yearly',
  },
  fleet: { ...fleet, uuid: '0d5c1e6a-0000-4000-8000-000000000004', group: 'monthly', price: '199.00', stripe_price_id: 'price_fleet' },
  fleetYearly: {
    ...fleet,
    uuid: '0d5c1e6a-0000-4000-8000-000000000005',
    group: 'yearly',
    price: '1990.00',
    stripe_price_id: 'price_fleet_yearly',
  },
} as const

type AnyPlans = readonly object[]
const ALL: AnyPlans = Object.values(PLANS)

const KEYS = { secret: 'sk_test_of_tests_alone', webhook: WEBHOOK_SECRET }

/** Writes a plans file; `remove` takes it away again. */
export function writePlans(plans: AnyPlans = ALL) {
  const folder = mkdtempSync(join(tmpdir(), 'seine-plans-'))
  const path = join(folder, 'plans.json')
  writeFileSync(path, JSON.stringify({ plans }))
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * The API in enterprise mode over a clock that only the test moves.
 *
 * @param payment  `false` leaves the keys of Stripe out
 */
export async function startEnterpriseApp({
  payment = true,
  plans = ALL,
  ...options
}: { payment?: boolean; plans?: AnyPlans; clock?: Clock } & Omit<NonNullable<Parameters<typeof startApp>[0]>, 'clock'> = {}) {
  const clock = options.clock ?? createClock()
  const stripe = await startStripeStub({ now: clock.now })
  const file = writePlans(plans)
  const app = await startApp({
    ...options,
    clock,
    config: {
      enterpriseMode: true,
      plansFile: file.path,
      stripeApiBase: stripe.url,
      ...(payment && { stripeSecretKey: KEYS.secret, stripeWebhookSecret: [KEYS.webhook] }),
      ...options.config,
    },
  })
  stripe.tellTo(async (body, signature) => {
    const reply = await app.request('POST', WEBHOOK_PATH, { body, headers: { 'stripe-signature': signature } })
    return reply.status
  })
  return {
    app,
    clock,
    stripe,
    close: closedAtEnd(async () => {
      await app.close()
      await stripe.close()
      file.remove()
    }),
  }
}

/** The product itself in enterprise mode, with a stand-in for Stripe that reports payments to it. */
export async function startEnterprise(
  environment: Record<string, string> = {},
  { payment = true, plans = ALL, ...options }: { payment?: boolean; plans?: AnyPlans } & Parameters<typeof startProduct>[1] = {},
) {
  const stripe = await startStripeStub()
  const file = writePlans(plans)
  const product = await startProduct(
    {
      ENTERPRISE_MODE: 'true',
      PLANS_FILE: file.path,
      STRIPE_API_BASE: stripe.url,
      ...(payment && { STRIPE_SECRET_KEY: KEYS.secret, STRIPE_WEBHOOK_SECRET: KEYS.webhook }),
      ...environment,
    },
    options,
  )
  stripe.tellTo(product.url)
  return {
    url: product.url,
    stripe,
    close: closedAtEnd(async () => {
      await product.close()
      await stripe.close()
      file.remove()
    }),
  }
}
