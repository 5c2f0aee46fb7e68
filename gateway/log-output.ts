/**
 * Where log lines go: the standard output, without ever waiting for it. A disk that is full or a reader that has stopped costs lines, which
 * are counted, and not the service.
 */
import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'

/** What a reader that has stopped may leave in memory. */
const MOST_BYTES_WAITING = 1024 * 1024
const FLUSH_MS = 500

export type LogOutput = {
  /** Takes a whole line, with its end. */
  write(line: string): void
  /** Resolves when all that waits is written, or half a second later. */
  flush(): Promise<void>
}

/** @param fd  of the standard output */
export function logOutput(fd = 1): LogOutput {
  const kind = fstatSync(fd)
  return kind.isFIFO() || kind.isSocket() ? streamOutput(process.stdout) : fileOutput((bytes) => writeSync(fd, bytes))
}

/** Lines to a pipe or socket: those for which the other side has no room are dropped. */
export function streamOutput(stream: Pick<Writable, 'write' | 'writableLength' | 'on' | 'once' | 'off'>): LogOutput {
  const lost = lostLines()
  // The reader has closed the pipe: logging ends, the process goes on.
  stream.on('error', () => undefined)
  // It takes the line whatever it answers, which only says whether there is room for more.
  const put = (line: string) => {
    stream.write(line)
    return true
  }
  stream.on('drain', () => lost.report(put))
  return {
    write(line) {
      if (stream.writableLength > MOST_BYTES_WAITING) return lost.count()
      lost.report(put)
      put(line)
    },
    async flush() {
      if (stream.writableLength === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const late = setTimeout(resolve, FLUSH_MS)
      stream.once('drain', resolve)
      stream.once('error', resolve)
      // A stream that never was full says nothing when it is empty.
      stream.write('', () => resolve())
      await promise
      clearTimeout(late)
    },
  }
}

/**
 * Lines to a file: those that the disk does not take are dropped.
 *
 * @param writeBytes  writes at the end; gives how many were taken, or throws
 */
export function fileOutput(writeBytes: (bytes: Buffer) => number): LogOutput {
  const lost = lostLines()
  /** A part of a line is there, without its end. */
  let isBroken = false
  return {
    write(line) {
      if (isBroken && !put('\n')) return lost.count()
      lost.report(put)
      if (!put(line)) lost.count()
    },
    flush: async () => undefined,
  }

  function put(text: string): boolean {
    let bytes = Buffer.from(text)
    try {
      while (bytes.length > 0) {
        const taken = writeBytes(bytes)
        if (taken > 0) isBroken = true
        bytes = bytes.subarray(taken)
      }
      isBroken = false
      return true
    } catch {
      return false
    }
  }
}

function lostLines() {
  let dropped = 0
  return { count: () => void (dropped += 1), report }

  /** Says how many were lost since the last report, as a line like all others. */
  function report(put: (line: string) => boolean) {
    if (dropped === 0) return
    const line = {
      level: 'warn',
      time: new Date().toISOString(),
      part: 'server',
      dropped,
      msg: 'log lines were dropped: the output took no more',
    }
    if (put(`${JSON.stringify(line)}\n`)) dropped = 0
  }
}
