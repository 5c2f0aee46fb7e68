/**
 * Worker threads that turn bytes into pages, so that the event loop only fetches.
 *
 * Pages go to a thread in small batches, their buffers transferred; a thread has at most two batches, the one in work and the
 * next. A thread has a heap limit, and a page a deadline: whoever breaks one fails alone (after a second try), the thread is
 * replaced, and its other pages are handed out again. A plugin that breaks one costs its page only what the plugin would have added.
 */
import { Worker } from 'node:worker_threads'
import type { PageJob, PageRules, ParseBatch, ParseReply } from './page-rules.ts'

const MOST_PER_BATCH = 4
const BATCHES_IN_HAND = 2
const WATCH_MS = 250
const PAGES_PER_THREAD = 10_000

type Waiting = { job: PageJob; bytes: number; deaths: number; resolve: (reply: ParseReply) => void }
type Thread = {
  worker: Worker
  inHand: Int32Array
  pages: Map<number, Waiting>
  batches: number
  rules: Set<string>
  done: number
  watched: number
  since: number
}

export type ParsePool = ReturnType<typeof createParsePool>

/**
 * @param threads    how many
 * @param heapMiB    old-space limit of each
 * @param deadlineMs most milliseconds for one page
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
  const queue: Waiting[] = []
  const pool: Thread[] = []
  let nextId = 1
  let closed = false
  const watch = setInterval(stopOverdue, WATCH_MS)
  watch.unref()
  return {
    parse,
    define: (rules: PageRules) => void known.set(rules.name, rules),
    forget,
    close,
    /** Pages that wait for a thread. */
    get queued() {
      return queue.length
    },
  }

  /** Hands a page to a thread. Never rejects: a page that cannot be read is a refusal. */
  function parse(job: Omit<PageJob, 'id'>): Promise<ParseReply> {
    return new Promise((resolve) => {
      const id = nextId
      nextId = nextId >= 2 ** 30 ? 1 : nextId + 1
      queue.push({ job: { ...job, id }, bytes: job.body.length, deaths: 0, resolve })
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
      const batch = queue.splice(0, Math.max(1, Math.min(MOST_PER_BATCH, Math.ceil(queue.length / threads))))
      send(thread, batch)
    }
  }

  function leastBusy(): Thread | null {
    if (pool.length < threads && pool.every(({ batches }) => batches > 0)) pool.push(startThread())
    let best: Thread | null = null
    for (const thread of pool) if (thread.batches < BATCHES_IN_HAND && (best === null || thread.batches < best.batches)) best = thread
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
    for (const waiting of batch) thread.pages.set(waiting.job.id, waiting)
    thread.batches += 1
    // A page that has killed a thread before keeps its bytes here, so that it can be tried once more; others give them away.
    const message: ParseBatch = { rules, forget: [], pages: batch.map(({ job }) => job) }
    thread.worker.postMessage(message)
  }

  function startThread(): Thread {
    const inHand = new Int32Array(new SharedArrayBuffer(8))
    const worker = new Worker(new URL('./parse-thread.ts', import.meta.url), {
      workerData: { inHand: inHand.buffer, plugins: plugins.href },
      resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: 24 },
    })
    const thread: Thread = { worker, inHand, pages: new Map(), batches: 0, rules: new Set(), done: 0, watched: 0, since: 0 }
    worker.on('message', (replies: ParseReply[]) => receive(thread, replies))
    worker.on('error', () => undefined)
    worker.once('exit', () => bury(thread, Atomics.load(inHand, 0), Atomics.load(inHand, 1)))
    return thread
  }

  function receive(thread: Thread, replies: ParseReply[]) {
    thread.batches -= 1
    thread.done += replies.length
    const answered = replies.map((reply) => ({ reply, waiting: thread.pages.get(reply.id) }))
    for (const { reply } of answered) thread.pages.delete(reply.id)
    if (thread.done >= PAGES_PER_THREAD && thread.batches === 0) retire(thread)
    deal()
    for (const { reply, waiting } of answered) waiting?.resolve(reply)
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
      const exhausted = waiting.job.id === culprit ? known.get(waiting.job.rules)?.plugins?.[plugin - 1]?.key : undefined
      if (exhausted !== undefined) {
        // The page is well: it is read once more without the plugin.
        waiting.job = { ...waiting.job, exhausted: [...(waiting.job.exhausted ?? []), exhausted] }
        queue.unshift(waiting)
        continue
      }
      // When nobody is known to have done it, all are suspected: no page may kill threads for ever.
      if (culprit === 0 || waiting.job.id === culprit) waiting.deaths += 1
      if (waiting.deaths >= 2)
        waiting.resolve({ kind: 'refusal', id: waiting.job.id, outcome: 'unparsable', detail: 'the page exhausts its parser' })
      else queue.unshift(waiting)
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
      } else if (now - thread.since > deadlineMs) void thread.worker.terminate()
    }
  }

  async function close() {
    closed = true
    clearInterval(watch)
    await Promise.all(pool.splice(0).map(({ worker }) => worker.terminate()))
  }
}
