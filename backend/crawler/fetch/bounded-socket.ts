/**
 * A socket that closes as soon as a piece exceeds a limit: in the turn in which that piece arrives, before it is parsed.
 *
 * While we parse an endless answer, the sender fills the buffers of two kernels: over a fast network 64 KiB every 50 μs; its own kernel
 * alone holds 4 MB. Closing a socket with unread bytes sends RST, which stops the sender at once.
 */
import { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { EgressError } from './dial.ts'
import { overLimit } from './wire.ts'

/**
 * Everything up to and including the piece that exceeds the limit can still be read; then the socket fails as `too_large`.
 *
 * @param most  bytes that the peer may send
 */
export function boundSocket(socket: Socket, most: number): Socket {
  const bounded = new BoundedSocket(socket, most)
  // What the HTTP client calls on a socket besides reading and writing.
  const client = Object.assign(bounded, {
    ref: () => (socket.ref(), client),
    unref: () => (socket.unref(), client),
  })
  return client as unknown as Socket
}

class BoundedSocket extends Duplex {
  readonly #socket: Socket
  readonly #most: number
  #received = 0
  #pushed = 0

  constructor(socket: Socket, most: number) {
    super({ allowHalfOpen: false })
    this.#socket = socket
    this.#most = most
    socket.on('data', (piece: Buffer) => {
      this.#received += piece.length
      if (this.#isOver) socket.destroy()
      inTurn(() => {
        this.#pushed += piece.length
        if (!this.push(piece)) socket.pause()
        this.#failOnceRead()
      })
    })
    socket.once('end', () => inTurn(() => this.push(null)))
    socket.once('error', (error) => inTurn(() => this.destroy(error)))
    socket.once('close', () => {
      if (!this.#isOver) inTurn(() => this.destroy())
    })
  }

  get #isOver(): boolean {
    return this.#received > this.#most
  }

  get bytesRead(): number {
    return this.#received
  }

  override read(size?: number): Buffer | null {
    const piece = super.read(size) as Buffer | null
    if (piece === null) this.#failOnceRead()
    return piece
  }

  override _read(): void {
    if (!this.#isOver) this.#socket.resume()
  }

  #failOnceRead(): void {
    if (this.#pushed > this.#most && this.readableLength === 0) this.destroy(new EgressError('too_large', overLimit(this.#most)))
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(piece, done)
  }

  override _final(done: () => void): void {
    if (this.#socket.writableEnded) done()
    else this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}

/** Pieces from all sockets that wait to be parsed. */
const waiting: (() => void)[] = []

/** Parses one piece per turn of the event loop, so that other sockets are read in between. */
function inTurn(parse: () => void): void {
  if (waiting.push(parse) === 1) setImmediate(parseNext)
}

function parseNext(): void {
  try {
    waiting[0]!()
  } finally {
    waiting.shift()
    if (waiting.length > 0) setImmediate(parseNext)
  }
}
