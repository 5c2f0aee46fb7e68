/** The language models that extract data from a team's pages. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { httpUrlWithoutCredentials, listOf, shape, text } from './fields.ts'

const PATH = '/api/v1/core/model-endpoint/'
const TAG = 'Plugins'

export const MAX_MODELS = 50

/** The key is stored encrypted, the URL is not. */
const baseUrl = () => httpUrlWithoutCredentials('Put the key into api_key; user name and password are not allowed in the URL.')

/** A key is sent as a header: other characters would fail with each call to the server. */
const apiKey = () =>
  text({ max: 500, blank: true }).check(
    z.regex(/^[\x21-\x7e]*$/, { error: 'A key has only letters, digits and punctuation of ASCII, and no spaces.' }),
  )

const modelEndpointBody = shape({
  base_url: baseUrl(),
  /** Absent: the stored key stays. Empty or null: without a key. */
  api_key: z.optional(z.nullable(apiKey())),
  models: listOf(text({ max: 200 }), { min: 1, max: MAX_MODELS }),
})
export type ModelEndpointBody = z.output<typeof modelEndpointBody>

export const modelEndpointAnswer = z.object({
  base_url: z.nullable(z.string()),
  has_key: z.boolean(),
  models: z.array(z.string()),
  available_models: z.array(z.string()),
  updated_at: z.nullable(z.string()),
})
export type ModelEndpointAnswer = z.output<typeof modelEndpointAnswer>

export const getModelEndpoint = endpoint({
  method: 'GET',
  path: PATH,
  access: 'user+team',
  tag: TAG,
  summary: "The team's own endpoint of language models",
  description:
    '`base_url` is null if the team has none. `available_models` are all models that the team may use, including those of the installation.',
  answer: modelEndpointAnswer,
})
export const setModelEndpoint = endpoint({
  method: 'PUT',
  path: PATH,
  access: 'user+team',
  tag: TAG,
  summary: "Set the team's endpoint: any server with OpenAI's chat completions API",
  description:
    'The key belongs to the URL: an absent key keeps the stored one unless the URL changes. Keys are stored encrypted and never shown.',
  body: modelEndpointBody,
  answer: modelEndpointAnswer,
})
export const removeModelEndpoint = endpoint({
  method: 'DELETE',
  path: PATH,
  access: 'user+team',
  tag: TAG,
  summary: "Remove the team's endpoint and its key",
  status: 204,
})

export const testModelEndpoint = endpoint({
  method: 'POST',
  path: `${PATH}test/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Test an endpoint with one short question',
  description:
    'Nothing is stored. Without a key the stored key is used, if the URL is the stored one. `non_field_errors` says why a test failed.',
  body: shape({
    base_url: baseUrl(),
    /** Absent: the stored key, but only for the stored URL. Empty or null: without a key. */
    api_key: z.optional(z.nullable(apiKey())),
    model: text({ max: 200 }),
  }),
  answer: z.object({ model: z.string(), took_ms: z.int(), prompt_tokens: z.int(), answer_tokens: z.int() }),
})

export const teamModelUsage = z.object({
  model: z.string(),
  crawls: z.int(),
  calls: z.int(),
  prompt_tokens: z.int(),
  answer_tokens: z.int(),
  cost: z.number(),
})
export type TeamModelUsage = z.output<typeof teamModelUsage>

export const listModelUsage = endpoint({
  method: 'GET',
  path: `${PATH}usage/`,
  access: 'user+team',
  tag: TAG,
  summary: 'Language model usage of the last 30 days, by model',
  description: 'The most used model first. Deleted crawls are not counted.',
  answer: z.array(teamModelUsage),
})
