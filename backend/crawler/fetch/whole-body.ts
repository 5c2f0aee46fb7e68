/**
 * Whether a body is whole although its connection was closed before the end that its framing names. Some servers declare the length of the
 * page before it is compressed or changed, or close without the last chunk, and browsers show such pages.
 */
import { readEncodings } from './decode-body.ts'
import { tryUnpacking } from './decode-stream.ts'

/** Bytes at the end of a document in which its end tag is looked for: comments may follow it. */
const TAIL_BYTES = 2048
const END_TAG = /<\/html\s*>/i

/**
 * An encoded body says itself where it ends, and an HTML document by its end tag. The end of any other body cannot be known.
 *
 * @param bytes     the body on the wire
 * @param maxBytes  most bytes of a body, decoded
 */
export async function isWholeBody(
  bytes: Uint8Array,
  { contentEncoding, contentType }: { contentEncoding: string; contentType: string | null },
  maxBytes: number,
): Promise<boolean> {
  if (bytes.length === 0) return false
  if (readEncodings(contentEncoding).length > 0) return (await tryUnpacking(bytes, contentEncoding, maxBytes)) === 'whole'
  if (!/html/i.test(contentType ?? '')) return false
  const from = Math.max(0, bytes.length - TAIL_BYTES)
  return END_TAG.test(Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from).toString('latin1'))
}
