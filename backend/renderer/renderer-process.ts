/**
 * The program of the renderer's process: renders pages for the engine in its own browsers.
 *
 * It ends when it is told to, or when the engine has ended, and removes its browsers and files.
 */
import { rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import type { Egress } from '#backend/crawler/fetch/egress.ts'
import type { HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { RenderJob, RenderOutcome } from '#backend/crawler/crawl/renderer.ts'
import { logToParent } from '#backend/platform/parent-log.ts'
import { createBrowsers } from './browsers.ts'
import { openPage } from './open-page.ts'
import { renderPage } from './render-page.ts'
import { createSparePage } from './spare-page.ts'
import type { SparePage } from './spare-page.ts'
import type { FromRenderer, ToRenderer } from './renderer-host.ts'

const PRIORITY = 5
const ALIVE_MS = 1000
/** The process runs a GC after so many milliseconds without a page. */
const REST_MS = 2000

type Work = { stop: AbortController; hops: Map<number, (verdict: HopVerdict) => void> }

const inProgress = new Map<number, Work>()
let browsers: ReturnType<typeof createBrowsers> | null = null
let egress: Egress | null = null
let spare: SparePage | null = null
let folder = ''
let rest: NodeJS.Timeout | undefined

try {
  setPriority(PRIORITY)
} catch {
  // a container may forbid it
}
process.on('message', (message: ToRenderer) => void receive(message))
process.on('disconnect', () => {
  browsers?.killAll()
  // A browser that was just killed may still write; what remains is removed at the next start.
  if (folder !== '') rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  process.exit(0)
})
process.on('SIGTERM', () => undefined)
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)

async function receive(message: ToRenderer) {
  switch (message.type) {
    case 'start':
      return start(message)
    case 'render':
      return render(message.id, message.job)
    case 'hop':
      return inProgress.get(message.id)?.hops.get(message.hop)?.(message.verdict)
    case 'cancel':
      return inProgress.get(message.id)?.stop.abort()
    case 'close':
      spare?.drop()
      await browsers?.close()
      await egress?.close()
      process.exit(0)
  }
}

function start({ folder: given, settings }: Extract<ToRenderer, { type: 'start' }>) {
  const { browserPath, egressAllow, egressResolver, slots } = settings
  folder = given
  const { userAgent } = settings
  const way = createEgress({ allow: egressAllow, resolver: egressResolver, userAgent })
  egress = way
  spare = createSparePage((browser, page) => openPage(browser, page, { egress: way, userAgent }))
  const log = logToParent('renderer')
  browsers = createBrowsers({
    ended: (pid) => send({ type: 'browser-ended', pid }),
    folder,
    log,
    path: browserPath,
    slots,
    started: (pid) => send({ type: 'browser', pid }),
  })
  setInterval(() => send({ type: 'alive' }), ALIVE_MS).unref()
  send({ type: 'ready' })
}

async function render(id: number, job: RenderJob) {
  const work: Work = { stop: new AbortController(), hops: new Map() }
  inProgress.set(id, work)
  clearTimeout(rest)
  const outcome = await renderInBrowser(job, id, work).catch((fault: unknown): RenderOutcome => ({
    kind: 'failure',
    reason: 'render_failed',
    detail: String(fault).slice(0, 160),
    tookMs: 0,
  }))
  inProgress.delete(id)
  // Exists with the flag of `renderer-host.ts`.
  if (inProgress.size === 0) rest = setTimeout(() => globalThis.gc?.(), REST_MS).unref()
  send({ type: 'done', id, outcome })
}

/** Renders a page; if the browser dies, once more in another one. */
async function renderInBrowser(job: RenderJob, id: number, work: Work): Promise<RenderOutcome> {
  for (let tries = 1; ; tries += 1) {
    let taken: Awaited<ReturnType<NonNullable<typeof browsers>['take']>>
    try {
      taken = await browsers!.take()
    } catch (fault) {
      return { kind: 'unavailable', detail: String(fault).split('\n', 1)[0]!.slice(0, 300) }
    }
    const { browser, isWell, release } = taken
    let closed = Promise.resolve()
    const tools = {
      browser,
      spare: spare!,
      folder,
      beforeHop: (url: string) => askHop(id, work, url),
      signal: work.stop.signal,
      closing(done: Promise<void>) {
        closed = done.finally(release)
      },
    }
    const outcome = await renderPage(job, tools)
    if (outcome.kind !== 'failure' || outcome.reason !== 'render_failed') return outcome
    // The page closes a moment before its browser is known to have ended.
    await closed
    if (isWell()) return outcome
    if (tries > 1) return { ...outcome, detail: 'its browser has crashed twice' }
  }
}

function askHop(id: number, { hops, stop }: Work, url: string): Promise<HopVerdict> {
  const hop = hops.size
  return new Promise((resolve) => {
    hops.set(hop, resolve)
    stop.signal.addEventListener('abort', () => resolve('canceled'), { once: true })
    send({ type: 'hop', id, hop, url })
  })
}

function send(message: FromRenderer) {
  if (process.connected) process.send!(message, () => undefined)
}
