/**
 * How fast a host may be asked, and what follows from a failure. Pure rules over records: the clock and the random number are arguments,
 * and the owner of the host keeps the record.
 *
 * A healthy host gets its full width at once without a pause. A host that slows down gets fewer requests before it fails; one that answers
 * 429 or 503 gets none for as long as it asks.
 */
import type { FailureReason, FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import type { Outcome } from '#backend/crawler/outcomes.ts'

// ---- retries

/**
 * The result of a fetch, as far as retries are concerned: a failure reason, or the kind of an error status. `silent` is a timeout of a URL
 * whose host answers other URLs.
 */
export type RetryReason =
  | FailureReason
  | 'render_failed'
  | 'silent'
  | 'status_busy'
  | 'status_fault'
  | 'status'
  | 'unparsable'
  | 'origin_refuses'
  | 'origin_silent'
  | 'origin_unresolved'

/** The kind of an HTTP status for retries; null for 2xx, and for statuses that are not errors. */
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
  /** The record that the failure counts against. A host with failures gets fewer requests. */
  blame: 'host' | 'url' | 'nobody'
  outcome: Outcome
}

const once = (outcome: Outcome): Policy => ({ tries: 1, waitsMs: [], blame: 'url', outcome })
const hostFault = (outcome: Outcome): Policy => ({ tries: 3, waitsMs: [2000, 8000], blame: 'host', outcome })

