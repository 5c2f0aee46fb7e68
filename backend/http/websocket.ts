/**
 * The server side of a send-only WebSocket: it sends texts, and of incoming frames it handles only pings and the close.
 *
 * Source: RFC 6455. It offers no extension, so no frame is compressed; data frames of the client are dropped.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const OPCODE = { text: 0x1, close: 0x8, ping: 0x9, pong: 0xa } as const
/** A client that only listens sends short frames. */
const MAX_INCOMING = 64 * 1024
/** Of a ping, a pong and a close (5.5). */
const MAX_CONTROL = 125
const KEEP_ALIVE_MS = 15_000
/** Most milliseconds for the other side's close frame. */
const CLOSE_MS = 5000
/** A reader has this long for a message, and longer for a large one at this speed; then it is disconnected. */
const STUCK_MS = 60_000
const LEAST_BYTES_PER_MS = 10

export type TextSocket = {
  /** Sends a text. Resolves when there is room for another, or the other side has disconnected, also because it did not read. */
  send(text: string | Buffer): Promise<void>
  /** Sends a close frame. The reason has at most 123 bytes. */
  close(code: number, reason?: string): void
  /** Aborts when the other side has disconnected, or a close frame was sent. */
  readonly signal: AbortSignal
}

/** Whether a request asks for a WebSocket of version 13 (RFC 6455, 4.2.1). */
export const asksForWebSocket = ({ headers, method }: IncomingMessage): boolean =>
  method === 'GET' &&
  /(?:^|,)\s*websocket\s*(?:,|$)/i.test(headers.upgrade ?? '') &&
  /^[A-Za-z0-9+/]{22}==$/.test(headers['sec-websocket-key'] ?? '') &&
  headers['sec-websocket-version'] === '13'

/**
 * Answers the handshake.
 *
 * @param protocol  the selected subprotocol; null: none
 * @param stuckMs   most milliseconds for a small message
 */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex, protocol: string | null, stuckMs = STUCK_MS): TextSocket {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${MAGIC}`).digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n` +
      `${protocol === null ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`}\r\n`,
  )
  const closed = new AbortController()
  let isClosing = false
  const timer = setInterval(() => write(OPCODE.ping, Buffer.alloc(0)), KEEP_ALIVE_MS).unref()
  socket.on('error', leave)
  socket.on('close', leave)
  socket.on('end', leave)
  readFrames(socket, hear)
  return { send, close, signal: closed.signal }

  async function send(text: string | Buffer): Promise<void> {
    if (isClosing || !socket.writable) return
    const payload = Buffer.from(text)
    if (write(OPCODE.text, payload)) return
    const late = setTimeout(leave, stuckMs + payload.length / LEAST_BYTES_PER_MS)
    const { promise, resolve } = Promise.withResolvers<void>()
    const goOn = () => resolve()
    socket.once('drain', goOn)
    closed.signal.addEventListener('abort', goOn)
    await promise
    clearTimeout(late)
    socket.off('drain', goOn)
    closed.signal.removeEventListener('abort', goOn)
  }

  function close(code: number, reason = ''): void {
    if (isClosing) return
    isClosing = true
    clearInterval(timer)
    const text = Buffer.from(reason).subarray(0, 123)
    const body = Buffer.alloc(2 + text.length)
    body.writeUInt16BE(code)
    text.copy(body, 2)
    if (socket.writable) {
      write(OPCODE.close, body)
      socket.end()
    }
    setTimeout(() => socket.destroy(), CLOSE_MS).unref()
    closed.abort()
  }

  function hear(opcode: number, payload: Buffer): void {
    // Who sends pings and reads no answer gets none: each would be kept in memory.
    if (opcode === OPCODE.ping && !socket.writableNeedDrain) write(OPCODE.pong, payload)
    else if (opcode === OPCODE.close) close(1000)
  }

  function leave(): void {
    clearInterval(timer)
    closed.abort()
    socket.destroy()
  }

  function write(opcode: number, payload: Buffer): boolean {
    if (!socket.writable) return true
    socket.cork()
    socket.write(headOf(opcode, payload.length))
    const hasRoom = socket.write(payload)
    socket.uncork()
    return hasRoom
  }
}

/** The head of a final, unmasked frame (5.2). */
function headOf(opcode: number, length: number): Buffer {
  const first = 0x80 | opcode
  if (length < 126) return Buffer.from([first, length])
  if (length < 65_536) return Buffer.from([first, 126, length >> 8, length & 0xff])
  const head = Buffer.alloc(10)
  head[0] = first
  head[1] = 127
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

/** Calls back for each frame; disconnects a client that breaks the protocol, or sends too much. */
function readFrames(socket: Duplex, hear: (opcode: number, payload: Buffer) => void): void {
  let waiting = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    for (;;) {
      if (waiting.length < 2) return
      const short = waiting[1]! & 0x7f
      const extended = short === 126 ? 2 : short === 127 ? 8 : 0
      // Clients mask every frame (5.1) with a key of four bytes.
      if ((waiting[1]! & 0x80) === 0 || extended === 8) return void socket.destroy()
      const start = 2 + extended + 4
      if (waiting.length < start) return
      const length = extended === 2 ? waiting.readUInt16BE(2) : short
      const isControl = (waiting[0]! & 0x08) !== 0
      if (length > (isControl ? MAX_CONTROL : MAX_INCOMING)) return void socket.destroy()
      if (waiting.length < start + length) return
      const mask = waiting.subarray(start - 4, start)
      const payload = Buffer.from(waiting.subarray(start, start + length))
      for (let at = 0; at < length; at += 1) payload[at]! ^= mask[at % 4]!
      const opcode = waiting[0]! & 0x0f
      waiting = waiting.subarray(start + length)
      hear(opcode, payload)
    }
  })
}
