/** What the log says when the proxies in front, or the URL that users open, are not those of the options. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readConfig } from '#config/read-config.ts'
import { createApp } from '#gateway/app.ts'
import { createLog } from '#gateway/log.ts'

const front = suite('warnings about what is in front')

/** The warnings of the requests, of one process. */
async function warningsFor(options: Record<string, string>, requests: { headers: Record<string, string>; remoteAddress?: string }[]) {
  const lines: string[] = []
  const log = createLog({ level: 'warn', write: (line) => void lines.push(line) })
  const app = await createApp({ backend: { api: async () => undefined }, config: readConfig(options), log, publicDir: '/nowhere' })
  for (const { headers, remoteAddress = '172.18.0.1' } of requests)
    await app.inject({ method: 'POST', url: '/api/v1/nothing', headers: { host: 'crawl.example.org', ...headers }, remoteAddress })
  await app.close()
  // The page is not built here.
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg).filter((text) => !text.includes('must exist'))
}

const through = (forwarded: string, remoteAddress = '172.18.0.1') => ({ headers: { 'x-forwarded-for': forwarded }, remoteAddress })
const opened = (origin: string, headers: Record<string, string> = {}) => ({ headers: { origin, ...headers } })

front('a proxy whose X-Forwarded-For is not trusted gets one warning, however many requests it sends', async () => {
  const [warning, ...more] = await warningsFor({}, [through('203.0.113.5'), through('203.0.113.6')])
  assert.match(
    warning ?? '',
    /^requests arrive through a proxy at 172\.18\.0\.1, .* all users count as one: set TRUST_PROXY to its address$/,
  )
  assert.equal(more, [])
  const mapped = await warningsFor({}, [through('203.0.113.5', '::ffff:172.18.0.1')])
  assert.match(mapped.join(), / through a proxy at 172\.18\.0\.1, /, 'as TRUST_PROXY is written')
})

front('without a proxy, and with the right options, there is no warning', async () => {
  assert.equal(await warningsFor({}, [{ headers: {} }]), [])
  // A client of the internet may send the header itself.
  assert.equal(await warningsFor({}, [through('203.0.113.5', '198.51.100.7')]), [])
  for (const trusted of ['1', '172.18.0.1', '172.16.0.0/12', 'uniquelocal'])
    assert.equal(await warningsFor({ TRUST_PROXY: trusted }, [through('203.0.113.5'), through('192.168.1.20')]), [], trusted)
  assert.equal(await warningsFor({ TRUST_PROXY: '2' }, [through('203.0.113.5, 10.0.0.2')]), [])
})

front('a TRUST_PROXY with another address or another number than the proxies gets a warning', async () => {
  const warning = async (trusted: string, forwarded: string) => (await warningsFor({ TRUST_PROXY: trusted }, [through(forwarded)])).join()
  assert.match(
    await warning('127.0.0.1', '203.0.113.5'),
    /^TRUST_PROXY is 127\.0\.0\.1, but requests arrive through a further proxy at 172\.18\.0\.1/,
  )
  assert.match(await warning('127.0.0.1', '192.168.1.20'), /a further proxy at 172\.18\.0\.1/)
  assert.match(
    await warning('1', '203.0.113.5, 10.0.0.2'),
    /^TRUST_PROXY is 1, but .* a further proxy at 10\.0\.0\.2, so all users count as one/,
  )
  assert.match(
    await warning('2', '203.0.113.5'),
    /^TRUST_PROXY is 2, but requests arrive through one proxy only: .* users can choose the address/,
  )
})

front('a PUBLIC_URL that is not what browsers open gets one warning', async () => {
  const options = { PUBLIC_URL: 'http://127.0.0.1:3000' }
  const pages = [opened('https://crawl.example.org', { 'sec-fetch-site': 'same-origin' }), opened('http://crawl.example.org')]
  const [warning, ...more] = await warningsFor(options, pages)
  assert.match(
    warning ?? '',
    /^browsers open the dashboard at https:\/\/crawl\.example\.org, but PUBLIC_URL is http:\/\/127\.0\.0\.1:3000, /,
  )
  assert.equal(more, [])
  assert.equal((await warningsFor(options, pages.slice(1))).length, 1, 'over http, browsers do not say which site a request comes from')
})

front('without PUBLIC_URL, a dashboard that browsers open by https gets a warning, since links begin with http', async () => {
  const page = opened('https://crawl.example.org', { 'sec-fetch-site': 'same-origin' })
  assert.match(
    (await warningsFor({}, [page])).join(),
    /^browsers open the dashboard at https:\/\/crawl\.example\.org, but links begin with http:/,
  )
  assert.match(
    (await warningsFor({}, [opened('https://crawl.example.org', { 'sec-fetch-site': 'same-origin', host: '127.0.0.1:3000' })])).join(),
    /, but links begin with http:\/\/127\.0\.0\.1:3000: set PUBLIC_URL /,
    'nginx sends the name of the server behind it, unless it is told otherwise',
  )
  const trusted = { headers: { ...page.headers, 'x-forwarded-for': '203.0.113.5', 'x-forwarded-proto': 'https' } }
  assert.equal(await warningsFor({ TRUST_PROXY: '1' }, [trusted]), [])
})

front('a tunnel, other pages that may call the API, and programs get no warning', async () => {
  const options = { PUBLIC_URL: 'https://crawl.example.org', CORS_ORIGINS: 'https://app.example.net' }
  const requests = [
    opened('https://crawl.example.org', { 'sec-fetch-site': 'same-origin' }),
    opened('http://127.0.0.1:3000', { 'sec-fetch-site': 'same-origin', host: '127.0.0.1:3000' }),
    opened('http://localhost:3000', { host: 'localhost:3000' }),
    opened('https://app.example.net', { 'sec-fetch-site': 'cross-site' }),
    opened('https://stranger.example.com', { 'sec-fetch-site': 'cross-site' }),
    opened('https://stranger.example.com'),
    opened('null'),
    { headers: {} },
  ]
  assert.equal(await warningsFor(options, requests), [])
  const tunnel = opened('http://localhost:8080', { 'sec-fetch-site': 'same-origin', host: 'crawl.internal:3000' })
  assert.equal(await warningsFor({}, [tunnel]), [])
})

front.run()