const POLICY: Record<RetryReason, Policy> = {
  connect: hostFault('connect'),
  reset: hostFault('reset'),
  timeout: hostFault('timeout'),
  name_server: hostFault('dns'),
  // It passes when other connections are closed, and says nothing about the host.
  no_socket: { tries: 6, waitsMs: [2000, 8000, 30_000], blame: 'nobody', outcome: 'connect' },
  // Its first try ended early because others waited for the place; the second has all the time of a fetch.
  silent: { tries: 2, waitsMs: [2000], blame: 'url', outcome: 'timeout' },
  // Other runs may reach the host without this proxy, so its record stays as it is.
  proxy: hostFault('proxy'),
  // Not even its robots file was answered: one retry is enough to tell a short outage from a lasting one.
  origin_refuses: { tries: 2, waitsMs: [2000], blame: 'host', outcome: 'connect' },
  origin_silent: { tries: 2, waitsMs: [2000], blame: 'host', outcome: 'timeout' },
  origin_unresolved: { tries: 2, waitsMs: [2000], blame: 'host', outcome: 'dns' },
  // The host is the problem, not the page: a host that asks for fewer requests should still have each page tried.
  status_busy: { tries: 6, waitsMs: [2000, 8000], blame: 'host', outcome: 'status' },
  status_fault: { tries: 3, waitsMs: [4000, 16_000], blame: 'url', outcome: 'status' },
  robots_unreachable: { tries: 2, waitsMs: [60_000], blame: 'nobody', outcome: 'robots_unreachable' },
  unparsable: { tries: 2, waitsMs: [0], blame: 'url', outcome: 'unparsable' },
  // The renderer has already tried the page twice.
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

/** Longer `Retry-After` values are not waited for. */
export const MAX_RETRY_AFTER_MS = 120_000

/**
 * Whether and when a URL is retried.
 *
 * @param tries         attempts so far, the failed one included
 * @param retryAfterMs  from the answer; it replaces our own wait, and ends the URL when it is too long
 * @param random        from 0 up to 1: spreads waits by 30 % either way
 */
export function retryPolicy(
  reason: RetryReason,
  tries: number,
  retryAfterMs: number | null,
  random: number,
): { retryInMs: number } | { giveUp: Outcome } {
  const policy = POLICY[reason]
  if (tries >= policy.tries) return { giveUp: policy.outcome }
  if (reason === 'status_busy' && asksToWait(retryAfterMs)) {
    return retryAfterMs > MAX_RETRY_AFTER_MS ? { giveUp: 'retry_after_too_long' } : { retryInMs: retryAfterMs }
  }
  // Until the robots file is fetched again, at most a minute.
  if (reason === 'robots_unreachable' && retryAfterMs !== null) return { retryInMs: Math.min(retryAfterMs, policy.waitsMs[0]!) }
  const waitMs = policy.waitsMs[tries - 1] ?? policy.waitsMs.at(-1) ?? 0
  return { retryInMs: Math.round(waitMs * (0.7 + 0.6 * random)) }
}

/** Zero seconds or a date that has passed name no wait: our own pauses apply then. */
function asksToWait(retryAfterMs: number | null): retryAfterMs is number {
  return retryAfterMs !== null && retryAfterMs > 0
}

export function blameFor(reason: RetryReason): 'host' | 'url' | 'nobody' {
  return POLICY[reason].blame
}

// ---- evidence that a host is dead

/**
 * So many different URLs in a row without an answer make a host suspect in a run. It then gets nothing but probes of its robots file. The
 * number doubles, up to 16 times, each time the host answers a probe but not the URLs after it: then the URLs are silent, not the host.
 */
export const SUSPECT_AFTER = 5
export const MOST_SUSPECT_AFTER = 80
/** Milliseconds between the probes of a suspect host; the first one starts at once. */
const PROBE_WAITS_MS = [5000, 10_000, 20_000, 40_000, 60_000]
/**
 * A suspect host is dead when the crawl has no other work, so many probes got no answer, and the host has been silent for `DEAD_AFTER_MS`.
 */
export const DEAD_AFTER_PROBES = 3
export const DEAD_AFTER_MS = 60_000
/** The same for a host that has never answered: it is unlikely to come back. */
export const DEAD_STRANGER_AFTER_MS = 10_000
/** After so many 429 or 503 in a row without a page, the rest of the host's URLs is given up for the run. */
export const TOO_BUSY_AFTER = 20

/** Milliseconds until the next probe, after so many probes without an answer. */
export function probeWaitMs(probes: number): number {
  return PROBE_WAITS_MS[Math.min(probes, PROBE_WAITS_MS.length) - 1] ?? 0
}

// ---- host back-off

/** Limits for all hosts, set by the operator. */
export type HostLimits = {
  /** Most requests at once (CRAWL_HOST_CONCURRENCY). */
  concurrency: number
  /** Shortest pause between two requests (CRAWL_HOST_DELAY_MS). */
  delayMs: number
}

/** The state of a host (or an address). Instants are epoch milliseconds. */
export type HostState = {
  /** How many requests at once the host is trusted with. */
  width: number
  /** Good answers in a row since the width changed. */
  goodInRow: number
  /** Failures of the host in a row. */
  faultsInRow: number
  /** Requests in a row without any answer. */
  silentInRow: number
  penaltyMs: number
  /** From its robots file; null without one. */
  crawlDelayMs: number | null
  /** Moving average of the time to the first byte; null before the first answer. */
  latencyMs: number | null
  /** Minimum of the average in the current and in the previous five minutes: approximates a window of ten minutes. */
  leastMs: number | null
  leastBeforeMs: number | null
  leastSince: number
  /** No request starts before these instants. */
  nextAt: number
  closedUntil: number
}

/** What a request says about its host. Answers such as 404 count as good. */
export type HostSignal =
  | { kind: 'good'; firstByteMs: number }
  | { kind: 'busy'; retryAfterMs: number | null }
  | { kind: 'timeout' }
  | { kind: 'connect' }
  | { kind: 'reset' }

/** What an outcome says about the host; null for nothing. A 404 is good: the host works. */
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

/** After so many silent URLs in a row, a host that has answered others is treated like a new one. */
const SILENT_HOST = 10
/** A URL gives its place to others after so many times its host's usual latency, and not before so many milliseconds. */
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

/** The pause between two requests: the longest of the operator's, the crawl delay (at most 30 s) and the penalty. */
export function pauseOf(state: HostState, limits: HostLimits): number {
  return Math.max(limits.delayMs, Math.min(state.crawlDelayMs ?? 0, MAX_CRAWL_DELAY_MS), state.penaltyMs)
}

/** Requests at once; 1 as soon as there is a pause. */
export function hostWidth(state: HostState, limits: HostLimits): number {
  return pauseOf(state, limits) > 0 ? 1 : Math.min(state.width, limits.concurrency)
}

/** When the pauses of the host are over. */
export function hostOpenAt(state: HostState): number {
  return Math.max(state.nextAt, state.closedUntil)
}

/** Whether one more request may start now. */
export function mayAsk(state: HostState, limits: HostLimits, inProgress: number, now: number): boolean {
  return now >= hostOpenAt(state) && inProgress < hostWidth(state, limits)
}

/**
 * How long a URL on its first try may wait for an answer while others need its place. Its retry comes behind them, and has all the time of
 * a fetch.
 */
export function patienceMs(state: HostState, limits: HostLimits): number {
  if (state.latencyMs === null) return Math.max(PATIENCE_WITH_STRANGERS_MS, pauseOf(state, limits))
  return Math.max(LEAST_PATIENCE_MS, PATIENCE_LATENCIES * state.latencyMs, pauseOf(state, limits))
}

/** Most retries in progress at a host: they leave a place for first tries. */
export function retryWidth(state: HostState, limits: HostLimits): number {
  return Math.max(1, hostWidth(state, limits) - 1)
}

/**
 * After a request has started: the next one waits the pause, randomised between 0.9 and 1.2 times, but never less than the configured
 * pause.
 */
export function afterStart(state: HostState, limits: HostLimits, now: number, random: number): HostState {
  const pauseMs = pauseOf(state, limits)
  if (pauseMs === 0) return state
  const leastMs = Math.max(limits.delayMs, Math.min(state.crawlDelayMs ?? 0, MAX_CRAWL_DELAY_MS))
  return { ...state, nextAt: now + Math.max(leastMs, Math.round(pauseMs * (0.9 + 0.3 * random))) }
}

/**
 * After a request has ended in any way: the pause counts from here again. Counted only from the start it would be shorter for the host,
 * which may handle a request late and then sees the next one at once.
 */
export function afterEnd(state: HostState, limits: HostLimits, now: number): HostState {
  const pauseMs = pauseOf(state, limits)
  return pauseMs === 0 ? state : { ...state, nextAt: Math.max(state.nextAt, now + pauseMs) }
}

/** After an answer. A few silent URLs change nothing for a host that has answered others. */
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
  if (!asksToWait(signal.retryAfterMs)) {
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
  // One slow page does not make a slow host: the answer itself must be as slow as the average has become.
  if (Math.min(latencyMs, firstByteMs) > Math.max(3 * leastEver, 500))
    return { ...better, goodInRow: 0, width: Math.max(1, state.width - 1) }
  if (state.goodInRow + 1 < state.width || state.width >= limits.concurrency)
    return { ...better, goodInRow: Math.min(state.goodInRow + 1, state.width) }
  return { ...better, goodInRow: 0, width: state.width + 1 }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
