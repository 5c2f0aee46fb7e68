/** Renders pages for engines on other machines: passes their connections, one per page, to this machine's renderer. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { RenderJob, RenderOutcome, Renderer } from '#backend/crawler/crawl/renderer.ts'
import { createSemaphore } from '#backend/platform/semaphore.ts'
import type { Semaphore } from '#backend/platform/semaphore.ts'
import { ALIVE_MS, RENDER_PROTOCOL, frameOf, frameReader } from './render-frames.ts'
import type { ToRemote } from './render-frames.ts'

const REFUSED = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
const AGREED = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${RENDER_PROTOCOL}\r\n\r\n`

/**
 * Serves the connections of a server. Returns a function that ends them.
 *
 * @param token  callers must know it
 */
export function serveRenderCalls(server: Server, { renderer, token }: { renderer: Renderer; token: string }): () => void {
  const expected = digestOf(`Bearer ${token}`)
  const open = new Set<Duplex>()
  // Workers do not know how many pages the others send.
  const places = createSemaphore(renderer.slots)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    if (!timingSafeEqual(digestOf(request.headers.authorization ?? ''), expected)) return void socket.end(REFUSED)
    open.add(socket.on('close', () => open.delete(socket)))
    socket.write(AGREED)
    if (head.length > 0) socket.unshift(head)
    serve(socket, renderer, places)
  })
  return () => {
    for (const socket of open) socket.destroy()
  }
}

function serve(socket: Duplex, renderer: Renderer, places: Semaphore) {
  const stop = new AbortController()
  const hops: ((verdict: HopVerdict) => void)[] = []
  const alive = setInterval(() => say(frameOf({ type: 'alive' })), ALIVE_MS)
  let isAtWork = false
  socket.on('close', () => {
    clearInterval(alive)
    stop.abort()
    for (const resolve of hops) resolve('canceled')
  })
  const read = frameReader<ToRemote>((message) => {
    if (message.type === 'hop') hops[message.hop]?.(message.verdict)
    else if (!isAtWork) {
      isAtWork = true
      void render(message.job)
    }
  })
  socket.on('data', (bytes: Buffer) => {
    try {
      read(bytes)
    } catch {
      socket.destroy()
    }
  })

  async function render(job: RenderJob) {
    const outcome = await places.during(() => renderer.render(job, { signal: stop.signal, beforeHop: askHop }))
    try {
      await send(outcome)
    } catch {
      socket.destroy()
    } finally {
      if (outcome.kind === 'rendered') for (const { path } of outcome.captures) await rm(path, { force: true })
    }
  }

  async function send(outcome: RenderOutcome) {
    if (outcome.kind !== 'rendered') return void socket.end(frameOf({ type: 'done', outcome }))
    const { captures, html, ...rest } = outcome
    for (const { isJpeg, path, type } of captures)
      say(frameOf({ type: 'capture', of: type, ...(isJpeg === true && { isJpeg }) }, await readFile(path)))
    socket.end(frameOf({ type: 'done', outcome: rest }, html))
  }

  function askHop(url: string): Promise<HopVerdict> {
    return new Promise((resolve) => {
      if (stop.signal.aborted) return resolve('canceled')
      hops.push(resolve)
      say(frameOf({ type: 'hop', hop: hops.length - 1, url }))
    })
  }

  function say(frame: Buffer) {
    if (!socket.destroyed) socket.write(frame)
  }
}

const digestOf = (text: string) => createHash('sha256').update(text).digest()
