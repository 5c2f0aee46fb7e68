/** Asks a language model outside of any job: the first one that the team may use. */
import type { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import { createAskModel } from '#backend/crawler/models/ask-model.ts'
import type { Message, ModelAnswer } from '#backend/crawler/models/ask-model.ts'
import type { JsonSchema } from '#backend/crawler/models/check-schema.ts'
import type { RateLimits } from '#backend/http/rate-limits.ts'
import { createSemaphore } from '#backend/platform/semaphore.ts'
import type { ShareOf } from '#backend/platform/database/share-of-team.ts'
import type { Sealer } from '#backend/platform/secrets.ts'
import type { ModelEndpoints } from './model-endpoints.ts'
import type { ModelSetup } from './model-setup.ts'
import { presentEndpoint } from './run-models.ts'

/** No job and no credits limit these questions, and the operator may pay for them. */
const QUESTIONS_OF_SHARE = { calls: 30, seconds: 60 }

type Client = Pick<ReturnType<typeof createOperatorClient>, 'ask'>

/** Returns null if the team may ask no model, or the key of its endpoint cannot be decrypted. Throws `throttled`. */
export type AskFirstModel = (teamId: string, question: { messages: Message[]; schema: JsonSchema }) => Promise<ModelAnswer | null>

/**
 * @param guarded    calls servers that teams configured, through the address guard
 * @param operators  calls the server of the installation
 */
export function createAskFirstModel({
  endpoints,
  guarded,
  limits,
  operators,
  sealer,
  setup,
  shareOf,
}: {
  endpoints: Pick<ModelEndpoints, 'modelsOf' | 'read'>
  guarded: Client
  limits: RateLimits
  operators: Client
  sealer: Sealer
  setup: ModelSetup
  shareOf: ShareOf
}): AskFirstModel {
  const ask = createAskModel({ guarded, operators })
  // Of this process; the calls of crawls have the same limit in each engine.
  const places = createSemaphore(setup.settings.concurrency)
  return async (teamId, question) => {
    const [first] = await endpoints.modelsOf(teamId)
    if (first === undefined) return null
    const row = await endpoints.read(teamId)
    const ofTeam = row === null ? undefined : { base_url: row.baseUrl, sealed_key: row.sealedKey, models: row.models }
    const endpoint = presentEndpoint(ofTeam, { model: first.name, sealer, setup, teamId })
    if (endpoint === null || endpoint === 'unreadable_key') return null
    await limits.take('modelQuestionOfShare', QUESTIONS_OF_SHARE, await shareOf(teamId))
    const answer = () => ask(endpoint, { ...question, timeoutMs: setup.settings.timeoutMs, signal: new AbortController().signal })
    return endpoint.isOperators ? places.during(answer) : answer()
  }
}
