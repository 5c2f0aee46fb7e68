/** Fetching through proxies of each kind: what they get, what they do not get, and that no request goes around them. */
import { createServer } from 'node:http'
import * as assert from 'uvu/assert'
import { createEgress } from '#backend/crawler/fetch/egress.ts'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import { httpFetcher } from '#backend/crawler/fetch/http-fetcher.ts'
import type { Proxy, RunProxy } from '#backend/crawler/fetch/proxy.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { startHostileSite } from '#tests/support/sites/hostile-site.ts'
import { startProxy } from '#tests/support/stubs/proxies.ts'
import { serve } from '#tests/support/stubs/serve.ts'
import type { ProxyMode, TestProxy } from '#tests/support/stubs/proxies.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { atEnd, suite } from '#tests/support/suite.ts'

const proxied = suite('fetching through a proxy')

const KINDS = ['http', 'socks4', 'socks5'] as const
const KNOWN = { username: 'wanda', password: 'pässword:with colon' }

type Fetch = (url: string, proxy: Proxy | null, timeoutMs?: number) => Promise<FetchOutcome>

async function withFetcher(test: (fetch: Fetch) => Promise<void>, allow = '127.0.0.0/8', connectTimeoutMs = 2000): Promise<void> {
  const egress = createEgress({ allow, connectTimeoutMs, resolver: null, userAgent: 'SeineBot/test' })
  const fetcher = httpFetcher({ egress })
  const { signal } = new AbortController()
  atEnd(egress.close)
  atEnd(fetcher.close)
  await test((url, proxy, timeoutMs = 5000) => fetcher.fetch({ url, headers: {}, timeoutMs, maxBytes: 100_000, proxy, signal }))
}

const told = (outcome: FetchOutcome) =>
  outcome.kind === 'fetched' ? Buffer.from(outcome.body).toString() : outcome.kind === 'failure' ? outcome.reason : outcome.to
const detailOf = (outcome: FetchOutcome) => (outcome.kind === 'failure' ? outcome.detail : '')

for (const kind of KINDS)
  proxied(`${kind}: a page is fetched through it, by the checked address, over a kept-alive connection`, async () => {
    const site = await startSite({ '//localhost/a': 'page a', '//localhost/b': 'page b' })
    const proxy = await startProxy(kind)
    await withFetcher(async (fetch) => {
      const url = `http://localhost:${site.port}`
      assert.is(told(await fetch(`${url}/a`, proxy.proxy)), 'page a')
      // The connection is free a turn after its answer has ended.
      await new Promise((resolve) => setImmediate(resolve))
      assert.is(told(await fetch(`${url}/b`, proxy.proxy)), 'page b')
      assert.equal(proxy.targets, [`127.0.0.1:${site.port}`], 'never the name')
      assert.equal(proxy.plain, [])
      assert.is(site.hits[0]!.headers.host, `localhost:${site.port}`)
      assert.is(site.hits[0]!.headers['proxy-authorization'], undefined)
    })
  })

proxied('connections are kept apart by proxy and by its credentials', async () => {
  const site = await startSite({ '/a': 'page a' })
  const proxy = await startProxy('http')
  const other = await startProxy('socks5')
  await withFetcher(async (fetch) => {
    const url = site.url('/a')
    for (const way of [proxy.proxy, other.proxy, { ...proxy.proxy, username: 'wanda' }, null, proxy.proxy, null])
      assert.is(told(await fetch(url, way)), 'page a')
    assert.is(proxy.targets.length, 2)
    assert.is(other.targets.length, 1)
    assert.is(site.hits.length, 6)
  })
})

proxied('https goes through each kind of proxy, and the certificate is the target’s', async () => {
  const site = await startHostileSite()
  const egress = createEgress({
    allow: `${site.allow},127.0.0.1`,
    authorities: [await site.authority()],
    resolver: site.resolver,
    userAgent: 'SeineBot/test',
  })
  const fetcher = httpFetcher({ egress })
  const { signal } = new AbortController()
  const urlOf = (id: string) => site.cases.find((each) => each.id === id)!.url
  try {
    for (const kind of KINDS) {
      const proxy = await startProxy(kind)
      const fetch = (url: string) => fetcher.fetch({ url, headers: {}, timeoutMs: 5000, maxBytes: 1e6, proxy: proxy.proxy, signal })
      const outcome = await fetch(urlOf('tls-good'))
      assert.is(outcome.kind === 'fetched' && outcome.status, 200, `${kind}: ${JSON.stringify(outcome)}`)
      assert.is(told(await fetch(urlOf('tls-wrong-name'))), 'tls')
      assert.is(proxy.targets.length, 2)
      await proxy.close()
    }
  } finally {
    await fetcher.close()
    await egress.close()
    await site.stop()
  }
})

