import type { Dispatcher } from 'undici'
import { isRedirect, readHeaders } from './answer-headers.ts'
import type { AnswerHeaders } from './answer-headers.ts'
import { EgressError } from './dial.ts'
import { bytesReadOf, reasonOf } from './error-reasons.ts'
import { SMALL_BYTES } from '#backend/crawler/engine/byte-budget.ts'
import type { BodyMemory } from '#backend/crawler/engine/byte-budget.ts'
import type { BodySink, FailureReason } from './fetcher.ts'
import { announce, overLimit } from './wire.ts'
import type { Wire, WireUser } from './wire.ts'

/** Time limits of one exchange, in milliseconds. */
export type ExchangeLimits = {
  /** From the request's last byte to the answer's head. */
  firstByteMs: number
  /** Between two pieces of a body. */
  idleMs: number
  /** How long a body may be slower than `leastBytesPerSecond`. */
  slowMs: number
  leastBytesPerSecond: number
}

export type Answer = {
  kind: 'answer'
  status: number
  headers: AnswerHeaders
  body: Uint8Array<ArrayBuffer>
  truncated: boolean
  firstByteMs: number
  /** Bytes received on the socket: heads, interim responses, framing, body. */
  wireBytes: number
}
export type NoAnswer = {
  kind: 'failure'
  reason: FailureReason
  detail: string
  status?: number
  /** A retry is free: the connection had served others before, and no answer for us came, or a proxy must be asked in another way. */
  isStale?: boolean
  /** The received bytes of a body that arrived too slowly, still encoded. */
  partial?: { bytes: Uint8Array; contentEncoding: string }
  /** What was received when the server closed the connection, without a reset, before the end of the body. */
  closed?: Answer
}

type ExchangeNeeds = {
  limits: ExchangeLimits
  /** Most bytes of the body, without framing. */
  maxBytes: number
  /** Most bytes on the socket for the whole answer. */
  wireBytes: number
  /** The request has a `Range`: only then is 206 a valid answer (RFC 9110, 15.3.7). */
  asksRange?: boolean
  overflow: 'fail' | 'cut' | 'cut_html'
  /** Accounts for the memory of the body; absent: not limited. */
  memory?: BodyMemory | undefined
  skipBody: ((contentType: string | null, status: number) => boolean) | undefined
  /** Called with every header line of the answer, as undici lists them: name, value, name, value. */
  onHead?: (raw: readonly Buffer[]) => void
  stream?: ((head: { status: number; contentType: string | null; contentEncoding: string }) => BodySink | null) | undefined
  settle: (result: Answer | NoAnswer, exchange: Exchange) => void
}

const PARTIAL = 206
/** RFC 9112, 6.3: they end with their head. A 304 may declare the length that a 200 would have (RFC 9110, 8.6). */
const NO_BODY: ReadonlySet<number> = new Set([204, 304])
/** Bytes on the socket that the head of an answer may take besides the largest body. */
export const HEAD_BYTES = 64 * 1024

const WAITING = 0
const SENT = 1
const BODY = 2
const DONE = 3

/** A redirect's body is read up to here, and for so long, only to keep the connection. */
const MAX_IGNORED_BYTES = 16 * 1024
const MAX_IGNORED_MS = 1000
/** How long trailers may take: they are ignored. */
const MAX_TRAILERS_MS = 1000
/** Names and values: 500 header lines. */
const MAX_HEADER_PARTS = 1000
const FIRST_CAPACITY = 32 * 1024
const MAX_FIRST_CAPACITY = 1024 * 1024

/** The error of every connection that we abort; the settled result tells why. */
const LEFT = new Error('canceled by the fetcher')

/**
 * One request and its answer: the handler that undici calls. Copies bytes once, into a buffer of its own. The fetcher's single timer calls
 * `judgeTime` of all exchanges.
 */
