/** Plans, credits, subscriptions, and events of the payment provider. */
import type { BackendConfig } from '#backend/config.ts'
import { createLookLoop } from '#backend/platform/look-loop.ts'
import { keyedHash } from '#backend/platform/secrets.ts'
import type { Ports } from '#backend/ports.ts'
import { UNLIMITED } from '#contract/plans.ts'
import { createCatalogue } from './catalogue.ts'
import { createCredits } from './credits.ts'
import { forgetFreePlanUse } from './free-plan.ts'
import type { HashEmail } from './free-plan.ts'
import { createPaymentEvents } from './payment/payment-events.ts'
import type { readPlansFile } from './plans-file.ts'
import { planRoutes } from './routes.ts'
import { stripeProvider } from './payment/stripe-provider.ts'
import { createSubscriptions } from './subscriptions.ts'
import { webhookRoutes } from './payment/webhook-routes.ts'

/** Between two looks for deleted accounts whose period of the free plan has ended. */
const LOOK_MS = 60 * 60_000

/**
 * Its functions and routes; `close` ends its recurring work.
 *
 * @param plans  the operator's catalogue; null keeps the stored one
 */
export async function plansFeature(config: BackendConfig, ports: Ports, plans: ReturnType<typeof readPlansFile> | null) {
  const { database, every, keyFor, newId, now, warn } = ports
  const emailKey = keyFor('deleted accounts')
  const hashEmail: HashEmail = (emailLower) => keyedHash(emailKey, emailLower)
  const catalogue = createCatalogue({ database, now })
  if (plans !== null) await catalogue.replaceFromFile(plans)
  const maxDepth = config.crawlMaxDepth ?? UNLIMITED
  const credits = createCredits({ database, isEnterprise: config.enterpriseMode, maxDepth, now })
  const provider = stripeProvider({
    apiBase: config.stripeApiBase,
    now,
    secretKey: config.stripeSecretKey,
    warn,
    webhookSecrets: config.stripeWebhookSecret ?? [],
  })
  const subscriptions = createSubscriptions({
    catalogue,
    dashboard: config.linkBase,
    database,
    hashEmail,
    isEnterprise: config.enterpriseMode,
    newId,
    now,
    provider,
  })
  const takeEvent = createPaymentEvents({ database, newId, now, readSubscription: provider.readSubscription, warn })
  const { close } = createLookLoop({
    every,
    ms: LOOK_MS,
    onFault: (error) => warn({ err: error }, 'free plans of deleted accounts could not be forgotten; it is tried again in an hour'),
    work: () => forgetFreePlanUse(database, now()),
  })
  return { close, credits, hashEmail, routes: [planRoutes({ catalogue, maxDepth, subscriptions }), webhookRoutes({ provider, takeEvent })] }
}
