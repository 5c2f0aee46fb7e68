/**
 * Fetches for a task: each request, redirect hop and retry waits for its turn at its host, in line with the crawls of this engine. Follows
 * redirects from host to host itself.
 */
import { canonicalUrlWithTracking, hostKey } from '#backend/crawler/url/canonical-url.ts'
import { DecodeFault, decodeStream } from '#backend/crawler/fetch/decode-stream.ts'
import type { BodySink, FailureReason, Fetched, FetchFailure, FetchOutcome, Fetcher } from '#backend/crawler/fetch/fetcher.ts'
import type { Proxy } from '#backend/crawler/fetch/proxy.ts'
import type { Trail } from '#backend/crawler/fetch/trail.ts'
import type { Host, Hosts } from '#backend/crawler/frontier/hosts.ts'
import { pause } from '#backend/crawler/engine/pause.ts'
import { retryPolicy, retryReasonOf, signalOf } from '#backend/crawler/frontier/politeness.ts'
import type { HostSignal } from '#backend/crawler/frontier/politeness.ts'
import type { TaskRequest } from './task.ts'

const TIMEOUT_MS = 20_000
const MOST_HOPS = 10

/** A turn at a host: one request may be sent now; `release` ends it with what its answer says about the host. */
export type Place = { release(signal: HostSignal | null): void }

type Needs = {
  /** The task's own headers by host key. */
  headersFor: (hostKey: string) => Record<string, string>
  fetcher: Fetcher
  hosts: Hosts
  maxPageBytes: number
  proxy: Proxy | null
  random: () => number
  /** Aborts with the task. */
  signal: AbortSignal
  /** Waits for a turn at a host; null when the signal aborted first. */
  turnAt: (host: Host, signal: AbortSignal) => Promise<Place | null>
}

/** The state of a request over its hops and tries. */
type Way = { signal: AbortSignal; hops: string[]; startedAt: number; hasBegun: boolean; fault: { cause: unknown } | null }

export function createTaskFetch(needs: Needs) {
  const { fetcher, headersFor, hosts, maxPageBytes, proxy, random, turnAt } = needs
  return fetch

  async function fetch(request: TaskRequest): Promise<FetchOutcome> {
    const signal = request.signal === undefined ? needs.signal : AbortSignal.any([needs.signal, request.signal])
    const most = request.tries ?? 1
    for (let tries = 1; ; tries += 1) {
      const way: Way = { signal, hops: [], startedAt: performance.now(), hasBegun: false, fault: null }
      const outcome = await follow(request, way)
      if (way.fault !== null) throw way.fault.cause
      const reason = outcome.kind === 'failure' ? outcome.reason : outcome.kind === 'fetched' ? retryReasonOf(outcome.status) : null
      if (reason === null || tries >= most || way.hasBegun || signal.aborted) return outcome
      const retryAfterMs = outcome.kind === 'fetched' ? outcome.headers.retryAfterMs : null
      const next = retryPolicy(reason, tries, retryAfterMs, random())
      if ('giveUp' in next) return outcome
      await pause(next.retryInMs, signal)
    }
  }

  /** One try, with all its hops. */
  async function follow(request: TaskRequest, way: Way): Promise<FetchOutcome> {
    let url = canonicalUrlWithTracking(request.url)
    if (url === null) return failure(way, 'protocol', 'not an http(s) URL')
    const home = hostKey(url)
    let trail: Trail | undefined
    for (;;) {
      const outcome = await ask({ url, trail }, hostKey(url) === home ? (request.headers ?? {}) : {}, request, way)
      if (outcome.kind !== 'redirected') return { ...outcome, ...('hops' in outcome ? { hops: [...way.hops, ...outcome.hops] } : {}) }
      way.hops.push(...outcome.hops)
      if (request.follows?.(outcome.to) === false) return { ...outcome, hops: way.hops }
      if (way.hops.length > MOST_HOPS) return failure(way, 'redirect_limit', `more than ${MOST_HOPS} redirects`)
      url = outcome.to
      trail = outcome.trail
    }
  }

  /** One request to one host. */
  async function ask(
    { trail, url }: { url: string; trail: Trail | undefined },
    headers: Record<string, string>,
    request: TaskRequest,
    way: Way,
  ): Promise<FetchOutcome> {
    const host = hosts.get(hostKey(url))
    const place = await turnAt(host, way.signal)
    if (place === null) return failure(way, 'canceled', 'canceled')
    const maxBytes = request.maxBytes ?? maxPageBytes
    const overflow = request.overflow ?? 'fail'
    const body = createBody(request, { maxBytes, overflow }, way)
    let outcome: FetchOutcome | null = null
    try {
      outcome = await fetcher.fetch({
        url,
        headers: { ...headersFor(hostKey(url)), ...headers },
        timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
        maxBytes,
        overflow,
        proxy,
        signal: way.signal,
        stream: body.stream,
        trail,
        beforeHop: async () => ((await hosts.hop(host, way.signal)) ? 'go' : 'canceled'),
      })
    } finally {
      place.release(outcome === null ? null : signalOf(outcome))
    }
    return body.finish(outcome)
  }
}

