/** Shared code of the web search providers: a call that returns JSON or an error text for people, and functions to read its fields. */
import type { OperatorClient } from '#backend/crawler/fetch/operator-client.ts'
import type { ProviderPage } from './index.ts'

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type Answered = { kind: 'json'; json: Json } | Extract<ProviderPage, { kind: 'failure' }>

export type AskProvider = (
  url: URL,
  options: {
    headers?: Record<string, string>
    signal: AbortSignal
    /** Texts for statuses that have a special meaning at this provider. */
    statuses?: Record<number, string>
  },
) => Promise<Answered>

const TIMEOUT_MS = 12_000
const MAX_BYTES = 4 * 1024 * 1024

/** Texts for statuses that mean the same at all providers. */
const STATUSES: Record<number, string> = {
  401: 'it does not accept the key',
  403: 'it refuses the request',
  404: 'there is no search at the configured address',
  429: 'it has had too many requests',
}

/** Texts for reasons why a call fails. */
const REASONS: Partial<Record<string, string>> = {
  bad_encoding: 'its answer cannot be read',
  connect: 'it cannot be reached',
  dns: 'its name cannot be resolved',
  timeout: 'it did not answer in time',
  tls: 'its certificate is not accepted',
  too_large: 'its answer is too large',
}

/** @param timeoutMs  time limit of one call */
export function createAskProvider({ client, timeoutMs = TIMEOUT_MS }: { client: OperatorClient; timeoutMs?: number }): AskProvider {
  return async (url, { headers = {}, signal, statuses = {} }) => {
    const answer = await client.ask({ url: url.href, headers, signal, timeoutMs, maxBytes: MAX_BYTES })
    if (answer.kind === 'failure') return failure(textOfReason(answer.reason))
    const { body, status } = answer
    if (status < 200 || status > 299) return failure(textOfStatus(status, statuses))
    const json = parse(body)
    return json === undefined ? failure('its answer is not JSON') : { kind: 'json', json }
  }
}

export const failure = (detail: string) => ({ kind: 'failure', detail }) as const

/** Why a call had no answer, as a text for people. */
export const textOfReason = (reason: string): string => REASONS[reason] ?? 'the connection broke'

/** What a status that is no success means, as a text for people. */
export function textOfStatus(status: number, statuses: Record<number, string>): string {
  return `${statuses[status] ?? STATUSES[status] ?? usualText(status)} (status ${status})`
}

function usualText(status: number): string {
  if (status >= 300 && status < 400) return 'it redirects, which is not followed'
  return status >= 500 ? 'it is out of order' : 'it does not take the request'
}

function parse(body: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as Json
  } catch {
    // Not an answer of the API: a page of a proxy, or an incomplete answer.
    return undefined
  }
}

/** A field of an object; null when there is none. */
export const field = (json: Json | undefined, name: string): Json =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json[name] ?? null) : null

export const listOf = (json: Json): Json[] => (Array.isArray(json) ? json : [])

export const textOf = (json: Json): string => (typeof json === 'string' ? json : '')
