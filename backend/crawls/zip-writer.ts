/**
 * Writes a zip archive as a stream (APPNOTE.TXT 6.3.10), with ZIP64 fields where needed.
 *
 * Small entries are compressed synchronously: with many of them, a stream for each would take ten times as long. An entry of unknown length
 * is compressed in parts, each a run of deflate blocks of its own, and its sizes follow it.
 */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib'
import type { ZlibOptions } from 'node:zlib'
import { unbroken } from '#backend/platform/threads/unbroken.ts'

/** Twice as fast as the default level, for 10 % more bytes. */
const LEVEL = 3
/** Larger contents are compressed outside of the event loop. Measured: 4 MiB take 75 ms. */
const LARGE_BYTES = 128 * 1024
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const DESCRIPTOR = 0x08074b50
const VERSION = 20
const VERSION_64 = 45
const DEFLATE = 8
/** Flags: sizes follow the content; names in UTF-8. */
const SIZES_FOLLOW = 0x0008
const UTF_8 = 0x0800
const EXTRA_64 = 0x0001
/** Made on Unix: a regular file, writable by its owner, readable by all. */
const MADE_BY = (3 << 8) | VERSION_64
const MODE = (0o100644 << 16) >>> 0
const MAX_16 = 0xffff
const MAX_32 = 0xffffffff
/** An empty last block. */
const LAST_BLOCK = Buffer.from([3, 0])

