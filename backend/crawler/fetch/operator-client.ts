/**
 * Calls servers that the operator configured: search providers, identity providers, model endpoints.
 *
 * Their URLs come from options, so they may be in the operator's own network. For that very reason only the given origins are called, never
 * one that an answer redirects to: a redirect counts as the answer.
 */
import { decodeBody } from './decode-body.ts'
import { createEgress } from './egress.ts'
import { Exchange, HEAD_BYTES } from './exchange.ts'
import type { Answer, NoAnswer } from './exchange.ts'
import type { FailureReason } from './fetcher.ts'
import { readRetryAfter } from './answer-headers.ts'

export type OperatorRequest = {
  /** Must be below one of the client's origins. */
  url: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Most milliseconds from the call to the end of the answer. */
  timeoutMs: number
  /** Most bytes of the answer, on the wire and again when decoded. */
  maxBytes: number
  signal?: AbortSignal
}

export type OperatorAnswer =
  | { kind: 'answer'; status: number; contentType: string | null; body: Uint8Array; retryAfterMs: number | null }
  /** `detail` contains no URL and no part of the request, so it may be shown. */
  | { kind: 'failure'; reason: FailureReason; detail: string }

const EVERYWHERE = '0.0.0.0/0,[::]/0'
const TICK_MS = 100
const CONNECT_MS = 5000
/** No limit of speed for the operator's servers: `timeoutMs` is enough. */
const SLOW_MS = 10 * 60_000

export type OperatorClient = ReturnType<typeof createOperatorClient>

/**
 * @param authorities  PEM certificates trusted besides the usual ones
 * @param door         for servers that teams configured instead: any URL, checked by the address guard
 * @param origins      URLs of the servers; their paths are ignored
 * @param userAgent    sent with every request
 */
export function createOperatorClient({
  authorities,
  door = null,
  origins,
  userAgent,
}: {
  authorities?: string[]
  door?: { allow: string; resolver: string | null } | null
  origins: readonly string[]
  userAgent: string
}) {
  const known = door === null ? new Set(origins.map((address) => new URL(address).origin)) : null
  const egress = createEgress({
    ...(door ?? { allow: EVERYWHERE, resolver: null }),
    ...(authorities && { authorities }),
    connectTimeoutMs: CONNECT_MS,
    userAgent,
  })
  return { ask, close: () => egress.close() }

  /** Sends one request. Never rejects for failures of the server. */
  async function ask(request: OperatorRequest): Promise<OperatorAnswer> {
    const { maxBytes, signal } = request
    const url = URL.parse(request.url)
    if (url === null || known?.has(url.origin) === false)
      return { kind: 'failure', reason: 'refused_address', detail: 'not a configured address' }
    if (signal?.aborted) return { kind: 'failure', reason: 'canceled', detail: 'canceled' }
    const answer = await exchange(url, request)
    if (answer.kind === 'failure') return { kind: 'failure', reason: answer.reason, detail: answer.detail }
    const { headers, status } = answer
    const decoded = decodeBody(answer.body, headers.contentEncoding, maxBytes)
    if ('failure' in decoded) return { kind: 'failure', reason: decoded.failure, detail: decoded.detail }
    const retryAfterMs = headers.retryAfter === null ? null : readRetryAfter(headers.retryAfter, Date.now(), headers.date)
    return { kind: 'answer', status, contentType: headers.contentType, body: decoded.bytes, retryAfterMs }
  }

  function exchange(
    url: URL,
    { body, headers = {}, maxBytes, method = 'GET', signal, timeoutMs }: OperatorRequest,
  ): Promise<Answer | NoAnswer> {
    const { promise, resolve } = Promise.withResolvers<Answer | NoAnswer>()
    const deadline = performance.now() + timeoutMs
    const running = new Exchange({
      limits: { firstByteMs: timeoutMs, idleMs: timeoutMs, leastBytesPerSecond: 0, slowMs: SLOW_MS },
      maxBytes,
      wireBytes: maxBytes + HEAD_BYTES,
      overflow: 'fail',
      skipBody: undefined,
      stream: undefined,
      settle: resolve,
    })
    const timer = setInterval(() => {
      if (signal?.aborted) running.fail('canceled', 'canceled')
      else if (performance.now() >= deadline) running.fail('timeout', 'no answer in time')
    }, TICK_MS)
    const sent = { 'user-agent': userAgent, accept: 'application/json', 'accept-encoding': 'gzip', ...credentials(url), ...headers }
    egress.request(
      url.origin,
      { path: url.pathname + url.search, method, headers: Object.entries(sent).flat(), body: body ?? null },
      running,
    )
    return promise.finally(() => clearInterval(timer))
  }
}

/** User and password of a URL, for servers behind Basic authentication (RFC 7617). */
function credentials({ username, password }: URL): { authorization?: string } {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}
