/** Starts threads that can be terminated at any moment without crashing the process. */
import { Worker } from 'node:worker_threads'
import type { WorkerOptions } from 'node:worker_threads'
import { ENDING, FREE, TAKEN } from './unbroken.ts'
import type { WithGate } from './unbroken.ts'

/** Longer than any single codec call on a busy machine; after this wait the thread is terminated all the same. */
const MOST_WAIT_MS = 5000

export type Thread = {
  worker: Worker
  /** Terminates the thread, after the codec call that it may be in. Resolves when it has ended; may be called again. */
  end(): Promise<void>
}

/**
 * Starts a thread.
 *
 * @param data  the program's `workerData`, an object; the gate is added to it
 */
export function startThread(program: URL, { data, ...options }: Omit<WorkerOptions, 'workerData'> & { data: object }): Thread {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(program, { ...options, workerData: { ...data, gate: gate.buffer } satisfies WithGate })
  let hasExited = false
  worker.once('exit', () => (hasExited = true))
  let ended: Promise<void> | undefined
  return { worker, end: () => (ended ??= end()) }

  async function end(): Promise<void> {
    const deadline = performance.now() + MOST_WAIT_MS
    while (!hasExited && Atomics.compareExchange(gate, 0, FREE, ENDING) === TAKEN) {
      const left = deadline - performance.now()
      if (left <= 0) break
      // A thread that dies while it holds the gate wakes no waiter, and waiting for the gate alone does not keep a process alive.
      const { promise: again, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, Math.min(left, 100))
      await Promise.race([Atomics.waitAsync(gate, 0, TAKEN).value, again])
      clearTimeout(timer)
    }
    await worker.terminate()
  }
}
