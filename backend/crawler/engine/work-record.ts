/**
 * Records in a file which runs the engine is working on. The file survives a crash of the engine, so that the crash is counted against
 * these runs only and not against every run in progress.
 *
 * A run is at work while a parser has a page of it, its links are being added, a commit is being written, or the run is being opened; not
 * while it only waits for the web. Each change writes 16 bytes, which takes about 3 µs and needs no space on a full disk.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MOST_RUNS = 255
const NUMBER_BYTES = 8

export type WorkRecord = ReturnType<typeof createWorkRecord>

/** The record that belongs to a database. */
export const workRecordOf = (databaseFile: string) => join(dirname(databaseFile), 'engine.work')

/** @param file  null keeps no record */
export function createWorkRecord(file: string | null) {
  const handle = file === null ? null : open(file)
  const counts = new Map<number, number>()
  const numbers = new Float64Array(1 + MOST_RUNS)
  const bytes = new Uint8Array(numbers.buffer)
  write()
  return { begin, during, close }

  /**
   * Marks runs as at work until the returned function is called, and on to the next turn of the event loop: code that uses the result at
   * once still counts.
   */
  function begin(runNos: readonly number[]): () => void {
    let isNew = false
    for (const runNo of runNos) {
      const count = counts.get(runNo) ?? 0
      counts.set(runNo, count + 1)
      isNew ||= count === 0
    }
    if (isNew) write()
    return () => void setImmediate(end, runNos)
  }

  /** Marks a run as at work while `work` is running. */
  async function during<T>(runNo: number, work: () => Promise<T>): Promise<T> {
    const ended = begin([runNo])
    try {
      return await work()
    } finally {
      ended()
    }
  }

  function end(runNos: readonly number[]) {
    let isGone = false
    for (const runNo of runNos) {
      const count = (counts.get(runNo) ?? 1) - 1
      if (count > 0) counts.set(runNo, count)
      else isGone = counts.delete(runNo) || isGone
    }
    if (isGone) write()
  }

  function write() {
    if (handle === null) return
    let length = 0
    for (const runNo of counts.keys()) if (length < MOST_RUNS) numbers[(length += 1)] = runNo
    numbers[0] = length
    try {
      writeSync(handle, bytes, 0, NUMBER_BYTES * (1 + length), 0)
    } catch {
      // The record stays outdated: after a crash a run may be suspected wrongly; its next commit clears it.
    }
  }

  function close() {
    counts.clear()
    write()
    if (handle !== null) closeSync(handle)
  }
}

/** The runs that the last engine was working on when it ended; empty when unknown. */
export function readWorkRecord(file: string): number[] {
  try {
    const bytes = readFileSync(file)
    const count = bytes.length < NUMBER_BYTES ? 0 : bytes.readDoubleLE(0)
    if (!Number.isInteger(count) || count < 0 || count > MOST_RUNS || bytes.length < NUMBER_BYTES * (1 + count)) return []
    return Array.from({ length: count }, (_, at) => bytes.readDoubleLE(NUMBER_BYTES * (1 + at)))
  } catch {
    return []
  }
}

function open(file: string): number | null {
  try {
    return openSync(file, 'w', 0o600)
  } catch {
    return null
  }
}
