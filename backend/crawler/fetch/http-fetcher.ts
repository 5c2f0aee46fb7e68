/**
 * The Fetcher over plain HTTP: redirects inside a host by hand, bounds in time and size, cookies for each chain of redirects.
 *
 * Per request it makes one handler and one promise; no stream, no timer, no listener. One slow tick checks the
 * deadlines and the cancel signals of all exchanges in progress.
 */
import { canonicalUrl, canonicalUrlWithTracking, hostKey } from '#backend/crawler/url/canonical-url.ts'
import { tryUnpacking } from './decode-stream.ts'
import type { Egress } from './egress.ts'
import { isRedirect, readRetryAfter } from './answer-headers.ts'
import type { BodyMemory } from '#backend/crawler/engine/byte-budget.ts'
import type { AnswerHeaders } from './answer-headers.ts'
import { Exchange, HEAD_BYTES } from './exchange.ts'
import type { Answer, ExchangeLimits, NoAnswer } from './exchange.ts'
import type { FetchFailure, FetchOutcome, FetchRequest, Fetched, Fetcher, FailureReason, Redirected } from './fetcher.ts'
import { Trail } from './trail.ts'
import { isWholeBody } from './whole-body.ts'

const TICK_MS = 100
const MAX_HOPS = 10
const LOOP = 'redirected to where it came from'
/** RFC 9110, 15.5.8: only proxies send it. */
const PROXY_CREDENTIALS = 407

const DEFAULT_LIMITS: ExchangeLimits = { firstByteMs: 20_000, idleMs: 15_000, leastBytesPerSecond: 1024, slowMs: 10_000 }

const OUR_HEADERS: [name: string, value: string][] = [
  ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5'],
  ['accept-encoding', 'gzip, deflate, br'],
]

/** Headers of the connection, which a page's options cannot set. */
const NOT_SETTABLE = new Set(
  'connection content-length expect host http2-settings keep-alive proxy-authorization proxy-connection te trailer transfer-encoding upgrade accept-encoding'.split(
    ' ',
  ),
)

/** The memory for bodies; a body that exceeds the free room waits. */
type Memory = { open(share: string): BodyMemory }

type InProgress = { exchange: Exchange; deadline: number; signal: AbortSignal; isLate: FetchRequest['isLate'] }

export function httpFetcher({
  egress,
  limits: changes,
  memory,
}: {
  egress: Egress
  limits?: Partial<ExchangeLimits>
  memory?: Memory
}): Fetcher {
  const limits = { ...DEFAULT_LIMITS, ...changes }
  const inProgress = new Map<Exchange, InProgress>()
  const plainHeaders = ['user-agent', egress.userAgent, ...OUR_HEADERS.flat()]
  let ticker: NodeJS.Timeout | undefined
  let isClosed = false
  return { close, fetch }

  async function fetch(request: FetchRequest): Promise<FetchOutcome> {
    const startedAt = performance.now()
    const failure = (reason: FailureReason, detail: string, more?: { status?: number; retryAfterMs?: number | null }): FetchFailure => ({
      kind: 'failure',
      reason,
      detail,
      ...more,
      tookMs: performance.now() - startedAt,
    })
    let url = canonicalUrlWithTracking(request.url)
    if (url === null) return failure('protocol', 'not an http(s) URL')
    const home = hostKey(url)
    const extra = settable(request.headers)
    const hops: string[] = []
    let trail = request.trail && new Trail(request.trail)
    let deadline = startedAt + request.timeoutMs
    let cookie = trail?.cookieFor(url) ?? ''
    let mayRetry = true
    const asksRange = extra !== null && extra.some(([name]) => name === 'range')
    /** All hops share one limit, so that a chain of redirects costs no more bandwidth than a page. */
    let wireLeft = request.maxBytes + HEAD_BYTES
    for (;;) {
      if (isClosed || request.signal.aborted) return failure('canceled', 'canceled')
      const answer: Answer | NoAnswer = await whole(
        await exchangeOnce(url, headersFor(extra, cookie), request, { asksRange, deadline, wireLeft }),
        request.maxBytes,
      )
      if (answer.kind === 'failure') {
        if (answer.isStale === true && mayRetry) {
          mayRetry = false
          continue
        }
        if (answer.partial !== undefined && (await isBomb(answer.partial, request.maxBytes)))
          return failure('too_large', `more than ${request.maxBytes} bytes after decoding`, { status: answer.status! })
        // Behind a proxy, a connection that the target broke looks like one that the proxy broke.
        const reason = request.proxy && answer.reason === 'reset' ? 'proxy' : answer.reason
        return failure(reason, answer.detail, answer.status === undefined ? undefined : { status: answer.status })
      }
      const { headers, status } = answer
      wireLeft -= answer.wireBytes
      if (request.proxy && status === PROXY_CREDENTIALS) return failure('proxy', 'proxy: it wants other credentials (HTTP 407)')
      if (!isRedirect(status) || headers.location === null)
        return present(answer, hops.length === 0 ? url : (canonicalUrl(url) ?? url), hops, startedAt)

      if (typeof headers.location !== 'string' || headers.location === '') return failure('bad_redirect', 'no usable Location', { status })
      const target = canonicalUrlWithTracking(headers.location, url)
      if (target === null) return failure('bad_redirect', 'Location is not an http(s) URL', { status })
      hops.push(url)
      trail ??= new Trail()
      trail.note(url, cookie, headers.setCookies)
      if (hostKey(target) !== home) {
        const to = canonicalUrl(target) ?? target
        if (trail.hasLooped(to)) return failure('redirect_loop', LOOP, { status })
        return redirectedTo(to, status, hops, startedAt, trail)
      }
      if (hops.length > MAX_HOPS) return failure('redirect_limit', `more than ${MAX_HOPS} redirects`, { status })
      if (trail.hasLooped(target)) return failure('redirect_loop', LOOP, { status })
      cookie = trail.cookieFor(target)
      if (request.beforeHop !== undefined) {
        const waitedFrom = performance.now()
        const verdict = await request.beforeHop(target)
        if (verdict === 'redirected') return redirectedTo(canonicalUrl(target) ?? target, status, hops, startedAt, trail)
        if (verdict !== 'go') return failure(verdict, 'not allowed to follow the redirect', { status })
        deadline += performance.now() - waitedFrom
      }
      url = target
      mayRetry = true
    }
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const { exchange } of inProgress.values()) exchange.fail('canceled', 'closed')
    clearInterval(ticker)
  }

  function exchangeOnce(
    url: string,
    headers: string[],
    request: FetchRequest,
    { asksRange, deadline, wireLeft }: { asksRange: boolean; deadline: number; wireLeft: number },
  ): Promise<Answer | NoAnswer> {
    return new Promise((resolve) => {
      const exchange = new Exchange({
        limits,
        maxBytes: request.maxBytes,
        wireBytes: wireLeft,
        asksRange,
        overflow: request.overflow ?? 'fail',
        skipBody: request.skipBody,
        memory: memory?.open(request.share ?? ''),
        stream: request.stream && ((head) => request.stream!({ url, ...head })),
        settle: (result, ended) => {
          inProgress.delete(ended)
          resolve(result)
        },
      })
      inProgress.set(exchange, { exchange, deadline, signal: request.signal, isLate: request.isLate })
      ticker ??= setInterval(tick, TICK_MS)
      egress.send(url, headers, request.proxy ?? null, exchange)
    })
  }

  /** The single timer of all exchanges; it stops when there are none. */
  function tick(): void {
    const now = performance.now()
    for (const { exchange, deadline, isLate, signal } of inProgress.values()) {
      if (signal.aborted) exchange.fail('canceled', 'canceled')
      else if (now >= deadline + exchange.heldUpMs(now)) exchange.expire()
      else if (isLate?.(exchange.silentMs(now)) === true) exchange.fail('timeout', 'no answer while other requests waited for its slot')
      else exchange.judgeTime(now)
    }
    if (inProgress.size === 0) {
      clearInterval(ticker)
      ticker = undefined
    }
  }

  function headersFor(extra: [string, string][] | null, cookie: string): string[] {
    if (extra === null && cookie === '') return plainHeaders
    const headers = new Map<string, string>([['user-agent', egress.userAgent], ...OUR_HEADERS, ...(extra ?? [])])
    if (cookie !== '') headers.set('cookie', [headers.get('cookie'), cookie].filter(Boolean).join('; '))
    return [...headers].flat()
  }
}

