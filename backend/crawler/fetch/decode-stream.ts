/** Decodes content encodings as a stream, so that a file of any size takes only the memory of a piece. */
import { once } from 'node:events'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createInflate, createInflateRaw } from 'node:zlib'
import { readEncodings } from './decode-body.ts'
import { GunzipStream } from './gunzip-stream.ts'
import { UnzstdStream } from './zstd-frames.ts'

/** Why a body could not be decoded. */
export class DecodeFault extends Error {
  readonly reason: 'too_large' | 'bad_encoding'
  constructor(reason: DecodeFault['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

type StreamDecoder = {
  /** Resolves when more may be written; `enough` when no more is wanted. Throws `DecodeFault`, or what `take` has thrown. */
  write(piece: Uint8Array): Promise<void | 'enough'>
  /** Resolves when `take` has received the last piece; `enough` when `take` did not want all. */
  end(): Promise<void | 'enough'>
  /** Releases everything; pieces that were passed on stay valid. */
  destroy(): void
}

/** Receives a decoded piece; returns `enough` when no more is wanted. */
type Take = (piece: Uint8Array) => void | 'enough' | Promise<void | 'enough'>

const PIECE_BYTES = 65_536
const MAX_ENCODINGS = 2

/**
 * @param contentEncoding  the header's list, see `decodeBody`
 * @param maxBytes         most decoded bytes
 * @param overflow         with more bytes: `fail` throws the fault `too_large`, `cut` ends (`enough`) after exactly `maxBytes`
 * @param unpacksGzip      also unpacks a decoded body that begins as a gzip file
 */
export function decodeStream({
  contentEncoding,
  maxBytes,
  overflow,
  take,
  unpacksGzip,
}: {
  contentEncoding: string
  maxBytes: number
  overflow: 'fail' | 'cut'
  take: Take
  unpacksGzip: boolean
}): StreamDecoder {
  const encodings = readEncodings(contentEncoding).toReversed()
  if (encodings.length > MAX_ENCODINGS) throw new DecodeFault('bad_encoding', `${encodings.length} encodings on one body`)
  for (const name of encodings) if (!STAGES.has(name)) throw new DecodeFault('bad_encoding', `encoding ${name.slice(0, 40)} is not known`)
  const counted = count(maxBytes, overflow, take)
  const last = unpacksGzip ? sniffed(counted) : direct(counted)
  return encodings.reduceRight((next, name) => lazyStage(name, next), last)
}

/**
 * How an encoded body decodes: `whole` to its end, `beyond` to more than `maxBytes`, `broken` when its encoding is unknown, damaged or
 * breaks off. Decodes in other threads: a body that a server has cut may be as large as a page may be.
 */
export async function tryUnpacking(bytes: Uint8Array, contentEncoding: string, maxBytes: number): Promise<'whole' | 'beyond' | 'broken'> {
  let decoder: StreamDecoder | null = null
  try {
    decoder = decodeStream({ contentEncoding, maxBytes, overflow: 'cut', take: () => undefined, unpacksGzip: false })
    return (await decoder.write(bytes)) === 'enough' || (await decoder.end()) === 'enough' ? 'beyond' : 'whole'
  } catch {
    return 'broken'
  } finally {
    decoder?.destroy()
  }
}

/** The last stage: counts bytes and passes them on. */
function count(maxBytes: number, overflow: 'fail' | 'cut', take: Take): Take {
  let bytes = 0
  return async (piece) => {
    const room = maxBytes - bytes
    bytes += piece.length
    if (piece.length <= room) return take(piece)
    if (overflow === 'fail') throw new DecodeFault('too_large', `more than ${maxBytes} bytes after decoding`)
    if (room > 0) await take(piece.subarray(0, room))
    return 'enough'
  }
}

function direct(take: Take): StreamDecoder {
  return { write: async (piece) => (piece.length === 0 ? undefined : take(piece)), end: async () => undefined, destroy: () => undefined }
}

/** Unpacks gzip if the first two bytes are 1f 8b (RFC 1952, 2.3.1). */
function sniffed(take: Take): StreamDecoder {
  let head = new Uint8Array(0)
  let decided: StreamDecoder | null = null
  return { write, end, destroy: () => decided?.destroy() }

  async function write(piece: Uint8Array): Promise<void | 'enough'> {
    if (decided !== null) return decided.write(piece)
    head = head.length === 0 ? new Uint8Array(piece) : Buffer.concat([head, piece])
    if (head.length < 2) return undefined
    return decide().write(head)
  }

  async function end(): Promise<void | 'enough'> {
    if (decided === null && head.length > 0) await decide().write(head)
    return decided?.end()
  }

  function decide(): StreamDecoder {
    decided = head[0] === 0x1f && head[1] === 0x8b ? stage(new GunzipStream(PIECE_BYTES), 'gzip', direct(take)) : direct(take)
    return decided
  }
}

/** Created with the first byte: an empty body has nothing to decode, and the first byte tells the two formats of deflate apart. */
function lazyStage(name: string, next: StreamDecoder): StreamDecoder {
  let made: StreamDecoder | null = null
  return {
    async write(piece) {
      if (piece.length === 0) return undefined
      made ??= stage(STAGES.get(name)!(piece[0]!), name, next)
      return made.write(piece)
    },
    end: () => (made ?? next).end(),
    destroy: () => (made ?? next).destroy(),
  }
}

function stage(unpack: Transform, name: string, next: StreamDecoder): StreamDecoder {
  let isFull = false
  const done = drain()
  // `write` and `end` report it; an earlier failure must not count as an unhandled rejection.
  done.catch(() => undefined)
  return {
    async write(piece) {
      if (isFull) return 'enough'
      if (!unpack.write(piece)) await Promise.race([once(unpack, 'drain').catch(() => undefined), done])
      return isFull ? 'enough' : undefined
    },
    async end() {
      unpack.end()
      return (await done) === 'enough' || isFull ? 'enough' : undefined
    },
    destroy() {
      unpack.destroy()
      next.destroy()
    },
  }

  async function drain(): Promise<void | 'enough'> {
    try {
      for await (const piece of unpack as AsyncIterable<Buffer>) {
        if ((await next.write(piece)) !== 'enough') continue
        isFull = true
        break
      }
    } catch (fault) {
      throw isOfZlib(fault) ? new DecodeFault('bad_encoding', `${name}: ${fault.message}`, { cause: fault }) : fault
    }
    return next.end()
  }
}

const isOfZlib = (fault: unknown): fault is Error =>
  fault instanceof Error && 'code' in fault && /^(Z_|ERR__|ERR_BROTLI|ERR_ZSTD|ZSTD_)/.test(String(fault.code))

const STAGES = new Map<string, (firstByte: number) => Transform>([
  ['gzip', () => new GunzipStream(PIECE_BYTES)],
  ['x-gzip', () => new GunzipStream(PIECE_BYTES)],
  // RFC 9110, 8.4.1.2 means the zlib format; a first byte that zlib does not allow means raw deflate.
  ['deflate', (first) => ((first & 0x0f) === 8 ? createInflate({ chunkSize: PIECE_BYTES }) : createInflateRaw({ chunkSize: PIECE_BYTES }))],
  ['br', () => createBrotliDecompress({ chunkSize: PIECE_BYTES })],
  ['zstd', () => new UnzstdStream(PIECE_BYTES)],
])
