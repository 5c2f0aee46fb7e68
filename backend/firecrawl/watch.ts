/**
 * Follows jobs over a WebSocket: what there is, each document as it arrives, the end.
 *
 * The key comes as the subprotocol, which the handshake must then select, or as a header. v1 reads the end from the reason of the close, v2
 * from a message. Some clients turn a refused upgrade into an endless stream of errors, so a connection that cannot be served is accepted
 * and closed.
 */
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError } from '#backend/errors.ts'
import type { TeamActor } from '#backend/http/actor.ts'
import { acceptWebSocket, asksForWebSocket } from '#backend/http/websocket.ts'
import type { TextSocket } from '#backend/http/websocket.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import { Refused } from './errors.ts'
import type { Jobs } from './jobs.ts'
import { hasEnded } from './parts.ts'
import type { JobStatuses } from './parts.ts'
import type { Asked } from './scrape-spec.ts'
import { DOCUMENTS_AT_ONCE } from './status.ts'

/** Matches the path of a job below any prefix. */
const PATH = /\/(v[12])\/(?:crawl|batch\/scrape)\/([0-9a-f-]{36})\/?(?:\?.*)?$/i
const LOOK_EVERY_MS = 1000
/** How often the caller's rights are checked again. */
const ASK_EVERY_MS = 10_000
/** Enough documents for the first message; the others follow one by one, as the reader takes them. */
const CATCH_UP_BYTES = 1024 * 1024
const UNAUTHORIZED = 'Unauthorized: Invalid token'

export type WatchNeeds = {
  bus: EventBus
  /** Resolves a key to its team, which is counted like readers of our own streams; null for an unknown key. */
  actorOf: (key: string) => Promise<TeamActor | null>
  enter: (actor: TeamActor) => void
  jobs: Jobs
  leave: (actor: TeamActor) => void
  mayRead: (actor: TeamActor) => Promise<boolean>
  publicBase: string | null
  statuses: JobStatuses
  warn: (facts: object, message: string) => void
}

/** Handles the upgrades of a server. Returns a function that ends all streams. */
export function watchJobs(server: Server, needs: WatchNeeds): () => void {
  const open = new Set<TextSocket>()
  const onUpgrade = (request: IncomingMessage, socket: Duplex) => {
    // A client may disconnect before it is served.
    socket.on('error', () => socket.destroy())
    const [, version, id] = PATH.exec(request.url ?? '') ?? []
    if (version === undefined || id === undefined || !asksForWebSocket(request))
      return void socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    const { key, protocol } = credentialsOf(request)
    const channel = acceptWebSocket(request, socket, protocol)
    open.add(channel)
    channel.signal.addEventListener('abort', () => open.delete(channel))
    void serve(needs, channel, {
      base: needs.publicBase ?? originOf(request),
      id: id.toLowerCase(),
      key,
      version: version as Asked['version'],
    })
  }
  server.on('upgrade', onUpgrade)
  return () => {
    server.off('upgrade', onUpgrade)
    for (const channel of open) channel.close(1001)
  }
}

async function serve(
  needs: WatchNeeds,
  channel: TextSocket,
  { base, id, key, version }: { base: string; id: string; key: string; version: Asked['version'] },
): Promise<void> {
  const actor = await needs.actorOf(key).catch(() => null)
  if (actor === null) return fail(channel, UNAUTHORIZED, 1008)
  try {
    needs.enter(actor)
  } catch (error) {
    return fail(channel, error instanceof AppError ? error.message : 'Too many streams', 1013)
  }
  try {
    await follow(needs, channel, { actor, base, id, version })
  } catch (error) {
    if (!(error instanceof Refused) && !(error instanceof AppError)) needs.warn({ err: error }, 'a job could not be followed')
    fail(channel, error instanceof Refused || error instanceof AppError ? error.message : 'An unexpected error occurred.', 1011)
  } finally {
    needs.leave(actor)
  }
}

function fail(channel: TextSocket, error: string, code: number): void {
  void channel.send(JSON.stringify({ type: 'error', error }))
  channel.close(code, error)
}

