/**
 * How hard a host may be asked, and what follows from a failure. All of it plain rules over records: the clock and the dice are
 * arguments, and the owner of the host keeps the record.
 *
 * A healthy host gets the full width at once without a pause; a slowing one is thinned out before it fails; one that says
 * "too much" is left alone for as long as it asks.
 */
import type { FailureReason, FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'

// ---- retries

/** How a URL ends. Every settled or listed URL has exactly one. */
export type Outcome =
  | 'kept'
  | 'duplicate'
  | 'redirected'
  | 'out_of_scope'
  | 'robots'
  | 'robots_unreachable'
  | 'status'
  | 'dns'
  | 'connect'
  | 'timeout'
  | 'tls'
  | 'reset'
  | 'refused_address'
  | 'too_large'
  | 'bad_encoding'
  | 'protocol'
  | 'bad_redirect'
  | 'unsupported_type'
  | 'redirect_limit'
  | 'redirect_loop'
  | 'unparsable'
  | 'render_failed'
  | 'proxy'
  | 'host_dead'
  | 'host_busy'
  | 'retry_after_too_long'
  | `trap:${string}`
  | 'depth'
  | 'limit'
  | 'canceled'
  | 'internal'

/**
 * What a fetch came to, as far as trying again is concerned: a reason of the fetcher, or the kind of a status that is no page.
 * `silent` is a timeout of a URL whose host answers other URLs.
 */
export type RetryReason =
  FailureReason | 'render_failed' | 'silent' | 'status_busy' | 'status_fault' | 'status' | 'unparsable' | 'origin_refuses' | 'origin_silent'

/** The kind of an HTTP status; null for those that bring a page (2xx) or need no second try because they say nothing is wrong. */
export function retryReasonOf(status: number): 'status_busy' | 'status_fault' | 'status' | null {
  if (status === 429 || status === 503) return 'status_busy'
  if (status === 408 || status === 500 || status === 502 || status === 504 || (status >= 520 && status <= 530)) return 'status_fault'
  return status >= 400 || status < 200 ? 'status' : null
}

type Policy = {
  /** Tries in all, the first one included. */
  tries: number
  /** Milliseconds before the second, third … try. */
  waitsMs: number[]
  /** Whose record a failure goes on: faults of hosts thin the host out. */
  blame: 'host' | 'url' | 'nobody'
  outcome: Outcome
}

const once = (outcome: Outcome): Policy => ({ tries: 1, waitsMs: [], blame: 'url', outcome })
const hostFault = (outcome: Outcome): Policy => ({ tries: 3, waitsMs: [2000, 8000], blame: 'host', outcome })

const POLICY: Record<RetryReason, Policy> = {
  connect: hostFault('connect'),
  reset: hostFault('reset'),
  timeout: hostFault('timeout'),
  // Its first try ended early when others waited for the place; the second one has all the time of a fetch.
  silent: { tries: 2, waitsMs: [2000], blame: 'url', outcome: 'timeout' },
  // What other runs think of the host stays as it is.
  proxy: hostFault('proxy'),
  // Not even its robots file was answered: once more is enough to tell a moment from a state.
  origin_refuses: { tries: 2, waitsMs: [2000], blame: 'host', outcome: 'connect' },
  origin_silent: { tries: 2, waitsMs: [2000], blame: 'host', outcome: 'timeout' },
  // The host says so, not the page: who asks for fewer requests still gets each of its pages asked for.
  status_busy: { tries: 6, waitsMs: [2000, 8000], blame: 'host', outcome: 'status' },
  status_fault: { tries: 3, waitsMs: [4000, 16_000], blame: 'url', outcome: 'status' },
  robots_unreachable: { tries: 2, waitsMs: [60_000], blame: 'nobody', outcome: 'robots_unreachable' },
  unparsable: { tries: 2, waitsMs: [0], blame: 'url', outcome: 'unparsable' },
  // A page whose browser dies has been tried twice by then.
  render_failed: once('render_failed'),
  status: once('status'),
  dns: once('dns'),
  tls: once('tls'),
  refused_address: once('refused_address'),
  too_large: once('too_large'),
  bad_encoding: once('bad_encoding'),
  protocol: once('protocol'),
  redirect_limit: once('redirect_limit'),
  redirect_loop: once('redirect_loop'),
  bad_redirect: once('bad_redirect'),
  robots: once('robots'),
  canceled: { tries: 1, waitsMs: [], blame: 'nobody', outcome: 'canceled' },
}

/** Longest `Retry-After` that is waited for. */
export const MAX_RETRY_AFTER_MS = 120_000

/**
 * Whether a URL is tried again, and when.
 *
 * @param tries         attempts made so far, the failed one included
 * @param retryAfterMs  what the answer asked for; it wins over our own wait, and ends the URL when it is too long
 * @param random        a number from 0 up to 1: waits are spread by 30 % either way
 */
export function retryPolicy(
  reason: RetryReason,
  tries: number,
  retryAfterMs: number | null,
  random: number,
): { retryInMs: number } | { giveUp: Outcome } {
  const policy = POLICY[reason]
  if (tries >= policy.tries) return { giveUp: policy.outcome }
  if (reason === 'status_busy' && retryAfterMs !== null) {
    return retryAfterMs > MAX_RETRY_AFTER_MS ? { giveUp: 'retry_after_too_long' } : { retryInMs: retryAfterMs }
  }
  // Until the robots file is asked for again, and no longer than a minute.
  if (reason === 'robots_unreachable' && retryAfterMs !== null) return { retryInMs: Math.min(retryAfterMs, policy.waitsMs[0]!) }
  const waitMs = policy.waitsMs[tries - 1] ?? policy.waitsMs.at(-1) ?? 0
  return { retryInMs: Math.round(waitMs * (0.7 + 0.6 * random)) }
}

/** Whose fault a failure counts as. */
export function blameFor(reason: RetryReason): 'host' | 'url' | 'nobody' {
  return POLICY[reason].blame
}

// ---- evidence that a host is dead

/**
 * Different URLs in a row without an answer that make a host suspect in a run. It is then left alone but for probes of its robots file.
 * Doubled, up to 16 times, whenever a probe is answered and the URLs after it are not: then it is the URLs that are silent.
 */
export const SUSPECT_AFTER = 5
export const MOST_SUSPECT_AFTER = 80
/** Milliseconds between one probe of a suspect host and the next; the first one comes at once. */
const PROBE_WAITS_MS = [5000, 10_000, 20_000, 40_000, 60_000]
/** A suspect host is dead when the crawl has no other work, this many probes got no response, and the host has been silent for this long. */
export const DEAD_AFTER_PROBES = 3
export const DEAD_AFTER_MS = 60_000
/** The same for a host that has never answered anything: there is nothing that might come back. */
export const DEAD_STRANGER_AFTER_MS = 10_000
/** "Too much" (429, 503) so often in a row, without a page between: the rest of the host's URLs is given up for the run. */
export const TOO_BUSY_AFTER = 20

/** Milliseconds until a suspect host is probed again, after so many probes without an answer. */
export function probeWaitMs(probes: number): number {
  return PROBE_WAITS_MS[Math.min(probes, PROBE_WAITS_MS.length) - 1] ?? 0
}

// ---- host back-off

/** What the operator set for all hosts. */
export type HostLimits = {
  /** Most requests at once (CRAWL_HOST_CONCURRENCY). */
  concurrency: number
  /** Least pause between two requests (CRAWL_HOST_DELAY_MS). */
  delayMs: number
}

/** What is remembered about a host (or an address). Instants are epoch milliseconds. */
export type HostState = {
  /** Requests at once that it is trusted with. */
  width: number
  /** Good answers in a row since the width last changed. */
  goodInRow: number
  /** Faults of the host in a row, without a good answer between. */
  faultsInRow: number
  /** How many of the last answers in a row did not come at all. */
  silentInRow: number
  penaltyMs: number
  /** What its robots file asks for; null when it asks for nothing. */
  crawlDelayMs: number | null
  /** Moving average of the time to the first byte; null before the first answer. */
  latencyMs: number | null
  /** Least average of this span of five minutes and of the one before: "the last ten minutes" at two numbers. */
  leastMs: number | null
  leastBeforeMs: number | null
  leastSince: number
  /** No request starts before these. */
  nextAt: number
  closedUntil: number
}

/** What a request taught about its host. Answers such as 404 are good ones. */
export type HostSignal =
  | { kind: 'good'; firstByteMs: number }
  | { kind: 'busy'; retryAfterMs: number | null }
  | { kind: 'timeout' }
  | { kind: 'connect' }
  | { kind: 'reset' }

/** What an answer taught about its host; null for nothing. A 404 is a good answer: the host is well. */
export function signalOf(outcome: FetchOutcome): HostSignal | null {
  if (outcome.kind === 'redirected') return { kind: 'good', firstByteMs: outcome.tookMs }
  if (outcome.kind === 'fetched') {
    return outcome.status === 429 || outcome.status === 503
      ? { kind: 'busy', retryAfterMs: outcome.headers.retryAfterMs }
      : { kind: 'good', firstByteMs: outcome.firstByteMs }
  }
  const { reason } = outcome
  return reason === 'timeout' || reason === 'connect' || reason === 'reset' ? { kind: reason } : null
}

/** After so many silent URLs in a row, a host that has answered others is asked as carefully as a new one. */
const SILENT_HOST = 10
/** A URL may be so many times slower than its host usually is, and never has less than so long, before others get its place. */
const PATIENCE_LATENCIES = 8
const LEAST_PATIENCE_MS = 2000
const PATIENCE_WITH_STRANGERS_MS = 5000
const START_WIDTH = 2
const MAX_CRAWL_DELAY_MS = 30_000
const SPAN_MS = 300_000

export function newHostState(limits: HostLimits): HostState {
  return {
    width: Math.min(START_WIDTH, limits.concurrency),
    goodInRow: 0,
    faultsInRow: 0,
    silentInRow: 0,
    penaltyMs: 0,
    crawlDelayMs: null,
    latencyMs: null,
    leastMs: null,
    leastBeforeMs: null,
    leastSince: 0,
    nextAt: 0,
    closedUntil: 0,
  }
}

/** The pause between two requests: the largest of ours, the crawl delay (30 s at most) and the penalty. */
export function delayOf(state: HostState, limits: HostLimits): number {
  return Math.max(limits.delayMs, Math.min(state.crawlDelayMs ?? 0, MAX_CRAWL_DELAY_MS), state.penaltyMs)
}

/** Requests at once; one at a time as soon as there is a pause to keep. */
export function hostWidth(state: HostState, limits: HostLimits): number {
  return delayOf(state, limits) > 0 ? 1 : Math.min(state.width, limits.concurrency)
}

/** The instant from which the host may be asked, as far as pauses are concerned. */
export function hostOpenAt(state: HostState): number {
  return Math.max(state.nextAt, state.closedUntil)
}

/** Whether one more request may start now, besides those in progress. */
export function mayAsk(state: HostState, limits: HostLimits, inHand: number, now: number): boolean {
  return now >= hostOpenAt(state) && inHand < hostWidth(state, limits)
}

/**
 * How long a URL that is asked for the first time may keep its place in silence while others wait for it. It is asked again behind them,
 * and may then take as long as any fetch.
 */
export function patienceMs(state: HostState, limits: HostLimits): number {
  if (state.latencyMs === null) return Math.max(PATIENCE_WITH_STRANGERS_MS, delayOf(state, limits))
  return Math.max(LEAST_PATIENCE_MS, PATIENCE_LATENCIES * state.latencyMs, delayOf(state, limits))
}

/** How many second and further tries a host may have in progress: they leave a place for URLs that have not been asked. */
export function retryWidth(state: HostState, limits: HostLimits): number {
  return Math.max(1, hostWidth(state, limits) - 1)
}

/** A request has started: the next one waits the pause, spread from nine to twelve tenths, but never less than was asked for. */
export function afterStart(state: HostState, limits: HostLimits, now: number, random: number): HostState {
  const delayMs = delayOf(state, limits)
  if (delayMs === 0) return state
  const leastMs = Math.max(limits.delayMs, Math.min(state.crawlDelayMs ?? 0, MAX_CRAWL_DELAY_MS))
  return { ...state, nextAt: now + Math.max(leastMs, Math.round(delayMs * (0.9 + 0.3 * random))) }
}

/**
 * A request has ended, however it did: the pause is kept from here. Counted from the start of the request alone it would be shorter for the
 * host, which may get to a request late and sees the next one at once.
 */
export function afterEnd(state: HostState, limits: HostLimits, now: number): HostState {
  const delayMs = delayOf(state, limits)
  return delayMs === 0 ? state : { ...state, nextAt: Math.max(state.nextAt, now + delayMs) }
}

/** What an answer taught. Silence of a few URLs changes nothing for a host that has answered others. */
export function afterAnswer(state: HostState, limits: HostLimits, signal: HostSignal, now: number): HostState {
  if (signal.kind === 'good') return afterGood(state, limits, signal.firstByteMs, now)
  const silentInRow = signal.kind === 'timeout' ? state.silentInRow + 1 : 0
  if (signal.kind === 'timeout' && state.latencyMs !== null) {
    const width = silentInRow < SILENT_HOST ? state.width : Math.min(state.width, START_WIDTH)
    return { ...state, silentInRow, width }
  }
  const worse = { ...state, goodInRow: 0, silentInRow, faultsInRow: state.faultsInRow + 1 }
  if (signal.kind === 'connect') return { ...worse, penaltyMs: clamp(state.penaltyMs * 1.5, 250, 30_000) }
  worse.width = Math.max(1, Math.floor(state.width / 2))
  if (signal.kind === 'reset') return worse
  if (signal.kind === 'timeout') return { ...worse, penaltyMs: clamp(state.penaltyMs * 1.5, 250, 30_000) }
  if (signal.retryAfterMs === null) {
    const penaltyMs = clamp(state.penaltyMs * 2, 1000, 60_000)
    return { ...worse, penaltyMs, nextAt: Math.max(state.nextAt, now + penaltyMs) }
  }
  return { ...worse, closedUntil: Math.max(state.closedUntil, now + Math.min(signal.retryAfterMs, MAX_RETRY_AFTER_MS)) }
}

function afterGood(state: HostState, limits: HostLimits, firstByteMs: number, now: number): HostState {
  const latencyMs = state.latencyMs === null ? firstByteMs : state.latencyMs * 0.8 + firstByteMs * 0.2
  const isNewSpan = now - state.leastSince >= SPAN_MS
  const leastMs = isNewSpan || state.leastMs === null ? latencyMs : Math.min(state.leastMs, latencyMs)
  const leastBeforeMs = isNewSpan ? (now - state.leastSince < 2 * SPAN_MS ? state.leastMs : null) : state.leastBeforeMs
  const leastEver = Math.min(leastMs, leastBeforeMs ?? leastMs)
  const penaltyMs = state.penaltyMs * 0.7
  const better = {
    ...state,
    latencyMs,
    leastMs,
    leastBeforeMs,
    leastSince: isNewSpan ? now : state.leastSince,
    faultsInRow: 0,
    silentInRow: 0,
    penaltyMs: penaltyMs < 50 ? 0 : penaltyMs,
  }
  // One slow page among prompt ones is no slow host: the answer itself must be as slow as the average has become.
  if (Math.min(latencyMs, firstByteMs) > Math.max(3 * leastEver, 500))
    return { ...better, goodInRow: 0, width: Math.max(1, state.width - 1) }
  if (state.goodInRow + 1 < state.width || state.width >= limits.concurrency)
    return { ...better, goodInRow: Math.min(state.goodInRow + 1, state.width) }
  return { ...better, goodInRow: 0, width: state.width + 1 }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
