/** Tests a team's endpoint: asks one short question in the way that crawls ask. */
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { testModelEndpoint } from '#contract/models.ts'
import { createAskModel } from '#backend/crawler/models/ask-model.ts'
import type { createOperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import { fieldError } from '#backend/errors.ts'
import type { ModelEndpoints } from './model-endpoints.ts'

const TIMEOUT_MS = 20_000
const SCHEMA = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } as const
const QUESTION = 'Answer with the JSON object {"ok": true} and nothing else.'

type Body = BodyOf<typeof testModelEndpoint>
type Answer = AnswerOf<typeof testModelEndpoint>

export type TestModel = (teamId: string, body: Body) => Promise<Answer>

/** @param client  sends requests to any server, through the address guard */
export function createModelTest({
  client,
  endpoints,
  now,
}: {
  client: Pick<ReturnType<typeof createOperatorClient>, 'ask'>
  endpoints: Pick<ModelEndpoints, 'keyFor'>
  now: () => number
}): TestModel {
  /** Returns the duration and tokens of the question. Throws `invalid_input` with the reason when there was no answer. */
  return async function testModel(teamId, { api_key, base_url, model }) {
    const { apiKey, url } = await endpoints.keyFor(teamId, { api_key, base_url })
    const ask = createAskModel({ operators: client, guarded: client })
    const from = now()
    const answer = await ask(
      { id: teamId, url, apiKey, isOperators: false, model, price: null },
      { messages: [{ role: 'user', content: QUESTION }], schema: SCHEMA, timeoutMs: TIMEOUT_MS, signal: new AbortController().signal },
    )
    if (answer.kind === 'failure') throw fieldError('non_field_errors', `The model did not answer: ${answer.detail}.`)
    return { model, took_ms: now() - from, prompt_tokens: answer.promptTokens, answer_tokens: answer.answerTokens }
  }
}
