/**
 * Calls to the servers that the operator named: search providers, identity providers, model endpoints.
 *
 * Their addresses come from options, so they may stand anywhere, also in the operator's own network; and for that very reason nothing
 * else is asked here: only the origins that were handed over, never one that an answer points to. A redirect is an answer like others.
 */
import { decodeBody } from './decode-body.ts'
import { createEgress } from './egress.ts'
import { Exchange, HEAD_BYTES } from './exchange.ts'
import type { Answer, NoAnswer } from './exchange.ts'
import type { FailureReason } from './fetcher.ts'
import { readRetryAfter } from './answer-headers.ts'

export type OperatorRequest = {
  /** Below one of the client's origins. */
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
  /** `detail` names no address and no part of the request: it may be shown. */
  | { kind: 'failure'; reason: FailureReason; detail: string }

const EVERYWHERE = '0.0.0.0/0,[::]/0'
const TICK_MS = 100
const CONNECT_MS = 5000
/** A server of the operator's is given its whole time: what bounds it is `timeoutMs`. */
const SLOW_MS = 10 * 60_000

export type OperatorClient = ReturnType<typeof createOperatorClient>

/**
 * @param authorities  PEM certificates trusted besides the usual ones
 * @param door         for servers that teams named instead: any of them, through the address door
 * @param origins      addresses of the servers; what stands behind the host does not matter
 * @param userAgent    how we name ourselves
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

  /** Asks once. Never rejects for what the server does. */
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
    const retryAfterMs = headers.retryAfter === null ? null : readRetryAfter(headers.retryAfter, Date.now())
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

/** User and password of an address, for servers behind a door of their own (RFC 7617). */
function credentials({ username, password }: URL): { authorization?: string } {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}
