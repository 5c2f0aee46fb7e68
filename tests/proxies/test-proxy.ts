import { zstdCompressSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import { createProxyTest } from '#backend/proxies/test-proxy.ts'

const proxies = suite('the test of a proxy')

/** A frame of zstd without data (RFC 8878, 3.1.2). */
const EMPTY_FRAME = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 0, 0, 0, 0])

proxies('the event loop goes on while an answer of many frames is decoded', async () => {
  const body = new Uint8Array(Buffer.concat([...Array<Buffer>(900).fill(EMPTY_FRAME), zstdCompressSync('{"origin":"192.0.2.1"}')]))
  let turns = 0
  let counting: NodeJS.Immediate | undefined
  const count = () => {
    turns += 1
    counting = setImmediate(count)
  }
  const test = createProxyTest({
    dialled: async () => null,
    echoUrl: 'https://echo.test/',
    fetch: async (): Promise<FetchOutcome> => {
      counting = setImmediate(count)
      return {
        kind: 'fetched',
        url: 'https://echo.test/',
        status: 200,
        headers: { contentType: 'application/json', contentEncoding: 'zstd', retryAfterMs: null, cacheControl: null },
        body,
        truncated: false,
        hops: [],
        firstByteMs: 1,
        tookMs: 1,
      }
    },
    mayDial: async () => true,
  })
  const echo = await test('team', { host: 'proxy.test', port: 8080, proxy_type: 'http' }).finally(() => clearImmediate(counting))
  assert.equal(echo, { origin: '192.0.2.1' })
  assert.ok(turns > 10, `the loop turned ${turns} times`)
})

proxies.run()
