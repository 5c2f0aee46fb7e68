/** Whole crawls of small sites: each discovered URL has one outcome, with the right reason, and nothing else is fetched. */
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EngineSettings } from '#backend/crawler/engine/engine-means.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import type { EngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { Site, SitePage } from '#tests/support/sites/site.ts'

const crawls = suite('a crawl')

/** Retries, back-off and crawl delays run a hundred times as fast. */
const fast = (times: number) => {
  const [start, begun] = [Date.now(), performance.now()]
  return () => start + Math.round((performance.now() - begun) * times)
}
const engine = startEngineHarness()
const fastEngine = startEngineHarness({ now: fast(100), settings: { maxJobSeconds: 100_000 } })
const others: EngineHarness[] = []
const sites: Site[] = []
crawls.after(async () => {
  await engine.close()
  await fastEngine.close()
  await Promise.all(others.map((other) => other.close()))
  await Promise.all(sites.map((site) => site.close()))
})

/** An engine of its own for a test with other settings. */
function engineWith(settings: Partial<EngineSettings>): EngineHarness {
  const other = startEngineHarness({ settings })
  others.push(other)
  return other
}

async function site(pages: Record<string, SitePage>, options?: { hosts?: string[] }): Promise<Site> {
  const started = await startSite(pages, options)
  sites.push(started)
  return started
}

type UrlRow = { url: string; outcome: string; detail: string | null; http_status: number | null; tries: number; depth: number }

/** How each URL ended, by path (and host, when it is not the first). */
function ends(from: EngineHarness, runNo: number, at: Site): Record<string, string> {
  const rows = from.rows<UrlRow>('SELECT url, outcome, detail, http_status, tries, depth FROM run_url WHERE run_no = ? ORDER BY seq', runNo)
  return Object.fromEntries(rows.map(({ url, outcome }) => [url.replace(at.url(''), '').replace(`:${at.port}`, ''), outcome]))
}

function rowOf(from: EngineHarness, runNo: number, url: string): UrlRow {
  return from.rows<UrlRow>(
    'SELECT url, outcome, detail, http_status, tries, depth FROM run_url WHERE run_no = ? AND url = ?',
    runNo,
    url,
  )[0]!
}

const feedOf = (from: EngineHarness, runNo: number) =>
  from
    .rows<{ messages: string }>('SELECT messages FROM run_feed WHERE run_no = ? ORDER BY first_seq', runNo)
    .flatMap(({ messages }) => JSON.parse(messages) as { type: string; message: string }[])

const many = (count: number, name: (n: number) => string) => Array.from({ length: count }, (_, n) => name(n))
const WIDE = { max_depth: 10, page_limit: 100 }

