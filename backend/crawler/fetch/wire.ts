/**
 * Sits between a socket and the HTTP parser. It counts every byte of an answer (heads, interim responses, framing, trailers, body), and
 * checks the head as it is on the wire, because the parser's strictness is all or nothing:
 *
 * - an answer begins with `HTTP/`; RTSP and the like are refused,
 * - a line of the head may end in LF alone (RFC 9112, 2.2); the parser gets CR LF. Chunk framing stays strict,
 * - a header line that breaks the rules is corrected or left out (`head-lines.ts`), and a folded one becomes one line (RFC 9112, 5.2),
 * - interim responses (1xx, RFC 9110, 15.2) are skipped, except 101, which is refused,
 * - a length that is given twice reaches the parser once (RFC 9110, 8.6), and the coding `identity`, which is none, not at all,
 * - extensions and trailers of a chunked body are dropped (`chunk-framing.ts`).
 *
 * A connection carries one exchange at a time. The undici channel below tells which socket an exchange uses.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { ChunkFraming } from './chunk-framing.ts'
import { EgressError } from './dial.ts'
import { OTHER_PROTOCOL } from './error-reasons.ts'
import { createFraming, isFraming } from './framing.ts'
import { isFolded, isWellFormed, wellFormed } from './head-lines.ts'

/** An exchange, as its wire sees it. */
export type WireUser = {
  /** Most bytes of its answer on the socket. */
  readonly wireBytes: number
  onWire(wire: Wire): void
}

/** Bytes that the socket and the decryption above it may have read before the parser asks for them. */
const READ_AHEAD_BYTES = 256 * 1024

const START = 0
const STATUS = 1
const LINES = 2
const BODY = 3

/** A longer header line goes to the parser in the pieces in which it arrives, and is not checked. */
const MOST_HELD = 8192

const CR = 13
const LF = 10
const NOTHING = Buffer.alloc(0)
const CRLF = '\r\n'
const PROTOCOL = 'HTTP/'
/** Where the status code of `HTTP/1.1 200` begins, and where it ends. */
const STATUS_AT = 9
const STATUS_END = 12

const wires = new WeakMap<object, Wire>()
/** The exchange whose request is written next: undici announces it and its socket in one turn. */
let next: WireUser | null = null

subscribe('undici:client:sendHeaders', (message) => {
  if (next === null) return
  wires.get((message as { socket: object }).socket)?.begin(next)
  next = null
})

/** Names the exchange whose request is written next; call it when undici passes the abort function. */
export function announce(user: WireUser): void {
  next = user
}

/**
 * Puts a wire on a connection before it goes to the parser.
 *
 * @param socket     what the parser reads from
 * @param transport  the TCP connection below; the same one without encryption
 */
export function putWireOn(socket: Socket, transport: Socket): void {
  wires.set(socket, new Wire(socket, transport))
}

export class Wire {
  readonly #socket: Socket
  readonly #transport: Socket
  readonly #read: (size?: number) => Buffer | null
  #limit = Infinity
  /** Bytes that the parser has taken. */
  #taken = 0
  /** Bytes that the transport had read when the exchange began. */
  #readBefore = 0
  #state: number = BODY
  /** The start of a line that is not complete yet. */
  #held: Buffer = NOTHING
  #isInterim = false
  /** The current line is the status line. */
  #isStatusLine = false
  #framing = createFraming()
  /** Length and last byte of the current line's part in earlier pieces. */
  #lineLength = 0
  #lastByte = 0
  /** Null unless the body is chunked. */
  #chunks: ChunkFraming | null = null
  #mostChunk = Infinity
  #exchanges = 0
  /** Bytes that the parser has put back. */
  #again = 0

