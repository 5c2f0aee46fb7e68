/**
 * Stands between a socket and the HTTP parser. It counts every byte of an answer (heads, interim replies, framing, trailers, body), and
 * looks at the head as it is on the wire, because the parser's strictness is all or nothing:
 *
 * - an answer begins with `HTTP/`; RTSP and the like are refused,
 * - a line of the head may end in LF alone (RFC 9112, 2.2); it reaches the parser with CR LF. Chunk framing stays strict,
 * - interim replies (1xx, RFC 9110, 15.2) are passed over, but for 101, which the parser refuses.
 *
 * A connection carries one exchange at a time. The channel of undici that is subscribed to below tells which socket an exchange has got.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { chunkSizes } from './chunk-sizes.ts'
import { EgressError } from './dial.ts'

/** What an exchange is to its wire. */
export type WireUser = {
  /** Most bytes that its answer may take of the socket. */
  readonly wireBytes: number
  onWire(wire: Wire): void
}

/** What the socket and the decryption above it may have read before the parser asks for it. */
const READ_AHEAD_BYTES = 256 * 1024

const START = 0
const STATUS = 1
const LINES = 2
const BODY = 3

const CR = 13
const LF = 10
const NOTHING = Buffer.alloc(0)
const CRLF = Buffer.from('\r\n')
const PROTOCOL = 'HTTP/'
/** Where the status code begins in `HTTP/1.1 200`, and where it ends. */
const STATUS_AT = 9
const STATUS_END = 12

const wires = new WeakMap<object, Wire>()
/** The exchange whose request is about to be written: undici announces it and its socket in one turn. */
let next: WireUser | null = null

subscribe('undici:client:sendHeaders', (message) => {
  if (next === null) return
  wires.get((message as { socket: object }).socket)?.begin(next)
  next = null
})

/** Says whose request is written next; to be called when undici hands over the way to abort it. */
export function announce(user: WireUser): void {
  next = user
}