crawls('every URL ends once, each with its reason', async () => {
  const at = await site({
    '/robots.txt': { body: 'User-agent: *\nDisallow: /private/\n', headers: { 'content-type': 'text/plain' } },
    '/': pageOf('start', [
      '/good',
      '/good/',
      '/good#part',
      '/good?utm_source=x',
      '/missing',
      '/gone',
      '/private/a',
      '/skipped/a',
      '/image.png',
      '/binary',
      '/empty',
      'http://elsewhere.invalid/',
      '/moved',
      '/copy',
      '/out',
      '/loop',
      '/nowhere',
      'mailto:a@b.c',
      'javascript:void 0',
      '/a/a/a/a/a',
      '/deep/1',
    ]),
    '/good': pageOf('good'),
    '/gone': { status: 410 },
    '/binary': { headers: { 'content-type': 'application/octet-stream' }, body: Buffer.alloc(100) },
    '/empty': { status: 204 },
    '/moved': { status: 301, headers: { location: '/target' } },
    '/copy': { status: 302, headers: { location: '/target' } },
    '/target': pageOf('target'),
    '/out': { status: 302, headers: { location: 'http://elsewhere.invalid/x' } },
    '/loop': { status: 302, headers: { location: '/loop' } },
    '/nowhere': { status: 302, headers: { location: 'http://' } },
    '/deep/1': pageOf('deep one', ['/deep/2']),
    '/deep/2': pageOf('deep two', ['/deep/3']),
    '/deep/3': pageOf('deep three'),
  })
  const run = await engine.crawl(at.url('/'), { spider: { max_depth: 2, page_limit: 100, exclude_paths: ['/skipped/*'] } })
  const row = await engine.ended(run)
  assert.equal([row.status, row['reason']], ['finished', 'drained'])
  const found = ends(engine, run, at)
  // The faster one has the page.
  assert.equal(new Set([found['/moved'], found['/copy']]), new Set(['duplicate', 'kept']))
  delete found['/moved']
  delete found['/copy']
  assert.equal(found, {
    '/': 'kept',
    '/good': 'kept',
    '/missing': 'status',
    '/gone': 'status',
    '/private/a': 'robots',
    '/skipped/a': 'out_of_scope',
    '/image.png': 'out_of_scope',
    '/binary': 'unsupported_type',
    '/empty': 'status',
    'http://elsewhere.invalid/': 'out_of_scope',
    '/out': 'out_of_scope',
    '/loop': 'redirect_loop',
    '/nowhere': 'bad_redirect',
    '/a/a/a/a/a': 'trap:repeat',
    '/deep/1': 'kept',
    '/deep/2': 'kept',
    '/deep/3': 'depth',
  })
  assert.is(rowOf(engine, run, at.url('/missing')).http_status, 404)
  assert.is(rowOf(engine, run, at.url('/gone')).http_status, 410)
  assert.match(rowOf(engine, run, at.url('/private/a')).detail!, /line 2: .*\/private\//)
  assert.match(rowOf(engine, run, at.url('/skipped/a')).detail!, /\/skipped\/\*/)
  assert.match(rowOf(engine, run, 'http://elsewhere.invalid/').detail!, /elsewhere\.invalid/)
  assert.match(rowOf(engine, run, at.url('/out')).detail!, /elsewhere\.invalid/)
  for (const path of ['/private/a', '/skipped/a', '/image.png', '/deep/3', '/a/a/a/a/a']) assert.is(at.times(path), 0, path)
  for (const path of ['/', '/good', '/missing', '/deep/2']) assert.is(at.times(path), 1, path)
  assert.equal(engine.faults(run), [])
})

crawls('no URL beyond the page limit is requested', async () => {
  const pages = Object.fromEntries(many(60, (n) => `/p/${n}`).map((path, n) => [path, n % 3 === 0 ? { status: 404 } : pageOf(`page ${n}`)]))
  const at = await site({ ...pages, '/': pageOf('start', Object.keys(pages)) })
  const run = await engine.crawl(at.url('/'), { spider: { max_depth: 1, page_limit: 17 } })
  const row = await engine.ended(run)
  assert.equal([row.status, row['reason'], row.kept], ['finished', 'page_limit', 17])
  const good = at.hits.filter(({ path }) => path === '/' || Number(path.slice(3)) % 3 !== 0)
  assert.is(good.length, 17)
  const outcomes = Object.values(ends(engine, run, at))
  assert.is(outcomes.filter((outcome) => outcome === 'limit').length, 61 - at.hits.length)
  assert.ok(feedOf(engine, run).some(({ type, message }) => type === 'warning' && /page limit with 17 pages/.test(message)))
  assert.equal(engine.faults(run), [])
})

crawls('a crawl of one page sends one request, and a limit that the last page reaches causes no warning', async () => {
  const at = await site({ '/': pageOf('start', ['/a']), '/a': pageOf('a') })
  const one = await engine.crawl(at.url('/'), { spider: { max_depth: 0, page_limit: 1 } })
  await engine.ended(one)
  assert.equal(at.paths(), ['/'])
  const two = await engine.crawl(at.url('/'), { spider: { max_depth: 1, page_limit: 2 } })
  await engine.ended(two)
  assert.is(feedOf(engine, two).at(-1)!.type, 'success')
  assert.equal([engine.faults(one), engine.faults(two)], [[], []])
})

crawls('temporary failures are retried, and given up after three attempts', async () => {
  const at = await site({
    '/': pageOf('start', ['/busy', '/fault', '/cut', '/told', '/toolong', '/always']),
    '/busy': (_, times) => (times === 1 ? { status: 503 } : pageOf('busy')),
    '/fault': (_, times) => (times < 3 ? { status: 500 } : pageOf('fault')),
    '/cut': (_, times) => (times === 1 ? { cut: true } : pageOf('cut')),
    '/told': (_, times) => (times === 1 ? { status: 429, headers: { 'retry-after': '2' } } : pageOf('told')),
    '/toolong': { status: 503, headers: { 'retry-after': '9999' } },
    '/always': { status: 502 },
  })
  const run = await fastEngine.crawl(at.url('/'), { spider: WIDE })
  await fastEngine.ended(run)
  assert.equal(ends(fastEngine, run, at), {
    '/': 'kept',
    '/busy': 'kept',
    '/fault': 'kept',
    '/cut': 'kept',
    '/told': 'kept',
    '/toolong': 'retry_after_too_long',
    '/always': 'status',
  })
  assert.is(at.times('/always'), 3)
  assert.is(at.times('/fault'), 3)
  assert.is(at.times('/toolong'), 1)
  assert.is(rowOf(fastEngine, run, at.url('/always')).tries, 3)
  assert.is(rowOf(fastEngine, run, at.url('/always')).http_status, 502)
  assert.equal(fastEngine.faults(run), [])
})

crawls('a crawl fails when no start URL could be fetched, and says so', async () => {
  const at = await site({
    '/': { status: 500 },
    '/robots.txt': { body: 'User-agent: *\nDisallow: /no\n', headers: { 'content-type': 'text/plain' } },
    '/to-missing': { status: 302, headers: { location: '/missing' } },
    '/blank': { headers: { 'content-type': 'image/png' }, body: Buffer.alloc(9) },
  })
  const rows: [string, string, string, string][] = [
    ['/missing', 'failed', 'no_start_url', 'a 404'],
    ['/', 'failed', 'no_start_url', 'a 500 on all three tries'],
    ['/no', 'failed', 'no_start_url', 'disallowed by robots.txt'],
    ['/to-missing', 'failed', 'no_start_url', 'a redirect to a 404'],
    ['/blank', 'finished', 'drained', 'an image: fetched, but without text'],
  ]
  for (const [path, status, reason, why] of rows) {
    const run = await fastEngine.crawl(at.url(path), { spider: WIDE })
    const row = await fastEngine.ended(run)
    assert.equal([row.status, row['reason'], row.kept], [status, reason, 0], why)
    if (status === 'failed') assert.is(feedOf(fastEngine, run).at(-1)!.type, 'error', why)
    assert.equal(fastEngine.faults(run), [], why)
  }
  assert.is(at.times('/no'), 0)
  const refused = await fastEngine.crawl('http://10.0.0.1/', { spider: WIDE })
  assert.is((await fastEngine.ended(refused)).status, 'failed')
  assert.is(fastEngine.rows<UrlRow>('SELECT outcome FROM run_url WHERE run_no = ?', refused)[0]!.outcome, 'refused_address')
})

crawls('house 13: only crawls that need a browser warn that it is missing', async () => {
  const at = await site({ '/': pageOf('start') })
  const told = async (page: NonNullable<Parameters<EngineHarness['crawl']>[1]>['page']) => {
    const run = await engine.crawl(at.url('/'), { page: { ignore_rendering: false, ...page } })
    await engine.ended(run)
    return feedOf(engine, run)
      .filter(({ type }) => type === 'warning')
      .map(({ message }) => message)
      .filter((message) => message.includes('browser'))
  }
  const withBrowser = { actions: [{ type: 'pdf' }, { type: 'screenshot' }], accept_cookies_selector: '#yes' } as const
  assert.equal(await told({}), [])
  assert.equal(await told({ wait_time: 100 }), [])
  assert.equal(await told({ ...withBrowser, actions: [...withBrowser.actions], ignore_rendering: true }), [])
  assert.equal(await told({ wait_time: 500 }), ['No browser is available: pages are fetched over plain HTTP, without waiting after load'])
  assert.equal(await told({ ...withBrowser, actions: [...withBrowser.actions] }), [
    'No browser is available: pages are fetched over plain HTTP, without screenshots, PDFs and clicking on a cookie banner',
  ])
})

crawls('an unreachable robots.txt closes the site: only robots.txt is requested, once more', async () => {
  const at = await site({ '/': pageOf('start'), '/robots.txt': { status: 503 } })
  const run = await fastEngine.crawl(at.url('/'), { spider: WIDE })
  const row = await fastEngine.ended(run)
  assert.equal([row.status, row.kept], ['failed', 0])
  assert.equal(at.paths(), [])
  assert.is(at.all.length, 2)
  assert.is(rowOf(fastEngine, run, at.url('/')).outcome, 'robots_unreachable')
  assert.equal(fastEngine.faults(run), [])
})

crawls('headers of the user are sent only to the origin of the submitted URL', async () => {
  const hosts = ['127.0.0.1', '127.0.0.2']
  const at: Site = await site(
    { '/': () => pageOf('start', ['/in', at.url('/other', '127.0.0.2')]), '/in': pageOf('in'), '//127.0.0.2/other': pageOf('other') },
    { hosts },
  )
  const run = await engine.crawl(at.url('/'), {
    spider: { ...WIDE, allowed_domains: ['*'] },
    page: { extra_headers: { Authorization: 'Bearer secret', 'X-Own': 'mine' } },
  })
  await engine.ended(run)
  const seen = Object.fromEntries(
    at.hits.map(({ path, headers }) => [path, [headers['authorization'], headers['x-own'], headers['accept-language']]]),
  )
  assert.equal(seen, {
    '/': ['Bearer secret', 'mine', 'en-US'],
    '/in': ['Bearer secret', 'mine', 'en-US'],
    '/other': [undefined, undefined, 'en-US'],
  })
  assert.not.ok(at.all.some(({ path, headers }) => path === '/robots.txt' && headers['authorization'] !== undefined))
})

crawls('robots.txt is requested once for all runs of an origin', async () => {
  const at = await site({
    '/': pageOf(
      'start',
      many(10, (n) => `/${n}`),
    ),
    ...Object.fromEntries(many(10, (n) => `/${n}`).map((path) => [path, pageOf(path)])),
  })
  const first = await engine.crawl(at.url('/'), { spider: WIDE })
  const second = await engine.crawl(at.url('/'), { spider: WIDE, teamId: 'other' })
  await Promise.all([engine.ended(first), engine.ended(second)])
  assert.is(at.times('/robots.txt'), 1)
  assert.is(at.times('/3'), 2)
})

crawls('the crawl follows a start URL to another host, but not a link that redirects there', async () => {
  const at = await site(
    {
      '/': { status: 301, headers: { location: 'http://127.0.0.2:PORT/home' } },
      '//127.0.0.2/home': pageOf('home', ['/in', 'http://127.0.0.3:PORT/']),
      '//127.0.0.2/in': pageOf('in', ['/away']),
      '//127.0.0.2/away': { status: 302, headers: { location: 'http://127.0.0.3:PORT/' } },
      '//127.0.0.3/': pageOf('third'),
    },
    { hosts: ['127.0.0.1', '127.0.0.2', '127.0.0.3'] },
  )
  for (const [path, page] of Object.entries(at.pages))
    at.pages[path] = JSON.parse(JSON.stringify(page).replaceAll('PORT', String(at.port))) as SitePage
  const run = await engine.crawl(at.url('/'), { spider: WIDE })
  const row = await engine.ended(run)
  assert.is(row.kept, 2)
  assert.equal(ends(engine, run, at), {
    '/': 'redirected',
    'http://127.0.0.2/home': 'kept',
    'http://127.0.0.2/in': 'kept',
    'http://127.0.0.3/': 'out_of_scope',
    'http://127.0.0.2/away': 'out_of_scope',
  })
  assert.not.ok(at.hits.some(({ host }) => host === '127.0.0.3'))
  assert.ok(feedOf(engine, run).some(({ message }) => /moved to 127\.0\.0\.2/.test(message)))
  assert.equal(engine.faults(run), [])
})

crawls(
  'a redirect within a host is judged like a link: the crawl requests no excluded path, and stores only what it includes',
  async () => {
    const to = (location: string): SitePage => ({ status: 302, headers: { location } })
    const at = await site({
      '/docs/': to('/start'),
      '/start': pageOf('start', ['/docs/private', '/docs/login', '/docs/check', '/docs/file', '/docs/away', '/guide']),
      '/docs/private': to('/docs/secret/a'),
      '/docs/secret/a': pageOf('secret'),
      '/docs/login': to('/login?next=/docs/login'),
      '/login?next=/docs/login': pageOf('login'),
      '/docs/check': to('/cookies?to=/docs/checked'),
      '/cookies?to=/docs/checked': to('/docs/checked'),
      '/docs/checked': pageOf('checked'),
      '/docs/file': to('/docs/notes.csv'),
      '/docs/notes.csv': { headers: { 'content-type': 'text/csv' }, body: 'a,b\n1,2\n' },
      '/docs/away': to('/secret/b'),
      '/guide': to('/guide/'),
      '/guide/': pageOf('guide'),
      '/secret/b': pageOf('other secret'),
    })
    const run = await engine.crawl(at.url('/docs/'), {
      spider: { ...WIDE, include_paths: ['/docs/*', '/guide'], exclude_paths: ['*/secret/*'] },
    })
    assert.is((await engine.ended(run)).status, 'finished')
    assert.equal(ends(engine, run, at), {
      '/docs/': 'kept',
      '/docs/private': 'out_of_scope',
      '/docs/login': 'out_of_scope',
      '/docs/check': 'kept',
      '/docs/file': 'kept',
      '/docs/away': 'out_of_scope',
      '/guide': 'kept',
    })
    assert.is(rowOf(engine, run, at.url('/docs/private')).detail, `redirected to ${at.url('/docs/secret/a')} (exclude_paths: */secret/*)`)
    assert.is(
      rowOf(engine, run, at.url('/docs/login')).detail,
      `redirected to ${at.url('/login?next=/docs/login')} (include_paths: /login)`,
    )
    assert.equal([at.times('/docs/secret/a'), at.times('/secret/b')], [0, 0])
  },
)

crawls('links of a page whose header asks not to follow them come after all others', async () => {
  const gate = Promise.withResolvers<void>()
  const at = await site({
    '/': pageOf('start', ['/history', '/article', '/slow']),
    '/history': {
      headers: { 'x-robots-tag': 'noindex, nofollow' },
      body: pageOf(
        'history',
        many(9, (n) => `/old/${n}`),
      ),
    },
    '/article': pageOf('article', ['/more']),
    '/slow': { body: pageOf('slow'), until: gate.promise },
    '/more': pageOf('more'),
    ...Object.fromEntries(many(9, (n) => `/old/${n}`).map((path) => [path, pageOf(path)])),
  })
  // The last page is chosen after `/slow`, and that answers when all links are known.
  const alone = engineWith({ maxConcurrency: 1 })
  const run = await alone.crawl(at.url('/'), { spider: { max_depth: 5, page_limit: 5 } })
  await alone.until(() => ['/old/8', '/more'].every((path) => path in ends(alone, run, at)), 'all links are known')
  gate.resolve()
  await alone.ended(run)
  assert.equal(at.paths().toSorted(), ['/', '/article', '/history', '/more', '/slow'])
})

crawls('nothing is read of a response whose type has no text: it may never end', async () => {
  const hour = String(3600 * 16_000)
  const at = await site({
    '/': pageOf('start', ['/radio', '/next']),
    '/radio': { headers: { 'content-type': 'audio/mpeg', 'content-length': hour }, body: Buffer.alloc(100) },
    '/next': pageOf('next'),
  })
  const run = await engine.crawl(at.url('/'), { spider: WIDE })
  await engine.ended(run)
  const { detail, outcome, tries } = rowOf(engine, run, at.url('/radio'))
  assert.equal([outcome, detail, tries], ['unsupported_type', 'audio/mpeg', 1])
  assert.is(ends(engine, run, at)['/next'], 'kept')
})

crawls('start URLs that redirect do not affect pages of other start URLs that wait for a parser', async () => {
  const hosts = ['127.0.0.1', '127.0.0.2']
  const pages: Record<string, SitePage> = Object.fromEntries(many(60, (n) => `/p/${n}`).map((path) => [path, pageOf(path)]))
  for (let n = 0; n < 8; n += 1) pages[`/moved/${n}`] = () => ({ status: 302, headers: { location: at.url(`/h${n}`, '127.0.0.2') } })
  for (let n = 0; n < 8; n += 1) pages[`//127.0.0.2/h${n}`] = pageOf(`moved ${n}`)
  const at: Site = await site(pages, { hosts })
  const run = await engine.crawl([...many(60, (n) => at.url(`/p/${n}`)), ...many(8, (n) => at.url(`/moved/${n}`))], {
    spider: { max_depth: 0, page_limit: 68 },
  })
  const row = await engine.ended(run)
  assert.equal([row.status, row.kept], ['finished', 68])
  assert.equal(engine.faults(run), [])
})

crawls('redirects across hosts are followed ten times, and a redirect loop ends at once', async () => {
  const hosts = ['127.0.0.1', '127.0.0.2']
  const pages: Record<string, SitePage> = {}
  const to = (n: number, name: string) => ({ status: 302, headers: { location: at.url(`/${name}/${n}`, hosts[n % 2]) } })
  for (let n = 0; n < 30; n += 1) pages[n % 2 === 0 ? `/chain/${n}` : `//127.0.0.2/chain/${n}`] = () => to(n + 1, 'chain')
  for (let n = 0; n < 4; n += 1) pages[n % 2 === 0 ? `/circle/${n}` : `//127.0.0.2/circle/${n}`] = () => to((n + 1) % 4, 'circle')
  const at: Site = await site(pages, { hosts })
  const chain = await engine.crawl(at.url('/chain/0'), { spider: WIDE })
  assert.is((await engine.ended(chain)).status, 'failed')
  assert.is(at.hits.length, 11)
  assert.is(Object.values(ends(engine, chain, at)).at(-1), 'redirect_limit')
  at.forget()
  const circle = await engine.crawl(at.url('/circle/0'), { spider: WIDE })
  assert.is((await engine.ended(circle)).status, 'failed')
  assert.is(at.hits.length, 4)
  assert.is(Object.values(ends(engine, circle, at)).at(-1), 'redirect_loop')
  assert.equal([engine.faults(chain), engine.faults(circle)], [[], []])
})

crawls('a page that needs a cookie is stored although the way to it leads through another host and back', async () => {
  const away = '127.0.0.2'
  const to = (location: string, cookie?: string) => ({
    status: 302,
    headers: { location, ...(cookie !== undefined && { 'set-cookie': cookie }) },
  })
  const needs =
    (cookie: string, otherwise: () => SitePage): SitePage =>
    (request, times) => {
      if ((request.headers.cookie ?? '').includes(cookie)) return pageOf(`page with ${cookie}`)
      const other = otherwise()
      return typeof other === 'function' ? other(request, times) : other
    }
  const at: Site = await site(
    {
      // Sets the cookie, and comes back to the same URL.
      '/same': needs('s=1', () => to(at.url('/check', away), 's=1')),
      [`//${away}/check`]: () => to(at.url('/same')),
      // Sets the cookie, and comes back to another URL.
      '/login': () => to(at.url('/sso', away), 't=1'),
      [`//${away}/sso`]: () => to(at.url('/article?code=1')),
      '/article?code=1': needs('t=1', () => ({ status: 403, body: 'no cookie' })),
      // Sets the cookie, and comes back without the slash.
      '/slash/': () => to(at.url('/plain', away), 'p=1'),
      [`//${away}/plain`]: () => to(at.url('/slash')),
      '/slash': needs('p=1', () => ({ status: 403, body: 'no cookie' })),
      // Comes back again and again with the cookie.
      '/circle': () => to(at.url('/circle', away), 'r=1'),
      [`//${away}/circle`]: () => to(at.url('/circle')),
    },
    { hosts: ['127.0.0.1', away] },
  )
  for (const [start, page] of [
    ['/same', '/same'],
    ['/login', '/article?code=1'],
    ['/slash/', '/slash/'],
  ] as const) {
    const run = await engine.crawl(at.url(start), { spider: WIDE })
    const row = await engine.ended(run)
    assert.equal([row.status, row.kept, ends(engine, run, at)[page]], ['finished', 1, 'kept'], start)
    assert.equal(engine.faults(run), [])
    assert.is(at.hits.filter(({ headers, host }) => host === away && headers.cookie !== undefined).length, 0)
  }
  at.forget()
  const circle = await engine.crawl(at.url('/circle'), { spider: WIDE })
  assert.is((await engine.ended(circle)).status, 'failed')
  assert.equal(at.paths(), ['/circle', '/circle', '/circle'])
  assert.equal(engine.faults(circle), [])
})

crawls('include and exclude patterns and domains decide which links are followed, never the start URL', async () => {
  const at = await site({
    '/start': pageOf('start', ['/docs/a', '/docs/old/b', '/blog/c']),
    '/docs/a': pageOf('a'),
    '/docs/old/b': pageOf('b'),
    '/blog/c': pageOf('c'),
  })
  const run = await engine.crawl(at.url('/start'), { spider: { ...WIDE, include_paths: ['/docs/*'], exclude_paths: ['*/old/*'] } })
  await engine.ended(run)
  assert.equal(ends(engine, run, at), { '/start': 'kept', '/docs/a': 'kept', '/docs/old/b': 'out_of_scope', '/blog/c': 'out_of_scope' })
  assert.equal(at.paths(), ['/start', '/docs/a'])
})

crawls('a batch fetches each of its URLs and follows no link', async () => {
  const at = await site({ '/a': pageOf('a', ['/c', '/b']), '/b': pageOf('b', ['/c']), '/c': pageOf('c') })
  const run = await engine.crawl([at.url('/a'), at.url('/b'), at.url('/missing')], { spider: { max_depth: 0, page_limit: 3 } })
  const row = await engine.ended(run)
  assert.equal([row.status, row.kept], ['finished', 2])
  assert.equal(ends(engine, run, at), { '/a': 'kept', '/b': 'kept', '/missing': 'status', '/c': 'depth' })
  assert.equal(engine.faults(run), [])
})

crawls('concurrent requests stay within the limit of the crawl', async () => {
  const paths = many(24, (n) => `/${n}`)
  const at = await site({
    '/': pageOf('start', paths),
    ...Object.fromEntries(paths.map((path) => [path, { body: pageOf(path), afterMs: 8 }])),
  })
  const run = await engine.crawl(at.url('/'), { spider: { ...WIDE, concurrent_requests: 3 } })
  await engine.ended(run)
  assert.ok(at.mostAtOnce() <= 3, `${at.mostAtOnce()} at once`)
  assert.ok(at.mostAtOnce() >= 2)
  assert.is(at.hits.length, 25)
})

crawls('H4: a page of one team is read before the long pages of another team that came first', async () => {
  const text = `<main><p>${'word '.repeat(200_000)}</p></main>`
  const paths = Array.from({ length: 12 }, (_, n) => `/long-${n}`)
  const gate = Promise.withResolvers<void>()
  const at = await startSite(
    {
      '/': pageOf('start', paths),
      ...Object.fromEntries(paths.map((path) => [path, text])),
      '//127.0.0.2/': { body: pageOf('short'), until: gate.promise },
    },
    { hosts: ['127.0.0.1', '127.0.0.2'] },
  )
  const fair = startEngineHarness()
  try {
    const short = await fair.crawl(at.url('/', '127.0.0.2'), { teamId: 'other' })
    await at.asked('/', 1)
    const long = await fair.crawl(at.url('/'), { spider: WIDE })
    for (const path of paths) await at.asked(path)
    gate.resolve()
    await fair.ended(short)
    const [{ n: before }] = fair.rows<{ n: number }>('SELECT count(*) AS n FROM page WHERE run_no = ?', long) as [{ n: number }]
    assert.ok(before <= 8, `${before} pages of the other team were read first`)
    assert.is((await fair.ended(long)).kept, 13)
    assert.equal([...fair.faults(short), ...fair.faults(long)], [])
  } finally {
    await fair.close()
    await at.close()
  }
})

crawls('all crawls of all teams share the limit of a host', async () => {
  const narrow = engineWith({ hostConcurrency: 2 })
  const paths = many(20, (n) => `/${n}`)
  const at = await site({
    '/': pageOf('start', paths),
    ...Object.fromEntries(paths.map((path) => [path, { body: pageOf(path), afterMs: 5 }])),
  })
  const runs = await Promise.all(['team', 'other', 'team'].map((teamId) => narrow.crawl(at.url('/'), { spider: WIDE, teamId })))
  for (const run of runs) assert.is((await narrow.ended(run)).kept, 21)
  assert.ok(at.mostAtOnce() <= 2, `${at.mostAtOnce()} at once`)
  for (const run of runs) assert.equal(narrow.faults(run), [])
})

crawls('hosts that share an address share its limit', async () => {
  const narrow = engineWith({ hostConcurrency: 2 })
  const paths = many(10, (n) => `/${n}`)
  const shared = () =>
    site({ '/': pageOf('start', paths), ...Object.fromEntries(paths.map((path) => [path, { body: pageOf(path), afterMs: 10 }])) })
  const sites = await Promise.all([shared(), shared()])
  const runs = await Promise.all(sites.map((at) => narrow.crawl(at.url('/'), { spider: WIDE })))
  for (const run of runs) assert.is((await narrow.ended(run)).kept, 11)
  const hits = sites.flatMap((at) => at.hits)
  const atOnce = Math.max(...hits.map(({ at }) => hits.filter((other) => other.at <= at && at < other.until).length))
  assert.is(hits.length, 22)
  assert.ok(atOnce <= 2, `${atOnce} at once`)
})

crawls('the pause of a host is kept between requests of two teams', async () => {
  const slow = engineWith({ hostDelayMs: 40 })
  const at = await site({ '/': pageOf('start', ['/a', '/b', '/c']), '/a': pageOf('a'), '/b': pageOf('b'), '/c': pageOf('c') })
  const runs = await Promise.all(['team', 'other'].map((teamId) => slow.crawl(at.url('/'), { spider: WIDE, teamId })))
  for (const run of runs) await slow.ended(run)
  assert.is(at.hits.length, 8)
  // The robots file and eight pages. A request is seen a little after it was begun, the first one most of all.
  const span = at.all.at(-1)!.at - at.all[0]!.at
  assert.ok(span >= 7 * 40, `nine requests within ${span} ms`)
  assert.is(at.mostAtOnce(), 1)
})

crawls("house 10: a robots.txt that redirects to another host keeps that host's pause", async () => {
  const slow = engineWith({ hostDelayMs: 200 })
  const other = '127.0.0.2'
  const at: Site = await site(
    {
      '/robots.txt': () => ({ status: 302, headers: { location: at.url('/shared', other) } }),
      '//127.0.0.2/shared': { status: 302, headers: { location: '/rules' }, afterMs: 100 },
      '//127.0.0.2/rules': { body: 'User-agent: *\nDisallow: /no\n', headers: { 'content-type': 'text/plain' } },
      '/': pageOf('start'),
      '/no': pageOf('no'),
      '//127.0.0.2/': pageOf('other'),
    },
    { hosts: ['127.0.0.1', other] },
  )
  const runs = [await slow.crawl([at.url('/', other)]), await slow.crawl([at.url('/'), at.url('/no')], { spider: { page_limit: 5 } })]
  for (const run of runs) await slow.ended(run)
  assert.equal(ends(slow, runs[1]!, at), { '/': 'kept', '/no': 'robots' })
  const hits = at.all.filter(({ host }) => host === other)
  assert.is(hits.length, 4, 'robots.txt, the page, and two hops for the other host')
  const pauses = pausesOf(hits)
  assert.ok(Math.min(...pauses) > 190, `pauses of ${pauses.map(Math.round).join(', ')} ms`)
})

crawls('with a crawl delay requests are sequential and a whole pause apart, redirects too', async () => {
  const at = await site({
    '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 0.1\n', headers: { 'content-type': 'text/plain' } },
    '/': pageOf('start', ['/a', '/b']),
    '/a': { status: 302, headers: { location: '/c' }, afterMs: 60 },
    '/b': { body: pageOf('b'), afterMs: 60 },
    '/c': pageOf('c'),
  })
  const run = await engine.crawl(at.url('/'), { spider: WIDE })
  assert.is((await engine.ended(run)).kept, 3)
  assert.equal(at.paths(), ['/', '/a', '/c', '/b'])
  const pauses = pausesOf(at.all)
  assert.ok(Math.min(...pauses) > 90, `pauses of ${pauses.map(Math.round).join(', ')} ms`)
  assert.is(at.mostAtOnce(), 1)
})

