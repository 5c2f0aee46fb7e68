import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib'

export type DecodedBody = { bytes: Uint8Array } | { failure: 'too_large' | 'bad_encoding'; detail: string }

/** More than two encodings on one body are a bomb or a mistake. */
const MAX_ENCODINGS = 2

/**
 * Takes a body's content encodings off, last one first. Runs in the calling thread and never makes more than `maxBytes`: a bomb
 * costs no more than a page. A stream that ends too early is a failure, not a short page.
 *
 * @param contentEncoding  the header's list: `gzip`, `x-gzip`, `deflate` (zlib, or raw as some servers send it), `br`, `zstd`, `identity`
 */
export function decodeBody(bytes: Uint8Array, contentEncoding: string, maxBytes: number): DecodedBody {
  const encodings = readEncodings(contentEncoding)
  if (encodings.length > MAX_ENCODINGS) return { failure: 'bad_encoding', detail: `${encodings.length} encodings on one body` }
  let decoded = bytes
  for (const encoding of encodings.reverse()) {
    const decode = DECODERS.get(encoding)
    if (decode === undefined) return { failure: 'bad_encoding', detail: `encoding ${encoding.slice(0, 40)} is not known` }
    // an answer without a body has nothing to take off
    if (decoded.length === 0) break
    try {
      decoded = decode(decoded, { maxOutputLength: maxBytes })
    } catch (error) {
      if (isOverflow(error)) return { failure: 'too_large', detail: `more than ${maxBytes} bytes after decoding` }
      return { failure: 'bad_encoding', detail: `${encoding}: ${(error as Error).message}` }
    }
  }
  return decoded.length > maxBytes ? { failure: 'too_large', detail: `more than ${maxBytes} bytes` } : { bytes: decoded }
}

/** Names in the order they were applied; plain ones left out. */
export function readEncodings(contentEncoding: string): string[] {
  if (contentEncoding === '') return []
  return contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
}

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array

const DECODERS = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', brotliDecompressSync],
  ['zstd', (bytes, options) => zstdDecompressSync(bytes, { ...options, params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
])

/** RFC 9110, 8.4.1.2 means the zlib format; a first byte that is none of its is the raw format. */
function inflateEither(bytes: Uint8Array, options: { maxOutputLength: number }): Uint8Array {
  const first = bytes[0]!
  const isZlib = (first & 0x0f) === 8 && ((first << 8) | (bytes[1] ?? 0)) % 31 === 0
  return isZlib ? inflateSync(bytes, options) : inflateRawSync(bytes, options)
}

function isOverflow(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
}
