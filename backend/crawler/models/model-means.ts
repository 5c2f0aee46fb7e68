/** What the crawls of an engine need to ask models: a queue, and one client each for the operator's servers and for those of teams. */
import { randomBytes } from 'node:crypto'
import type { EngineSettings } from '#backend/crawler/engine/engine-means.ts'
import { createOperatorClient } from '../fetch/operator-client.ts'
import { pause } from '#backend/crawler/engine/pause.ts'
import { createAskModel } from './ask-model.ts'
import type { ModelSettings } from './model-port.ts'
import { createModelQueue } from './model-queue.ts'
import type { ModelMeans } from './read-by-model.ts'

export function createModelMeans({
  models,
  now,
  random,
  settings,
}: {
  models: ModelSettings
  now: () => number
  random: () => number
  settings: Pick<EngineSettings, 'egressAllow' | 'egressResolver' | 'userAgent'>
}): { means: ModelMeans; close: () => Promise<void> } {
  const { egressAllow: allow, egressResolver: resolver, userAgent } = settings
  const operators = createOperatorClient({ origins: models.origins, userAgent })
  const guarded = createOperatorClient({ door: { allow, resolver }, origins: [], userAgent })
  const queue = createModelQueue({ now, slots: models.concurrency })
  return {
    means: {
      ask: createAskModel({ operators, guarded }),
      queue,
      settings: models,
      now,
      random,
      nonce: () => randomBytes(12).toString('hex'),
      pause,
    },
    async close() {
      queue.close()
      await operators.close()
      await guarded.close()
    },
  }
}
