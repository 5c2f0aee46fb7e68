/**
 * Sends waiting messages, at least once. Owners of teams share the slots for sending: one takes another slot only while more slots are free
 * than it has, so that one with slow endpoints leaves slots to the others. An endpoint has few slots, and only one when it fails.
 */
import type { SwitchedOff } from '#contract/webhooks.ts'
import type { PostMessage, Posted } from '#backend/crawler/fetch/post-message.ts'
import { afterCommits } from '#backend/platform/database/after-commits.ts'
import { waitUntil } from '#backend/platform/clock.ts'
import { createDueLoop } from '#backend/platform/due-loop.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { ClaimedDelivery, Deliveries, NewAttempt, WaitingEndpoint } from './deliveries.ts'
import { LONGEST_REST_MS, noteFailure, noteSuccess, switchOff } from './endpoint-health.ts'
import type { EndpointSecrets } from './endpoint-secrets.ts'
import type { EndpointRow, Endpoints } from './endpoints.ts'
import { HIDDEN, outgoing } from './outgoing.ts'

const SENDERS = 32
const OF_SHARE = 8
const OF_ENDPOINT = 4
/** After so many failures in a row, an endpoint gets one message at a time, with a pause in between. */
const FAILING = 3
const LONGEST_PAUSE_MS = 60_000
/** Retries are spread by this share of the wait, so that several messages do not return together. */
const JITTER = 0.1

const TIMEOUT_MS = 10_000
/** Bytes of an answer that are read, and kept in the log. */
const READ_BYTES = 2048

/** Longer than an attempt takes, even if its connection had to be opened twice. */
export const CLAIM_MS = 60_000
/** Interval, in case another process or the clock has changed something. */
const LOOK_MS = 30_000
const CLOSE_MS = 2000

/** The longest time for which a message waits between two attempts. */
export const longestWaitMs = (waitsMs: readonly number[]): number =>
  Math.max(CLAIM_MS, LONGEST_REST_MS, ...waitsMs.map((ms) => ms * (1 + JITTER)))

type Log = { warn(facts: object, message: string): void }

/**
 * @param onSettled      called with a run when one of its messages no longer waits
 * @param onSwitchedOff  called with an endpoint that the service has switched off
 * @param userAgent      of the requests
 * @param waitsMs        the waits after the first failed attempt, the second and so on; after the last the message has failed
 */
