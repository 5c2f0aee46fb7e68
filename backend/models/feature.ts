/** Language models: which ones a team may ask. */
import type { BackendConfig } from '#backend/config.ts'
import type { createEgress } from '#backend/crawler/fetch/egress.ts'
import { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import type { Ports } from '#backend/ports.ts'
import { createAskFirstModel } from './ask-first-model.ts'
import { createModelEndpoints } from './model-endpoints.ts'
import { modelSetup } from './model-setup.ts'
import { modelRoutes } from './routes.ts'
import { createModelTest } from './test-model.ts'

/** Its functions and routes. */
export function modelsFeature(
  config: BackendConfig,
  { database, keyFor, limits, now, shareOf }: Ports,
  { egress }: { egress: ReturnType<typeof createEgress> },
) {
  const setup = modelSetup(config)
  const sealer = createSealer(keyFor('model keys'))
  const endpoints = createModelEndpoints({
    database,
    mayAsk: async (url) => (await egress.judgeUrl(url)) === null,
    now,
    operator: setup.operator,
    sealer,
  })
  const client = createOperatorClient({
    door: { allow: config.egressAllow.join(','), resolver: config.egressResolver ?? null },
    origins: [],
    userAgent: config.crawlerUserAgent,
  })
  const operators = createOperatorClient({ origins: setup.settings.origins, userAgent: config.crawlerUserAgent })
  const test = createModelTest({ client, endpoints, now })
  return {
    ask: createAskFirstModel({ endpoints, guarded: client, limits, operators, sealer, setup, shareOf }),
    endpoints,
    async close() {
      await Promise.all([client.close(), operators.close()])
    },
    routes: [modelRoutes({ endpoints, limits, test })],
  }
}