/** Milliseconds from the end of each answer to the start of the next request. The site learns a little late that an answer has ended. */
const pausesOf = (hits: readonly { at: number; until: number }[]) => hits.slice(1).map(({ at }, index) => at - hits[index]!.until)

crawls('teams take turns, however many crawls one of them has', async () => {
  const one = engineWith({ hostConcurrency: 1, maxConcurrency: 1 })
  const gate = Promise.withResolvers<void>()
  const paths = (name: string) => many(12, (n) => `/${name}/${n}`)
  const names = ['a', 'b', 'c', 'd', 'z']
  const at = await site({
    ...Object.fromEntries(names.map((name) => [`/${name}`, { body: pageOf(name, paths(name)), until: gate.promise }])),
    ...Object.fromEntries(names.flatMap(paths).map((path) => [path, pageOf(path)])),
  })
  const runs = []
  for (const name of names) runs.push(await one.crawl(at.url(`/${name}`), { spider: WIDE, teamId: name === 'z' ? 'other' : 'team' }))
  await one.until(() => one.rows("SELECT 1 FROM run WHERE status = 'running'").length === 5, 'all are running')
  gate.resolve()
  for (const run of runs) await one.ended(run)
  const order = at.paths().map((path) => path[1]!)
  const lastOfOther = order.lastIndexOf('z')
  assert.ok(
    order.slice(0, lastOfOther).filter((name) => name !== 'z').length < 13 * 2 + 4,
    `the other team ended after ${lastOfOther} of ${order.length}`,
  )
})

