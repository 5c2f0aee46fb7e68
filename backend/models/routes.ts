/** The endpoint of language models that a team has set. */
import type { FastifyPluginAsync } from 'fastify'
import { getModelEndpoint, removeModelEndpoint, setModelEndpoint } from '#contract/models.ts'
import type { ModelEndpointAnswer } from '#contract/models.ts'
import { instant } from '#backend/http/instants.ts'
import { route } from '#backend/http/route.ts'
import type { ModelEndpointTable } from '#backend/platform/database/database.ts'
import { modelNames } from './model-endpoints.ts'
import type { ModelEndpoints } from './model-endpoints.ts'

export function modelRoutes({ endpoints }: { endpoints: ModelEndpoints }): FastifyPluginAsync {
  return async (app) => {
    route(app, getModelEndpoint, async ({ actor }) => {
      const offered = await endpoints.modelsOf(actor.teamId)
      return present(
        await endpoints.read(actor.teamId),
        offered.map(({ name }) => name),
      )
    })
    route(app, setModelEndpoint, async ({ actor, body }) => {
      const row = await endpoints.set(actor.teamId, body)
      const offered = await endpoints.modelsOf(actor.teamId)
      return present(
        row,
        offered.map(({ name }) => name),
      )
    })
    route(app, removeModelEndpoint, ({ actor }) => endpoints.remove(actor.teamId))
  }
}

const present = (row: ModelEndpointTable | null, available: string[]): ModelEndpointAnswer => ({
  base_url: row?.baseUrl ?? null,
  has_key: row !== null && row.sealedKey !== null,
  models: row === null ? [] : modelNames(row),
  available_models: available,
  updated_at: row === null ? null : instant(row.updatedAt),
})