export class Exchange implements Dispatcher.DispatchHandler, WireUser {
  readonly #needs: ExchangeNeeds
  #abort: ((reason?: Error) => void) | null = null
  #resume: () => void = () => undefined
  #sink: BodySink | null = null
  /** When the sink began work on a piece; null while it waits for one. */
  #pausedAt: number | null = null
  /** The answer ended while the sink was busy. */
  #isWhole = false
  #phase: number = WAITING
  readonly #madeAt = performance.now()
  #sentAt = 0
  #headAt = 0
  /** The body's speed is measured from here: the sink's time does not count against the server. */
  #bodyAt = 0
  #heardAt = 0
  #status = 0
  #headers: AnswerHeaders | null = null
  #isIgnored = false
  /** A body over the limit is cut there instead of failing. */
  #isCut = false
  /** Total time of waiting for memory. */
  #heldUpMs = 0
  #buffer: Uint8Array<ArrayBuffer> | null = null
  #length = 0
  #wire: Wire | null = null

  constructor(needs: ExchangeNeeds) {
    this.#needs = needs
  }

  get wireBytes(): number {
    return this.#needs.wireBytes
  }

  onWire(wire: Wire): void {
    this.#wire = wire
  }

  /** How long the exchange has waited for memory, which does not count against the server. */
  heldUpMs(now: number): number {
    return this.#heldUpMs + (this.#pausedAt === null || this.#sink !== null ? 0 : now - this.#pausedAt)
  }

