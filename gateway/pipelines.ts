/**
 * Limits how many requests of one connection are answered at once. A client may send requests without waiting for answers (RFC 9112, 9.3.2),
 * and Node starts all that arrive in one packet: more than a thousand.
 */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers wait for each answer; some tools send a few requests ahead. */
const MOST_ANSWERED = 16
/** A connection that has sent so many requests after its last one is closed at once: each takes memory until then. */
const MOST_DROPPED = 100

/**
 * Passes a request to the server's handlers only while its connection may send more. The answer that fills a connection says
 * `Connection: close`: a client then knows that later requests were not handled, and sends them again on another connection.
 */
export function limitPipelines(server: Server): void {
  const handlers = server.listeners('request')
  const counts = new WeakMap<Socket, Counts>()
  server.removeAllListeners('request')
  // Before any handler: a request that gets no answer must cost little.
  server.on('request', (request, response) => {
    if (mayAnswer(countsOf(counts, request.socket), request.socket, response))
      for (const handle of handlers) handle.call(server, request, response)
  })
}

/** The requests of a connection that have no answer yet, and those that get none. */
type Counts = { open: number; dropped: number }

function mayAnswer(counts: Counts, socket: Socket, response: ServerResponse): boolean {
  if (counts.open >= MOST_ANSWERED) {
    counts.dropped += 1
    if (counts.dropped > MOST_DROPPED) socket.destroy()
    return false
  }
  counts.open += 1
  if (counts.open === MOST_ANSWERED) {
    response.shouldKeepAlive = false
    // Never decreases: no later request of this connection is answered.
    counts.open = Infinity
  }
  response.once('close', () => void (counts.open -= 1))
  return true
}

function countsOf(known: WeakMap<Socket, Counts>, socket: Socket): Counts {
  const counts = known.get(socket) ?? { open: 0, dropped: 0 }
  known.set(socket, counts)
  return counts
}
