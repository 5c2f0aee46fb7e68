/**
 * Unpacks zstd. A body may have several frames, and skippable ones, which have no data (RFC 8878, 3.1); zlib stops after the first and
 * reports no error.
 */
import { once } from 'node:events'
import { type TransformCallback } from 'node:stream'
import { constants, createZstdDecompress, zstdDecompressSync, type ZstdDecompress } from 'node:zlib'
import { MemberStream, doneAfter, written } from './gunzip-stream.ts'

/** A decoder takes no more memory than 8 MiB for its window (RFC 9659). */
const SMALL_WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

/** Most frames of a body: an empty one of 12 bytes costs 0.2 ms. */
const MOST_FRAMES = 1000

/** All frames of a body. Bytes behind them that begin no further one do not count, as with gzip. */
export function unpackZstd(bytes: Uint8Array, { maxOutputLength, chunkSize }: { maxOutputLength: number; chunkSize: number }): Buffer {
  const found: Buffer[] = []
  let room = maxOutputLength
  for (let rest = bytes; rest.length > 0 && (found.length === 0 || beginsFrame(rest));) {
    if (found.length === MOST_FRAMES) throw tooMany()
    // With no room left, one byte more is an overflow. Zero would mean the default.
    const options = { ...SMALL_WINDOW, chunkSize, maxOutputLength: Math.max(room, 1), info: true }
    const read = zstdDecompressSync(rest, options) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    if (read.buffer.length > room) throw Object.assign(new RangeError('too many bytes'), { code: 'ERR_BUFFER_TOO_LARGE' })
    room -= read.buffer.length
    found.push(read.buffer)
    rest = rest.subarray(read.engine.bytesWritten)
  }
  return found.length === 1 ? found[0]! : Buffer.concat(found)
}

/** The same as a stream. */
export class UnzstdStream extends MemberStream<ZstdDecompress> {
  readonly #chunkSize: number
  /** The current frame has ended. */
  #ended: Promise<unknown> = Promise.resolve()
  #frames = 0
  /** Bytes behind a frame, too few to tell what they begin. */
  #held: Buffer = Buffer.alloc(0)
  #isBehind = false

  constructor(chunkSize: number) {
    super()
    this.#chunkSize = chunkSize
  }

  override _flush(done: TransformCallback): void {
    if (this.decoder === null || this.#isBehind) return done()
    void doneAfter(this.#ended, done)
    this.decoder.end()
  }

  protected override async takeBytes(piece: Buffer): Promise<void> {
    let rest = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece])
    this.#held = Buffer.alloc(0)
    while (rest.length > 0 && !this.#isBehind) {
      if (this.decoder === null && this.#frames > 0) {
        if (rest.length < MAGIC_BYTES) {
          this.#held = rest
          return
        }
        this.#isBehind = !beginsFrame(rest)
        if (this.#isBehind) return
      }
      const frame = (this.decoder ??= this.#begin())
      const used = await this.#writtenTo(frame, rest)
      if (used === rest.length) return
      await this.#ended
      this.decoder = null
      rest = rest.subarray(used)
    }
  }

  /** A frame that ended with the last piece is not known to have ended: the decoder then begins the next one itself. */
  async #writtenTo(frame: ZstdDecompress, bytes: Buffer): Promise<number> {
    const isFirst = this.#frames === 1 && frame.bytesWritten < MAGIC_BYTES
    try {
      return await written(frame, bytes)
    } catch (fault) {
      if (isFirst || (fault as { code?: string }).code !== 'ZSTD_error_prefix_unknown') throw fault
      this.#isBehind = true
      return bytes.length
    }
  }

  #begin(): ZstdDecompress {
    this.#frames += 1
    if (this.#frames > MOST_FRAMES) throw tooMany()
    const frame = createZstdDecompress({ chunkSize: this.#chunkSize, ...SMALL_WINDOW })
    frame.on('data', (data: Buffer) => {
      if (!this.push(data)) frame.pause()
    })
    this.#ended = once(frame, 'end')
    // The write that fails reports it.
    this.#ended.catch(() => undefined)
    return frame
  }
}

const MAGIC_BYTES = 4

/** Whether bytes begin a frame (RFC 8878, 3.1.1), or one that has no data (3.1.2). */
function beginsFrame(bytes: Uint8Array): boolean {
  if (bytes.length < MAGIC_BYTES) return false
  const magic = new DataView(bytes.buffer, bytes.byteOffset, MAGIC_BYTES).getUint32(0, true)
  return magic === 0xfd2fb528 || (magic >= 0x184d2a50 && magic <= 0x184d2a5f)
}

const tooMany = (): Error => Object.assign(new Error('too many frames'), { code: 'Z_DATA_ERROR' })