async function follow(
  needs: WatchNeeds,
  channel: TextSocket,
  { actor, base, id, version }: { actor: TeamActor; base: string; id: string; version: Asked['version'] },
): Promise<void> {
  const { bus, jobs, statuses } = needs
  let parts = await jobs.readParts(actor.teamId, id, version)
  const wake = createWake(bus, parts[0]!.run.no, channel.signal)
  try {
    let askedAt = performance.now()
    const mayGoOn = async () => {
      if (performance.now() - askedAt < ASK_EVERY_MS) return true
      askedAt = performance.now()
      return needs.mayRead(actor)
    }
    // The first message has at most as many documents as a page of the status.
    let seen = 0
    let bytes = 0
    const documents: Buffer[] = []
    for await (const { ordinal, text } of statuses.documents(parts, 0, Math.min(statuses.readable(parts), DOCUMENTS_AT_ONCE), base)) {
      documents.push(text)
      seen = ordinal
      bytes += text.length
      if (bytes >= CATCH_UP_BYTES) break
    }
    // Clients stop reading at a status that is an end: it is sent only with the last document.
    const head = { ...(await statuses.head(parts)), ...(seen < statuses.readable(parts) && { status: 'scraping' }) }
    await channel.send(`{"type":"catchup","data":${JSON.stringify(head).slice(0, -1)},"data":[${documents.map(String).join(',')}]}}`)
    for (;;) {
      for await (const { ordinal, text } of statuses.documents(parts, seen, statuses.readable(parts), base)) {
        await channel.send(`{"type":"document","data":${text.toString()}}`)
        seen = ordinal
        if (channel.signal.aborted) return
        // A reader may take long over what there is.
        if (!(await mayGoOn())) return channel.close(1008, UNAUTHORIZED)
      }
      if (hasEnded(parts) && seen >= statuses.readable(parts)) break
      await wake.next()
      if (channel.signal.aborted) return
      if (!(await mayGoOn())) return channel.close(1008, UNAUTHORIZED)
      parts = await jobs.readParts(actor.teamId, id, version)
    }
    await end(channel, await statuses.head(parts), version)
  } finally {
    wake.close()
  }
}

/** Tells how the job ended. Clients report `completed` at a message `done`, whatever it says: other ends have a message of their own. */
async function end(channel: TextSocket, head: Record<string, unknown>, version: Asked['version']): Promise<void> {
  const { status } = head
  const isDone = status === 'completed'
  // Clients of v1 read the end from the reason of the close.
  if (version === 'v1')
    return channel.close(1000, JSON.stringify(isDone ? { type: 'done' } : { type: 'error', error: `The job ended as ${String(status)}.` }))
  await channel.send(JSON.stringify({ type: isDone ? 'done' : 'catchup', data: { ...head, data: [] } }))
  channel.close(1000)
}

/** Wakes the loop at a hint about the run, once a second without one, and when the reader disconnects. */
function createWake(bus: EventBus, runNo: number, signal: AbortSignal) {
  const events = new EventTarget()
  let isDue = false
  const ring = () => {
    isDue = true
    events.dispatchEvent(new Event('due'))
  }
  const unsubscribe = bus.subscribe(runNo, ring)
  const timer = setInterval(ring, LOOK_EVERY_MS).unref()
  signal.addEventListener('abort', ring, { once: true })
  return {
    async next(): Promise<void> {
      if (!isDue) await once(events, 'due')
      isDue = false
    },
    close() {
      unsubscribe()
      clearInterval(timer)
      signal.removeEventListener('abort', ring)
    },
  }
}

/** The key is the only subprotocol in the request. */
function credentialsOf({ headers }: IncomingMessage): { key: string; protocol: string | null } {
  const protocol = headers['sec-websocket-protocol']?.split(',')[0]?.trim() || null
  const header = /^bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1]
  return { key: header ?? protocol ?? '', protocol }
}

function originOf({ headers, socket }: IncomingMessage): string {
  const isTls = 'encrypted' in socket && socket.encrypted === true
  return URL.parse(`${isTls ? 'https' : 'http'}://${headers.host ?? 'localhost'}`)?.origin ?? 'http://localhost'
}
