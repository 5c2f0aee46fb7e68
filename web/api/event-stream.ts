/** Reads a status stream: a GET with query and headers, whose lines that begin with "data:" are JSON events, until it closes. */
import type { EndpointSpec } from '#contract/endpoint.ts'
import { open } from './client.ts'
import type { AnyCallArgs } from './client.ts'

/**
 * The events of a stream, in order.
 *
 * Throws `ApiError` when the stream is refused; ends when the server closes it; a broken connection throws what the reader threw.
 * Leaving the loop, or aborting, closes the connection.
 */
export async function* follow<Event>(endpoint: EndpointSpec, args: AnyCallArgs, signal?: AbortSignal): AsyncGenerator<Event> {
  const response = await open(endpoint, args as object, signal)
  if (response.body) yield* readEvents<Event>(response.body)
}

/** The JSON of every line that begins with "data:". Other lines are comments and blanks; a line that is not JSON is logged and left out. */
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

/** Lines without their ends, wherever the network cut them: inside a line, inside a character, between CR and LF. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let parts: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true })
      // Only the last piece of a chunk may be unfinished; long lines are gathered in pieces so that they are not copied per chunk.
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
    // Also reached when the reader leaves early: the connection is closed, the run goes on.
    await reader.cancel().catch(() => undefined)
  }
}