/**
 * Puts a wire on a connection that is about to be handed to the parser.
 *
 * @param socket     what the parser reads from
 * @param transport  the TCP connection below it; the same where nothing is encrypted
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
  /** What the transport had read when the exchange began. */
  #readBefore = 0
  #state: number = BODY
  /** The beginning of the status line while it is not known what it says. */
  #held: Buffer = NOTHING
  #isInterim = false
  /** Bytes of the current line that earlier pieces had, and the last of them. */
  #lineLength = 0
  #lastByte = 0
  /** What of the body came with the end of its head; the parser is about to see it. */
  #behindHead: Buffer = NOTHING
  #sizes: ((piece: Uint8Array) => number | null) | null = null
  /** Bytes that the parser has put back after reading them. */
  #again = 0

  constructor(socket: Socket, transport: Socket) {
    this.#socket = socket
    this.#transport = transport
    this.#read = socket.read.bind(socket) as (size?: number) => Buffer | null
    const unshift = socket.unshift.bind(socket)
    // With a size it is the stream itself that calls, to have more read from below; the parser names none.
    socket.read = (size?: number) => (size === undefined ? this.#take() : this.#read(size))
    socket.unshift = (chunk: Buffer) => {
      this.#taken -= chunk.length
      this.#again += chunk.length
      return unshift(chunk)
    }
  }

  /** Bytes of the current answer, as far as the parser has taken them. */
  get bytes(): number {
    return this.#taken
  }

  begin(user: WireUser): void {
    this.#limit = user.wireBytes
    this.#taken = 0
    this.#readBefore = this.#transport.bytesRead
    this.#state = START
    this.#held = NOTHING
    this.#sizes = null
    this.#again = 0
    user.onWire(this)
  }

  /**
   * The body is chunked: sizes of its chunks are looked at from here on. To be called while its head is being read.
   *
   * @param most  largest size that is waited for, in bytes
   */
  watchChunks(most: number): void {
    this.#sizes = chunkSizes(most)
    this.#lookAtChunks(this.#behindHead)
  }

  #lookAtChunks(piece: Buffer): boolean {
    const size = this.#sizes!(piece)
    if (size === null) return true
    const isSize = size <= Number.MAX_SAFE_INTEGER
    this.#refuse(
      isSize ? new EgressError('too_large', `a chunk of ${size} bytes declared`) : new EgressError('protocol', 'a chunk size that is none'),
    )
    return false
  }

  /** True when more has come than the exchange may take, be it data or what encryption puts around it. */
  isOver(): boolean {
    return this.#taken > this.#limit || this.#transport.bytesRead - this.#readBefore > this.#limit + READ_AHEAD_BYTES
  }

  #take(): Buffer | null {
    const chunk = this.#read()
    if (chunk === null) return null
    this.#taken += chunk.length
    if (this.isOver()) return this.#refuse(new EgressError('too_large', overLimit(this.#limit)))
    this.#behindHead = NOTHING
    if (this.#state !== BODY) return this.#readHead(chunk)
    if (this.#sizes === null) return chunk
    const seen = Math.min(this.#again, chunk.length)
    this.#again -= seen
    return seen === chunk.length || this.#lookAtChunks(chunk.subarray(seen)) ? chunk : null
  }

  #refuse(error: EgressError): null {
    this.#socket.destroy(error)
    return null
  }

  /** The part of a piece that the parser shall see. */
  #readHead(piece: Buffer): Buffer | null {
    let chunk = piece
    let at = 0
    /** Up to here the piece is in `parts`, or passed over. */
    let copied = 0
    let parts: Buffer[] | null = null
    while (this.#state !== BODY && at < chunk.length) {
      if (this.#state === START) {
        while (at < chunk.length && (chunk[at] === CR || chunk[at] === LF)) at += 1
        copied = at
        if (at < chunk.length) this.#state = STATUS
      } else if (this.#state === STATUS) {
        if (this.#held.length > 0) chunk = Buffer.concat([this.#held, chunk])
        this.#held = NOTHING
        const start = chunk.toString('latin1', at, at + STATUS_END)
        if (!start.startsWith(PROTOCOL.slice(0, start.length)))
          return this.#refuse(new EgressError('protocol', `the answer is not HTTP: it begins with ${printable(start)}`))
        if (start.length < STATUS_END && !start.includes('\n')) {
          this.#held = chunk.subarray(at)
          copied = at = chunk.length
        } else {
          this.#isInterim = start[STATUS_AT] === '1' && start.slice(STATUS_AT) !== '101'
          this.#lineLength = 0
          this.#lastByte = 0
          this.#state = LINES
        }
      } else {
        const end = chunk.indexOf(LF, at)
        if (end === -1) {
          this.#lineLength += chunk.length - at
          this.#lastByte = chunk[chunk.length - 1]!
          at = chunk.length
          if (this.#isInterim) copied = at
          break
        }
        const isBare = (end > at ? chunk[end - 1] : this.#lastByte) !== CR
        const length = this.#lineLength + (end - at) - (isBare ? 0 : 1)
        if (isBare && !this.#isInterim) {
          parts ??= []
          parts.push(chunk.subarray(copied, end), CRLF)
          copied = end + 1
        }
        this.#lineLength = 0
        this.#lastByte = 0
        at = end + 1
        if (this.#isInterim) copied = at
        if (length === 0) this.#state = this.#isInterim ? START : BODY
      }
    }
    if (this.#state === BODY) this.#behindHead = chunk.subarray(at)
    if (parts === null) return copied === 0 ? chunk : chunk.subarray(copied)
    parts.push(chunk.subarray(copied))
    return Buffer.concat(parts)
  }
}

/** Words for an answer that takes more of the socket than it may. */
export function overLimit(limit: number): string {
  return `more than ${limit} bytes on the wire`
}

/** For a line of the feed: nothing but what can be read. */
function printable(text: string): string {
  return JSON.stringify(text.replace(/[^\x20-\x7e]/g, '?'))
}
