/** Language models: which ones a team may ask. */
import type { BackendConfig } from '#backend/config.ts'
import type { createEgress } from '#backend/crawler/fetch/egress.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import type { Ports } from '#backend/ports.ts'
import { createModelEndpoints } from './model-endpoints.ts'
import { modelSetup } from './model-setup.ts'
import { modelRoutes } from './routes.ts'

/** Its verbs and routes. */
export function modelsFeature(
  config: BackendConfig,
  { database, keyFor, now }: Ports,
  { egress }: { egress: ReturnType<typeof createEgress> },
) {
  const endpoints = createModelEndpoints({
    database,
    mayAsk: async (url) => (await egress.judgeUrl(url)) === null,
    now,
    operator: modelSetup(config).operator,
    sealer: createSealer(keyFor('model keys')),
  })
  return { endpoints, routes: [modelRoutes({ endpoints })] }
}
