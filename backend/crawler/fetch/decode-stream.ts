/** Content encodings taken off a body that comes in pieces, so that a file of any size costs the memory of a piece. */
import { once } from 'node:events'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'
import { readEncodings } from './decode-body.ts'

/** Why a body could not be decoded. */
export class DecodeFault extends Error {
  readonly reason: 'too_large' | 'bad_encoding'
  constructor(reason: DecodeFault['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

export type StreamDecoder = {
  /** Resolves when more may come; `enough` when no more is wanted. Throws `DecodeFault`, or what `take` has thrown. */
  write(piece: Uint8Array): Promise<void | 'enough'>
  /** Resolves when the last piece has been taken; `enough` when not all was wanted. */
  end(): Promise<void | 'enough'>
  /** Lets go of everything; what was taken stays taken. */
  destroy(): void
}

/** Takes a decoded piece; `enough` when no more is wanted. */
type Take = (piece: Uint8Array) => void | 'enough' | Promise<void | 'enough'>

const PIECE_BYTES = 65_536
const MAX_ENCODINGS = 2

/**
 * @param contentEncoding  the header's list, see `decodeBody`
 * @param maxBytes         most decoded bytes
 * @param overflow         what more comes to: the fault `too_large`, or the end (`enough`) after exactly `maxBytes`
 * @param unpacksGzip      a decoded body that begins as a gzip file is unpacked as well
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
 * Whether the beginning of a body unpacks to more than so many bytes. Of a body that comes too slowly this tells a bomb from a slow page;
 * a beginning that cannot be decoded says nothing.
 */
export async function unpacksBeyond(
  { bytes, contentEncoding }: { bytes: Uint8Array; contentEncoding: string },
  maxBytes: number,
): Promise<boolean> {
  if (readEncodings(contentEncoding).length === 0) return false
  let decoder: StreamDecoder | null = null
  try {
    decoder = decodeStream({ contentEncoding, maxBytes, overflow: 'cut', take: () => undefined, unpacksGzip: false })
    return (await decoder.write(bytes)) === 'enough' || (await decoder.end()) === 'enough'
  } catch {
    return false
  } finally {
    decoder?.destroy()
  }
}

/** The end of the line: counts, and hands on. */
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

/** Looks at the first two bytes, and decides by them. RFC 1952, 2.3.1: a gzip file begins with 1f 8b. */
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
    decided = head[0] === 0x1f && head[1] === 0x8b ? stage(createGunzip({ chunkSize: PIECE_BYTES }), 'gzip', direct(take)) : direct(take)
    return decided
  }
}

/** Made with the first byte: an answer without a body has nothing to take off, and deflate is one of two formats. */
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
  // `write` and `end` report it; a failure before them must not count as an unhandled rejection.
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
  ['gzip', () => createGunzip({ chunkSize: PIECE_BYTES })],
  ['x-gzip', () => createGunzip({ chunkSize: PIECE_BYTES })],
  // RFC 9110, 8.4.1.2 means the zlib format; a first byte that is none of its is the raw format.
  ['deflate', (first) => ((first & 0x0f) === 8 ? createInflate({ chunkSize: PIECE_BYTES }) : createInflateRaw({ chunkSize: PIECE_BYTES }))],
  ['br', () => createBrotliDecompress({ chunkSize: PIECE_BYTES })],
  ['zstd', () => createZstdDecompress({ chunkSize: PIECE_BYTES })],
])
