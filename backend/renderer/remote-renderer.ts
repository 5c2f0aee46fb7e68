/**
 * The Renderer of an engine whose browsers run on other machines. Each page has a connection of its own to one of the renderers, so that a
 * name with several addresses spreads them. When a renderer dies or falls silent, each of its pages is given to another one, once.
 */
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { request as ask } from 'node:http'
import { request as askSecurely } from 'node:https'
import type { Duplex } from 'node:stream'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChildLog } from '#backend/platform/child-host.ts'
import type { AskService } from '#backend/platform/service-watch.ts'
import type { Capture, RenderJob, RenderOutcome, Renderer } from '#backend/crawler/crawl/renderer.ts'
import { RENDER_PATH, RENDER_PROTOCOL, frameOf, frameReader } from './render-frames.ts'
import type { FromRemote, RemoteOutcome } from './render-frames.ts'

const CONNECT_MS = 3000
/** A renderer counts as dead after so many milliseconds of silence. */
const SILENT_MS = 15_000
/** Attempts while no renderer can be reached: one that is being replaced is back within seconds. */
const ROUNDS = 5
const ROUND_PAUSE_MS = 1500
/** When none could be reached, pages are tried again after so many milliseconds. */
const AGAIN_MS = 30_000
const MOST_TRIES = 2

/** The renderer did not accept the page, or died with it. */
class Lost extends Error {
  readonly wasTaken: boolean
  constructor(message: string, wasTaken: boolean) {
    super(message)
    this.wasTaken = wasTaken
  }
}

/**
 * @param urls      of the renderers, tried in turn
 * @param token     shared secret of the renderers
 * @param slots     this engine's pages at once
 * @param onUsable  called when no renderer could be reached, and when one could again
 */
export function remoteRenderer({
  log,
  now = () => performance.now(),
  onUsable,
  pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  slots,
  token,
  urls,
}: {
  log: Pick<ChildLog, 'error'>
  now?: () => number
  onUsable: (isUsable: boolean) => void
  pause?: (ms: number) => Promise<unknown>
  slots: number
  token: string
  urls: readonly string[]
}): Renderer {
  let next = 0
  let unusableUntil = -Infinity
  const closing = new AbortController()
  return { slots, render, close: async () => closing.abort() }

  async function render(job: RenderJob, watch: Parameters<Renderer['render']>[1]): Promise<RenderOutcome> {
    const signal = AbortSignal.any([watch.signal, closing.signal])
    let tries = 0
    let why = ''
    const rounds = now() < unusableUntil ? 0 : ROUNDS
    for (let attempt = 0; attempt < rounds * urls.length; attempt += 1) {
      if (signal.aborted) return CANCELED
      const url = urls[next++ % urls.length]!
      try {
        const outcome = await renderAt(url, job, { ...watch, signal })
        if (unusableUntil > -Infinity) onUsable(true)
        unusableUntil = -Infinity
        return outcome
      } catch (fault) {
        if (signal.aborted) return CANCELED
        why = (fault as Error).message
        if (fault instanceof Lost && fault.wasTaken && (tries += 1) >= MOST_TRIES)
          return { kind: 'failure', reason: 'render_failed', detail: 'the renderer was lost twice', tookMs: 0 }
        if ((attempt + 1) % urls.length === 0 && attempt + 1 < rounds * urls.length) await pause(ROUND_PAUSE_MS)
      }
    }
    if (rounds > 0) {
      if (unusableUntil === -Infinity) log.error({ detail: why }, 'no renderer can be reached: pages are read without rendering')
      unusableUntil = now() + AGAIN_MS
      onUsable(false)
    }
    return { kind: 'unavailable', detail: 'no renderer can be reached' }
  }

  async function renderAt(url: string, job: RenderJob, { beforeHop, signal }: Parameters<Renderer['render']>[1]): Promise<RenderOutcome> {
    const socket = await connect(url, token, signal)
    const captures: Capture[] = []
    const faults: string[] = []
    /** Never rejects: a capture that cannot be written is missing from its page. */
    let written = Promise.resolve()
    let isRendered = false
    const leave = () => void socket.destroy()
    try {
      const { outcome, html } = await new Promise<{ outcome: RemoteOutcome; html: Uint8Array<ArrayBuffer> }>((resolve, reject) => {
        const lose = (why: string) => reject(new Lost(why, true))
        let silence = setTimeout(lose, SILENT_MS, 'the renderer is silent')
        const read = frameReader<FromRemote>((head, body) => {
          if (head.type === 'hop') void beforeHop(head.url).then((verdict) => say(frameOf({ type: 'hop', hop: head.hop, verdict })), reject)
          else if (head.type === 'capture') written = written.then(() => keep(head.of, head.isJpeg === true, body))
          else if (head.type === 'done') resolve({ outcome: head.outcome, html: body })
        })
        socket.on('data', (bytes: Buffer) => {
          clearTimeout(silence)
          silence = setTimeout(lose, SILENT_MS, 'the renderer is silent')
          try {
            read(bytes)
          } catch (fault) {
            lose((fault as Error).message)
          }
        })
        socket.on('close', () => {
          clearTimeout(silence)
          lose('the connection to the renderer was lost')
        })
        signal.addEventListener('abort', leave, { once: true })
        if (signal.aborted) socket.destroy()
        say(frameOf({ type: 'render', job }))
      })
      await written
      if (outcome.kind !== 'rendered') return outcome
      isRendered = true
      return { ...outcome, html, captures, notes: [...outcome.notes, ...faults] }
    } finally {
      // The listener would hold the page for as long as this process runs.
      signal.removeEventListener('abort', leave)
      socket.destroy()
      if (!isRendered) await written.then(dropCaptures)
    }

    function say(frame: Buffer) {
      if (!socket.destroyed) socket.write(frame)
    }

    async function keep(type: Capture['type'], isJpeg: boolean, body: Buffer) {
      const path = join(tmpdir(), `seine-capture-${randomUUID()}`)
      try {
        await writeFile(path, body, { mode: 0o600 })
        captures.push({ type, path, bytes: body.length, ...(isJpeg && { isJpeg }) })
      } catch (fault) {
        faults.push(`a captured file could not be written (${(fault as NodeJS.ErrnoException).code})`)
        await rm(path, { force: true }).catch(() => undefined)
      }
    }

    async function dropCaptures() {
      for (const { path } of captures) await rm(path, { force: true }).catch(() => undefined)
    }
  }
}

