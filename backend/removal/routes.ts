/** Endpoints for a team's retention. */
import type { FastifyPluginAsync } from 'fastify'
import { getRetention, setRetention } from '#contract/teams.ts'
import type { Retention as WireRetention } from '#contract/teams.ts'
import { instantOrNull } from '#backend/http/instants.ts'
import { route } from '#backend/http/route.ts'
import type { Retention } from './retention.ts'

/** @param checkOwner  throws `forbidden` unless the caller owns the team */
export function retentionRoutes({
  checkOwner,
  retention,
}: {
  checkOwner: (actor: { teamId: string; userId: string }) => Promise<void>
  retention: Retention
}): FastifyPluginAsync {
  return async (app) => {
    route(app, getRetention, ({ actor, query }) => present(actor.teamId, query.days))
    route(app, setRetention, async ({ actor, body }) => {
      await checkOwner(actor)
      await retention.setDays(actor.teamId, body.days)
      return present(actor.teamId, undefined)
    })
  }

  async function present(teamId: string, asked: number | undefined): Promise<WireRetention> {
    const { team, installation, effective } = await retention.daysOf(teamId)
    const { days, runs, pages, bytes, isEstimate, oldestAt } = await retention.expired(teamId, asked ?? effective)
    return {
      days: team,
      installation_days: installation,
      effective_days: effective,
      expired: { days, runs, pages, bytes, is_estimate: isEstimate, oldest_at: instantOrNull(oldestAt) },
    }
  }
}
