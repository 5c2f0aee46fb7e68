/**
 * Controls the renderer's process for the engine: starts it with the first page that needs a browser, stops it when it has been idle, and
 * removes what a killed process leaves behind: its browsers and its folder.
 */
import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childHost } from '#backend/platform/child-host.ts'
import type { ChildLog } from '#backend/platform/child-host.ts'
import type { HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { RenderJob, RenderOutcome, Renderer } from '#backend/crawler/crawl/renderer.ts'
import { HOW_TO_INSTALL } from './find-chromium.ts'
import { killGroup } from './kill-group.ts'

type RendererSettings = {
  /** Path of the browser. */
  browserPath: string
  egressAllow: string
  egressResolver: string | null
  userAgent: string
  slots: number
}

export type ToRenderer =
  | { type: 'start'; settings: RendererSettings; folder: string }
  | { type: 'render'; id: number; job: RenderJob }
  | { type: 'hop'; id: number; hop: number; verdict: HopVerdict }
  | { type: 'cancel'; id: number }
  | { type: 'close' }

export type FromRenderer =
  | { type: 'ready' }
  | { type: 'alive' }
  /** The process group of a browser; it is killed as a whole. */
  | { type: 'browser'; pid: number }
  | { type: 'browser-ended'; pid: number }
  | { type: 'hop'; id: number; hop: number; url: string }
  | { type: 'done'; id: number; outcome: RenderOutcome }

/**
 * The driver leaves 60 KB of garbage per page. By default, V8 collects its old generation at four times the size after the last collection:
 * 1,000 small pages took the process from 144 to 228 MiB, all garbage. With these flags it collects at one and a half times, and once more
 * when the process is idle (`renderer-process.ts`): 132 and 149 MiB.
 */
const V8_FLAGS = ['--max-semi-space-size=2', '--heap-growing-percent=50', '--expose-gc']
const IDLE_MS = 60_000
const IDLE_LOOK_MS = 5000
const CLOSE_MS = 8000
const SILENT_MS = 15_000
const LONGEST_BACK_OFF_MS = 5000
/** Renderers that a page is given to, if they die. */
const MOST_TRIES = 2
/** After so many processes in a row that could not be started, there is no browser: 7 s with the pauses in between. */
const MOST_FAILED_STARTS = 4
/** Milliseconds between a failed start of the browser and the next attempt. */
const AGAIN_MS = 60_000

type Waiting = {
  job: RenderJob
  tries: number
  generation: number
  beforeHop: (url: string) => Promise<HopVerdict>
  resolve: (outcome: RenderOutcome) => void
}

/**
 * @param dataDir   tells the folders of this installation from those of others on the machine
 * @param onUsable  called when a browser could not be started, and when one could again
 */
export function rendererHost(needs: {
  dataDir: string
  settings: RendererSettings
  log: ChildLog
  now?: () => number
  onUsable?: (isUsable: boolean) => void
}): Renderer & { prefix: string } {
  const { dataDir, log, now = () => performance.now(), onUsable = () => undefined, settings } = needs
  const prefix = `seine-render-${createHash('sha256').update(dataDir).digest('hex').slice(0, 8)}-`
  const waiting = new Map<number, Waiting>()
  /** The process groups of the browsers that run. */
  const browsers = new Set<number>()
  let folder = ''
  let nextId = 1
  let busyAt = now()
  let unusableUntil = -Infinity
  let isClosing = false
  /** Counts processes, to know which of them has a page. */
  let generation = 0
  /** Processes in a row that died before they were ready, or could not be started. */
  let failedStarts = 0
  // The data folder has one product at a time, so any folder that exists now is a leftover.
  for (const name of foldersOf(prefix)) rmSync(name, { recursive: true, force: true })
  const child = childHost<ToRenderer, FromRenderer>({
    name: 'the renderer',
    spawn: (withFlags) => {
      cleanUp()
      folder = join(tmpdir(), `${prefix}${randomBytes(6).toString('hex')}`)
      // The folder for temporary files may have been removed from a service that runs for months.
      mkdirSync(folder, { mode: 0o700, recursive: true })
      return fork(new URL('./renderer-process.ts', import.meta.url), [], {
        execArgv: withFlags ? V8_FLAGS : [],
        serialization: 'advanced',
        stdio: ['ignore', 2, 2, 'ipc'],
        // Contains no option and no key of the product. The driver's temporary files go next to the browser's. A single malloc arena: with
        // one per helper thread, each keeps freed memory.
        env: { TMPDIR: folder, MALLOC_ARENA_MAX: '1' },
      })
    },
    greeting: () => {
      generation += 1
      return { type: 'start', settings, folder }
    },
    onMessage: hear,
    onEnd: () => {
      cleanUp()
      if (waiting.size > 0) child.start()
    },
    onDeath: () => {
      cleanUp()
      failedStarts += 1
      for (const [id, { tries }] of waiting)
        if (failedStarts >= MOST_FAILED_STARTS) answer(id, { kind: 'unavailable', detail: 'its process could not be started' })
        else if (tries >= MOST_TRIES) answer(id, { kind: 'failure', reason: 'render_failed', detail: 'the renderer has died', tookMs: 0 })
    },
    longestBackOffMs: LONGEST_BACK_OFF_MS,
    silentMs: SILENT_MS,
    log,
  })
  const looker = setInterval(() => {
    if (child.isRunning && waiting.size === 0 && now() - busyAt > IDLE_MS) child.say({ type: 'close' })
  }, IDLE_LOOK_MS)
  looker.unref()
  return { slots: settings.slots, prefix, render, close }

  function render(job: RenderJob, { beforeHop, signal }: Parameters<Renderer['render']>[1]): Promise<RenderOutcome> {
    if (isClosing || signal.aborted) return Promise.resolve({ kind: 'failure', reason: 'canceled', detail: 'canceled', tookMs: 0 })
    if (now() < unusableUntil) return Promise.resolve({ kind: 'unavailable', detail: 'the browser could not be started a moment ago' })
    const id = nextId
    nextId += 1
    return new Promise((resolve) => {
      const cancel = () => child.say({ type: 'cancel', id })
      signal.addEventListener('abort', cancel, { once: true })
      const ended = (outcome: RenderOutcome) => {
        signal.removeEventListener('abort', cancel)
        resolve(outcome)
      }
      waiting.set(id, { job, tries: 0, generation: -1, beforeHop, resolve: ended })
      busyAt = now()
      if (child.isRunning) tell(id)
      else child.start()
    })
  }

  function tell(id: number) {
    const one = waiting.get(id)!
    one.tries += 1
    one.generation = generation
    child.say({ type: 'render', id, job: one.job })
  }

  function hear(message: FromRenderer) {
    switch (message.type) {
      case 'alive':
        return
      case 'ready':
        failedStarts = 0
        // Pages of the process before it, and pages that were waiting for this one.
        for (const [id, one] of waiting) if (one.generation !== generation) tell(id)
        return
      case 'browser':
        browsers.add(message.pid)
        return
      case 'browser-ended':
        browsers.delete(message.pid)
        return
      case 'hop':
        return void hop(message)
      case 'done':
        answer(message.id, message.outcome)
    }
  }

  async function hop({ hop: number, id, url }: Extract<FromRenderer, { type: 'hop' }>) {
    const verdict = (await waiting.get(id)?.beforeHop(url)) ?? 'canceled'
    child.say({ type: 'hop', id, hop: number, verdict })
  }

  function answer(id: number, outcome: RenderOutcome) {
    const one = waiting.get(id)
    if (one === undefined) return
    waiting.delete(id)
    busyAt = now()
    if (outcome.kind === 'unavailable') {
      if (unusableUntil === -Infinity) log.error({ detail: outcome.detail }, `the browser cannot be started. ${HOW_TO_INSTALL}`)
      unusableUntil = now() + AGAIN_MS
      onUsable(false)
    } else if (unusableUntil > -Infinity && outcome.kind === 'rendered') {
      unusableUntil = -Infinity
      onUsable(true)
    }
    one.resolve(outcome)
  }

  /** Removes what the last process left: it has ended, so nothing of it is in use. */
  function cleanUp() {
    for (const pid of browsers) killGroup(pid)
    browsers.clear()
    if (folder !== '') rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    folder = ''
  }

  async function close() {
    isClosing = true
    clearInterval(looker)
    for (const id of waiting.keys()) answer(id, { kind: 'failure', reason: 'canceled', detail: 'canceled', tookMs: 0 })
    await child.close({ message: { type: 'close' }, graceMs: CLOSE_MS })
    cleanUp()
  }
}

function foldersOf(prefix: string): string[] {
  try {
    return readdirSync(tmpdir())
      .filter((name) => name.startsWith(prefix))
      .map((name) => join(tmpdir(), name))
  } catch {
    return []
  }
}
