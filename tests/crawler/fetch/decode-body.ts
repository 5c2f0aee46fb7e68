import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeBody, decodePrefix } from '#backend/crawler/fetch/decode-body.ts'
import { DecodeFault, decodeStream } from '#backend/crawler/fetch/decode-stream.ts'

const decode = suite('content encodings')

const TEXT = Buffer.from('<p>zażółć</p>'.repeat(200))
const MIB = 1024 * 1024
/** Sizes of the pieces in which a stream gets a body. */
const STEPS = [17, 65_536]
const BOMB = Buffer.alloc(16 * MIB, 32)

const BEHIND = Buffer.from('<!-- from the cache -->')

/** A frame of zstd that has no data (RFC 8878, 3.1.2), with four bytes of an application. */
const SKIPPABLE = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4])
const FRAMES = [zstdCompressSync(TEXT.subarray(0, 100)), zstdCompressSync(TEXT.subarray(100))]

/** As the command `gzip` packs a file: its head has the name of the file. */
function withName(bytes: Buffer): Buffer {
  const head = Buffer.from(bytes.subarray(0, 10))
  head[3] = 8
  return Buffer.concat([head, Buffer.from('sitemap.xml\0'), bytes.subarray(10)])
}

const GOOD: [encoding: string, bytes: Uint8Array, why: string][] = [
  ['', TEXT, 'no encoding'],
  ['identity', TEXT, 'no encoding by its name'],
  ['gzip', gzipSync(TEXT), 'gzip'],
  ['GZip ', gzipSync(TEXT), 'upper case, with a space'],
  ['x-gzip', gzipSync(TEXT), 'the old name of gzip'],
  ['deflate', deflateSync(TEXT), 'deflate with a zlib header'],
  ['deflate', deflateRawSync(TEXT), 'raw deflate'],
  ['br', brotliCompressSync(TEXT), 'brotli'],
  ['zstd', zstdCompressSync(TEXT), 'zstd'],
  ['gzip, br', brotliCompressSync(gzipSync(TEXT)), 'two encodings, the last decoded first'],
  ['identity, gzip,', gzipSync(TEXT), 'identity and an empty name'],
  ['utf-8', TEXT, 'a charset, which is no encoding'],
  ['aws-chunked', TEXT, 'the encoding of an upload, which is that of no download'],
  ['none', TEXT, 'a word for no encoding'],
  ['chunked', TEXT, 'a transfer coding, which is no content coding'],
  ['gzip, ISO-8859-1', gzipSync(TEXT), 'an encoding and a charset'],
  ['gzip', Buffer.concat([gzipSync(TEXT), Buffer.alloc(512)]), 'gzip with zeros behind it'],
  ['gzip', Buffer.concat([gzipSync(TEXT), BEHIND]), 'gzip with a line behind it'],
  ['gzip', Buffer.concat([withName(gzipSync(TEXT)), BEHIND]), 'gzip of a file, with a line behind it'],
  ['gzip', Buffer.concat([gzipSync(TEXT.subarray(0, 100)), gzipSync(TEXT.subarray(100))]), 'two gzip members'],
  [
    'gzip',
    Buffer.concat([gzipSync(TEXT.subarray(0, 100)), gzipSync(TEXT.subarray(100)), BEHIND]),
    'two gzip members with a line behind them',
  ],
  ['zstd', Buffer.concat(FRAMES), 'two zstd frames'],
  ['zstd', Buffer.concat([SKIPPABLE, zstdCompressSync(TEXT)]), 'a zstd frame behind one that has no data'],
  ['zstd', Buffer.concat([FRAMES[0]!, SKIPPABLE, FRAMES[1]!, SKIPPABLE]), 'zstd frames between others that have no data'],
  ['zstd', Buffer.concat([...FRAMES, BEHIND]), 'two zstd frames with a line behind them'],
]
for (const [encoding, bytes, why] of GOOD) {
  decode(`a body is decoded with ${JSON.stringify(encoding)}: ${why}`, async () => {
    const result = decodeBody(bytes, encoding, MIB)
    assert.ok('bytes' in result && Buffer.from(result.bytes).equals(TEXT))
    for (const step of STEPS) {
      const streamed = await decodedInPieces(bytes, encoding, step)
      assert.ok(
        typeof streamed !== 'string' && streamed.equals(TEXT),
        `in pieces of ${step}: ${typeof streamed === 'string' ? streamed : 'other bytes'}`,
      )
    }
  })
}

