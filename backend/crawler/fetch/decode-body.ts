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

/** Most pages fit in one chunk. Measured: a page of 25 KB decodes in 48 µs, with chunks of 16 KiB in 57. */
const CHUNK_BYTES = 65_536
/** More than two encodings on one body are a bomb or a mistake. */
const MAX_ENCODINGS = 2

/**
 * Decodes a body's content encodings, the last one first. Runs in the calling thread and never produces more than `maxBytes`, so a
 * decompression bomb costs no more than a page. A truncated stream is a failure, not a short page.
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
    // an empty body may carry any encoding
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
 * Decodes the first `maxBytes` of a body that may be truncated, for files whose beginning is useful. Null when the body is not what its
 * header says. Stops decoding once it has enough.
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
    // nothing decoded: wrong encoding, or broken from the start
    if (length === 0) return null
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

/** Names in the order in which they were applied, without `identity`. */
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

/** RFC 9110, 8.4.1.2 means the zlib format; a first byte that zlib does not allow means raw deflate. */
function inflateEither(bytes: Uint8Array, options: { maxOutputLength: number; chunkSize: number }): Uint8Array {
  const first = bytes[0]!
  const isZlib = (first & 0x0f) === 8 && ((first << 8) | (bytes[1] ?? 0)) % 31 === 0
  return isZlib ? inflateSync(bytes, options) : inflateRawSync(bytes, options)
}

function isOverflow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