crawls('a crawl that reaches its time limit ends with a warning and its pages', async () => {
  let passed = 0
  const short = startEngineHarness({ settings: { maxJobSeconds: 100 }, now: () => Date.now() + passed })
  others.push(short)
  const gate = Promise.withResolvers<void>()
  const at = await site({ '/': pageOf('start', ['/slow', '/b']), '/slow': { until: gate.promise }, '/b': pageOf('b') })
  const run = await short.crawl(at.url('/'), { spider: WIDE })
  await short.until(() => short.rows('SELECT 1 FROM run WHERE no = ? AND kept = 2', run).length === 1, 'two pages are kept')
  passed = 100_000
  const row = await short.ended(run)
  gate.resolve()
  assert.equal([row.status, row['reason'], row.kept], ['finished', 'time_limit', 2])
  assert.is(ends(short, run, at)['/slow'], 'limit')
  assert.is(feedOf(short, run).at(-1)!.type, 'warning')
  assert.equal(short.faults(run), [])
})

const BIG = pageOf('big '.repeat(20_000))

crawls('H6: oversized HTML without Content-Length is stored up to the limit, and the feed says that it was cut', async () => {
  const small = engineWith({ maxPageBytes: 20_000 })
  const many = Array.from({ length: 5000 }, (_, n) => `/many/${n}`)
  const at = await site({ '/': `<title>Start</title>${many.map((path) => `<a href="${path}">x</a>`).join('')}` })
  const run = await small.crawl(at.url('/'), { spider: { ...WIDE, page_limit: 1 } })
  await small.ended(run)
  assert.is(ends(small, run, at)['/'], 'kept')
  const feed = small.rows<{ messages: string }>('SELECT messages FROM run_feed WHERE run_no = ?', run).map(({ messages }) => messages)
  assert.match(feed.join('\n'), /exceeds the size limit of a page: its first 20000 bytes were kept/)
})

