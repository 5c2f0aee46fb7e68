/** The interface of identity providers, and the client that asks them. */
import { AppError } from '#backend/errors.ts'

/** A user's identity, from a provider that has verified the address. */
export type Person = { email: string; firstName: string; lastName: string }

/** What a provider gave to the page: a code or token. From an OpenID provider also its `issuer`, and the ticket of the start. */
export type Grant = { token: string; issuer?: string | undefined; ticket?: string | undefined }

/**
 * Returns the person of a grant that was issued for us; null for any other. Throws `provider_unavailable` when the provider cannot be
 * reached.
 */
export type Provider = (grant: Grant) => Promise<Person | null>

/** Sends a request to a configured URL; redirects are not followed. */
export type Ask = (request: {
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  maxBytes: number
}) => Promise<
  { kind: 'answer'; status: number; contentType: string | null; body: Uint8Array } | { kind: 'failure'; reason: string; detail: string }
>

export type AskJson = (request: {
  url: string
  bearer?: string
  /** Sent as a form. */
  form?: Record<string, string>
}) => Promise<unknown>

const TIMEOUT_MS = 10_000
const MAX_BYTES = 256 * 1024

/** Requests JSON. Null when the provider refuses; throws `provider_unavailable` when it fails. */
export function askJson(ask: Ask): AskJson {
  return async ({ bearer, form, url }) => {
    const reply = await ask({
      url,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      headers: {
        accept: 'application/json',
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { method: 'POST' as const, body: new URLSearchParams(form).toString() }),
    })
    const answer = answerOf(reply)
    if (answer.status !== 200) return null
    try {
      return JSON.parse(Buffer.from(answer.body).toString('utf8')) as unknown
    } catch (cause) {
      throw new AppError('provider_unavailable', { cause })
    }
  }
}

type Reply = Awaited<ReturnType<Ask>>

/** The answer of a provider. Throws `provider_unavailable` when it could not be reached, or is busy or broken by its status. */
export function answerOf(reply: Reply): Extract<Reply, { kind: 'answer' }> {
  if (reply.kind === 'failure') throw new AppError('provider_unavailable', { cause: new Error(`${reply.reason}: ${reply.detail}`) })
  if (reply.status === 429 || reply.status >= 500)
    throw new AppError('provider_unavailable', { cause: new Error(`the provider answered ${reply.status}`) })
  return reply
}

/** Reads a property of untrusted data; undefined when there is none. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined

export const textField = (value: unknown, name: string): string => {
  const text = field(value, name)
  return typeof text === 'string' ? text.trim() : ''
}
