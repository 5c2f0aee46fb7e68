/**
 * Work of a thread that must not be broken off. Node aborts the whole process when a thread is terminated between the making of a
 * (de)compressor and its first use: "close before init" in `node_zlib.cc`, true of every codec of `node:zlib`. So a thread takes its
 * gate for each such call, and `startThread` ends it only while the gate is free.
 */
import { workerData } from 'node:worker_threads'

/** States of the gate. Once it says ENDING the thread takes up no such work any more. */
export const FREE = 0
export const TAKEN = 1
export const ENDING = 2

/** What `startThread` adds to the data of a thread. */
export type WithGate = { gate?: SharedArrayBuffer }

const shared = (workerData as WithGate | null)?.gate
const gate = shared === undefined ? null : new Int32Array(shared)
let depth = 0

/** Does the work as one piece. It must not wait for anything. On the main thread, which is never terminated, it is a plain call. */
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