  constructor(socket: Socket, transport: Socket) {
    this.#socket = socket
    this.#transport = transport
    this.#read = socket.read.bind(socket) as (size?: number) => Buffer | null
    const unshift = socket.unshift.bind(socket)
    // Called with a size by the stream itself, to read more from below; the parser passes none.
    socket.read = (size?: number) => (size === undefined ? this.#take() : this.#read(size))
    socket.unshift = (chunk: Buffer) => {
      this.#taken -= chunk.length
      this.#again += chunk.length
      return unshift(chunk)
    }
  }

  /** Bytes of the current answer that the parser has taken. */
  get bytes(): number {
    return this.#taken
  }

  /** Whether the connection has served an exchange before the current one. */
  get isReused(): boolean {
    return this.#exchanges > 1
  }

  /** Whether a chunked body has come to its last chunk, and only trailers, or the empty line behind them, are missing. */
  get hasLastChunk(): boolean {
    return this.#chunks?.isInTrailers === true
  }

  begin(user: WireUser): void {
    this.#exchanges += 1
    this.#limit = user.wireBytes
    this.#taken = 0
    this.#readBefore = this.#transport.bytesRead
    this.#state = START
    this.#held = NOTHING
    this.#chunks = null
    this.#mostChunk = Infinity
    this.#again = 0
    user.onWire(this)
  }

  /** Refuses chunks that declare more than this number of bytes. Call it while the head is being read, when the body is chunked. */
  limitChunks(most: number): void {
    this.#mostChunk = most
    if (this.#chunks === null) this.#refuse(new EgressError('protocol', `a Transfer-Encoding of more than ${MOST_HELD} bytes`))
    else this.#hasFittingChunks()
  }

  #hasFittingChunks(): boolean {
    const size = this.#chunks?.largest ?? 0
    if (size <= this.#mostChunk) return true
    const isSize = size <= Number.MAX_SAFE_INTEGER
    this.#refuse(
      isSize ? new EgressError('too_large', `a chunk of ${size} bytes declared`) : new EgressError('protocol', 'an invalid chunk size'),
    )
    return false
  }

  /** True when more has arrived than the exchange may take, data and TLS overhead together. */
  isOver(): boolean {
    return this.#taken > this.#limit || this.#transport.bytesRead - this.#readBefore > this.#limit + READ_AHEAD_BYTES
  }

  #take(): Buffer | null {
    const chunk = this.#read()
    if (chunk === null) return null
    this.#taken += chunk.length
    if (this.isOver()) return this.#refuse(new EgressError('too_large', overLimit(this.#limit)))
    if (this.#state !== BODY) return this.#readHead(chunk)
    if (this.#chunks === null) return chunk
    const seen = Math.min(this.#again, chunk.length)
    this.#again -= seen
    if (seen === chunk.length) return chunk
    const fresh = chunk.subarray(seen)
    const read = this.#chunks.read(fresh)
    if (!this.#hasFittingChunks()) return null
    return read === fresh ? chunk : Buffer.concat([chunk.subarray(0, seen), read])
  }

  #refuse(error: EgressError): null {
    this.#socket.destroy(error)
    return null
  }

  /** The part of a piece that the parser may see. */
  #readHead(piece: Buffer): Buffer | null {
    const chunk = this.#held.length > 0 ? Buffer.concat([this.#held, piece]) : piece
    this.#held = NOTHING
    const passed = new Passed(chunk)
    let at = 0
    while (this.#state !== BODY && at < chunk.length) {
      if (this.#state === START) {
        while (at < chunk.length && (chunk[at] === CR || chunk[at] === LF)) at += 1
        passed.skipTo(at)
        if (at < chunk.length) this.#state = STATUS
      } else if (this.#state === STATUS) {
        const start = chunk.toString('latin1', at, at + STATUS_END)
        if (!start.startsWith(PROTOCOL.slice(0, start.length)))
          return this.#refuse(new EgressError('protocol', `the answer is not HTTP: it begins with ${printable(start)}`))
        if (start.length < STATUS_END && !start.includes('\n')) {
          this.#held = chunk.subarray(at)
          return passed.rest(at)
        }
        if (start[STATUS_AT] === '0') return this.#refuse(new EgressError('protocol', 'a status below 100'))
        if (start.slice(STATUS_AT) === '101') return this.#refuse(new EgressError('protocol', OTHER_PROTOCOL))
        this.#isInterim = start[STATUS_AT] === '1'
        this.#isStatusLine = true
        this.#lineLength = 0
        this.#lastByte = 0
        this.#framing = createFraming()
        this.#state = LINES
      } else {
        const end = this.#endOfLine(chunk, at)
        if (end === -1 && this.#lineLength === 0 && chunk.length - at <= MOST_HELD) {
          this.#held = chunk.subarray(at)
          return passed.rest(at)
        }
        if (end === -1) {
          this.#lineLength += chunk.length - at
          this.#lastByte = chunk[chunk.length - 1]!
          if (this.#isInterim) passed.skipTo(chunk.length)
          break
        }
        const fault = this.#readLine(passed, at, end)
        if (fault !== null) return this.#refuse(fault)
        at = end + 1
      }
    }
    // The start of the body that came with the end of its head.
    if (this.#state === BODY && this.#framing.isCoded()) {
      this.#chunks = new ChunkFraming()
      const start = chunk.subarray(at)
      const read = this.#chunks.read(start)
      if (read !== start) passed.replace(at, read, chunk.length)
    }
    return passed.rest(chunk.length)
  }

  /** The line feed at the end of the current line and of those that continue it; -1 while that is unknown. */
  #endOfLine(chunk: Buffer, at: number): number {
    let end = chunk.indexOf(LF, at)
    const isEmpty = end === at || (end === at + 1 && chunk[at] === CR)
    if (isEmpty || this.#isStatusLine || this.#lineLength > 0) return end
    while (end !== -1) {
      const next = end + 1 === chunk.length ? -1 : isFolded(chunk, end + 1) ? chunk.indexOf(LF, end + 1) : end
      if (next === end || (next === -1 && chunk.length - at > MOST_HELD)) return end
      end = next
    }
    return -1
  }

  /** Reads a line that ends at this line feed. */
  #readLine(passed: Passed, at: number, end: number): EgressError | null {
    const { chunk } = passed
    const isBare = (end > at ? chunk[end - 1] : this.#lastByte) !== CR
    const textEnd = isBare ? end : Math.max(at, end - 1)
    const isWhole = this.#lineLength === 0
    const length = this.#lineLength + (end - at) - (isBare ? 0 : 1)
    const isField = isWhole && length > 0 && !this.#isStatusLine
    this.#lineLength = 0
    this.#lastByte = 0
    this.#isStatusLine = false
    if (length === 0) this.#state = this.#isInterim ? START : BODY
    if (this.#isInterim) {
      passed.skipTo(end + 1)
      return null
    }
    const line = isField ? this.#lineOf(chunk, at, textEnd) : null
    if (line instanceof EgressError) return line
    if (line !== null) passed.replace(at, line, end + 1)
    else if (isBare) passed.replace(end, CRLF, end + 1)
    return null
  }

  /** What the parser gets in place of a header line, with its line break: null the line itself, an empty text nothing. */
  #lineOf(chunk: Buffer, at: number, end: number): string | null | EgressError {
    const isFine = isWellFormed(chunk, at, end)
    const first = chunk[at]! | 32
    // Only the lines about the framing begin so, and a few others.
    if (isFine && first !== 99 && first !== 116) return null
    const text = chunk.toString('latin1', at, end)
    const line = isFine ? text : wellFormed(text)
    const framing = isFraming(line) ? this.#framing.read(line) : null
    return framing ?? (isFine ? null : line === '' ? '' : `${line}\r\n`)
  }
}

/** The parts of a piece that go to the parser. Copies nothing while the whole piece does. */
class Passed {
  readonly chunk: Buffer
  #parts: Buffer[] | null = null
  /** The piece up to here is in `#parts`, or is skipped. */
  #copied = 0

  constructor(chunk: Buffer) {
    this.chunk = chunk
  }

  skipTo(at: number): void {
    this.#copied = at
  }

  /** Puts others in place of the bytes from `start` to `end`. */
  replace(start: number, others: string | Buffer, end: number): void {
    this.#parts ??= []
    this.#parts.push(this.chunk.subarray(this.#copied, start), typeof others === 'string' ? Buffer.from(others, 'latin1') : others)
    this.#copied = end
  }

  /** What the parser gets of the piece up to here. */
  rest(end: number): Buffer {
    const last = this.chunk.subarray(this.#copied, end)
    if (this.#parts === null) return last
    this.#parts.push(last)
    return Buffer.concat(this.#parts)
  }
}

/** The failure text for an answer that is too large on the socket. */
export function overLimit(limit: number): string {
  return `more than ${limit} bytes on the wire`
}

/** For the feed: drops characters that cannot be printed. */
function printable(text: string): string {
  return JSON.stringify(text.replace(/[^\x20-\x7e]/g, '?'))
}
