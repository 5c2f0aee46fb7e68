/** Submitted URLs are always fetched: no trap, scope, depth or budget drops a start URL or a URL of a batch. */
import * as assert from 'uvu/assert'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { frontierBench } from '#tests/support/engine/frontier.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { Site, SitePage } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'

const submitted = suite('submitted URLs')

const engine = startEngineHarness()
const sites: Site[] = []
submitted.after(async () => {
  await engine.close()
  await Promise.all(sites.map((site) => site.close()))
})

async function site(pages: Record<string, SitePage>, options?: { hosts?: string[] }): Promise<Site> {
  const started = await startSite(pages, options)
  sites.push(started)
  return started
}

const many = (count: number, name: (n: number) => string) => Array.from({ length: count }, (_, n) => name(n))
const batchOf = (urls: string[]) => ({
  max_depth: 0,
  page_limit: urls.length,
  allowed_domains: [...new Set(urls.map((url) => new URL(url).hostname))],
})
const endsOf = (run: number) =>
  engine.rows<{ url: string; outcome: string; state: number }>('SELECT url, outcome, state FROM run_url WHERE run_no = ? ORDER BY seq', run)

submitted('H2: a batch whose URLs all have the same answer is fetched and stored completely', async () => {
  const paths = many(100, (n) => `/product/${n}`)
  const at = await site(Object.fromEntries(paths.map((path) => [path, pageOf('please enable JavaScript')])))
  const urls = paths.map((path) => at.url(path))
  const run = await engine.crawl(urls, { spider: batchOf(urls) })
  const row = await engine.ended(run)
  assert.equal([row.status, row.kept], ['finished', 100])
  assert.equal(new Set(endsOf(run).map(({ outcome }) => outcome)), new Set(['kept']))
  for (const path of paths) assert.is(at.times(path), 1, path)
  assert.equal(engine.faults(run), [])
})

submitted('H2: submitted URLs are fetched even if they look like traps, are below an excluded path or name a file type', async () => {
  const paths = [
    '/a/a/a/a/a/a',
    `/facets?${many(12, (n) => `f${n}=${n}`).join('&')}`,
    `/long/${'x'.repeat(2500)}`,
    `/${many(30, (n) => `s${n}`).join('/')}`,
    '/cart/checkout',
    '/notes.xml.py',
  ]
  const at = await site(Object.fromEntries(paths.map((path) => [path, pageOf(`page ${path.slice(0, 20)}`)])))
  const urls = paths.map((path) => at.url(path))
  const run = await engine.crawl(urls, { spider: { ...batchOf(urls), exclude_paths: ['/cart/*'], include_paths: ['/only/*'] } })
  const row = await engine.ended(run)
  assert.equal([row.status, row.kept], ['finished', paths.length])
  assert.equal(engine.faults(run), [])
})

submitted('H2: a batch is fetched to the end although all its URLs redirect to pages that nothing else links to', async () => {
  const paths = many(40, (n) => `/go/${n}`)
  const at = await site({
    ...Object.fromEntries(
      paths.map((path, n) => [path, { status: 302, headers: { location: `/landing-${'abcdefghij'[n % 10]}/to-${n}` } }]),
    ),
    ...Object.fromEntries(paths.map((_, n) => [`/landing-${'abcdefghij'[n % 10]}/to-${n}`, pageOf(`landing ${n}`)])),
  })
  const urls = paths.map((path) => at.url(path))
  const run = await engine.crawl(urls, { spider: batchOf(urls) })
  assert.is((await engine.ended(run)).kept, 40)
  for (const path of paths) assert.is(at.times(path), 1, path)
  assert.equal(engine.faults(run), [])
})

submitted('H2: the redirect of a submitted URL is followed even if a page of the batch links to its target', async () => {
  const at = await site(
    {
      '/first': pageOf('first', []),
      '/second': { status: 301, headers: { location: '' } },
      '//127.0.0.2/target': pageOf('target'),
      '//127.0.0.3/target': pageOf('deep target'),
    },
    { hosts: ['127.0.0.1', '127.0.0.2', '127.0.0.3'] },
  )
  const [outside, deep] = [at.url('/target', '127.0.0.2'), at.url('/target', '127.0.0.3')]
  at.pages['/first'] = pageOf('first', [outside, deep])
  const isFirstKept = () => engine.rows("SELECT 1 FROM run_url WHERE outcome IN ('out_of_scope', 'depth') AND url = ?", outside).length > 0
  const moved = (location: string) => ({
    status: 301,
    headers: { location },
    until: engine.until(isFirstKept, 'the links of the first page are known'),
  })
  at.pages['/second'] = () => moved(outside)
  at.pages['/third'] = () => moved(deep)
  const urls = [at.url('/first'), at.url('/second'), at.url('/third')]
  const run = await engine.crawl(urls, { spider: { ...batchOf(urls), allowed_domains: ['127.0.0.1', '127.0.0.3'] } })
  const row = await engine.ended(run)
  assert.equal([row.status, row.kept], ['finished', 3])
  assert.equal(
    endsOf(run).map(({ url, outcome }) => [new URL(url).hostname + new URL(url).pathname, outcome]),
    [
      ['127.0.0.1/first', 'kept'],
      ['127.0.0.1/second', 'redirected'],
      ['127.0.0.1/third', 'redirected'],
      ['127.0.0.2/target', 'kept'],
      ['127.0.0.3/target', 'kept'],
    ],
  )
  assert.equal(engine.faults(run), [])
})

submitted('H2: start URLs that move to hosts of one site are all followed, beyond the host limit of links', async () => {
  const seeds = many(520, (n) => `http://s${n}.test/`)
  const bench = frontierBench({ seeds, siteOf: () => 'test' })
  await bench.rebuild()
  for (let moved = 0; moved < seeds.length;) {
    const leased = (await bench.lease())!
    if (!leased.url.startsWith('http://s')) continue
    assert.ok(bench.redirect(leased, leased.url.replace('http://s', 'https://www-s')))
    moved += 1
  }
  await bench.commit()
  const targets = bench.rows().slice(seeds.length)
  assert.is(targets.length, 520)
  assert.equal(new Set(targets.map(({ outcome }) => outcome)), new Set([null]))
})

submitted('H2: a URL that a submitted URL reopened is still pending, and still counts as submitted, after a crash', async () => {
  const bench = frontierBench({ seeds: ['http://a.test/', 'http://b.test/'] })
  await bench.rebuild()
  const [first, second] = [(await bench.lease())!, (await bench.lease())!]
  bench.keep(first, [{ url: 'http://c.test/x', note: { outcome: 'out_of_scope', detail: 'host' } }])
  await bench.commit()
  assert.ok(bench.redirect(second, 'http://c.test/x'))
  await bench.commit()
  await bench.rebuild()
  const leased = (await bench.lease())!
  assert.equal([leased.url, leased.isSeed, leased.hops], ['http://c.test/x', true, 1])
  bench.keep(leased)
  await bench.commit()
  assert.equal(
    bench.rows().map(({ outcome }) => outcome),
    ['kept', 'redirected', 'kept'],
  )
})

submitted('H2: a link that redirects outside the scope does not reopen that URL', async () => {
  const bench = frontierBench({ seeds: ['http://a.test/'] })
  await bench.rebuild()
  bench.keep((await bench.lease())!, [
    { url: 'http://c.test/x', note: { outcome: 'out_of_scope', detail: 'host' } },
    { url: 'http://a.test/y' },
  ])
  assert.not.ok(bench.redirect((await bench.lease())!, 'http://c.test/x'))
  assert.is(await bench.lease(), null)
})

submitted.run()