/** The body as a stream decodes it, or why it does not. */
async function decodedInPieces(bytes: Uint8Array, contentEncoding: string, step: number): Promise<Buffer | string> {
  const pieces: Uint8Array[] = []
  let decoder: ReturnType<typeof decodeStream> | null = null
  try {
    decoder = decodeStream({
      contentEncoding,
      maxBytes: MIB,
      overflow: 'fail',
      take: (piece) => void pieces.push(piece),
      unpacksGzip: false,
    })
    for (let at = 0; at < bytes.length; at += step) await decoder.write(bytes.subarray(at, at + step))
    await decoder.end()
    return Buffer.concat(pieces)
  } catch (fault) {
    if (!(fault instanceof DecodeFault)) throw fault
    return fault.reason
  } finally {
    decoder?.destroy()
  }
}

const gzip = gzipSync(TEXT)
const badSum = Buffer.from(gzip)
badSum[badSum.length - 5]! ^= 255

const BAD: [encoding: string, bytes: Uint8Array, failure: string, why: string][] = [
  ['gzip', gzip.subarray(0, gzip.length / 2), 'bad_encoding', 'truncated in the middle'],
  ['gzip', gzip.subarray(0, gzip.length - 4), 'bad_encoding', 'truncated before its length field'],
  ['gzip', badSum, 'bad_encoding', 'a wrong checksum'],
  ['gzip', TEXT, 'bad_encoding', 'plain text'],
  ['gzip', Buffer.concat([badSum, Buffer.from('behind')]), 'bad_encoding', 'a wrong checksum, and a line behind it'],
  ['gzip', Buffer.concat([gzip, gzip.subarray(0, 40)]), 'bad_encoding', 'a truncated second member'],
  ['gzip', Buffer.concat([gzipSync(BOMB), Buffer.from('behind')]), 'too_large', 'a gzip bomb with a line behind it'],
  ['br', TEXT, 'bad_encoding', 'plain text'],
  ['br', brotliCompressSync(TEXT).subarray(0, 20), 'bad_encoding', 'truncated'],
  ['zstd', zstdCompressSync(TEXT).subarray(0, 30), 'bad_encoding', 'truncated'],
  ['zstd', Buffer.concat([FRAMES[0]!, FRAMES[1]!.subarray(0, 30)]), 'bad_encoding', 'a truncated second frame'],
  ['zstd', TEXT, 'bad_encoding', 'plain text'],
  ['zstd', Buffer.from('(plain text that begins like zstd)'), 'bad_encoding', 'plain text that begins like zstd'],
  ['x-nothing', TEXT, 'bad_encoding', 'an unknown encoding'],
  ['constructor', TEXT, 'bad_encoding', 'a name from Object.prototype'],
  ['gzip, gzip, gzip', gzipSync(gzipSync(gzip)), 'bad_encoding', 'three encodings'],
  [Array(1000).fill('gzip').join(', '), TEXT, 'bad_encoding', '1,000 encodings'],
  ['gzip', gzipSync(BOMB), 'too_large', 'a gzip bomb'],
  ['deflate', deflateRawSync(BOMB), 'too_large', 'a raw deflate bomb'],
  ['br', brotliCompressSync(BOMB), 'too_large', 'a brotli bomb'],
  ['zstd', zstdCompressSync(BOMB), 'too_large', 'a zstd bomb'],
  ['zstd', Buffer.concat([FRAMES[0]!, SKIPPABLE, zstdCompressSync(BOMB)]), 'too_large', 'a zstd bomb in the last frame'],
  ['zstd', Buffer.concat(Array(900).fill(zstdCompressSync(TEXT))), 'too_large', 'a zstd bomb of many frames'],
  ['zstd', Buffer.concat(Array(1100).fill(SKIPPABLE)), 'bad_encoding', 'more than 1,000 zstd frames'],
  ['gzip, gzip', gzipSync(gzipSync(BOMB)), 'too_large', 'a gzip bomb in gzip'],
  ['', BOMB, 'too_large', 'a body over the limit without an encoding'],
]
for (const [encoding, bytes, failure, why] of BAD) {
  decode(`a body is refused with ${encoding.slice(0, 20)}: ${why}`, async () => {
    const result = decodeBody(bytes, encoding, MIB)
    assert.is('failure' in result ? result.failure : 'decoded', failure)
    for (const step of [1, 4096])
      if (step > 1 || bytes.length < 1000) assert.is(await decodedInPieces(bytes, encoding, step), failure, `in pieces of ${step}`)
  })
}

