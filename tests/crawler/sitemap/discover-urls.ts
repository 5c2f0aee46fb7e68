/** How the URLs of a site are found, by whole sitemap runs over loopback sites. */
import * as assert from 'uvu/assert'
import { pathForm } from '#backend/crawler/crawl/crawl-for-urls.ts'
import type { SearchSite } from '#backend/crawler/url/url-sources.ts'
import { createSitemapTask } from '#backend/sitemaps/sitemap-job.ts'
import { relevance, wordsOf } from '#backend/sitemaps/relevance.ts'
import { sitemapSpecOfV1 } from '#backend/sitemaps/sitemap-spec.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { Site, SitePage } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'

const discover = suite('discovery of a site')

const FORMS: [url: string, form: string][] = [
  ['http://a.example/tea/12/pot-7?x=1', 'http://a.example/tea/#/pot-#'],
  ['http://a.example/0b9c4f12ab', 'http://a.example/#'],
  ['http://a.example/deadbeef', 'http://a.example/deadbeef'],
  ['http://a.example/6f1d1c0e-6a0e-4b8e-9a57-0d1f1f6f2a11/', 'http://a.example/#'],
  ['http://a.example/', 'http://a.example'],
]
for (const [url, form] of FORMS) discover(`the form of ${url} is ${form}`, () => assert.is(pathForm(url), form))

const RANKS: [path: string, search: string, isFound: boolean][] = [
  ['/green-tea', 'Green', true],
  ['/gr%C3%BCn', 'GRÜN', true],
  ['/red', 'green', false],
  ['/red', 'green, red', true],
  ['', 'red', false],
  ['/%E0%A4%A', 'a', true],
]
for (const [path, search, isFound] of RANKS)
  discover(`"${search}" is ${isFound ? 'found' : 'not found'} in ${path}`, () =>
    assert.is(relevance(`http://a.example${path}`, wordsOf(search)) > 0, isFound),
  )