/** The answer of a server that closed the connection too early by its own framing, if the body is whole all the same. */
async function whole(answer: Answer | NoAnswer, maxBytes: number): Promise<Answer | NoAnswer> {
  if (answer.kind === 'answer' || answer.closed === undefined) return answer
  const { body, headers } = answer.closed
  return (await isWholeBody(body, headers, maxBytes)) ? answer.closed : answer
}

/** Whether the beginning of a body that came too slowly decodes to more than a page may have. If not, it is a slow page. */
async function isBomb({ bytes, contentEncoding }: NonNullable<NoAnswer['partial']>, maxBytes: number): Promise<boolean> {
  return (await tryUnpacking(bytes, contentEncoding, maxBytes)) === 'beyond'
}

function settable(headers: Record<string, string>): [string, string][] | null {
  const pairs: [string, string][] = []
  for (const name in headers) {
    const lower = name.toLowerCase()
    if (!NOT_SETTABLE.has(lower)) pairs.push([lower, headers[name]!])
  }
  return pairs.length === 0 ? null : pairs
}

function present({ body, firstByteMs, headers, status, truncated }: Answer, url: string, hops: string[], startedAt: number): Fetched {
  return {
    kind: 'fetched',
    url,
    status,
    headers: {
      contentType: headers.contentType,
      contentEncoding: headers.contentEncoding,
      retryAfterMs: headers.retryAfter === null ? null : readRetryAfter(headers.retryAfter, Date.now(), headers.date),
      cacheControl: headers.cacheControl,
      ...(headers.etag !== null && { etag: headers.etag }),
      ...(headers.lastModified !== null && { lastModified: headers.lastModified }),
      ...(headers.link !== null && { link: headers.link }),
      ...(headers.refresh !== null && { refresh: headers.refresh }),
      ...(headers.robotsTag !== null && { robotsTag: headers.robotsTag }),
      ...locationOf(headers),
    },
    body,
    truncated,
    hops,
    firstByteMs,
    tookMs: performance.now() - startedAt,
  }
}

function redirectedTo(to: string, status: number, hops: string[], startedAt: number, trail: Trail): Redirected {
  return { kind: 'redirected', to, status, hops, tookMs: performance.now() - startedAt, trail }
}

function locationOf({ location }: AnswerHeaders): { location?: string } {
  return typeof location === 'string' ? { location } : {}
}
