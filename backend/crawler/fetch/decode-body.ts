import type { Transform } from 'node:stream'
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import { unbroken } from '#backend/platform/threads/unbroken.ts'

export type DecodedBody = { bytes: Uint8Array } | { failure: 'too_large' | 'bad_encoding'; detail: string }

/** Room for most pages in one piece. Measured: a page of 25 KB unpacks in 48 µs, in pieces of 16 KiB in 57. */
const CHUNK_BYTES = 65_536
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
  for (const encoding of encodings.toReversed()) {
    const decode = DECODERS.get(encoding)
    if (decode === undefined) return { failure: 'bad_encoding', detail: `encoding ${encoding.slice(0, 40)} is not known` }
    // an answer without a body has nothing to take off
    if (decoded.length === 0) break
    try {
      decoded = unbroken(() => decode(decoded, { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES }))
    } catch (error) {
      if (isOverflow(error)) return { failure: 'too_large', detail: `more than ${maxBytes} bytes after decoding` }
      return { failure: 'bad_encoding', detail: `${encoding}: ${String(error)}` }
    }
  }
  return decoded.length > maxBytes ? { failure: 'too_large', detail: `more than ${maxBytes} bytes` } : { bytes: decoded }
}

/**
 * The first `maxBytes` of a body that need not be whole, for files whose beginning is of use. Null when it is not what it says it is.
 * Decoded as a stream that is left as soon as there is enough.
 */
export async function decodePrefix(bytes: Uint8Array, contentEncoding: string, maxBytes: number): Promise<Uint8Array | null> {
  const encodings = readEncodings(contentEncoding)
  if (encodings.length === 0) return bytes.subarray(0, maxBytes)
  const unpack = encodings.length === 1 ? PREFIX_DECODERS.get(encodings[0]!) : undefined
  if (unpack === undefined || bytes.length === 0) return bytes.length === 0 ? bytes : null
  const stream = unbroken(unpack)
  const chunks: Buffer[] = []
  let length = 0
  stream.end(bytes)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= maxBytes) break
    }
  } catch {
    // not that encoding, or broken on the way: what came before is a whole beginning only if there is any
    if (length === 0) return null
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
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

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }) => Uint8Array

const DECODERS = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateEither],
  ['br', brotliDecompressSync],
  ['zstd', (bytes, options) => zstdDecompressSync(bytes, { ...options, params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
])

const TOLERANT = { finishFlush: constants.Z_SYNC_FLUSH }
const PREFIX_DECODERS = new Map<string, () => Transform>([
  ['gzip', () => createGunzip(TOLERANT)],
  ['x-gzip', () => createGunzip(TOLERANT)],
  ['deflate', () => createInflate(TOLERANT)],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
])

/** RFC 9110, 8.4.1.2 means the zlib format; a first byte that is none of its is the raw format. */
function inflateEither(bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }): Uint8Array {
  const first = bytes[0]!
  const isZlib = (first & 0x0f) === 8 && ((first << 8) | (bytes[1] ?? 0)) % 31 === 0
  return isZlib ? inflateSync(bytes, options) : inflateRawSync(bytes, options)
}

function isOverflow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