const OPTIONS = {
  include_subdomains: true,
  ignore_sitemap_xml: false,
  search: null,
  include_paths: [],
  exclude_paths: [],
  proxy_server: null,
}
const urlset = (urls: string[]): SitePage => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`

type Harness = ReturnType<typeof startEngineHarness>

async function withSite(
  write: (base: string) => Record<string, SitePage>,
  test: (site: Site, harness: Harness) => Promise<void>,
  searchSite?: (site: Site) => SearchSite,
) {
  const site = await startSite({})
  Object.assign(site.pages, write(site.url('')))
  const harness = startEngineHarness({ tasks: { sitemap: createSitemapTask({ searchSite: searchSite?.(site) }) } })
  await test(site, harness)
}

const start = async (harness: Harness, site: Site, options: object = {}, limit = 1000, path = '/') =>
  (
    await harness.runs.start('team', {
      kind: 'sitemap',
      variant: 'files',
      label: site.url('/'),
      pageLimit: limit,
      credits: 5,
      options: { ...OPTIONS, ...options },
      spec: sitemapSpecOfV1({ ...OPTIONS, ...options }),
      seeds: [site.url(path)],
      seedUrls: () => [],
    })
  ).no
const pathsOf = (harness: Harness, site: Site, no: number) =>
  harness
    .rows<{ url: string }>('SELECT url FROM sitemap_url WHERE run_no = ? ORDER BY seq', no)
    .map(({ url }) => url.replace(site.url(''), ''))

discover('a search provider is asked if the start page cannot be reached, and the URLs it returns are not searched for links', () =>
  withSite(
    () => ({ '/': { status: 503 } }),
    async (site, harness) => {
      const no = await start(harness, site, { search: 'green' })
      const { status } = await harness.ended(no)
      assert.equal([status, pathsOf(harness, site, no)], ['finished', ['/green']])
      assert.is(site.times('/green'), 0)
    },
    (site) => async (host, words) => {
      assert.equal([host, words], ['127.0.0.1', 'green'])
      return ['https://elsewhere.example/green', site.url('/green')]
    },
  ),
)

discover('a site that cannot be reached, of which a search provider knows only URLs of other sites, fails with its reason', () =>
  withSite(
    () => ({ '/': { status: 503 } }),
    async (site, harness) => {
      const no = await start(harness, site)
      const { status, reason } = await harness.ended(no)
      assert.equal([status, reason, pathsOf(harness, site, no)], ['failed', 'unreachable', []])
    },
    () => async () => ['https://elsewhere.example/green'],
  ),
)

discover('what a site did wrong is said in words, not by the name of the reason', () =>
  withSite(
    () => ({
      '/': { status: 302, headers: { location: '/' } },
      '/robots.txt': 'Sitemap: /map.xml',
      '/map.xml': { status: 302, headers: { location: '/map.xml' } },
    }),
    async (site, harness) => {
      const no = await start(harness, site)
      assert.is((await harness.ended(no)).status, 'failed')
      const said = harness
        .rows<{ messages: string }>('SELECT messages FROM run_feed WHERE run_no = ? ORDER BY first_seq', no)
        .flatMap(({ messages }) => (JSON.parse(messages) as { message: string }[]).map(({ message }) => message))
      for (const end of ['(it redirects in a loop)', ': it redirects in a loop'])
        assert.ok(
          said.some((message) => message.endsWith(end)),
          said.join('\n'),
        )
      assert.is(said.at(-1), 'The site cannot be reached: it redirects in a loop')
      assert.not.match(said.join('\n'), /redirect_loop/)
    },
  ),
)

discover('the list stays within the URL limit, and the end of the sitemap names that limit', () =>
  withSite(
    (base) => ({ '/sitemap.xml': urlset([...Array(50).keys()].map((n) => `${base}/p/${n}`)) }),
    async (site, harness) => {
      const no = await start(harness, site, {}, 10)
      const { status, kept, reason } = await harness.ended(no)
      assert.equal([status, kept, reason], ['finished', 10, 'url_limit'])
    },
  ),
)

discover('the messages about one file, one URL and one link are in the singular', async () => {
  const said = async (pages: (base: string) => Record<string, SitePage>, needed: string[]) =>
    await withSite(pages, async (site, harness) => {
      const no = await start(harness, site)
      await harness.ended(no)
      const feed = harness.rows<{ messages: string }>('SELECT messages FROM run_feed WHERE run_no = ?', no)
      const text = feed
        .map(({ messages }) => messages)
        .join()
        .replaceAll(site.url(''), '')
      for (const sentence of needed) assert.ok(text.includes(sentence), `${sentence}: ${text}`)
    })
  const index = (base: string) => `<sitemapindex><sitemap><loc>${base}/one.xml</loc></sitemap></sitemapindex>`
  await said(
    (base) => ({ '/sitemap.xml': index(base), '/one.xml': urlset([`${base}/p`]) }),
    ['Sitemap index /sitemap.xml: 1 sitemap file queued"', 'Read sitemap /one.xml: 1 URL"'],
  )
  await said(() => ({ '/': pageOf('Start', ['/p']) }), ['Read /: 1 link"'])
})

discover('if the sitemap files of the robots file list no URL of the site, those at the standard places are read', async () => {
  for (const robots of ['/old.xml', '/elsewhere.xml', '/sitemap.xml'])
    await withSite(
      (base) => ({
        '/robots.txt': `Sitemap: ${base}${robots}`,
        '/elsewhere.xml': urlset(['http://elsewhere.example/']),
        [robots === '/sitemap.xml' ? '/sitemap_index.xml' : '/sitemap.xml']: urlset([`${base}/p`]),
      }),
      async (site, harness) => {
        const no = await start(harness, site)
        await harness.ended(no)
        assert.equal(pathsOf(harness, site, no), ['/p'], robots)
        assert.is(site.times(robots), 1, 'a file is read once')
      },
    )
})

discover('without a robots file, sitemap files are found at the places where most systems write them', async () => {
  for (const place of ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-index.xml'])
    await withSite(
      (base) => ({ [place]: urlset([`${base}/p`]) }),
      async (site, harness) => {
        const no = await start(harness, site)
        await harness.ended(no)
        assert.equal(pathsOf(harness, site, no), ['/p'], place)
      },
    )
})

discover('a start URL is read as a sitemap file if its path ends like one', async () => {
  for (const path of ['/maps/posts.xml', '/sitemap.php', '/feed.xml'])
    await withSite(
      (base) => ({ [path]: urlset([`${base}/p`]) }),
      async (site, harness) => {
        const no = await start(harness, site, {}, 1000, path)
        await harness.ended(no)
        assert.equal(pathsOf(harness, site, no), ['/p'], path)
      },
    )
})

discover('at most a hundred pages of a site are read for links', () =>
  withSite(
    () => ({}),
    async (site, harness) => {
      const word = (n: number) =>
        Array.from(String(n))
          .map((digit) => 'abcdefghij'[Number(digit)])
          .join('')
      let made = 0
      for (let n = 0; n < 400; n += 1)
        site.pages[n === 0 ? '/' : `/${word(n)}`] = () => {
          made += 1
          return pageOf(
            `page ${n}`,
            Array.from({ length: 15 }, (_, at) => `/${word(n * 10 + at + 1)}`),
          )
        }
      const no = await start(harness, site, { ignore_sitemap_xml: true })
      const { status } = await harness.ended(no)
      assert.is(status, 'finished')
      assert.ok(made <= 100, `${made} pages were asked for`)
    },
  ),
)

discover('after a crash the rest of the URLs is found, and nothing twice', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await withSite(
    (base) => ({
      '/robots.txt': `Sitemap: ${base}/one.xml\nSitemap: ${base}/two.xml`,
      '/one.xml': urlset([...Array(2500).keys()].map((n) => `${base}/p/${n}`)),
      '/two.xml': (_request, times) => ({
        body: urlset([`${base}/last`, `${base}/p/1`]) as string,
        ...(times === 1 ? { until: held } : {}),
      }),
    }),
    async (site, harness) => {
      const no = await start(harness, site, {}, 10_000)
      await site.asked('/two.xml')
      await harness.until(() => harness.rows('SELECT 1 FROM sitemap_url WHERE run_no = ? LIMIT 1', no).length > 0, 'the first rows')
      await harness.reopen()
      release()
      const { status, kept } = await harness.ended(no)
      const paths = pathsOf(harness, site, no)
      assert.equal([status, kept, paths.length, new Set(paths).size], ['finished', 2501, 2501, 2501])
      const seqs = harness.rows<{ seq: number }>('SELECT seq FROM sitemap_url WHERE run_no = ? ORDER BY seq', no)
      assert.is(seqs.at(-1)!.seq, 2500)
    },
  )
})

discover.run()
