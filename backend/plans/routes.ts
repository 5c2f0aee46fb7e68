/** Plan and subscription endpoints. */
import type { FastifyPluginAsync } from 'fastify'
import {
  cancelSubscription,
  getCurrentSubscription,
  getPlan,
  getSubscription,
  listPlans,
  listSubscriptions,
  manageSubscription,
  renewSubscription,
  startSubscription,
} from '#contract/plans.ts'
import { route } from '#backend/http/route.ts'
import type { Catalogue } from './catalogue.ts'
import { presentPlan } from './plan.ts'
import { presentCurrent, presentSubscription, unlimited } from './present-subscription.ts'
import type { Subscriptions } from './subscriptions.ts'

/** @param maxDepth  greatest depth of a crawl where there are no plans; -1 is no limit */
export function planRoutes({
  catalogue,
  maxDepth,
  subscriptions,
}: {
  catalogue: Catalogue
  maxDepth: number
  subscriptions: Subscriptions
}): FastifyPluginAsync {
  return async (app) => {
    route(app, listPlans, async () => (await catalogue.list()).map(presentPlan))
    route(app, getPlan, async ({ params }) => presentPlan(await catalogue.read(params.id)))
    route(app, listSubscriptions, async ({ actor }) => (await subscriptions.list(actor.teamId)).map(presentSubscription))
    route(app, getCurrentSubscription, async ({ actor }) => {
      const current = await subscriptions.current(actor.teamId)
      return current ? presentCurrent(current) : unlimited(maxDepth)
    })
    route(app, getSubscription, async ({ actor, params }) => presentSubscription(await subscriptions.read(actor.teamId, params.id)))

    const withPlans = { permit: subscriptions.onlyWithPlans }
    route(app, startSubscription, async ({ actor, body }) => redirection(await subscriptions.start(actor, body.plan_uuid)), withPlans)
    route(app, cancelSubscription, async ({ actor, body }) => redirection(await subscriptions.cancel(actor, body.immediately)), withPlans)
    route(app, renewSubscription, ({ actor }) => subscriptions.renew(actor), withPlans)
    route(app, manageSubscription, async ({ actor }) => ({ redirect_url: await subscriptions.manage(actor) }), withPlans)
  }
}

/** The answer with a URL for the browser; none without a URL. */
const redirection = (url: string | null) => (url === null ? undefined : { redirect_url: url })
