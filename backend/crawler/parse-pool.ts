/**
 * Worker threads that turn bytes into pages, so that the event loop only fetches.
 *
 * Shares get equal parts of the threads' time, one page after the other (`fair-queue.ts`); the event loop charges what the links of a page
 * cost afterwards to the same clock. A page that will probably take long goes to a thread by itself, and while other shares have runs
 * in progress, one thread is kept free of such pages where there are several.
 *
 * Pages go to a thread in small batches, their buffers transferred; a thread has at most two batches, the one in work and the
 * next. A thread has a heap limit, and a page a deadline in processor time: whoever breaks one fails alone (after a second try), the thread is
 * replaced, and its other pages are handed out again. A plugin that breaks one costs its page only what the plugin would have added.
 */
import { Worker } from 'node:worker_threads'
import { createFairQueue } from './fair-queue.ts'
import type { PageJob, PageRules, ParseBatch, ParseReply } from './page-rules.ts'

const MOST_PER_BATCH = 4
const BATCHES_IN_HAND = 2
const WATCH_MS = 250
const PAGES_PER_THREAD = 10_000
/** Pages that take so long together fill a batch. */
const BATCH_MS = 4
/** A page that takes longer holds up others noticeably. */
const LONG_MS = 40
/** What a page takes before anything is known of its share: measured, 0.4 ms for 6 KB of packed HTML. */
const FIRST_MS_PER_KB = 0.05
const LEAST_MS = 0.1
const MOST_PACES = 1000
/** A thread that gets no processor time, or waits for something itself, is stopped after so many deadlines. */
const DEADLINES_OF_WAITING = 6

type Waiting = { job: PageJob; share: string; deaths: number; expectedMs: number; resolve: (reply: ParseReply) => void }
type Thread = {
  worker: Worker
  inHand: Int32Array
  pages: Map<number, Waiting>
  batches: number
  /** What the pages in progress will take together. */
  expectedMs: number
  /** Long pages in progress. */
  long: number
  rules: Set<string>
  done: number
  watched: number
  since: number
}

export type ParsePool = ReturnType<typeof createParsePool>

/**
 * @param threads    how many
 * @param heapMiB    old-space limit of each
 * @param deadlineMs most milliseconds of processor time for one page
 * @param plugins    file with the plugins that a run may ask for, as `PLUGINS`
 */
