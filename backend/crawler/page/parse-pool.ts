/**
 * Worker threads that convert bytes to pages, so that the event loop only fetches. `parse-schedule.ts` decides which thread reads which
 * pages next: shares get equal parts of the threads' time, and the event loop charges the cost of a page's links to the same clocks
 * afterwards.
 *
 * Pages are sent to a thread in small batches; a thread has at most two batches, the current one and the next. A thread has a heap limit
 * and a limit for its buffers, and a page a deadline in processor time. A page that exceeds one of them fails alone (after a second try), the thread is replaced, and
 * its other pages are sent to other threads. If a plugin exceeds one, the page loses only that plugin's extraction.
 */
import { availableParallelism } from 'node:os'
import { startThread as startWorker } from '#backend/platform/threads/start-thread.ts'
import type { Thread as WorkerThread } from '#backend/platform/threads/start-thread.ts'
import type { PageJob, PageRules, ParseAnswer, ParseBatch, ParseReply } from './page-rules.ts'
import { OVERDUE_MS, createParseSchedule } from './parse-schedule.ts'
import type { Lane } from './parse-schedule.ts'

const WATCH_MS = 250
const PAGES_PER_THREAD = 10_000
/** The expected time of a page of an unknown share: measured, 0.4 ms for 6 KB of packed HTML. */
const FIRST_MS_PER_KB = 0.05
const LEAST_MS = 0.1
const MOST_PACES = 1000
/** A thread that gets no processor time, or that waits for something, is stopped after this many deadlines. */
const DEADLINES_OF_WAITING = 6
/**
 * The heap limit of a thread does not cover its buffers, which decompressed streams of a document fill: they may take this many bytes, and
 * so many times the largest page.
 */
const MOST_BUFFER_BYTES = 256 * 1024 * 1024
const MOST_BUFFERS_OF_PAGE = 4
/** Milliseconds until a resting share is checked again: the other shares may have run out of pages meanwhile. */
const MOST_REST_LOOK_MS = 50
/** Milliseconds after which a page that waits for something itself is overdue. */
const OVERDUE_WAITING_MS = 500
/** Milliseconds for which the additional thread is kept after the last long page. */
const SPARE_MS = 10_000
/**
 * Threads end after this many milliseconds without a page and without a run that could deliver one. Measured: a thread takes 35 MiB or
 * more.
 */
const IDLE_MS = 10_000

type Waiting = { job: PageJob; share: string; deaths: number; expectedMs: number; resolve: (reply: ParseReply) => void }
type Thread = WorkerThread & {
  inProgress: Int32Array
  pages: Map<number, Waiting>
  lane: Lane<Waiting>
  rules: Set<string>
  /** The number of its last batch. */
  lastBatch: number
  done: number
  watched: number
  since: number
  /** The page that was in progress at the last check for overdue pages, and since when. */
  seen: { id: number; since: number }
}

/** A page to be read, and the share that pays for it. */
export type PageToParse = Omit<PageJob, 'id'> & { share: string }

export type ParsePool = ReturnType<typeof createParsePool>

/**
 * @param threads    how many
 * @param heapMiB    old-space limit of each
 * @param deadlineMs most milliseconds of processor time for one page
 * @param idleMs     milliseconds after which threads without work end
 * @param plugins    file with the plugins that a run may ask for, as `PLUGINS`
 */
