/** Endpoints for a team's own language models. */
import type { FastifyPluginAsync } from 'fastify'
import { getModelEndpoint, listModelUsage, removeModelEndpoint, setModelEndpoint, testModelEndpoint } from '#contract/models.ts'
import type { ModelEndpointAnswer } from '#contract/models.ts'
import { instant } from '#backend/http/instants.ts'
import type { RateLimits } from '#backend/http/rate-limits.ts'
import { route } from '#backend/http/route.ts'
import type { ModelEndpointTable } from '#backend/platform/database/database.ts'
import { modelNames } from './model-endpoints.ts'
import type { ModelEndpoints } from './model-endpoints.ts'
import type { TestModel } from './test-model.ts'

/** Each test sends a request to a server that the caller chose: enough tests for a person, too few for a port scan. */
const TESTS_OF_TEAM = { calls: 20, seconds: 60 }
/** For all teams of one user together. */
const TESTS_OF_USER = { calls: 40, seconds: 60 }

type Needs = { endpoints: ModelEndpoints; limits: RateLimits; test: TestModel }

export function modelRoutes({ endpoints, limits, test }: Needs): FastifyPluginAsync {
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
    route(app, testModelEndpoint, async ({ actor, body }) => {
      await limits.takeAll([
        { name: 'modelTestByUser', limit: TESTS_OF_USER, parts: [actor.userId] },
        { name: 'modelTestOfTeam', limit: TESTS_OF_TEAM, parts: [actor.teamId] },
      ])
      return test(actor.teamId, body)
    })
    route(app, listModelUsage, ({ actor }) => endpoints.usedByTeam(actor.teamId))
  }
}

const present = (row: ModelEndpointTable | null, available: string[]): ModelEndpointAnswer => ({
  base_url: row?.baseUrl ?? null,
  has_key: row !== null && row.sealedKey !== null,
  models: row === null ? [] : modelNames(row),
  available_models: available,
  updated_at: row === null ? null : instant(row.updatedAt),
})