export function createParsePool({
  threads,
  heapMiB = 256,
  deadlineMs = 5000,
  plugins = new URL('./plugins/installed.ts', import.meta.url),
}: {
  threads: number
  heapMiB?: number
  deadlineMs?: number
  plugins?: URL
}) {
  const known = new Map<string, PageRules>()
  const queue = createFairQueue<Waiting>()
  /** Milliseconds a kilobyte, by share, as measured lately. */
  const paces = new Map<string, number>()
  const pool: Thread[] = []
  let nextId = 1
  let closed = false
  const watch = setInterval(stopOverdue, WATCH_MS)
  watch.unref()
  return {
    parse,
    define: (rules: PageRules) => void known.set(rules.name, rules),
    forget,
    /** What a page of the share has cost outside of the threads, in milliseconds. */
    charge: queue.charge,
    close,
    /** Pages that wait for a thread. */
    get queued() {
      return queue.length
    },
    queuedOf: queue.queuedOf,
  }

  /**
   * Hands a page to a thread. Never rejects: a page that cannot be read is a refusal.
   *
   * @param share  opaque key of whoever the page belongs to
   */
  function parse(job: Omit<PageJob, 'id'>, share = ''): Promise<ParseReply> {
    return new Promise((resolve) => {
      const id = nextId
      nextId = nextId >= 2 ** 30 ? 1 : nextId + 1
      const expectedMs = LEAST_MS + (job.body.length / 1024) * (paces.get(share) ?? FIRST_MS_PER_KB)
      queue.push(share, { job: { ...job, id }, share, deaths: 0, expectedMs, resolve })
      deal()
    })
  }

  function forget(name: string) {
    known.delete(name)
    for (const thread of pool)
      if (thread.rules.delete(name)) thread.worker.postMessage({ rules: [], forget: [name], pages: [] } satisfies ParseBatch)
  }

  function deal() {
    while (queue.length > 0 && !closed) {
      const thread = leastBusy()
      if (thread === null) return
      const most = Math.max(1, Math.min(MOST_PER_BATCH, Math.ceil(queue.length / threads)))
      const batch: Waiting[] = []
      const mayTakeLong = threads === 1 || pool.filter(({ long }) => long > 0).length < threads - 1 || !hasOthers()
      for (let ms = 0; batch.length < most && ms < BATCH_MS;) {
        const found = queue.next(({ expectedMs }) =>
          batch.length === 0 ? mayTakeLong || expectedMs < LONG_MS : ms + expectedMs <= BATCH_MS,
        )
        if (found === null) break
        ms += found.item.expectedMs
        queue.charge(found.share, found.item.expectedMs)
        batch.push(found.item)
      }
      if (batch.length === 0) return
      send(thread, batch)
    }
  }

  /** Have runs of more than one share said that they have pages to come? */
  function hasOthers(): boolean {
    let first: string | undefined
    for (const { share = '' } of known.values()) {
      first ??= share
      if (share !== first) return true
    }
    return false
  }

  function leastBusy(): Thread | null {
    if (pool.length < threads && pool.every(({ batches }) => batches > 0)) pool.push(startThread())
    let best: Thread | null = null
    for (const thread of pool) {
      // Nothing waits behind a page that takes long while it could go to another thread, or be overtaken by another share's.
      if (thread.batches >= BATCHES_IN_HAND || (thread.batches > 0 && thread.expectedMs >= LONG_MS / 2)) continue
      if (best === null || thread.batches < best.batches) best = thread
    }
    return best
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
    for (const waiting of batch) {
      thread.pages.set(waiting.job.id, waiting)
      thread.expectedMs += waiting.expectedMs
      if (waiting.expectedMs >= LONG_MS) thread.long += 1
    }
    thread.batches += 1
    const message: ParseBatch = { rules, forget: [], pages: batch.map(({ job }) => job) }
    thread.worker.postMessage(message)
  }

  function startThread(): Thread {
    const inHand = new Int32Array(new SharedArrayBuffer(12))
    const worker = new Worker(new URL('./parse-thread.ts', import.meta.url), {
      workerData: { inHand: inHand.buffer, plugins: plugins.href },
      resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: 24 },
    })
    const thread: Thread = {
      worker,
      inHand,
      pages: new Map(),
      batches: 0,
      expectedMs: 0,
      long: 0,
      rules: new Set(),
      done: 0,
      watched: 0,
      since: 0,
    }
    worker.on('message', (replies: ParseReply[]) => receive(thread, replies))
    worker.on('error', () => undefined)
    worker.once('exit', () => bury(thread, Atomics.load(inHand, 0), Atomics.load(inHand, 1)))
    return thread
  }

  function receive(thread: Thread, replies: ParseReply[]) {
    thread.batches -= 1
    thread.done += replies.length
    const answered = replies.map((reply) => ({ reply, waiting: thread.pages.get(reply.id) }))
    for (const { reply, waiting } of answered) {
      thread.pages.delete(reply.id)
      if (waiting !== undefined) learn(thread, waiting, reply.cpuMs)
    }
    if (thread.done >= PAGES_PER_THREAD && thread.batches === 0) retire(thread)
    deal()
    for (const { reply, waiting } of answered) waiting?.resolve(reply)
  }

  /** The clock of a share goes by what was measured, and so does what is expected of its next pages. */
  function learn(thread: Thread, { expectedMs, job, share }: Waiting, cpuMs: number) {
    thread.expectedMs = thread.pages.size === 0 ? 0 : thread.expectedMs - expectedMs
    if (expectedMs >= LONG_MS) thread.long -= 1
    queue.charge(share, cpuMs - expectedMs)
    queue.done(share)
    if (paces.size >= MOST_PACES && !paces.has(share)) paces.clear()
    const pace = (Math.max(cpuMs - LEAST_MS, 0) * 1024) / Math.max(job.body.length, 1024)
    paces.set(share, (paces.get(share) ?? FIRST_MS_PER_KB) * 0.8 + pace * 0.2)
  }

  /** A thread that has read many pages is replaced, since what leaks in a parser leaks slowly. */
  function retire(thread: Thread) {
    pool.splice(pool.indexOf(thread), 1)
    void thread.worker.terminate()
  }

  function bury(thread: Thread, culprit: number, plugin: number) {
    const at = pool.indexOf(thread)
    if (at >= 0) pool.splice(at, 1)
    if (closed) return
    for (const waiting of thread.pages.values()) {
      queue.done(waiting.share)
      if (waiting.job.id === culprit) queue.charge(waiting.share, deadlineMs)
      const exhausted = waiting.job.id === culprit ? known.get(waiting.job.rules)?.plugins?.[plugin - 1]?.key : undefined
      if (exhausted !== undefined) {
        // The page is well: it is read once more without the plugin.
        waiting.job = { ...waiting.job, exhausted: [...(waiting.job.exhausted ?? []), exhausted] }
        queue.putBack(waiting.share, waiting)
        continue
      }
      // When nobody is known to have done it, all are suspected: no page may kill threads for ever.
      if (culprit === 0 || waiting.job.id === culprit) waiting.deaths += 1
      if (waiting.deaths >= 2)
        waiting.resolve({ kind: 'refusal', id: waiting.job.id, cpuMs: 0, outcome: 'unparsable', detail: 'the page exhausts its parser' })
      else queue.putBack(waiting.share, waiting)
    }
    thread.pages.clear()
    deal()
  }

  function stopOverdue() {
    const now = performance.now()
    for (const thread of pool) {
      const id = Atomics.load(thread.inHand, 0)
      if (id === 0 || id !== thread.watched) {
        thread.watched = id
        thread.since = now
      } else if (now - thread.since > deadlineMs * DEADLINES_OF_WAITING) void thread.worker.terminate()
      else if (now - thread.since > deadlineMs) void stopIfBusy(thread, id)
    }
  }

  /** On a machine with other work a page may take long without a fault of its own: its processor time decides. */
  async function stopIfBusy(thread: Thread, id: number) {
    const startedAt = Atomics.load(thread.inHand, 2)
    const { system, user } = await thread.worker.cpuUsage().catch(() => ({ system: 0, user: 0 }))
    if (Atomics.load(thread.inHand, 0) === id && (user + system) / 1000 - startedAt > deadlineMs) void thread.worker.terminate()
  }

  async function close() {
    closed = true
    clearInterval(watch)
    await Promise.all(pool.splice(0).map(({ worker }) => worker.terminate()))
  }
}