export function createParsePool({
  threads,
  heapMiB = 256,
  deadlineMs = 5000,
  idleMs = IDLE_MS,
  plugins = new URL('../plugins/installed.ts', import.meta.url),
}: {
  threads: number
  heapMiB?: number
  deadlineMs?: number
  idleMs?: number
  plugins?: URL
}) {
  const known = new Map<string, PageRules>()
  const schedule = createParseSchedule<Waiting>({ threads, processors: availableParallelism(), now: () => performance.now() })
  /** Milliseconds per kilobyte, by share, from recent measurements. */
  const paces = new Map<string, number>()
  const pool: Thread[] = []
  let nextId = 1
  let closed = false
  let overdueTimer: NodeJS.Timeout | undefined
  let restTimer: NodeJS.Timeout | undefined
  let neededSpareAt = performance.now()
  let busyAt = performance.now()
  const watch = setInterval(stopOverdue, WATCH_MS)
  watch.unref()
  return {
    parse,
    define,
    forget,
    /** Charges a share for the cost of a page outside of the threads, in milliseconds. */
    charge: schedule.charge,
    close,
    /** Number of pages that wait for a thread. */
    get queued() {
      return schedule.queued
    },
    /** Number of threads. */
    threads: () => pool.length,
    queuedOf: schedule.queuedOf,
  }

  /** Sends a page to a thread. Never rejects: a page that cannot be read gives a refusal. */
  function parse({ share, ...job }: PageToParse): Promise<ParseReply> {
    return new Promise((resolve) => {
      const id = nextId
      nextId = nextId >= 2 ** 30 ? 1 : nextId + 1
      const expectedMs = LEAST_MS + (job.body.length / 1024) * (paces.get(share) ?? FIRST_MS_PER_KB)
      schedule.push({ job: { ...job, id }, share, deaths: 0, expectedMs, resolve })
      deal()
    })
  }

  /**
   * Announces that a run has pages to come: a thread starts while the first one is fetched. Rules without a share are for pages that may
   * never come.
   */
  function define(rules: PageRules) {
    known.set(rules.name, rules)
    if (rules.share !== undefined && pool.length === 0 && !closed) startThread()
    deal()
  }

  function forget(name: string) {
    known.delete(name)
    for (const thread of pool)
      if (thread.rules.delete(name)) thread.worker.postMessage({ no: 0, rules: [], forget: [name], pages: [] } satisfies ParseBatch)
  }

  function deal() {
    if (closed || (schedule.queued === 0 && pool.length === 0)) return
    const isContended = hasOthers()
    for (;;) {
      const dealt = schedule.deal(isContended, startThread)
      if (dealt === null) break
      send(
        pool.find(({ lane }) => lane === dealt.lane)!,
        dealt.batch,
      )
    }
    clearTimeout(restTimer)
    const restMs = schedule.restMs()
    if (restMs < Infinity) restTimer = setTimeout(deal, Math.min(restMs, MOST_REST_LOOK_MS)).unref()
    if (isContended) overdueTimer ??= setTimeout(overtakeOverdue, OVERDUE_MS).unref()
  }

  /** Do several shares have pages here, or runs that have pages to come? */
  function hasOthers(): boolean {
    let first: string | undefined
    for (const { share } of known.values()) {
      first ??= share
      if (share !== undefined && share !== first) return true
    }
    return schedule.worksForOther(first)
  }

  function send(thread: Thread, batch: Waiting[]) {
    const rules: PageRules[] = []
    for (const { job } of batch) {
      const wanted = known.get(job.rules)
      if (wanted === undefined || thread.rules.has(job.rules)) continue
      thread.rules.add(job.rules)
      rules.push(wanted)
    }
    if (thread.pages.size === 0) thread.since = performance.now()
    for (const waiting of batch) thread.pages.set(waiting.job.id, waiting)
    thread.lastBatch += 1
    const message: ParseBatch = { no: thread.lastBatch, rules, forget: [], pages: batch.map(({ job }) => job) }
    thread.worker.postMessage(message)
  }

  function startThread() {
    const inProgress = new Int32Array(new SharedArrayBuffer(16))
    const { worker, end } = startWorker(new URL('./parse-thread.ts', import.meta.url), {
      data: { inProgress: inProgress.buffer, plugins: plugins.href },
      resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: 24 },
    })
    const thread: Thread = {
      worker,
      end,
      inProgress,
      pages: new Map(),
      lane: schedule.addLane(),
      rules: new Set(),
      lastBatch: 0,
      done: 0,
      watched: 0,
      since: 0,
      seen: { id: 0, since: 0 },
    }
    pool.push(thread)
    worker.on('message', (answer: ParseAnswer) => (answer === 'ready' ? ready(thread) : receive(thread, answer)))
    worker.on('error', () => undefined)
    worker.once('exit', () => bury(thread, Atomics.load(inProgress, 0), Atomics.load(inProgress, 1)))
  }

  function ready({ lane }: Thread) {
    lane.isReady = true
    deal()
  }

  function receive(thread: Thread, replies: ParseReply[]) {
    thread.done += replies.length
    const answered = replies.map((reply) => ({ reply, waiting: thread.pages.get(reply.id) }))
    for (const { reply, waiting } of answered) {
      thread.pages.delete(reply.id)
      if (waiting !== undefined) learn(thread, waiting, reply.cpuMs)
    }
    schedule.answered(thread.lane)
    if (thread.done >= PAGES_PER_THREAD && thread.lane.batches === 0) retire(thread)
    deal()
    for (const { reply, waiting } of answered) waiting?.resolve(reply)
  }

  /** The clock of a share, and the expected time of its next pages, follow what was measured. */
  function learn(thread: Thread, waiting: Waiting, cpuMs: number) {
    const { job, share } = waiting
    schedule.ended(thread.lane, waiting, cpuMs)
    if (paces.size >= MOST_PACES && !paces.has(share)) paces.clear()
    const pace = (Math.max(cpuMs - LEAST_MS, 0) * 1024) / Math.max(job.body.length, 1024)
    paces.set(share, (paces.get(share) ?? FIRST_MS_PER_KB) * 0.8 + pace * 0.2)
  }

  /** A thread that has read many pages is replaced, since parsers may leak memory slowly. */
  function retire(thread: Thread) {
    pool.splice(pool.indexOf(thread), 1)
    schedule.removeLane(thread.lane)
    void thread.end()
  }

  function bury(thread: Thread, culprit: number, plugin: number) {
    const at = pool.indexOf(thread)
    if (at < 0 || closed) return
    pool.splice(at, 1)
    const refused = new Set<Waiting>()
    for (const waiting of thread.pages.values()) {
      const isCulprit = waiting.job.id === culprit
      if (isCulprit) schedule.charge(waiting.share, deadlineMs)
      const exhausted = isCulprit ? known.get(waiting.job.rules)?.plugins?.[plugin - 1]?.key : undefined
      // The page itself is fine: read it once more without the plugin.
      if (exhausted !== undefined) waiting.job = { ...waiting.job, exhausted: [...(waiting.job.exhausted ?? []), exhausted] }
      // When the culprit is unknown, all pages are suspects: otherwise a page could kill threads for ever.
      else if (culprit === 0 || isCulprit) waiting.deaths += 1
      if (waiting.deaths >= 2) refused.add(waiting)
    }
    thread.pages.clear()
    schedule.removeLane(thread.lane, (waiting) => refused.has(waiting))
    for (const { job, resolve } of refused)
      resolve({
        kind: 'refusal',
        id: job.id,
        cpuMs: 0,
        outcome: 'unparsable',
        detail: 'the page exhausts the time or memory of its parser',
      })
    deal()
  }

  /** Looks for pages that have been in progress since the last check. */
  function overtakeOverdue() {
    overdueTimer = undefined
    if (closed || !hasOthers()) return
    const now = performance.now()
    for (const thread of pool) {
      const id = Atomics.load(thread.inProgress, 0)
      if (id === 0 || id !== thread.seen.id) thread.seen = { id, since: now }
      else if (thread.lane.overdue === null) void overtake(thread, id, now - thread.seen.since)
    }
    if (pool.some(({ pages }) => pages.size > 0)) overdueTimer = setTimeout(overtakeOverdue, OVERDUE_MS).unref()
  }

  /** On a busy machine a page may be in progress for long without being expensive: its processor time decides. */
  async function overtake(thread: Thread, id: number, waitedMs: number) {
    const ms = waitedMs >= OVERDUE_WAITING_MS ? OVERDUE_MS : await cpuMsOf(thread)
    const running = thread.pages.get(id)
    if (ms < OVERDUE_MS / 2 || running === undefined || Atomics.load(thread.inProgress, 0) !== id || closed) return
    Atomics.store(thread.inProgress, 3, thread.lastBatch)
    for (const { job } of schedule.overtake(thread.lane, running)) thread.pages.delete(job.id)
    deal()
  }

  function stopOverdue() {
    const now = performance.now()
    for (const thread of pool) {
      const id = Atomics.load(thread.inProgress, 0)
      if (id === 0 || id !== thread.watched) {
        thread.watched = id
        thread.since = now
      } else if (now - thread.since > deadlineMs * DEADLINES_OF_WAITING) void thread.end()
      else {
        if (now - thread.since > deadlineMs) void stopIfBusy(thread, id)
        void stopIfLarge(thread, id)
      }
    }
    const spare = schedule.spareLane()
    if (spare === null) neededSpareAt = now
    else if (now - neededSpareAt > SPARE_MS) retire(pool.find(({ lane }) => lane === spare)!)
    if (schedule.queued > 0 || pool.some(({ pages }) => pages.size > 0) || hasRuns()) busyAt = now
    else if (now - busyAt > idleMs) while (pool.length > 0) retire(pool[0]!)
  }

  function hasRuns(): boolean {
    for (const { share } of known.values()) if (share !== undefined) return true
    return false
  }

  /** On a busy machine a page may take long through no fault of its own: its processor time decides. */
  async function stopIfBusy(thread: Thread, id: number) {
    const ms = await cpuMsOf(thread)
    if (Atomics.load(thread.inProgress, 0) === id && ms > deadlineMs) void thread.end()
  }

  async function stopIfLarge(thread: Thread, id: number) {
    const rules = known.get(thread.pages.get(id)?.job.rules ?? '')
    const most = MOST_BUFFER_BYTES + MOST_BUFFERS_OF_PAGE * (rules?.maxBytes ?? 0)
    const { external_memory: bytes } = await thread.worker.getHeapStatistics().catch(() => ({ external_memory: 0 }))
    if (Atomics.load(thread.inProgress, 0) === id && bytes > most) void thread.end()
  }

  /** Processor time that the current page has taken so far. */
  async function cpuMsOf(thread: Thread): Promise<number> {
    const startedAt = Atomics.load(thread.inProgress, 2)
    const usage = await thread.worker.cpuUsage().catch(() => null)
    return usage === null ? 0 : (usage.user + usage.system) / 1000 - startedAt
  }

  async function close() {
    closed = true
    clearInterval(watch)
    clearTimeout(overdueTimer)
    clearTimeout(restTimer)
    await Promise.all(pool.splice(0).map(({ end }) => end()))
  }
}
