/** Unpacks gzip as a stream. Unlike the one of zlib, it reads what was packed when other bytes follow, as browsers and `gunzip` do. */
import { once } from 'node:events'
import { Transform, type TransformCallback } from 'node:stream'
import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib'

const HEAD_BYTES = 10
const TAIL_BYTES = 8
/** Most bytes of a head: file names and comments may have any length. */
const MOST_HEAD = 70_000
/** Most members of a file. An empty one of 20 bytes costs a tenth of a millisecond; a sitemap that `bgzip` packs has 800. */
export const MOST_MEMBERS = 10_000
/** Flags of a head (RFC 1952, 2.3.1). */
const HAS_SUM = 2
const HAS_EXTRA = 4
const HAS_NAME = 8
const HAS_COMMENT = 16

/** Decodes a body of several members one after the other, each with a decoder of its own, and waits while its reader does. */
export abstract class MemberStream<Decoder extends Transform> extends Transform {
  /** Of the current member. */
  protected decoder: Decoder | null = null

  /** Takes the next bytes of the body. */
  protected abstract takeBytes(bytes: Buffer): Promise<void>

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    void doneAfter(this.takeBytes(bytes), done)
  }

  override _read(size: number): void {
    this.decoder?.resume()
    super._read(size)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.decoder?.destroy()
    done(error)
  }
}

/** One or more gzip members; bytes behind them that begin no further one are ignored. */
export class GunzipStream extends MemberStream<InflateRaw> {
  readonly #chunkSize: number
  #part: 'head' | 'body' | 'tail' | 'behind' = 'head'
  /** Bytes of a head or tail that is not complete. */
  #held: Buffer = Buffer.alloc(0)
  #members = 0
  /** The current member has ended. */
  #ended: Promise<unknown> = Promise.resolve()
  #sum = 0
  #size = 0

  constructor(chunkSize: number) {
    super()
    this.#chunkSize = chunkSize
  }

  override _flush(done: TransformCallback): void {
    const isWhole = this.#part === 'behind' || (this.#part === 'head' && this.#members > 0)
    done(isWhole ? null : fault('unexpected end of file', 'Z_BUF_ERROR'))
  }

  protected override async takeBytes(piece: Buffer): Promise<void> {
    let rest: Buffer | null = piece
    while (rest !== null && rest.length > 0 && this.#part !== 'behind') {
      if (this.#part === 'body') rest = await this.#unpack(rest)
      else {
        this.#held = this.#held.length === 0 ? rest : Buffer.concat([this.#held, rest])
        rest = this.#part === 'head' ? this.#readHead() : this.#readTail()
      }
    }
  }

  /** @returns  the bytes behind the head; null when it is not complete */
  #readHead(): Buffer | null {
    const length = headLength(this.#held)
    if (length === null || (length === 'incomplete' && this.#held.length > MOST_HEAD)) {
      if (this.#members === 0) throw fault('incorrect header check', 'Z_DATA_ERROR')
      this.#part = 'behind'
      return null
    }
    if (length === 'incomplete') return null
    this.#part = 'body'
    this.#sum = this.#size = 0
    this.decoder = createInflateRaw({ chunkSize: this.#chunkSize })
    this.decoder.on('data', (data: Buffer) => {
      this.#sum = crc32(data, this.#sum)
      this.#size = (this.#size + data.length) % 2 ** 32
      if (!this.push(data)) this.decoder!.pause()
    })
    this.#ended = once(this.decoder, 'end')
    // The write that fails reports it.
    this.#ended.catch(() => undefined)
    return this.#release(length)
  }

  /** @returns  the bytes behind the body; null when there are none */
  async #unpack(bytes: Buffer): Promise<Buffer | null> {
    const used = await written(this.decoder!, bytes)
    if (used === bytes.length) return null
    await this.#ended
    this.#part = 'tail'
    return bytes.subarray(used)
  }

  /** Compares checksum and length. */
  #readTail(): Buffer | null {
    if (this.#held.length < TAIL_BYTES) return null
    if (this.#held.readUInt32LE(0) !== this.#sum) throw fault('incorrect data check', 'Z_DATA_ERROR')
    if (this.#held.readUInt32LE(4) !== this.#size) throw fault('incorrect length check', 'Z_DATA_ERROR')
    if (++this.#members > MOST_MEMBERS) throw fault('too many members', 'Z_DATA_ERROR')
    this.#part = 'head'
    return this.#release(TAIL_BYTES)
  }

  #release(length: number): Buffer {
    const rest = this.#held.subarray(length)
    this.#held = Buffer.alloc(0)
    return rest
  }
}

/** Calls a stream back when a promise has settled. */
export async function doneAfter(work: Promise<unknown>, done: TransformCallback): Promise<void> {
  try {
    await work
  } catch (error) {
    done(error as Error)
    return
  }
  done()
}

/** Writes bytes to a decoder. @returns how many of them it used: fewer than all when what it decodes has ended before them */
export async function written(decoder: Transform & { readonly bytesWritten: number }, bytes: Buffer): Promise<number> {
  const before = decoder.bytesWritten
  await new Promise<void>((resolve, reject) => {
    decoder.once('error', reject)
    decoder.write(bytes, (error) => {
      decoder.off('error', reject)
      if (error) reject(error)
      else resolve()
    })
  })
  return decoder.bytesWritten - before
}

/** The length of the head of a gzip member (RFC 1952, 2.3); null when these bytes begin none. */
export function headLength(bytes: Buffer): number | 'incomplete' | null {
  if (bytes[0] !== 0x1f || (bytes.length > 1 && bytes[1] !== 0x8b) || (bytes.length > 2 && bytes[2] !== 8)) return null
  if (bytes.length < HEAD_BYTES) return 'incomplete'
  const flags = bytes[3]!
  let at = HEAD_BYTES
  if ((flags & HAS_EXTRA) !== 0) {
    if (bytes.length < at + 2) return 'incomplete'
    at += 2 + bytes.readUInt16LE(at)
  }
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    if ((flags & flag) === 0) continue
    const end = bytes.indexOf(0, at)
    if (end < 0) return 'incomplete'
    at = end + 1
  }
  if ((flags & HAS_SUM) !== 0) at += 2
  return at > bytes.length ? 'incomplete' : at
}

const fault = (message: string, code: string): Error => Object.assign(new Error(message), { code })
