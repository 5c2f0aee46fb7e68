import { brotliCompressSync, gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isWholeBody } from '#backend/crawler/fetch/whole-body.ts'

const whole = suite('whether a body is whole')

const MOST_BYTES = 8 * 1024 * 1024

whole('a large body is unpacked in another thread: the event loop works meanwhile', async () => {
  const body = Buffer.alloc(MOST_BYTES, 'tea ')
  for (const [contentEncoding, bytes] of [
    ['gzip', gzipSync(body)],
    ['br', brotliCompressSync(body)],
  ] as const) {
    let turns = 0
    let isDone = false
    const turn = () => {
      turns += 1
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    assert.ok(await isWholeBody(bytes, { contentEncoding, contentType: 'text/html' }, MOST_BYTES), contentEncoding)
    isDone = true
    assert.ok(turns > 1, contentEncoding)
    assert.not.ok(await isWholeBody(bytes, { contentEncoding, contentType: 'text/html' }, MOST_BYTES - 1), `${contentEncoding}, too large`)
  }
})

whole.run()
