/** Deadlines of requests: a head, a body or a pause between two of its bytes may not hold a connection for as long as the caller likes. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Deadlines = {
  /** For the whole head, from the first byte of the connection or the end of the request before. */
  headMs: number
  /** For the whole request. */
  requestMs: number
  /** From here on a body must have come at `bytesPerSecond`, on average. */
  graceMs: number
  bytesPerSecond: number
  /** How often connections are looked at. */
  lookMs: number
}

export const DEADLINES: Deadlines = { headMs: 20_000, requestMs: 300_000, graceMs: 10_000, bytesPerSecond: 1024, lookMs: 1000 }

/** True when so many bytes are too few for the time that they took. */
export const isTooSlow = (bytes: number, tookMs: number, { graceMs, bytesPerSecond }: Pick<Deadlines, 'graceMs' | 'bytesPerSecond'>) =>
  tookMs > graceMs && bytes < ((tookMs - graceMs) / 1000) * bytesPerSecond

type Body = { request: IncomingMessage; socket: Socket; since: number; bytesBefore: number }

/**
 * Watches the bodies of a server's requests; one that comes too slowly ends like a request that has run out of time, see `clientError`.
 * Nothing is spent on requests whose body is there with their head.
 */
export function watchBodies(server: Server, deadlines: Deadlines, now: () => number = () => performance.now()) {
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
      // What waits to be read is not the caller's delay but ours, or that of the backend behind us.
      else if (request.readableLength > 0) Object.assign(body, { since: now(), bytesBefore: socket.bytesRead })
      else if (isTooSlow(socket.bytesRead - bytesBefore, now() - body.since, deadlines)) {
        coming.delete(body)
        server.emit('clientError', Object.assign(new Error('the body came too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
      }
    }
    if (coming.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Whether a body follows the head, whatever of it has come. */
export const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

const READ_ON_MS = 10_000

/**
 * For an answer that is sent before its request has come to an end: reads the rest of the body and throws it away, for ten seconds at most.
 * Closing at once would reset the connection, and most clients would then report that instead of the answer (RFC 9112, 9.6).
 */
export function readOn(request: IncomingMessage, response: ServerResponse): void {
  const isLast = !response.shouldKeepAlive
  response.shouldKeepAlive = true
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), READ_ON_MS).unref()
  socket.once('close', () => clearTimeout(timer))
  request.once('end', () => {
    clearTimeout(timer)
    if (isLast) socket.end()
  })
  response.once('finish', () => request.resume())
}