export function createSender({
  database,
  deliveries,
  endpoints,
  log,
  now,
  onSettled,
  onSwitchedOff,
  post,
  secrets,
  steady,
  userAgent,
  waitsMs,
}: {
  database: Database
  deliveries: Deliveries
  endpoints: Pick<Endpoints, 'byId'>
  log: Log
  now: () => number
  onSettled: (runId: string | null) => void
  onSwitchedOff: (row: EndpointRow, why: SwitchedOff) => void
  post: PostMessage
  secrets: EndpointSecrets
  steady: () => number
  userAgent: string
  waitsMs: readonly number[]
}) {
  const wholeMs = waitsMs.reduce((sum, waitMs) => sum + waitMs, 0)
  const longestMs = longestWaitMs(waitsMs)
  const sending = new Set<Promise<void>>()
  const byEndpoint = new Map<string, { share: string; runs: (string | null)[] }>()
  const ending = new AbortController()
  const loop = createDueLoop({
    committed: () => afterCommits(database),
    mostMs: LOOK_MS,
    now,
    onFault: (error) => log.warn({ err: error }, 'the waiting webhooks could not be read; it is tried again'),
    work: fill,
  })
  const { isOpen, start, wake } = loop
  return { start, wake, sendNow, close }

  /** Waits a moment for messages that are being sent; the next process sends the others again. */
  async function close(): Promise<void> {
    loop.stop()
    const end = setTimeout(() => ending.abort(), CLOSE_MS)
    await Promise.all(sending)
    clearTimeout(end)
  }

  /** Starts all attempts that may start; returns when to check again if no attempt ends before. */
  async function fill(): Promise<number> {
    const blocked = new Set<string>()
    let nextAt = Infinity
    while (isOpen() && sending.size < SENDERS) {
      const candidates: WaitingEndpoint[] = []
      for (const waiting of await deliveries.waiting()) {
        const at = Math.max(waitUntil(waiting.dueAt, now(), longestMs), waitUntil(waiting.restUntil, now(), LONGEST_REST_MS))
        if (at > now()) nextAt = Math.min(nextAt, at)
        else if (!blocked.has(waiting.endpointId) && hasPlace(waiting)) candidates.push(waiting)
      }
      candidates.sort((one, other) => placesOf(one.share) - placesOf(other.share) || one.dueAt - other.dueAt)
      let begun = 0
      for (const waiting of candidates) {
        if (sending.size >= SENDERS || !hasPlace(waiting)) continue
        const { endpointId } = waiting
        const row = await endpoints.byId(endpointId)
        const delivery = await deliveries.claim(endpointId, (runId) => byEndpoint.get(endpointId)?.runs.includes(runId) === true)
        if (row === undefined || delivery === null) blocked.add(endpointId)
        else {
          begin(waiting.share, row, delivery)
          begun += 1
        }
      }
      if (begun === 0) break
    }
    return nextAt
  }

  function hasPlace({ endpointId, failures, share }: WaitingEndpoint): boolean {
    const ofEndpoint = byEndpoint.get(endpointId)?.runs.length ?? 0
    const ofShare = placesOf(share)
    return ofEndpoint < (failures >= FAILING ? 1 : OF_ENDPOINT) && ofShare < OF_SHARE && ofShare < SENDERS - sending.size
  }

  function placesOf(share: string): number {
    let places = 0
    for (const each of byEndpoint.values()) if (each.share === share) places += each.runs.length
    return places
  }

  function begin(share: string, row: EndpointRow, delivery: ClaimedDelivery): void {
    const place = byEndpoint.get(row.id) ?? { share, runs: [] }
    byEndpoint.set(row.id, place)
    place.runs.push(delivery.runId)
    const send = attempt(row, delivery)
      .catch((error: unknown) => {
        if (isOpen()) log.warn({ err: error }, 'the outcome of a webhook could not be stored; it is sent again')
      })
      .finally(() => {
        sending.delete(send)
        place.runs.splice(place.runs.indexOf(delivery.runId), 1)
        if (place.runs.length === 0) byEndpoint.delete(row.id)
        void loop.pass()
      })
    sending.add(send)
  }

  async function attempt(row: EndpointRow, delivery: ClaimedDelivery): Promise<void> {
    const { attempt: made, posted } = await trySend(row, delivery)
    // The process is ending: the claim expires, and the next process sends it.
    if (posted.isCanceled) return
    if (made.failure === null) await succeed(row, delivery, made)
    else await fail(row, delivery, made, posted)
    onSettled(delivery.runId)
  }

  async function succeed(row: EndpointRow, { no }: ClaimedDelivery, made: NewAttempt): Promise<void> {
    await database.transaction().execute(async (transaction) => {
      await deliveries.settle(transaction, no, 'delivered', made)
      await noteSuccess(transaction, row.id, made.at, made.status ?? 0)
    })
  }

  async function fail(row: EndpointRow, delivery: ClaimedDelivery, made: NewAttempt, posted: Posted): Promise<void> {
    const isGone = made.status === 410
    const waitMs = isGone ? undefined : waitsMs[delivery.attempts - 1]
    const retryAfterMs = Math.min(LONGEST_REST_MS, posted.retryAfterMs ?? 0)
    const why = await database.transaction().execute(async (transaction): Promise<SwitchedOff | null> => {
      const restMs = (failures: number) => Math.max(retryAfterMs, pauseMs(failures))
      const after = await noteFailure(transaction, row.id, { at: made.at, now: now(), restMs, status: made.status })
      if (waitMs === undefined) await deliveries.settle(transaction, delivery.no, 'failed', made)
      else {
        const dueAt = now() + Math.max(retryAfterMs, waitMs * (1 + JITTER * Math.random()))
        await deliveries.postpone(transaction, delivery.no, Math.ceil(dueAt), made)
      }
      if (after === undefined) return null
      // After a whole schedule of retries without one success: then a message has used up its retries, or could have, if the endpoint
      // answers none of them in time. The time alone says nothing after the machine slept, or the service was stopped.
      const failingMs = made.at - (after.failingSince ?? Infinity)
      const isFailing =
        after.failures > waitsMs.length &&
        failingMs >= (waitMs === undefined ? wholeMs : wholeMs * (1 + JITTER) + (waitsMs.length + 1) * TIMEOUT_MS)
      const reason = isGone ? 'gone' : isFailing ? 'failing' : null
      return reason !== null && (await switchOff(transaction, row.id, reason, now())) ? reason : null
    })
    if (why !== null) onSwitchedOff(row, why)
  }

  /** Sends a message that the caller has claimed, once, whatever the state of the endpoint; the outcome does not affect the endpoint. */
  async function sendNow(row: EndpointRow, delivery: ClaimedDelivery): Promise<void> {
    const { attempt: made } = await trySend(row, delivery)
    await database
      .transaction()
      .execute((transaction) => deliveries.settle(transaction, delivery.no, made.failure === null ? 'delivered' : 'failed', made))
  }

  async function trySend(row: EndpointRow, delivery: ClaimedDelivery): Promise<{ attempt: NewAttempt; posted: Posted }> {
    const at = now()
    const signing = secrets.secretsOf(row)
    const own = secrets.headersOf(row)
    const begunAt = steady()
    const message = outgoing(row, delivery, { at, own: own ?? {}, secrets: signing ?? [], userAgent })
    const posted: Posted =
      signing === null || own === null
        ? UNREADABLE
        : await post({ url: row.url, ...message, timeoutMs: TIMEOUT_MS, maxBytes: READ_BYTES, signal: ending.signal })
    const shown = { ...message.headers, ...Object.fromEntries(Object.keys(own ?? {}).map((name) => [name, HIDDEN])) }
    return {
      posted,
      attempt: {
        at,
        tookMs: Math.max(0, Math.round(steady() - begunAt)),
        url: row.url,
        sent: JSON.stringify(shown),
        status: posted.status,
        failure: failureOf(posted),
        headers: JSON.stringify(posted.headers),
        answer: Buffer.from(posted.body).toString('utf8'),
        isCut: posted.isCut ? 1 : 0,
      },
    }
  }
}

/** The pause of a failing endpoint: longer after each failure, at most a minute. */
const pauseMs = (failures: number) => (failures < FAILING ? 0 : Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** Math.min(20, failures - FAILING)))

const UNREADABLE: Posted = {
  status: null,
  failure: 'its secret or headers were encrypted with another secret key',
  headers: {},
  body: new Uint8Array(0),
  isCut: false,
  retryAfterMs: null,
  isCanceled: false,
}

/** Null for a success: a 2xx head counts as delivered, whatever happens to the rest of the answer. */
function failureOf({ failure, status }: Posted): string | null {
  if (status === null) return failure ?? 'no answer'
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `HTTP ${status}: redirects are not followed`
  if (status === 410) return 'HTTP 410: the endpoint is no longer there'
  return `HTTP ${status}`
}
