/** Reads a status stream: a GET request whose lines starting with "data:" are JSON events, until it closes. */
import type { EndpointSpec } from '#contract/endpoint.ts'
import { open } from './client.ts'
import type { AnyCallArgs } from './client.ts'

/** The server sends at least a comment every 15 s. Without data for this long, the connection counts as broken. */
const SILENT_MS = 45_000

/**
 * The events of a stream, in order.
 *
 * Throws `ApiError` when the stream is refused; ends when the server closes it; throws when the connection breaks or carries no data for `SILENT_MS`.
 * Leaving the loop, or aborting, closes the connection.
 */
export async function* follow<Event>(endpoint: EndpointSpec, args: AnyCallArgs, signal?: AbortSignal): AsyncGenerator<Event> {
  const response = await open(endpoint, args as object, signal)
  if (response.body) yield* readEvents<Event>(response.body)
}

/** The JSON of every line starting with "data:". Other lines are comments and blanks; an invalid line is logged and skipped. */
export async function* readEvents<Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  for await (const line of readLines(body)) {
    if (!line.startsWith('data:')) continue
    try {
      yield JSON.parse(line.slice('data:'.length)) as Event
    } catch (cause) {
      console.warn('an event is not JSON', cause)
    }
  }
}

/** Lines without their ends, wherever the network split them: inside a line, inside a character, between CR and LF. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let parts: string[] = []
  try {
    for (;;) {
      const { done, value } = await readSoon(reader)
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true })
      // Only the last piece of a chunk may be incomplete; long lines are collected in pieces, to avoid copying them per chunk.
      const pieces = text.split('\n')
      const last = pieces.pop() ?? ''
      for (const piece of pieces) {
        yield [...parts, piece].join('').replace(/\r$/, '')
        parts = []
      }
      parts.push(last)
      if (done) break
    }
    yield parts.join('')
  } finally {
    // Close the connection even if the consumer leaves early. The run itself continues.
    await reader.cancel().catch(() => undefined)
  }
}

/** Throws when nothing arrives for `SILENT_MS`: a lost network, as after a laptop has slept, can leave the connection open for ever. */
async function readSoon(reader: ReadableStreamDefaultReader<Uint8Array>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no data on the stream for 45 s')), SILENT_MS)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } finally {
    clearTimeout(timer)
  }
}
