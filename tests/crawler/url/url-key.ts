import { createHash, randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { urlKey } from '#backend/crawler/url/url-key.ts'

const key = suite('the 64-bit name of a URL')

key('the key is the first 8 bytes of SHA-256 over salt and URL', () => {
  const salt = randomBytes(16)
  for (const url of ['https://example.com/', 'https://example.com/ü', `https://example.com/${'x'.repeat(8000)}`, 'x'.repeat(30_000)]) {
    const digest = createHash('sha256').update(salt).update(url).digest()
    assert.equal(urlKey(salt, url), { hi: digest.readInt32BE(0), lo: digest.readInt32BE(4) })
  }
})

key('the key differs from run to run', () => {
  assert.not.equal(urlKey(randomBytes(16), 'https://example.com/'), urlKey(randomBytes(16), 'https://example.com/'))
})

key.run()
