/**
 * Sends one question to an OpenAI-compatible endpoint: `POST {base}/chat/completions`.
 *
 * Source: the API reference of OpenAI, chat completions (request, `response_format`, `finish_reason`, `usage`). Servers differ in three
 * things: how to request a JSON answer, how to limit its length, and whether a temperature may be set. What a server rejects is omitted
 * from then on.
 */
import type { createOperatorClient } from '../fetch/operator-client.ts'
import type { ModelEndpoint } from './model-port.ts'
import type { JsonSchema } from './check-schema.ts'

export type Message = { role: 'system' | 'user' | 'assistant'; content: string }

type ModelQuestion = { messages: Message[]; schema: JsonSchema; timeoutMs: number; signal: AbortSignal }

export type ModelAnswer = ({ kind: 'answer'; text: string } | ModelFailure) & { promptTokens: number; answerTokens: number }

export type ModelFailure = {
  kind: 'failure'
  /** `endpoint`: further pages would fail too. `later`: a retry may work. `answer`: this answer cannot be used. */
  fault: 'endpoint' | 'later' | 'answer' | 'canceled'
  detail: string
  retryAfterMs: number | null
}

/** Most tokens of one answer. */
export const ANSWER_TOKENS = 4096
const MOST_ANSWER_BYTES = 1024 * 1024
const MOST_DETAIL = 200
/** A token has at least one byte, except for those that a server adds around messages. */
const FRAME_TOKENS = 1000
const BYTES_PER_TOKEN = 4

/** What a server is known to accept. */
type Dialect = { format: 'json_schema' | 'json_object' | 'none'; length: 'max_tokens' | 'max_completion_tokens'; hasTemperature: boolean }

export type AskModel = ReturnType<typeof createAskModel>

/**
 * @param operators  calls servers that the operator configured
 * @param guarded    calls all others, through the address guard
 */
export function createAskModel(clients: Record<'operators' | 'guarded', Pick<ReturnType<typeof createOperatorClient>, 'ask'>>) {
  const dialects = new Map<string, Dialect>()
  return ask

  /** Asks once; repeats the request only without an optional part that the server rejected. Never rejects. */
  async function ask(endpoint: ModelEndpoint, question: ModelQuestion): Promise<ModelAnswer> {
    const key = `${endpoint.id} ${endpoint.model}`
    for (;;) {
      const dialect = dialects.get(key) ?? { format: 'json_schema', length: 'max_tokens', hasTemperature: true }
      const { answer, promptBytes } = await send(endpoint, question, dialect)
      if (answer.kind === 'failure') return withoutUse(failureOf(answer.reason, answer.detail))
      const json = jsonOf(answer.body)
      if (answer.status === 200) return read(json, promptBytes)
      const message = messageOf(json)
      const simpler = answer.status === 400 || answer.status === 422 ? simplerDialect(dialect, message) : null
      if (simpler === null) return withoutUse(refusal(answer.status, message, answer.retryAfterMs, endpoint))
      if (dialects.size > 1000) dialects.clear()
      dialects.set(key, simpler)
    }
  }

  async function send(endpoint: ModelEndpoint, { messages, schema, signal, timeoutMs }: ModelQuestion, dialect: Dialect) {
    const format = formatOf(dialect, schema)
    const body = JSON.stringify({
      model: endpoint.model,
      messages,
      [dialect.length]: ANSWER_TOKENS,
      ...(dialect.hasTemperature && { temperature: 0 }),
      ...(format !== null && { response_format: format }),
    })
    const client = endpoint.isOperators ? clients.operators : clients.guarded
    const answer = await client.ask({
      url: `${endpoint.url}/chat/completions`,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(endpoint.apiKey !== null && { authorization: `Bearer ${endpoint.apiKey}` }),
      },
      body,
      timeoutMs,
      maxBytes: MOST_ANSWER_BYTES,
      signal,
    })
    return { answer, promptBytes: Buffer.byteLength(body) }
  }
}

function formatOf({ format }: Dialect, schema: JsonSchema): object | null {
  // Both formats need an object at the root of the schema.
  if (format === 'none' || typeof schema === 'boolean' || schema['type'] !== 'object') return null
  return format === 'json_object' ? { type: 'json_object' } : { type: 'json_schema', json_schema: { name: 'page', strict: false, schema } }
}

/** The dialect without the part that the server rejected; null when it complains about something else. */
function simplerDialect(dialect: Dialect, message: string): Dialect | null {
  if (/response_format|json_schema|json_object|schema/i.test(message) && dialect.format !== 'none')
    return { ...dialect, format: dialect.format === 'json_schema' ? 'json_object' : 'none' }
  if (/max_tokens/i.test(message) && dialect.length === 'max_tokens') return { ...dialect, length: 'max_completion_tokens' }
  return /temperature/i.test(message) && dialect.hasTemperature ? { ...dialect, hasTemperature: false } : null
}

