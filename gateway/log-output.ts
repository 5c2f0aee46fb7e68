/**
 * Writes log lines to the standard output without ever blocking. If the disk is full or the reader has stopped, it drops lines and counts
 * them; the service continues.
 */
import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'

/** Most bytes buffered for a reader that has stopped. */
const MOST_BYTES_WAITING = 1024 * 1024
const FLUSH_MS = 500

type LogOutput = {
  /** Writes a whole line, including the newline. */
  write(line: string): void
  /** Resolves when all buffered lines are written, or after half a second. */
  flush(): Promise<void>
}

const STANDARD_OUTPUT = 1

export function logOutput(): LogOutput {
  const kind = fstatSync(STANDARD_OUTPUT)
  return kind.isFIFO() || kind.isSocket() ? streamOutput(process.stdout) : fileOutput((bytes) => writeSync(STANDARD_OUTPUT, bytes))
}

/** Writes lines to a pipe or socket; drops lines while its buffer is full. */
function streamOutput(stream: Pick<Writable, 'write' | 'writableLength' | 'on' | 'once' | 'off'>): LogOutput {
  const lost = lostLines()
  // The reader has closed the pipe: logging ends, the process goes on.
  stream.on('error', () => undefined)
  // The stream accepts the line in any case; the return value only says whether there is room for more.
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
      // A stream that was never full emits no `drain`.
      stream.write('', () => resolve())
      await promise
      clearTimeout(late)
    },
  }
}

/**
 * Writes lines to a file; drops lines that the disk does not accept.
 *
 * @param writeBytes  appends; returns how many bytes were written, or throws
 */
export function fileOutput(writeBytes: (bytes: Buffer) => number): LogOutput {
  const lost = lostLines()
  /** The last line in the file is incomplete. */
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

  /** Logs how many lines were dropped since the last report. */
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