crawls('oversized pages and binary bodies fail without affecting other pages', async () => {
  const small = engineWith({ maxPageBytes: 20_000 })
  const at = await site({
    '/': pageOf('start', ['/big', '/bomb', '/broken', '/fine']),
    '/big': { headers: { 'content-length': String(BIG.length) }, body: BIG },
    '/bomb': { headers: { 'content-encoding': 'gzip' }, body: gzipSync(BIG) },
    '/broken': { headers: { 'content-encoding': 'gzip' }, body: Buffer.from('this is no gzip') },
    '/fine': pageOf('fine'),
  })
  const run = await small.crawl(at.url('/'), { spider: WIDE })
  await small.ended(run)
  assert.equal(ends(small, run, at), { '/': 'kept', '/big': 'too_large', '/bomb': 'too_large', '/broken': 'bad_encoding', '/fine': 'kept' })
  assert.equal(small.faults(run), [])
})

crawls('the shortest text of the links to a page is stored as their title; the page keeps its own title', async () => {
  const at = await site({
    '/': '<main><a href="/a">a long title of it</a> <a href="/a"></a></main>',
    '/a': '<title>A page</title><main><a href="/">Home</a> <a href="/a">short</a><p>Words.</p></main>',
  })
  const run = await engine.crawl(at.url('/'), { spider: WIDE })
  await engine.ended(run)
  const titles = engine.rows<{ title: string }>('SELECT title FROM run_url WHERE run_no = ? ORDER BY seq', run).map(({ title }) => title)
  assert.equal(titles, ['Home', 'short'])
  assert.is(engine.rows<{ title: string }>('SELECT title FROM page WHERE run_no = ? AND url = ?', run, at.url('/a'))[0]!.title, 'A page')
})

