/**
 * Sends a message to a URL that a user chose: webhooks. Its connection is judged by the same guard as every fetch. Redirects count as
 * answers, and only the first bytes of an answer are kept.
 */
import type { Egress } from './egress.ts'
import { readRetryAfter } from './answer-headers.ts'
import { Exchange, HEAD_BYTES } from './exchange.ts'
import type { Answer, NoAnswer } from './exchange.ts'

export type Message = {
  /** http or https; the fragment is not sent. */
  url: string
  headers: Record<string, string>
  body: Buffer
  /** Most milliseconds from the call to the end of the answer. */
  timeoutMs: number
  /** Bytes of the answer that are read; with one more the connection is closed. */
  maxBytes: number
  signal: AbortSignal
}

/** `status` null: there was no answer. `failure`: why the answer is missing or incomplete, without addresses. */
export type Posted = {
  status: number | null
  failure: string | null
  /** Names in lower case, repeated headers joined. At most `MOST_HEADERS`, cut to `MAX_HEADER`. */
  headers: Record<string, string>
  body: Uint8Array
  isCut: boolean
  retryAfterMs: number | null
  /** Our process ended the exchange, not the receiver. */
  isCanceled: boolean
}

const TICK_MS = 100
const MOST_HEADERS = 50
const MAX_HEADER = 512
/** No limit of speed: `timeoutMs` is enough. */
const SLOW_MS = 10 * 60_000

/** Sends one message at a time; never rejects for failures of the receiver. */
export function createPostMessage(egress: Pick<Egress, 'request'>) {
  return async ({ body, headers, maxBytes, signal, timeoutMs, url: text }: Message): Promise<Posted> => {
    const url = URL.parse(text)
    if (url === null) return { ...NOTHING, failure: 'not a URL' }
    const { promise, resolve } = Promise.withResolvers<Answer | NoAnswer>()
    let seen: Record<string, string> = {}
    const deadline = performance.now() + timeoutMs
    const running = new Exchange({
      limits: { firstByteMs: timeoutMs, idleMs: timeoutMs, leastBytesPerSecond: 0, slowMs: SLOW_MS },
      maxBytes,
      wireBytes: maxBytes + HEAD_BYTES,
      overflow: 'cut',
      skipBody: undefined,
      onHead: (raw) => {
        seen = namesAndValues(raw)
      },
      settle: resolve,
    })
    const timer = setInterval(() => {
      if (signal.aborted) running.fail('canceled', 'canceled')
      else if (performance.now() >= deadline) running.expire()
    }, TICK_MS)
    // A new connection: on a reused one, a reset would not tell whether the message has arrived.
    egress.request(
      url.origin,
      { path: url.pathname + url.search, method: 'POST', headers: Object.entries(headers).flat(), body, reset: true },
      running,
    )
    const answer = await promise.finally(() => clearInterval(timer))
    if (answer.kind === 'failure')
      return {
        ...NOTHING,
        status: answer.status ?? null,
        failure: answer.detail,
        headers: seen,
        body: answer.partial?.bytes ?? NOTHING.body,
        isCut: answer.status !== undefined,
        isCanceled: answer.reason === 'canceled',
      }
    const { date, retryAfter } = answer.headers
    return {
      status: answer.status,
      failure: null,
      headers: seen,
      body: answer.body,
      isCut: answer.truncated,
      retryAfterMs: retryAfter === null ? null : readRetryAfter(retryAfter, Date.now(), date),
      isCanceled: false,
    }
  }
}

export type PostMessage = ReturnType<typeof createPostMessage>

const NOTHING: Posted = {
  status: null,
  failure: null,
  headers: {},
  body: new Uint8Array(0),
  isCut: false,
  retryAfterMs: null,
  isCanceled: false,
}

function namesAndValues(raw: readonly Buffer[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!.toString('latin1').toLowerCase().slice(0, MAX_HEADER)
    const value = raw[i + 1]!.toString('latin1').slice(0, MAX_HEADER)
    const before = headers.get(name)
    if (before !== undefined) headers.set(name, `${before}, ${value}`.slice(0, MAX_HEADER))
    else if (headers.size < MOST_HEADERS) headers.set(name, value)
  }
  return Object.fromEntries(headers)
}