for (const kind of KINDS)
  proxied(`${kind}: it accepts credentials; wrong credentials are the proxy's failure, and the target gets no request`, async () => {
    const site = await startSite({ '/a': 'page a' })
    const proxy = await startProxy(kind, { only: KNOWN })
    await withFetcher(async (fetch) => {
      assert.is(told(await fetch(site.url('/a'), proxy.proxy)), 'page a')
      for (const wrong of [
        { ...proxy.proxy, username: null, password: null },
        { ...proxy.proxy, username: 'eve' },
        ...(kind === 'socks4' ? [] : [{ ...proxy.proxy, password: 'wrong' }]),
      ]) {
        const outcome = await fetch(site.url('/a'), wrong)
        assert.is(told(outcome), 'proxy')
        for (const secret of [KNOWN.password, 'wrong']) assert.not.ok(detailOf(outcome).includes(secret))
      }
      assert.is(site.hits.length, 1)
    })
  })

proxied(
  'a proxy without CONNECT gets plain http requests with absolute URLs and its credentials, which the target does not see',
  async () => {
    const site = await startSite({ '//localhost/a?b=c': 'page a', '//localhost/b': { status: 302, headers: { location: '/a?b=c' } } })
    const proxy = await startProxy('http', { mode: 'no-tunnels', only: KNOWN })
    await withFetcher(async (fetch) => {
      const url = `http://localhost:${site.port}`
      assert.is(told(await fetch(`${url}/a?b=c`, proxy.proxy)), 'page a')
      assert.is(told(await fetch(`${url}/b`, proxy.proxy)), 'page a')
      assert.is(proxy.targets.length, 1, 'asked for a way once')
      assert.equal(proxy.plain, [`${url}/a?b=c`, `${url}/b`, `${url}/a?b=c`])
      assert.is(site.hits[0]!.headers['proxy-authorization'], undefined)
      assert.is(told(await fetch(`${url}/a?b=c`, { ...proxy.proxy, password: 'wrong' })), 'proxy')
      // https only goes through a tunnel, which the proxy cannot read.
      assert.is(told(await fetch('https://localhost:1/', proxy.proxy)), 'proxy')
      assert.is(site.hits.length, 3)
    })
  },
)

const FAULTS: [kind: (typeof KINDS)[number], mode: ProxyMode, why: string][] = [
  ['http', 407, 'asks for credentials'],
  ['http', 502, 'answers bad gateway'],
  ['http', 504, 'answers gateway timeout'],
  ['http', 'cut', 'closes the connection'],
  ['http', 'cut-later', 'opens the tunnel, then closes it'],
  ['http', 'hang', 'never answers'],
  ['socks4', 'cut', 'closes the connection'],
  ['socks4', 'hang', 'never answers'],
  ['socks4', 'refuses', 'refuses'],
  ['socks5', 'cut', 'closes the connection'],
  ['socks5', 'cut-later', 'opens the tunnel, then closes it'],
  ['socks5', 'hang', 'never answers'],
  ['socks5', 'refuses', 'refuses'],
]
for (const [kind, mode, why] of FAULTS)
  proxied(`F31 ${kind} that ${why} (${mode}): the reason is the proxy, and the target is not asked directly`, async () => {
    const site = await startSite({ '/a': 'page a' })
    const proxy = await startProxy(kind, { mode })
    await withFetcher(
      async (fetch) => {
        for (const url of [site.url('/a'), site.url('/a').replace('http:', 'https:')])
          assert.is(told(await fetch(url, proxy.proxy)), 'proxy', url)
      },
      '127.0.0.0/8',
      300,
    )
    assert.ok(proxy.connections > 0)
    assert.is(site.hits.length, 0)
  })

proxied('F31 a missing proxy, or one with another protocol, is reported as a proxy failure', async () => {
  const site = await startSite({ '/a': 'page a' })
  const gone = await startProxy('http')
  await gone.close()
  const { port } = await serve(createServer((_request, response) => response.end('a web site')))
  await withFetcher(async (fetch) => {
    const other = { username: null, password: null, host: '127.0.0.1', port }
    for (const proxy of [
      gone.proxy,
      { ...other, type: 'socks5' as const },
      { ...other, type: 'socks4' as const },
      { ...gone.proxy, host: 'nobody.invalid' },
    ])
      assert.is(told(await fetch(site.url('/a'), proxy)), 'proxy', JSON.stringify(proxy))
    assert.is(site.hits.length, 0)
  })
})