crawls('twenty identical pages in a row close their URL pattern, and real pages are still reached', async () => {
  const at = await site({ '/': pageOf('start', ['/z/1', '/real']), '/real': pageOf('real') })
  for (let n = 1; n <= 60; n += 1)
    at.pages[`/z/${n}`] = `<main><p>Always the same words.</p></main><nav><a href="/z/${n + 1}">next</a></nav>`
  const run = await engine.crawl(at.url('/'), { spider: { max_depth: 100, page_limit: 1000 } })
  await engine.ended(run)
  assert.is(ends(engine, run, at)['/real'], 'kept')
  assert.is(ends(engine, run, at)['/z/21'], 'trap:same')
  assert.is(at.times('/z/22'), 0)
  assert.equal(engine.faults(run), [])
})

crawls('a host that stops answering gets only probes, and its URLs end as host_dead; other hosts are crawled on', async () => {
  const hosts = ['127.0.0.1', '127.0.0.2']
  const dead = many(40, (n) => `/dead/${n}`)
  const pages: Record<string, SitePage> = Object.fromEntries(dead.map((path) => [`//127.0.0.2${path}`, { cut: true }]))
  pages['//127.0.0.2/robots.txt'] = (_request, times) => (times === 1 ? { status: 404 } : { cut: true })
  pages['/'] = () => pageOf('start', [...dead.map((path) => at.url(path, '127.0.0.2')), '/alive'])
  pages['/alive'] = pageOf('alive')
  const at: Site = await site(pages, { hosts })
  const run = await fastEngine.crawl(at.url('/'), { spider: { ...WIDE, allowed_domains: ['*'] } })
  const row = await fastEngine.ended(run)
  assert.is(row.kept, 2)
  const outcomes = Object.values(ends(fastEngine, run, at))
  assert.is(outcomes.filter((outcome) => outcome === 'host_dead').length, 40)
  // A request on a kept connection that broke may be sent once more at once.
  assert.ok(at.hits.filter(({ host }) => host === '127.0.0.2').length <= 2 * (5 + 16))
  assert.ok(at.all.filter(({ host, path }) => host === '127.0.0.2' && path === '/robots.txt').length <= 2 * 8)
  assert.equal(fastEngine.faults(run), [])
})