/** Each function returns the next bytes. The caller makes sure that names are unique and do not begin with a slash. */
export function createZip() {
  const central: Buffer[] = []
  let offset = 0
  return { entry, stream, end }

  async function entry(name: string, modifiedAt: number, content: Uint8Array): Promise<Buffer> {
    const packed = await deflated(content, { level: LEVEL })
    const sizes = { crc: crc32(content), packed: packed.length, size: content.length }
    const encoded = Buffer.from(name)
    list(encoded, modifiedAt, UTF_8, sizes)
    const head = Buffer.alloc(30 + encoded.length)
    head.writeUInt32LE(LOCAL, 0)
    head.writeUInt16LE(VERSION, 4)
    writeCommon(head, 6, { flags: UTF_8, modifiedAt, ...sizes })
    head.writeUInt16LE(encoded.length, 26)
    encoded.copy(head, 30)
    return written(Buffer.concat([head, packed]))
  }

  /** An entry of any length. */
  async function* stream(name: string, modifiedAt: number, parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    const encoded = Buffer.from(name)
    const start = offset
    const sizes = { crc: 0, packed: 0, size: 0 }
    const head = Buffer.alloc(30 + encoded.length + 20)
    head.writeUInt32LE(LOCAL, 0)
    head.writeUInt16LE(VERSION_64, 4)
    writeCommon(head, 6, { flags: UTF_8 | SIZES_FOLLOW, modifiedAt, crc: 0, packed: MAX_32, size: MAX_32 })
    head.writeUInt16LE(encoded.length, 26)
    head.writeUInt16LE(20, 28)
    encoded.copy(head, 30)
    // With this (empty) field, the sizes after the content have eight bytes each.
    head.writeUInt16LE(EXTRA_64, 30 + encoded.length)
    head.writeUInt16LE(16, 32 + encoded.length)
    yield written(head)
    for await (const part of parts) {
      const packed = await deflated(part, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH })
      sizes.crc = crc32(part, sizes.crc)
      sizes.size += part.length
      sizes.packed += packed.length
      yield written(packed)
    }
    sizes.packed += LAST_BLOCK.length
    const tail = Buffer.alloc(LAST_BLOCK.length + 24)
    LAST_BLOCK.copy(tail)
    tail.writeUInt32LE(DESCRIPTOR, 2)
    tail.writeUInt32LE(sizes.crc, 6)
    tail.writeBigUInt64LE(BigInt(sizes.packed), 10)
    tail.writeBigUInt64LE(BigInt(sizes.size), 18)
    list(encoded, modifiedAt, UTF_8 | SIZES_FOLLOW, sizes, start)
    yield written(tail)
  }

  function list(name: Buffer, modifiedAt: number, flags: number, sizes: Sizes, at = offset) {
    const large = [sizes.size, sizes.packed, at].filter((value) => value >= MAX_32)
    const extra = large.length === 0 ? 0 : 4 + 8 * large.length
    const row = Buffer.alloc(46 + name.length + extra)
    row.writeUInt32LE(CENTRAL, 0)
    row.writeUInt16LE(MADE_BY, 4)
    row.writeUInt16LE(extra > 0 || (flags & SIZES_FOLLOW) > 0 ? VERSION_64 : VERSION, 6)
    writeCommon(row, 8, { flags, modifiedAt, crc: sizes.crc, packed: Math.min(sizes.packed, MAX_32), size: Math.min(sizes.size, MAX_32) })
    row.writeUInt16LE(name.length, 28)
    row.writeUInt16LE(extra, 30)
    row.writeUInt32LE(MODE, 38)
    row.writeUInt32LE(Math.min(at, MAX_32), 42)
    name.copy(row, 46)
    if (extra > 0) {
      row.writeUInt16LE(EXTRA_64, 46 + name.length)
      row.writeUInt16LE(8 * large.length, 48 + name.length)
      for (const [index, value] of large.entries()) row.writeBigUInt64LE(BigInt(value), 50 + name.length + 8 * index)
    }
    central.push(row)
  }

  /** The central directory, in pieces. */
  function* end(): Generator<Buffer> {
    const start = offset
    for (let at = 0; at < central.length; at += 1000) yield written(Buffer.concat(central.slice(at, at + 1000)))
    const size = offset - start
    if (central.length >= MAX_16 || start >= MAX_32 || size >= MAX_32) {
      const end64 = Buffer.alloc(76)
      end64.writeUInt32LE(END_64, 0)
      end64.writeBigUInt64LE(44n, 4)
      end64.writeUInt16LE(MADE_BY, 12)
      end64.writeUInt16LE(VERSION_64, 14)
      end64.writeBigUInt64LE(BigInt(central.length), 24)
      end64.writeBigUInt64LE(BigInt(central.length), 32)
      end64.writeBigUInt64LE(BigInt(size), 40)
      end64.writeBigUInt64LE(BigInt(start), 48)
      end64.writeUInt32LE(LOCATOR_64, 56)
      end64.writeBigUInt64LE(BigInt(start + size), 64)
      end64.writeUInt32LE(1, 72)
      yield written(end64)
    }
    const last = Buffer.alloc(22)
    last.writeUInt32LE(END, 0)
    last.writeUInt16LE(Math.min(central.length, MAX_16), 8)
    last.writeUInt16LE(Math.min(central.length, MAX_16), 10)
    last.writeUInt32LE(Math.min(size, MAX_32), 12)
    last.writeUInt32LE(Math.min(start, MAX_32), 16)
    yield last
  }

  function written(bytes: Buffer): Buffer {
    offset += bytes.length
    return bytes
  }
}

const deflateOutside = promisify<Uint8Array, ZlibOptions, Buffer>(deflateRaw)

function deflated(content: Uint8Array, options: ZlibOptions): Buffer | Promise<Buffer> {
  return unbroken(() => (content.length > LARGE_BYTES ? deflateOutside(content, options) : deflateRawSync(content, options)))
}

type Sizes = { crc: number; packed: number; size: number }

/** Fields that both headers of an entry have in the same order. */
function writeCommon(
  into: Buffer,
  at: number,
  { flags, modifiedAt, crc, packed, size }: Sizes & { flags: number; modifiedAt: number },
): void {
  const { date, time } = dosTime(new Date(modifiedAt))
  into.writeUInt16LE(flags, at)
  into.writeUInt16LE(DEFLATE, at + 2)
  into.writeUInt16LE(time, at + 4)
  into.writeUInt16LE(date, at + 6)
  into.writeUInt32LE(crc, at + 8)
  into.writeUInt32LE(packed, at + 12)
  into.writeUInt32LE(size, at + 16)
}

/** MS-DOS date and time: starts in 1980 and counts in steps of two seconds. */
function dosTime(at: Date): { date: number; time: number } {
  const year = Math.min(Math.max(at.getUTCFullYear(), 1980), 2107)
  return {
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}
