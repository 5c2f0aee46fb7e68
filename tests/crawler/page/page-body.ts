/** Documents as they are stored: what is read back is what was packed, whatever its size and its characters. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { documentJson, readDocument, unpackBody, unpackBodyOutside, writeDocument } from '#backend/crawler/page/page-body.ts'

const body = suite('the stored document of a page')

const METADATA = { title: 'A "page"\nwith \\ and \u2028', og: 'x\ty' }
const TEXTS: [string, string][] = [
  ['no text', ''],
  ['a short text', 'Hello'],
  ['line breaks before, inside and after the text', `\n\n${'A line of text.\n\n'.repeat(60)}\n`],
  ['quotes, backslashes and control characters', '"\\\u0000\u0001\u001f\u007f\r\n\t'.repeat(100)],
  ['letters outside ASCII and outside the BMP', 'Zażółć gęślą jaźń, 网页, 🕸️ '.repeat(60)],
  ['a text that just fits into the buffer', 'x'.repeat(87_000)],
  ['a text larger than the buffer', '网'.repeat(90_000)],
]
const OTHERS = [{}, { links: ['https://site.example/a\n'], html: '<p>\n</p>' }]

for (const [name, markdown] of TEXTS)
  for (const others of OTHERS)
    body(`${name}, ${Object.keys(others).length} other fields: each way of reading returns the same`, async () => {
      const written = writeDocument(METADATA, markdown, JSON.stringify(others))
      const whole = { metadata: METADATA, markdown, ...others }
      const unpacked = unpackBody(written)
      assert.equal(readDocument(unpacked), whole)
      assert.is(documentJson(unpacked).toString(), JSON.stringify(whole), 'fields in their order')
      assert.equal(readDocument(await unpackBodyOutside(written)), whole)
      assert.is(unpacked.raw.length, written.rawBytes)
      assert.is(written.body.buffer.byteLength, written.body.length, 'a buffer of its own, which can be handed to another thread')
    })

body('later documents do not change earlier ones', () => {
  const first = writeDocument(METADATA, 'first '.repeat(200), '{}')
  writeDocument(METADATA, 'second '.repeat(200), '{}')
  assert.is(readDocument(unpackBody(first)).markdown, 'first '.repeat(200))
})

body('a document of medium length is written without escapes, a long one as compressed JSON that is ready to send', () => {
  const middle = writeDocument({}, '"'.repeat(1000), '{}')
  assert.is(Buffer.from(middle.body).toString(), `{}\n{}\n${'"'.repeat(1000)}`)
  const long = writeDocument({}, '"'.repeat(200_000), '{}')
  assert.is(zstdDecompressSync(long.body).toString(), JSON.stringify({ metadata: {}, markdown: '"'.repeat(200_000) }))
})

body('documents of earlier versions are read: plain and compressed JSON, and compressed lines', () => {
  const json = Buffer.from(JSON.stringify({ metadata: METADATA, markdown: 'one\ntwo\n' }))
  for (const stored of [
    { encoding: 0, body: json },
    { encoding: 1, body: zstdCompressSync(json) },
    { encoding: 2, body: zstdCompressSync(Buffer.from(`${JSON.stringify(METADATA)}\n{}\none\ntwo\n`)) },
  ]) {
    assert.equal(documentJson(unpackBody(stored)), json)
    assert.is(readDocument(unpackBody(stored)).markdown, 'one\ntwo\n')
  }
})

body('damaged bytes are refused', () => {
  const { body: bytes, encoding } = writeDocument(METADATA, 'text '.repeat(50_000), '{}')
  assert.throws(() => unpackBody({ encoding, body: bytes.subarray(0, 50) }))
  assert.throws(() => readDocument({ encoding, raw: Buffer.from('no lines at all') }))
})

body.run()