proxied('T8 a forbidden address is refused before the proxy gets a request', async () => {
  const canary = await startSite({ '/': 'secret' }, { hosts: ['127.0.0.2'] })
  for (const kind of KINDS) {
    const proxy = await startProxy(kind)
    await withFetcher(async (fetch) => {
      for (const url of [
        `http://127.0.0.2:${canary.port}/`,
        `http://2130706434:${canary.port}/`,
        `http://0x7f.2:${canary.port}/`,
        `https://127.0.0.2:${canary.port}/`,
        'http://169.254.169.254/latest/meta-data/',
        'http://10.0.0.1/',
        'http://[::ffff:127.0.0.2]/',
        'http://[::1]/',
        'http://metadata.internal/',
      ])
        assert.is(told(await fetch(url, proxy.proxy)), 'refused_address', url)
    }, `127.0.0.1:${proxy.port}`)
    assert.is(proxy.connections, 0, kind)
    await proxy.close()
  }
  assert.is(canary.all.length, 0)
})

proxied('T8 a proxy at a forbidden address gets no connection, in any spelling', async () => {
  const site = await startSite({ '/': 'page' })
  const proxy = await startProxy('http', { host: '127.0.0.2' })
  await withFetcher(async (fetch) => {
    for (const host of ['127.0.0.2', '2130706434', '0x7f.0.0.2', '::ffff:127.0.0.2', 'localhost', 'printer.lan'])
      assert.is(told(await fetch(site.url('/'), { ...proxy.proxy, host })), 'proxy', host)
  }, `127.0.0.1:${site.port}`)
  assert.is(proxy.connections, 0)
  assert.is(site.hits.length, 0)
})

// ---- runs

const through = (proxy: Proxy | null): RunProxy => ({ proxy, notice: null })

/** A crawl of a site of three pages whose requests leave through a proxy. */
async function crawlThrough(proxy: TestProxy, site: Awaited<ReturnType<typeof startSite>>) {
  const began = Date.now()
  const started = performance.now()
  // Sixty times as fast: a wait of two seconds for the next try takes an instant.
  const now = () => Math.round(began + (performance.now() - started) * 60)
  const engine = startEngineHarness({ now, proxyFor: () => through(proxy.proxy) })
  const no = await engine.crawl(site.url('/'), { spider: { page_limit: 10, max_depth: 2 } })
  const run = await engine.ended(no)
  const urls = engine.rows<{ outcome: string; tries: number }>('SELECT outcome, tries FROM run_url WHERE run_no = ? ORDER BY seq', no)
  assert.equal(engine.faults(no), [])
  return { run, urls }
}

const smallSite = () => startSite({ '/': pageOf('home', ['/a', '/b']), '/a': pageOf('a'), '/b': pageOf('b') })

proxied('all requests of a crawl go through its proxy, robots.txt too', async () => {
  const site = await smallSite()
  const proxy = await startProxy('socks5', { only: KNOWN })
  const { run } = await crawlThrough(proxy, site)
  assert.is(run.status, 'finished')
  assert.is(run.kept, 3)
  assert.is(site.all.filter(({ path }) => path === '/robots.txt').length, 1)
  assert.ok(proxy.targets.length > 0)
  await proxy.close()
})

proxied('F31 a crawl retries proxy failures by the table, and ends with that reason; no request goes directly', async () => {
  const site = await smallSite()
  const proxy = await startProxy('http', { mode: 502 })
  const { run, urls } = await crawlThrough(proxy, site)
  assert.is(run.status, 'failed')
  assert.equal(urls, [{ outcome: 'proxy', tries: 3 }])
  assert.is(site.all.length, 0)
})

proxied('robots rules fetched through a proxy apply to that proxy alone, and are not stored', async () => {
  const site = await startSite({ '/': pageOf('home'), '/robots.txt': 'User-agent: *\nAllow: /' })
  const broken = await startProxy('http', { mode: 504 })
  let isThrough = true
  const engine = startEngineHarness({ proxyFor: () => through(isThrough ? broken.proxy : null) })
  await engine.crawl(site.url('/'))
  await engine.until(() => broken.targets.length > 0, 'the proxy is asked')
  isThrough = false
  const second = await engine.ended(await engine.crawl(site.url('/')))
  assert.is(second.status, 'finished')
  assert.is(second.kept, 1)
})

proxied.run()
