import type { Transform } from 'node:stream'
import {
  brotliDecompressSync,
  constants,
  crc32,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  gunzipSync,
  inflateRawSync,
  inflateSync,
} from 'node:zlib'
import { unbroken } from '#backend/platform/threads/unbroken.ts'
import { headLength, MOST_MEMBERS } from './gunzip-stream.ts'
import { UnzstdStream, unpackZstd } from './zstd-frames.ts'

type DecodedBody = { bytes: Uint8Array } | { failure: 'too_large' | 'bad_encoding'; detail: string }

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
  if (encodings.length > MAX_ENCODINGS) return null
  let decoded: Uint8Array | null = bytes
  for (const encoding of encodings.toReversed()) {
    const unpack = PREFIX_DECODERS.get(encoding)
    if (unpack === undefined || decoded === null) return null
    if (decoded.length > 0) decoded = await unpackPrefix(decoded, unpack, maxBytes)
  }
  return decoded === null ? null : decoded.subarray(0, maxBytes)
}

async function unpackPrefix(bytes: Uint8Array, unpack: (bytes: Uint8Array) => Transform, maxBytes: number): Promise<Uint8Array | null> {
  const stream = unbroken(() => unpack(bytes))
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
    // The decoder refuses other bytes behind a gzip member together with the end of the member.
    const members = membersBefore(bytes, { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES })
    if (members !== null) return members
    // nothing decoded: wrong encoding, or broken from the start
    if (length === 0) return null
  }
  return Buffer.concat(chunks)
}

/** What servers name by mistake for a body that is not encoded: charsets, media types, a transfer coding, encodings of mail and of uploads to S3. */
const NO_ENCODING =
  /^(?:identity|chunked|aws-chunked|none|null|off|binary|plain|[78]bit|utf-?(?:8|16)|us-ascii|iso-8859-\d{1,2}|windows-125\d|(?:text|application)\/.*)$/

/** Names in the order in which they were applied, without `identity` and names that are no encodings. */
export function readEncodings(contentEncoding: string): string[] {
  if (contentEncoding === '') return []
  return contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !NO_ENCODING.test(name))
}

type DecodeOptions = { maxOutputLength: number; chunkSize: number }
type Decode = (bytes: Uint8Array, options: DecodeOptions) => Uint8Array

const GZIP_TAIL_BYTES = 8

const DECODERS = new Map<string, Decode>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', (bytes, options) => (isZlib(bytes) ? inflateSync(bytes, options) : inflateRawSync(bytes, options))],
  ['br', brotliDecompressSync],
  ['zstd', unpackZstd],
])

const TOLERANT = { finishFlush: constants.Z_SYNC_FLUSH }
const PREFIX_DECODERS = new Map<string, (bytes: Uint8Array) => Transform>([
  ['gzip', () => createGunzip(TOLERANT)],
  ['x-gzip', () => createGunzip(TOLERANT)],
  ['deflate', (bytes) => (isZlib(bytes) ? createInflate(TOLERANT) : createInflateRaw(TOLERANT))],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ['zstd', () => new UnzstdStream(CHUNK_BYTES)],
])

/** RFC 9110, 8.4.1.2 means the zlib format; a first byte that zlib does not allow means raw deflate. */
function isZlib(bytes: Uint8Array): boolean {
  const first = bytes[0]!
  return (first & 0x0f) === 8 && ((first << 8) | (bytes[1] ?? 0)) % 31 === 0
}

/** Bytes behind a gzip member that begin no further one do not count, as browsers have it: some servers append a line of text. */
function gunzip(bytes: Uint8Array, options: DecodeOptions): Uint8Array {
  try {
    return gunzipSync(bytes, options)
  } catch (fault) {
    const members = isOverflow(fault) ? null : membersBefore(bytes, options)
    if (members === null) throw fault
    return members
  }
}

/** The gzip members of a body with other bytes behind them; null when one is broken, or there is none, or too many (RFC 1952, 2.3). */
function membersBefore(bytes: Uint8Array, options: DecodeOptions): Uint8Array | null {
  const found: Buffer[] = []
  let rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let head = headLength(rest); typeof head === 'number'; head = headLength(rest)) {
    const body = rest.subarray(head)
    let read: { buffer: Buffer; engine: { bytesWritten: number } }
    try {
      read = inflateRawSync(body, { ...options, info: true }) as unknown as typeof read
    } catch {
      return null
    }
    const tail = body.subarray(read.engine.bytesWritten)
    if (found.length === MOST_MEMBERS || tail.length < GZIP_TAIL_BYTES || tail.readUInt32LE(0) !== crc32(read.buffer)) return null
    if (tail.readUInt32LE(4) !== read.buffer.length % 2 ** 32) return null
    found.push(read.buffer)
    rest = tail.subarray(GZIP_TAIL_BYTES)
  }
  return found.length === 0 ? null : Buffer.concat(found)
}

function isOverflow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