function read(json: unknown, promptBytes: number): ModelAnswer {
  const first = listOf(own(json, 'choices'))[0]
  const message = own(first, 'message')
  const content = own(message, 'content')
  const text = typeof content === 'string' ? content : ''
  const usage = own(json, 'usage')
  const used = {
    promptTokens: tokens(own(usage, 'prompt_tokens'), promptBytes, promptBytes + FRAME_TOKENS),
    answerTokens: tokens(own(usage, 'completion_tokens'), Buffer.byteLength(text), 4 * ANSWER_TOKENS),
  }
  const fail = (detail: string): ModelAnswer => ({ kind: 'failure', fault: 'answer', detail, retryAfterMs: null, ...used })
  if (json === undefined) return fail('its answer is not JSON')
  if (first === undefined) return fail('its answer has no choices')
  const refused = own(message, 'refusal')
  if (typeof refused === 'string' && refused !== '') return fail(`it refused: ${shown(refused)}`)
  if (own(first, 'finish_reason') === 'length') return fail(`its answer was longer than ${ANSWER_TOKENS} tokens`)
  if (own(first, 'finish_reason') === 'content_filter') return fail('its content filter blocked the answer')
  if (listOf(own(message, 'tool_calls')).length > 0) return fail('it called a tool, although none was offered')
  return text.trim() === '' ? fail('its answer is empty') : { kind: 'answer', text, ...used }
}

/** The server's number of tokens if it is plausible; else an estimate. */
function tokens(stated: unknown, bytes: number, most: number): number {
  return typeof stated === 'number' && Number.isSafeInteger(stated) && stated >= 0 && stated <= most
    ? stated
    : Math.ceil(bytes / BYTES_PER_TOKEN)
}

/** Most tokens that a question can have, estimated before it is sent. */
export const estimatedTokens = (messages: readonly Message[]): number =>
  Math.ceil(messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0) / BYTES_PER_TOKEN)

function refusal(status: number, message: string, retryAfterMs: number | null, { model }: ModelEndpoint): ModelFailure {
  const said = message === '' ? '' : `: ${shown(message)}`
  if (status === 401 || status === 403)
    return { kind: 'failure', fault: 'endpoint', detail: 'it does not accept the key', retryAfterMs: null }
  if (status === 404)
    return { kind: 'failure', fault: 'endpoint', detail: `it has no model ${model}, or is not a model server`, retryAfterMs: null }
  if (status === 402) return { kind: 'failure', fault: 'endpoint', detail: 'its quota is used up', retryAfterMs: null }
  // OpenAI's code for an account without credit: waiting does not help.
  if (status === 429 && /insufficient_quota/.test(message))
    return { kind: 'failure', fault: 'endpoint', detail: 'its quota is used up', retryAfterMs: null }
  if (status >= 300 && status < 400)
    return { kind: 'failure', fault: 'endpoint', detail: `it answered HTTP ${status}, and redirects are not followed`, retryAfterMs: null }
  const isPassing = status === 408 || status === 409 || status === 429 || status >= 500
  return { kind: 'failure', fault: isPassing ? 'later' : 'answer', detail: `it answered HTTP ${status}${said}`, retryAfterMs }
}

function failureOf(reason: string, detail: string): ModelFailure {
  if (reason === 'canceled') return { kind: 'failure', fault: 'canceled', detail, retryAfterMs: null }
  if (reason === 'refused_address') return { kind: 'failure', fault: 'endpoint', detail: 'its address is not allowed', retryAfterMs: null }
  const fault = reason === 'too_large' || reason === 'bad_encoding' ? 'answer' : 'later'
  return { kind: 'failure', fault, detail: reason === 'too_large' ? 'its answer is larger than 1 MiB' : detail, retryAfterMs: null }
}

const withoutUse = (failure: ModelFailure): ModelAnswer => ({ ...failure, promptTokens: 0, answerTokens: 0 })

function messageOf(json: unknown): string {
  const error = own(json, 'error')
  const parts = [own(error, 'code'), own(error, 'param'), own(error, 'message'), own(json, 'message'), own(json, 'detail'), error]
  return parts.filter((part) => typeof part === 'string').join(' ')
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString()) as unknown
  } catch {
    return undefined
  }
}

/** The server's message on one line. */
const shown = (text: string) =>
  text
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, MOST_DETAIL)
const own = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
