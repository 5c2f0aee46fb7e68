/** Language models: which ones a team may ask. */
import type { BackendConfig } from '#backend/config.ts'
import type { createEgress } from '#backend/crawler/fetch/egress.ts'
import { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import type { Ports } from '#backend/ports.ts'
import { createModelEndpoints } from './model-endpoints.ts'
import { modelSetup } from './model-setup.ts'
import { modelRoutes } from './routes.ts'
import { createModelTest } from './test-model.ts'

/** Its functions and routes. */
export function modelsFeature(
  config: BackendConfig,
  { database, keyFor, limits, now }: Ports,
  { egress }: { egress: ReturnType<typeof createEgress> },
) {
  const endpoints = createModelEndpoints({
    database,
    mayAsk: async (url) => (await egress.judgeUrl(url)) === null,
    now,
    operator: modelSetup(config).operator,
    sealer: createSealer(keyFor('model keys')),
  })
  const client = createOperatorClient({
    door: { allow: config.egressAllow.join(','), resolver: config.egressResolver ?? null },
    origins: [],
    userAgent: config.crawlerUserAgent,
  })
  const test = createModelTest({ client, endpoints, now })
  return { endpoints, close: client.close, routes: [modelRoutes({ endpoints, limits, test })] }
}
