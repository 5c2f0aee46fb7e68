/** The Firecrawl API through a gateway that passes calls on. */
import * as assert from 'uvu/assert'
import { clientsOf, startFirecrawl } from '#tests/support/firecrawl.ts'
import { startProduct } from '#tests/support/product.ts'
import { suite } from '#tests/support/suite.ts'

const proxied = suite('the Firecrawl API through a gateway')
const f = await startFirecrawl()
const gateway = await startProduct({ BACKEND_URL: f.product.url, ROLE: 'gateway' }, { installed: false })

proxied('calls and WebSockets pass through it unchanged', async () => {
  const client = clientsOf(gateway.url, f.key)['4.42.0']
  assert.match((await client.scrape(f.site.url('/boats'))).markdown ?? '', /# Boats/)
  const { id } = await client.startBatchScrape([f.site.url('/boats'), f.site.url('/')])
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v2/batch/scrape/${id}`, f.key)
  const messages: string[] = []
  const errors: unknown[] = []
  await new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => messages.push((JSON.parse(String(data)) as { type: string }).type))
    socket.addEventListener('error', (error) => errors.push(error))
    socket.addEventListener('close', () => resolve())
  })
  assert.equal([errors, messages[0], messages.at(-1)], [[], 'catchup', 'done'])
  assert.is(socket.protocol, f.key)
})

proxied('an unknown key gets an error, and the connection ends, also below a base URL that ends in a slash', async () => {
  for (const base of [gateway.url, `${gateway.url}/`, `${f.product.url}/`]) {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/v2/crawl/${crypto.randomUUID()}`, 'sn-unknown')
    const messages: string[] = []
    socket.addEventListener('message', ({ data }) => messages.push(String(data)))
    await new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()))
    assert.equal(messages, [JSON.stringify({ type: 'error', error: 'Unauthorized: Invalid token' })], base)
  }
})

proxied('an upgrade to another protocol is ignored, and the request is answered', async () => {
  const { request } = await import('node:http')
  for (const base of [gateway.url, f.product.url]) {
    const status = await new Promise((resolve, reject) => {
      const call = request(`${base}/health/live`, {
        headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' },
      })
      call.on('response', (response) => resolve(response.resume().statusCode))
      call.on('error', reject)
      call.end()
    })
    assert.is(status, 200)
  }
})

proxied.run()
