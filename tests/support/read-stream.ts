/** Reads a status stream like a strict client: exact lines, exact headers, a limit for every wait. */
import { KEY } from './crawl-app.ts'

// oxlint-disable-next-line typescript/no-explicit-any
type Event = { type: string; status?: string; seq: number; data: any }

const LIMIT_MS = 30_000

export type Stream = Awaited<ReturnType<typeof openStream>>

/** Opens a stream. `next` returns events one by one, and null after the server has closed it. */
export async function openStream(url: string, headers: Record<string, string> = { 'x-api-key': KEY }) {
  const aborter = new AbortController()
  const reply = await fetch(url, { headers, signal: aborter.signal })
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  let comments = 0
  return { reply, next, rest, until, close: () => aborter.abort(), comments: () => comments }

  async function next(): Promise<Event | null> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        const { done, value } = await within(reader.read())
        if (done && text !== '') throw new Error(`the stream ends inside an event: ${text}`)
        if (done) return null
        text += decoder.decode(value, { stream: true })
        continue
      }
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      if (block.startsWith(':')) comments += 1
      else if (block.startsWith('data: {') && !block.includes('\n')) return JSON.parse(block.slice('data: '.length)) as Event
      else throw new Error(`no event: ${block}`)
    }
  }

  /** All events up to the end. */
  async function rest(): Promise<Event[]> {
    const events: Event[] = []
    for (let event = await next(); event !== null; event = await next()) events.push(event)
    return events
  }

  /** Events up to the first that matches, which is the last of them. */
  async function until(matches: (event: Event) => boolean): Promise<Event[]> {
    const events: Event[] = []
    for (;;) {
      const event = await next()
      if (event === null) throw new Error(`the stream ended after ${JSON.stringify(events)}`)
      events.push(event)
      if (matches(event)) return events
    }
  }
}

async function within<T>(promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`nothing came within ${LIMIT_MS} ms`)), LIMIT_MS)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