  /** Fails the exchange, unless it has ended, and aborts the connection. */
  fail(reason: FailureReason, detail: string): void {
    if (this.#phase === DONE) return
    const partial = reason === 'timeout' && this.#headers !== null && this.#buffer !== null ? this.#buffer.subarray(0, this.#length) : null
    this.#settle({
      kind: 'failure',
      reason,
      detail,
      ...(this.#status > 0 ? { status: this.#status } : {}),
      ...(partial === null ? {} : { partial: { bytes: partial, contentEncoding: this.#headers!.contentEncoding } }),
    })
    this.#abort?.(LEFT)
  }

  /** Milliseconds without an answer, or without sufficient progress of the body. */
  silentMs(now: number): number {
    if (this.#phase !== BODY) return this.#phase === DONE ? 0 : now - (this.#sentAt || this.#madeAt)
    if (this.#pausedAt !== null) return 0
    const spanMs = now - this.#bodyAt
    const isSlow = this.#length * 1000 < this.#needs.limits.leastBytesPerSecond * spanMs
    return isSlow ? spanMs : now - this.#heardAt
  }

  /** Fails the exchange because the time of the whole fetch is over. */
  expire(): void {
    this.fail('timeout', this.#phase === BODY ? 'the whole fetch took too long' : 'no answer in time')
  }

  /** Fails the exchange when one of its time limits is exceeded. */
  judgeTime(now: number): void {
    const { firstByteMs, idleMs, leastBytesPerSecond, slowMs } = this.#needs.limits
    if (this.#phase !== DONE && this.#wire?.isOver() === true) return this.#overflow(overLimit(this.#needs.wireBytes))
    if (this.#phase === SENT && now - this.#sentAt >= firstByteMs) return this.fail('timeout', 'no answer in time')
    if (this.#phase !== BODY || this.#pausedAt !== null) return
    const spanMs = now - this.#bodyAt
    if (this.#isIgnored) {
      if (spanMs >= MAX_IGNORED_MS) this.#finish()
      return
    }
    if (this.#wire?.hasLastChunk === true && now - this.#heardAt >= MAX_TRAILERS_MS) return this.#finish()
    const isStalled = now - this.#heardAt >= idleMs
    if (!isStalled && (spanMs < slowMs || this.#length * 1000 >= leastBytesPerSecond * spanMs)) return
    this.fail('timeout', isStalled ? 'the body stopped' : 'the body arrived too slowly')
  }

  // ---- what undici calls

  onConnect(abort: (reason?: Error) => void): void {
    if (this.#phase === DONE) return abort(LEFT)
    this.#abort = abort
    this.#phase = SENT
    this.#sentAt = performance.now()
    announce(this)
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void): boolean {
    if (this.#phase === DONE) return false
    this.#resume = resume
    // 1xx are interim responses
    if (status < 200) return true
    const now = performance.now()
    this.#headAt = this.#bodyAt = this.#heardAt = now
    this.#phase = BODY
    this.#status = status
    if (raw.length > MAX_HEADER_PARTS) {
      this.fail('protocol', 'more than 500 header lines')
      return false
    }
    const headers = readHeaders(raw)
    this.#headers = headers
    this.#needs.onHead?.(raw)
    if (headers.transferCoding !== null) {
      this.fail('protocol', `Transfer-Encoding: ${headers.transferCoding.slice(0, 40)}`)
      return false
    }
    if (status === PARTIAL && this.#needs.asksRange !== true) {
      this.fail('protocol', 'HTTP 206: a partial answer to a request for the whole page')
      return false
    }
    if (NO_BODY.has(status) && headers.contentLength !== null) {
      // It ends here; the parser would take the declared length for a broken promise.
      this.#finish()
      return false
    }
    const { contentEncoding, contentType } = headers
    const isPlainHtml = headers.contentLength === null && contentEncoding === '' && /html/i.test(contentType ?? '')
    this.#isCut = this.#needs.overflow === 'cut' || (this.#needs.overflow === 'cut_html' && isPlainHtml)
    if (headers.isChunked) {
      const isWhole = !this.#isCut && this.#needs.stream === undefined
      this.#wire?.limitChunks(isWhole ? this.#needs.maxBytes : Number.MAX_SAFE_INTEGER)
    }
    if (isRedirect(status) && headers.location !== null) {
      this.#isIgnored = true
      return true
    }
    if (this.#needs.skipBody?.(headers.contentType, status) === true) {
      this.#finish(true)
      return false
    }
    const declared = headers.contentLength
    if (declared !== null && declared > this.#needs.maxBytes && !this.#isCut) {
      this.fail('too_large', `${declared} bytes declared`)
      return false
    }
    this.#sink = this.#needs.stream?.({ status, contentType, contentEncoding }) ?? null
    if (this.#sink !== null) return true
    const wanted = declared === null ? FIRST_CAPACITY : Math.min(declared, this.#needs.maxBytes, MAX_FIRST_CAPACITY)
    const { memory } = this.#needs
    const capacity = memory === undefined || memory.fits(wanted) ? wanted : FIRST_CAPACITY
    this.#buffer = new Uint8Array(capacity)
    memory?.hold(capacity)
    return true
  }

  onData(chunk: Buffer): boolean {
    if (this.#phase === DONE) return false
    // undici flushes its parser with an empty chunk after each pause; waiting for the sink once more would never end.
    if (chunk.length === 0) return true
    this.#heardAt = performance.now()
    if (this.#isIgnored) {
      this.#length += chunk.length
      if (this.#length > MAX_IGNORED_BYTES) this.#finish()
      return true
    }
    const room = this.#needs.maxBytes - this.#length
    if (chunk.length > room) {
      if (!this.#isCut) this.fail('too_large', `more than ${this.#needs.maxBytes} bytes`)
      else if (this.#sink !== null) this.#pass(this.#sink, chunk.subarray(0, room), true)
      else {
        this.#append(chunk.subarray(0, room))
        this.#finish(true)
      }
      return false
    }
    if (this.#sink !== null) return this.#pass(this.#sink, chunk, false)
    this.#append(chunk)
    return this.#hasMemory()
  }

  onComplete(): void {
    if (this.#phase === DONE) return
    this.#abort = null
    if (this.#pausedAt === null) this.#finish()
    else this.#isWhole = true
  }

  onError(error: Error): void {
    if (this.#phase === DONE) return
    this.#abort = null
    if (this.#isIgnored) return this.#finish()
    const { reason, detail, isClose } = reasonOf(error, this.#status > 0)
    if (reason === 'too_large') return this.#overflow(detail)
    // RFC 9112, 8: a body is complete with its last chunk, even without the empty line behind that.
    if (reason === 'reset' && this.#wire?.hasLastChunk === true) return this.onComplete()
    this.#settle({
      kind: 'failure',
      reason,
      detail,
      ...(this.#status > 0 ? { status: this.#status } : {}),
      isStale: this.#isStale(reason, error),
      ...(isClose && this.#buffer !== null && { closed: this.#answer(false) }),
    })
  }

  /** Whether a retry is free. Bytes behind an earlier answer may come so late that they look like the start of this one (RFC 9112, 6.3). */
  #isStale(reason: FailureReason, error: Error): boolean {
    if (error instanceof EgressError && error.wantsPlain) return true
    if (this.#phase !== SENT) return false
    return reason === 'reset' ? bytesReadOf(error) > 0 : reason === 'protocol' && this.#wire?.isReused === true
  }

  // ---- inside

  /** Passes a piece to the sink; false when the next one has to wait. */
  #pass(sink: BodySink, chunk: Uint8Array, isLast: boolean): boolean {
    this.#length += chunk.length
    let taken: ReturnType<BodySink>
    try {
      taken = sink(chunk)
    } catch {
      // The owner of the sink knows what it threw; here it counts as a reader that wants no more.
      this.#leave()
      return false
    }
    if (!(taken instanceof Promise)) {
      if (taken === 'enough' || isLast) this.#finish(true)
      return this.#phase === BODY
    }
    this.#pausedAt = performance.now()
    taken.then(
      (verdict) => this.#goOn(verdict === 'enough' || isLast),
      () => this.#leave(),
    )
    return false
  }

  /** False when the next piece has to wait until others have released memory. */
  #hasMemory(): boolean {
    const { memory } = this.#needs
    if (memory === undefined || this.#length < SMALL_BYTES / 2 || memory.fits(this.#length + SMALL_BYTES / 2)) return true
    const pausedAt = performance.now()
    this.#pausedAt = pausedAt
    memory.wait(() => {
      this.#heldUpMs += performance.now() - pausedAt
      this.#goOn(false)
    })
    return false
  }

  #goOn(isLeft: boolean): void {
    if (this.#phase === DONE || this.#pausedAt === null) return
    const now = performance.now()
    this.#bodyAt += now - this.#pausedAt
    this.#heardAt = now
    this.#pausedAt = null
    if (isLeft) this.#finish(!this.#isWhole)
    else if (this.#isWhole) this.#finish()
    else this.#resume()
  }

  /** The answer exceeds its bytes on the socket: keeps what has come of the body if a cut one is useful, else fails. */
  #overflow(detail: string): void {
    if (this.#isCut && this.#phase === BODY && this.#length > 0) this.#finish(true)
    else this.fail('too_large', detail)
  }

  #leave(): void {
    this.fail('canceled', 'the reader of the body canceled')
  }

  #append(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length
    let buffer = this.#buffer!
    if (needed > buffer.length) {
      const doubled = Math.min(Math.max(needed, buffer.length * 2), Math.max(needed, this.#needs.maxBytes))
      const { memory } = this.#needs
      const capacity = memory === undefined || memory.fits(doubled) ? doubled : needed
      memory?.hold(capacity)
      buffer = new Uint8Array(buffer.buffer.transfer(capacity))
      this.#buffer = buffer
    }
    buffer.set(chunk, this.#length)
    this.#length = needed
  }

  #finish(isLeft = false): void {
    this.#settle(this.#answer(isLeft))
    this.#abort?.(LEFT)
  }

  /** What has been received. The buffer is used up. */
  #answer(isLeft: boolean): Answer {
    const buffer = this.#isIgnored ? null : this.#buffer
    const body =
      buffer === null || this.#length === 0
        ? new Uint8Array(0)
        : buffer.length === this.#length
          ? buffer
          : new Uint8Array(buffer.buffer.transfer(this.#length))
    return {
      kind: 'answer',
      status: this.#status,
      headers: this.#headers!,
      body,
      truncated: isLeft || this.#status === PARTIAL,
      firstByteMs: this.#headAt - this.#sentAt,
      wireBytes: this.#wire?.bytes ?? 0,
    }
  }

  #settle(result: Answer | NoAnswer): void {
    this.#phase = DONE
    this.#buffer = null
    this.#needs.memory?.end()
    this.#wire = null
    this.#needs.settle(result, this)
  }
}