const CANCELED: RenderOutcome = { kind: 'failure', reason: 'canceled', detail: 'canceled', tookMs: 0 }

/** Asks each renderer whether it accepts the token. They cannot be used if none does. */
export const askRenderers =
  ({ token, urls }: { token: string; urls: readonly string[] }): AskService =>
  async () => {
    const faults = await Promise.all(
      urls.map((url) =>
        connect(url, token).then(
          (socket) => (socket.destroy(), null),
          (fault: Error) => `${url}: ${fault.message}`,
        ),
      ),
    )
    const wrong = faults.filter((fault) => fault !== null)
    if (wrong.length < urls.length) return null
    return `RENDERER_URL names no renderer that can be used (${wrong.join('; ')}): pages are read without rendering`
  }

function connect(url: string, token: string, signal?: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const call = (url.startsWith('https:') ? askSecurely : ask)(`${url}${RENDER_PATH}`, {
      headers: { connection: 'Upgrade', upgrade: RENDER_PROTOCOL, authorization: `Bearer ${token}` },
      ...(signal && { signal }),
      timeout: CONNECT_MS,
    })
    call.on('upgrade', (_response, socket, first) => {
      // `close` handles a reset.
      socket.on('error', () => socket.destroy())
      socket.setTimeout(0)
      if (first.length > 0) socket.unshift(first)
      resolve(socket)
    })
    call.on('response', (response) => {
      response.resume()
      reject(new Lost(refusalOf(response.statusCode), false))
    })
    call.on('timeout', () => call.destroy(new Error('the renderer did not answer in time')))
    call.on('error', (fault) => reject(new Lost(fault.message, false)))
    call.end()
  })
}

function refusalOf(status = 0): string {
  if (status === 401) return 'the renderer refuses the token: set the same RENDERER_TOKEN for both'
  // Of a proxy in front of renderers that are not there yet.
  if (status >= 500) return `it answered ${status}`
  return `it answered ${status}, and is no renderer: RENDERER_URL needs a process with ROLE=renderer`
}
