/** Writes a stream of server-sent events: exact headers, frames, and the amount that the reader has not received yet. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** One event as bytes: `data: `, the JSON on one line, a blank line. */
export const eventFrame = (json: string) => Buffer.from(`data: ${json}\n\n`)

/** The line with an event's number, which a browser sends back when it reconnects. */
export const idLine = (seq: number) => Buffer.from(`id: ${seq}\n`)

/** A comment, which clients ignore: keeps proxies from closing an idle stream. */
export const PING = Buffer.from(': ping\n\n')

/** The target of events. Never throws for a disconnected reader; `onClose` reports it. */
export type EventSink = {
  /** Writes frames in one go. */
  write(frames: readonly Buffer[]): void
  /** Bytes that are written but have not left the process. */
  unsentBytes(): number
  /** Calls the listener when buffered bytes have been sent. */
  onDrain(listener: () => void): void
  /** Calls the listener once, when the reader has disconnected or the stream has ended. */
  onClose(listener: () => void): void
  /** Ends the stream after sending the buffered bytes. */
  end(): void
  /** Closes the connection at once, for a reader that does not read. */
  destroy(): void
}

// The kernel detects a peer that has vanished: it probes after this silence.
const KEEP_ALIVE_MS = 15_000
/** Most milliseconds for sending the rest after the end. */
const END_MS = 10_000

/**
 * Takes over the reply and opens the stream, with the headers that hooks have set.
 *
 * There may be thousands of idle readers, and for each of them Node's HTTP server would keep a parser, the request and the reply: 12 of 19
 * KiB (measured). So the connection is detached: the server is told that the reply is finished and its connection closed, and releases
 * everything. What remains is a plain socket. If a version of Node does not release it, a warning is logged once, and streams use the reply
 * like any other answer.
 */
export async function openEventStream(request: FastifyRequest, reply: FastifyReply): Promise<EventSink> {
  reply.hijack()
  const response = reply.raw
  // The parser may be running further up the call stack.
  await new Promise(setImmediate)
  const { socket } = response
  if (socket === null || socket.destroyed) return GONE
  // HTTP/1.0 reads to the end; for HTTP/1.1 every write is framed as a chunk (RFC 9112, 7.1).
  const isChunked = request.raw.httpVersion === '1.1'
  const head = headOf(reply, isChunked)
  if (!leaveServer(response, socket)) {
    warnOnce(request)
    response.writeHead(200).flushHeaders()
    return new ResponseSink(response)
  }
  socket.emit('close', false)
  socket.removeAllListeners()
  const sink = new SocketSink(socket, { isChunked })
  socket.write(head, 'latin1')
  return sink
}

/** Detaches a connection from the server by telling it that the reply is finished. False when this Node does not release it. */
function leaveServer(response: ServerResponse, socket: Socket): boolean {
  const isAsKnown = 'detachSocket' in response && response.detachSocket !== undefined && socket.listenerCount('close') > 0
  if (isAsKnown) response.emit('finish')
  return isAsKnown && response.socket === null
}

let hasWarned = false

function warnOnce({ log }: FastifyRequest) {
  if (hasWarned) return
  hasWarned = true
  log.warn({}, 'this version of Node keeps the connections of event streams: each reader takes 12 KiB more')
}

/** The head as text; headers of hooks are validated as Node does it. */
function headOf(reply: FastifyReply, isChunked: boolean): string {
  const response = reply.raw
  const headers = {
    ...reply.getHeaders(),
    ...(isChunked && { 'transfer-encoding': 'chunked' }),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
    date: new Date().toUTCString(),
    connection: 'close',
  }
  for (const [name, value = []] of Object.entries(headers)) response.setHeader(name, value)
  const lines = Object.entries(response.getHeaders()).flatMap(([name, value = []]) => [value].flat().map((one) => `${name}: ${one}\r\n`))
  return `HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`
}

/** For a reader that disconnected before the stream was open. */
const GONE: EventSink = {
  write: () => undefined,
  unsentBytes: () => 0,
  onDrain: () => undefined,
  onClose: (listener) => listener(),
  end: () => undefined,
  destroy: () => undefined,
}

/** One object per reader, which holds only the socket. */
class SocketSink implements EventSink {
  readonly #socket: Socket
  readonly #isChunked: boolean

  constructor(socket: Socket, { isChunked }: { isChunked: boolean }) {
    this.#socket = socket
    this.#isChunked = isChunked
    socket.setTimeout(0)
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    // Incoming data is ignored; half-close counts as disconnect, and `close` follows every error.
    socket.on('error', ignore).on('end', destroyed).resume()
  }

  write(frames: readonly Buffer[]) {
    const socket = this.#socket
    if (frames.length === 0 || !socket.writable) return
    socket.cork()
    if (this.#isChunked) socket.write(`${frames.reduce((bytes, { length }) => bytes + length, 0).toString(16)}\r\n`)
    for (const frame of frames) socket.write(frame)
    if (this.#isChunked) socket.write('\r\n')
    socket.uncork()
  }

  unsentBytes() {
    return this.#socket.writableLength
  }

  onDrain(listener: () => void) {
    this.#socket.on('drain', listener)
  }

  onClose(listener: () => void) {
    if (this.#socket.destroyed) listener()
    else this.#socket.on('close', listener)
  }

  end() {
    const socket = this.#socket
    if (!socket.writable) return
    if (this.#isChunked) socket.write('0\r\n\r\n')
    socket.setTimeout(END_MS, destroyed)
    socket.destroySoon()
  }

  destroy() {
    this.#socket.destroy()
  }
}

/** For a connection that stays with the server. */
class ResponseSink implements EventSink {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
    response.on('error', ignore)
  }

  write(frames: readonly Buffer[]) {
    const response = this.#response
    if (frames.length === 0 || !response.writable) return
    response.cork()
    for (const frame of frames) response.write(frame)
    response.uncork()
  }

  unsentBytes() {
    return this.#response.writableLength
  }

  onDrain(listener: () => void) {
    this.#response.on('drain', listener)
  }

  onClose(listener: () => void) {
    if (this.#response.destroyed) listener()
    else this.#response.on('close', listener)
  }

  end() {
    const response = this.#response
    response.setTimeout(END_MS, () => void response.destroy())
    response.end()
  }

  destroy() {
    this.#response.destroy()
  }
}

function ignore() {}

function destroyed(this: Socket) {
  this.destroy()
}
