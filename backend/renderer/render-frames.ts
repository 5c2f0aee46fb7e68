/**
 * The messages between an engine and a renderer on another machine, and their encoding.
 *
 * A connection carries one page. A frame has the length of its head and of its body (two unsigned 32-bit numbers, big-endian), the head as
 * JSON, and the body as bytes. Frames contain only plain data: a renderer has loaded hostile pages, so its messages are untrusted.
 */
import type { HopVerdict } from '#backend/crawler/fetch/fetcher.ts'
import type { Capture, RenderJob, RenderOutcome, Rendered } from '#backend/crawler/crawl/renderer.ts'

/** The name of the protocol, in the header `Upgrade`. */
export const RENDER_PROTOCOL = 'seine-render'
export const RENDER_PATH = '/render'
/** Interval of the renderer's keep-alive messages. */
export const ALIVE_MS = 2000

export type ToRemote = { type: 'render'; job: RenderJob } | { type: 'hop'; hop: number; verdict: HopVerdict }

/** `done` has the document as its body; each `capture` before it has a captured file. */
export type FromRemote =
  | { type: 'alive' }
  | { type: 'hop'; hop: number; url: string }
  | { type: 'capture'; of: Capture['type']; isJpeg?: true }
  | { type: 'done'; outcome: RemoteOutcome }

export type RemoteOutcome = Exclude<RenderOutcome, Rendered> | Omit<Rendered, 'html' | 'captures'>

const LENGTHS = 8
const MOST_HEAD = 1024 ** 2
/** A document has at most 50 MB, and a captured file is cut before that. */
const MOST_BODY = 96 * 1024 ** 2

export function frameOf(head: ToRemote | FromRemote, body: Uint8Array = new Uint8Array()): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(LENGTHS)
  lengths.writeUInt32BE(text.length, 0)
  lengths.writeUInt32BE(body.length, 4)
  return Buffer.concat([lengths, text, body])
}

/**
 * Returns a function that takes bytes as they arrive and calls back for each complete frame.
 *
 * @throws RangeError for a frame that is too long, SyntaxError for a head that is no JSON
 */
export function frameReader<Head>(onFrame: (head: Head, body: Buffer<ArrayBuffer>) => void): (bytes: Buffer) => void {
  let parts: Buffer[] = []
  let have = 0
  let wanted = LENGTHS
  return (bytes) => {
    parts.push(bytes)
    have += bytes.length
    while (have >= wanted) {
      let all = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      const head = all.readUInt32BE(0)
      const body = all.readUInt32BE(4)
      if (head > MOST_HEAD || body > MOST_BODY) throw new RangeError('a frame is too long')
      wanted = LENGTHS + head + body
      if (have >= wanted) {
        const given = JSON.parse(all.toString('utf8', LENGTHS, LENGTHS + head)) as Head
        const bodyBytes = Buffer.from(Uint8Array.prototype.slice.call(all, LENGTHS + head, wanted).buffer as ArrayBuffer)
        all = all.subarray(wanted)
        have -= wanted
        wanted = LENGTHS
        parts = [all]
        onFrame(given, bodyBytes)
      } else {
        parts = [all]
        return
      }
    }
  }
}
