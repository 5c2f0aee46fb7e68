/**
 * Uninterruptible work of a thread. Node aborts the whole process when a thread is terminated between the creation of a (de)compressor and
 * its first use: "close before init" in `node_zlib.cc`, for every codec of `node:zlib`. So a thread takes its gate for each such call, and
 * `startThread` terminates it only while the gate is free.
 */
import { workerData } from 'node:worker_threads'

/** States of the gate. After ENDING, the thread starts no such work any more. */
export const FREE = 0
export const TAKEN = 1
export const ENDING = 2

/** Added by `startThread` to the data of a thread. */
export type WithGate = { gate?: SharedArrayBuffer }

const shared = (workerData as WithGate | null)?.gate
const gate = shared === undefined ? null : new Int32Array(shared)
let depth = 0

/** Does the work without interruption. It must be synchronous. On the main thread, which is never terminated, this is a plain call. */
export function unbroken<T>(work: () => T): T {
  if (gate === null) return work()
  if (depth === 0 && Atomics.compareExchange(gate, 0, FREE, TAKEN) === ENDING) Atomics.wait(gate, 0, ENDING)
  depth += 1
  try {
    return work()
  } finally {
    depth -= 1
    if (depth === 0) {
      Atomics.store(gate, 0, FREE)
      Atomics.notify(gate, 0)
    }
  }
}
