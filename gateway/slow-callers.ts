/** Deadlines of requests: limits the time for a head, for a body, and between two bytes of a body. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

export type Deadlines = {
  /** For the whole head, from the first byte of the connection or the end of the request before. */
  headMs: number
  /** For the whole request. */
  requestMs: number
  /** After this time a body must have arrived at `bytesPerSecond`, on average. */
  graceMs: number
  bytesPerSecond: number
  /** How often connections are checked. */
  lookMs: number
  /** A response that is sent as a whole may wait this long for a reader who takes nothing. */
  unreadMs: number
}

export const DEADLINES: Deadlines = {
  headMs: 20_000,
  requestMs: 300_000,
  graceMs: 10_000,
  bytesPerSecond: 1024,
  lookMs: 1000,
  unreadMs: 60_000,
}

/** True when the average rate of the bytes received is too low. */
export const isTooSlow = (bytes: number, tookMs: number, { graceMs, bytesPerSecond }: Pick<Deadlines, 'graceMs' | 'bytesPerSecond'>) =>
  tookMs > graceMs && bytes < ((tookMs - graceMs) / 1000) * bytesPerSecond

type Body = { request: IncomingMessage; socket: Socket; since: number; bytesBefore: number }

/**
 * Watches the bodies of a server's requests; one that arrives too slowly ends like a request that has timed out, see `clientError`.
 * Requests whose body arrives together with their head cost nothing.
 */
export function watchBodies(server: Server, deadlines: Deadlines) {
  const now = () => performance.now()
  const coming = new Set<Body>()
  let timer: NodeJS.Timeout | undefined
  return { watch }

  function watch(request: IncomingMessage): void {
    if (request.complete || !hasBody(request)) return
    const { socket } = request
    coming.add({ request, socket, since: now(), bytesBefore: socket.bytesRead })
    timer ??= setInterval(look, deadlines.lookMs).unref()
  }

  function look() {
    for (const body of coming) {
      const { request, socket, bytesBefore } = body
      if (request.complete || socket.destroyed) coming.delete(body)
      // Unread bytes mean that we, or the backend, are slow, not the client.
      else if (request.readableLength > 0) Object.assign(body, { since: now(), bytesBefore: socket.bytesRead })
      else if (isTooSlow(socket.bytesRead - bytesBefore, now() - body.since, deadlines)) {
        coming.delete(body)
        server.emit('clientError', Object.assign(new Error('the body arrived too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
      }
    }
    if (coming.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Whether the request has a body, received or not. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/**
 * Before a response that is sent as a whole, and so waits in memory for its reader: disconnects a reader who takes nothing of it for so
 * long, or up to twice as long if bytes were sent at first. Node ends this timeout with the response.
 */
export function watchReader({ socket }: IncomingMessage, payload: unknown, { unreadMs }: Pick<Deadlines, 'unreadMs'>): void {
  if (socket instanceof Socket && (typeof payload === 'string' || Buffer.isBuffer(payload))) socket.setTimeout(unreadMs)
}

const READ_ON_MS = 10_000

/**
 * For a response that is sent before the request is complete: reads and discards the rest of the body, for ten seconds at most.
 * Closing at once would reset the connection, and most clients would then report the reset instead of the response (RFC 9112, 9.6).
 */
export function readOn(request: IncomingMessage, response: ServerResponse): void {
  const isLast = !response.shouldKeepAlive
  response.shouldKeepAlive = true
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), READ_ON_MS).unref()
  const stop = () => clearTimeout(timer)
  socket.once('close', stop)
  request.once('end', () => {
    stop()
    // The connection may carry many more requests.
    socket.off('close', stop)
    if (isLast) socket.end()
  })
  response.once('finish', () => request.resume())
}