/** Decodes a body while it arrives, and passes its pieces to the caller or collects them. */
function createBody(request: TaskRequest, { maxBytes, overflow }: { maxBytes: number; overflow: 'fail' | 'cut' }, way: Way) {
  const kept: Uint8Array[] = []
  let decoder: ReturnType<typeof decodeStream> | null = null
  let fault: DecodeFault | null = null
  let isCut = false
  return { stream, finish }

  function stream(head: { url: string; status: number; contentType: string | null; contentEncoding: string }): BodySink {
    const { onChunk } = request
    const { contentEncoding, ...ofAnswer } = head
    const isWanted = onChunk !== undefined && head.status >= 200 && head.status < 300
    const take = isWanted ? handOn : (piece: Uint8Array) => void kept.push(new Uint8Array(piece))
    void guard(() => {
      decoder = decodeStream({ contentEncoding, maxBytes, overflow, take, unpacksGzip: request.unpacksGzip === true })
    })
    return async (piece) => {
      if (decoder === null || (await guard(() => decoder!.write(piece))) === 'enough') {
        isCut = true
        return 'enough'
      }
      return undefined
    }

    function handOn(piece: Uint8Array) {
      way.hasBegun = true
      return onChunk!(piece, ofAnswer)
    }
  }

  /** Keeps an error of the decoder or the caller, which ends the body. */
  function guard<T>(work: () => Promise<T> | T): Promise<T | 'enough'> | T | 'enough' {
    const end = (thrown: unknown): 'enough' => {
      if (thrown instanceof DecodeFault) fault = thrown
      else way.fault ??= { cause: thrown }
      return 'enough'
    }
    try {
      const result = work()
      return result instanceof Promise ? result.catch(end) : result
    } catch (thrown) {
      return end(thrown)
    }
  }

  async function finish(outcome: FetchOutcome): Promise<FetchOutcome> {
    if (outcome.kind !== 'fetched' || isCut || outcome.truncated) decoder?.destroy()
    if (outcome.kind === 'fetched' && !isCut && !outcome.truncated && (await guard(() => decoder?.end())) === 'enough') isCut = true
    if (outcome.kind !== 'fetched') return outcome
    if (fault !== null) return failure(way, fault.reason, fault.message, outcome.status)
    const headers: Fetched['headers'] = { ...outcome.headers, contentEncoding: '' }
    return { ...outcome, headers, body: joined(kept), truncated: outcome.truncated || isCut }
  }
}

const failure = (way: Way, reason: FailureReason, detail: string, status?: number): FetchFailure => ({
  kind: 'failure',
  reason,
  detail,
  ...(status === undefined ? {} : { status }),
  tookMs: performance.now() - way.startedAt,
})

function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