decode('a body of more than 10,000 gzip members is refused in pieces, since each costs time even if it is empty', async () => {
  const members = (count: number) => Buffer.alloc(count * EMPTY.length, EMPTY)
  assert.equal(await decodedInPieces(members(10_000), 'gzip', 65_536), Buffer.alloc(0))
  assert.is(await decodedInPieces(members(10_001), 'gzip', 65_536), 'bad_encoding')
  const result = decodeBody(Buffer.concat([members(10_001), BEHIND]), 'gzip', MIB)
  assert.is('failure' in result ? result.failure : 'decoded', 'bad_encoding')
})
const EMPTY = gzipSync('')

decode('a body of exactly the limit is accepted', () => {
  const result = decodeBody(gzip, 'gzip', TEXT.length)
  assert.ok('bytes' in result)
  const over = decodeBody(gzip, 'gzip', TEXT.length - 1)
  assert.ok('failure' in over && over.failure === 'too_large')
})

decode('an empty body is decoded to an empty body', () => {
  const result = decodeBody(new Uint8Array(0), 'gzip', MIB)
  assert.ok('bytes' in result && result.bytes.length === 0)
})

decode('the beginning of a body is returned if a cut body is allowed', async () => {
  for (const [encoding, bytes] of [
    ['gzip', gzip.subarray(0, gzip.length - 8)],
    ['', TEXT],
    ['br', brotliCompressSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['zstd', zstdCompressSync(TEXT)],
    ['zstd', Buffer.concat([SKIPPABLE, ...FRAMES])],
    ['gzip, br', brotliCompressSync(gzip)],
    ['utf-8', TEXT],
  ] as const) {
    const start = await decodePrefix(bytes, encoding, 50)
    assert.ok(start !== null && Buffer.from(start).equals(TEXT.subarray(0, 50)), encoding)
  }
  assert.is((await decodePrefix(gzipSync(BOMB), 'gzip', 1000))?.length, 1000)
  for (const text of [TEXT, Buffer.from(Array.from({ length: 5000 }, (_, at) => `Disallow: /${at}/\n`).join(''))]) {
    const withComment = Buffer.concat([gzipSync(text), Buffer.from('\n<!-- served by a cache -->\n')])
    const whole = await decodePrefix(withComment, 'gzip', 1_000_000)
    assert.ok(whole !== null && Buffer.from(whole).equals(text), 'gzip with a line of text behind it')
  }
  assert.is(await decodePrefix(TEXT, 'gzip', 50), null)
  assert.is(await decodePrefix(TEXT, 'x-nothing', 50), null)
  assert.is(await decodePrefix(TEXT, 'gzip, gzip, gzip', 50), null)
})

decode.run()
