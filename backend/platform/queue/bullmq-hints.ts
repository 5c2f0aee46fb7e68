/**
 * Announces jobs to other processes, over BullMQ. The row of a job is the truth; in Redis there is a hint with the same key. It makes one
 * process read the rows, and another one if that has no free place or dies. So an emptied Redis costs time but no job, and a hint without a
 * row costs one read.
 */
import { Queue as HintQueue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { Transaction } from '#backend/platform/database/database.ts'
import type { Job, RunQueue } from './queue.ts'

/** A process that has not taken a job within this time leaves it to others. */
const TAKEN_BY_MS = 1000
const LOOK_MS = 100
const AGAIN_MS = 500
/** A hint expires after about an hour: by then the engines have read the rows thousands of times. */
const MOST_TRIES = 2000
/** The hint of a dead process goes to another one after at most twice this time. */
const STALLED_MS = 2000

type JobHint = { key: string }

/**
 * The RunQueue that also announces jobs to other processes.
 *
 * @param rows       the queue in the database
 * @param publisher  a connection whose commands fail at once while Redis is down
 */
export function hintedQueue({
  rows,
  publisher,
  prefix,
}: {
  rows: RunQueue
  publisher: Redis
  prefix: string
}): RunQueue & { close(): Promise<void> } {
  const queue = new HintQueue<JobHint>('runs', { connection: publisher, prefix, skipVersionCheck: true })
  queue.on('error', () => undefined)
  /** Jobs of transactions that may not have committed yet. */
  let added: Job[] = []
  return { enqueue, wake, close }

  async function enqueue(transaction: Transaction, job: Job): Promise<void> {
    await rows.enqueue(transaction, job)
    added.push(job)
  }

  /** Wakes this process at once. The others get a hint later, unless this one has taken the job by then. */
  function wake() {
    rows.wake()
    const jobs = added
    added = []
    if (jobs.length > 0) queue.addBulk(jobs.map(hintOf)).catch(() => undefined)
  }

  async function close() {
    await queue.close().catch(() => undefined)
  }
}

/**
 * Handles hints until it is closed.
 *
 * @param blocking   a connection of its own, which waits for hints
 * @param isWaiting  whether the job of a key still has its row
 * @param wake       makes this process read the rows
 * @param places     hints handled at once
 */
export function workOnHints({
  blocking,
  prefix,
  isWaiting,
  wake,
  places,
}: {
  blocking: Redis
  prefix: string
  isWaiting: (key: string) => Promise<boolean>
  wake: () => void
  places: number
}): { close(): Promise<void> } {
  const worker = new Worker<JobHint>('runs', async ({ data }) => lead(data.key), {
    connection: blocking,
    prefix,
    concurrency: places,
    drainDelay: 1,
    lockDuration: STALLED_MS,
    stalledInterval: STALLED_MS,
    maxStalledCount: MOST_TRIES,
    skipVersionCheck: true,
  })
  // The connection itself logs that it is lost.
  worker.on('error', () => undefined)
  return { close: () => worker.close(true).catch(() => undefined) }

  async function lead(key: string): Promise<void> {
    const late = performance.now() + TAKEN_BY_MS
    let isFirst = true
    while (await isWaiting(key)) {
      if (isFirst) wake()
      isFirst = false
      if (performance.now() > late) throw new Error('its process is busy')
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }
}

function hintOf({ key, kind, dueAt }: Job) {
  return {
    name: kind,
    data: { key },
    opts: {
      // BullMQ reserves colons.
      jobId: key.replaceAll(':', '-'),
      delay: dueAt === undefined ? 0 : Math.max(0, dueAt - Date.now()),
      attempts: MOST_TRIES,
      backoff: { type: 'fixed', delay: AGAIN_MS },
      removeOnComplete: true,
      removeOnFail: true,
    },
  }
}