crawls('H1: with eight hanging links before forty good ones, all forty are stored before any of the eight is retried', async () => {
  const four = engineWith({ hostConcurrency: 4 })
  const hanging = many(8, (n) => `/hang/${n}`)
  const good = many(40, (n) => `/good/${n}`)
  const never = new Promise(() => undefined)
  const at = await site({
    '/': pageOf('start', [...hanging, ...good]),
    ...Object.fromEntries(hanging.map((path) => [path, { until: never }])),
    ...Object.fromEntries(good.map((path) => [path, pageOf(path)])),
  })
  const run = await four.crawl(at.url('/'), { spider: WIDE })
  await four.until(() => four.rows('SELECT 1 FROM run WHERE no = ? AND kept = 41', run).length === 1, 'all good pages are kept')
  const lastGood = Math.max(...good.map((path) => at.paths().indexOf(path)))
  assert.is(new Set(at.paths().slice(0, lastGood + 1)).size, lastGood + 1, 'no URL was asked twice before')
  assert.ok(at.mostAtOnce() <= 4, `${at.mostAtOnce()} at once`)
  assert.equal(four.rows("SELECT 1 FROM run_url WHERE outcome = 'host_dead'"), [])
  assert.equal(four.faults(run), [])
})

crawls('C3: allowed domains may name ports; the feed has a warning if no allowed domain matches the start', async () => {
  const at = await site({ '/': pageOf('start', ['/a']), '/a': pageOf('a') })
  const own = await engine.crawl(at.url('/'), { spider: { ...WIDE, allowed_domains: [`127.0.0.1:${at.port}`] } })
  const anyHost = await engine.crawl(at.url('/'), { spider: { ...WIDE, allowed_domains: [`*:${at.port}`] } })
  const otherPort = await engine.crawl(at.url('/'), {
    spider: { ...WIDE, allowed_domains: [`127.0.0.1:${at.port === 8080 ? 8081 : 8080}`] },
  })
  for (const run of [own, anyHost]) {
    assert.is((await engine.ended(run)).kept, 2)
    assert.not.ok(feedOf(engine, run).some(({ message }) => message.startsWith('No allowed domain')))
  }
  assert.is((await engine.ended(otherPort)).kept, 1)
  assert.ok(feedOf(engine, otherPort).some(({ message, type }) => type === 'warning' && message.startsWith('No allowed domain matches')))
})

crawls.run()
