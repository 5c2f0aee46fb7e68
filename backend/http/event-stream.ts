/** A stream of server-sent events on the wire: exact headers, frames, and how much of them the reader has not taken yet. */
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'

/** One event as bytes: `data: `, the JSON on one line, a blank line. */
export const eventFrame = (json: string) => Buffer.from(`data: ${json}\n\n`)

/** A comment, which every client ignores: it keeps proxies from closing a quiet stream. */
export const PING = Buffer.from(': ping\n\n')

/** Where events go. Nothing is thrown for a reader that has left; `onClose` tells. */
export type EventSink = {
  /** Writes frames in one go. */
  write(frames: readonly Buffer[]): void
  /** Bytes that were written and have not left the process. */
  unsentBytes(): number
  /** Calls when everything has left after it had to wait. */
  onDrain(listener: () => void): void
  /** Calls once, when the reader has left or the stream has ended. */
  onClose(listener: () => void): void
  /** Ends the stream after what was written. */
  end(): void
  /** Cuts the connection: for a reader that takes nothing. */
  destroy(): void
}

// A peer that vanished without a word is found by the kernel, which asks after this silence.
const KEEP_ALIVE_MS = 15_000

/** Takes the reply over and opens the stream. Headers that hooks have set go along. */
export function openEventStream(reply: FastifyReply): EventSink {
  reply.hijack()
  const response = reply.raw
  response.socket?.setKeepAlive(true, KEEP_ALIVE_MS)
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string | string[]>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  })
  response.flushHeaders()
  return new ResponseSink(response)
}

/** One object for each of what may be ten thousand idle readers, with nothing of its own but the response. */
class ResponseSink implements EventSink {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  write(frames: readonly Buffer[]) {
    const response = this.#response
    if (response.writableEnded || response.destroyed) return
    response.cork()
    for (const frame of frames) response.write(frame)
    response.uncork()
  }

  unsentBytes() {
    return this.#response.writableLength
  }

  onDrain(listener: () => void) {
    this.#response.on('drain', listener)
  }

  onClose(listener: () => void) {
    // Of the response: a request without a body closes as soon as it has been read.
    if (this.#response.closed || this.#response.destroyed) listener()
    else this.#response.on('close', listener)
  }

  end() {
    this.#response.end()
  }

  destroy() {
    this.#response.destroy()
  }
}
