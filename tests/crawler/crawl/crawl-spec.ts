/** The spec of a run: translated from the v1 API, stored with a version, read from older rows. */
import * as assert from 'uvu/assert'
import { createBatchCrawl, createCrawl } from '#contract/crawls.ts'
import { searchOptions } from '#contract/searches.ts'
import { sitemapOptions } from '#contract/sitemaps.ts'
import { readRunSpec } from '#backend/crawler/run-spec.ts'
import { crawlSpecOfV1 } from '#backend/crawls/v1-options.ts'
import { searchSpecOfV1 } from '#backend/searches/search-spec.ts'
import { createSitemapTask } from '#backend/sitemaps/sitemap-job.ts'
import { sitemapSpecOfV1 } from '#backend/sitemaps/sitemap-spec.ts'
import { readDocument } from '#backend/crawler/page/page-body.ts'
import { keptDocuments } from '#tests/support/engine/kept-documents.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import type { EngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'

const specs = suite('the spec of a run')
const harness = startEngineHarness({ settings: { maxConcurrency: 2 } })
specs.after(() => harness.close())

const optionsOf = (spider: object = {}, page: object = {}, plugins: object = {}) =>
  createCrawl.body.parse({ url: 'https://a.example/', options: { spider_options: spider, page_options: page, plugin_options: plugins } })
    .options

const DEFAULTS = {
  version: 1,
  proxySlug: null,
  maxDepth: 1,
  maxConcurrency: null,
  scope: { allowedDomains: [], includePaths: [], excludePaths: [] },
  page: { timeoutMs: 15_000, locale: 'en-US' },
  extraction: { includeHtml: false, includeLinks: false, onlyMainContent: true, articleFrame: true, includeTags: [], excludeTags: [] },
  browser: { waitMs: null, consentSelector: null, captures: [] },
  plugins: [],
}

const ROWS: [name: string, given: Parameters<typeof optionsOf>, spec: object][] = [
  ['defaults', [], {}],
  ['depth and concurrency', [{ max_depth: 7, concurrent_requests: 3 }], { maxDepth: 7, maxConcurrency: 3 }],
  ['a proxy', [{ proxy_server: 'eu' }], { proxySlug: 'eu' }],
  ['an empty proxy', [{ proxy_server: '' }], {}],
  [
    'scope',
    [{ allowed_domains: ['*.a.example'], include_paths: ['/in/*'], exclude_paths: ['/out/*'] }],
    { scope: { allowedDomains: ['*.a.example'], includePaths: ['/in/*'], excludePaths: ['/out/*'] } },
  ],
  [
    'extraction options',
    [{}, { include_html: true, include_links: true, only_main_content: false, include_tags: ['main'], exclude_tags: ['nav'] }],
    {
      extraction: {
        includeHtml: true,
        includeLinks: true,
        onlyMainContent: false,
        articleFrame: true,
        includeTags: ['main'],
        excludeTags: ['nav'],
      },
    },
  ],
  [
    'article text only',
    [{}, { article_text_only: true }],
    {
      extraction: { includeHtml: false, includeLinks: false, onlyMainContent: true, articleFrame: false, includeTags: [], excludeTags: [] },
    },
  ],
  [
    'HTML tags in Markdown',
    [{}, { html_in_markdown: true }],
    {
      extraction: {
        includeHtml: false,
        includeLinks: false,
        onlyMainContent: true,
        articleFrame: true,
        htmlInMarkdown: true,
        includeTags: [],
        excludeTags: [],
      },
    },
  ],
  // Older versions stored no such field. Leaving it out lets their pages be reused.
  ['no HTML tags in Markdown', [{}, { html_in_markdown: false }], {}],
  ['timeout and locale', [{}, { timeout: 3000, locale: 'de' }], { page: { timeoutMs: 3000, locale: 'de' } }],
  [
    'actions other than captures',
    [
      {},
      {
        actions: [
          { type: 'click', selector: '#more' },
          { type: 'type', selector: '#q', text: ' tea ' },
          { type: 'press', key: 'Enter' },
          { type: 'scroll' },
          { type: 'wait', ms: 10 },
          { type: 'wait', selector: '#done' },
          { type: 'screenshot' },
        ],
      },
    ],
    {
      browser: {
        waitMs: null,
        consentSelector: null,
        captures: [{ type: 'screenshot' }],
        actions: [
          { type: 'click', selector: '#more' },
          { type: 'type', selector: '#q', text: ' tea ' },
          { type: 'press', key: 'Enter' },
          { type: 'scroll', pixels: null },
          { type: 'wait', ms: 10 },
          { type: 'wait', selector: '#done' },
          { type: 'screenshot' },
        ],
      },
    },
  ],
  ['no browser', [{}, { ignore_rendering: true, wait_time: 900, actions: [{ type: 'pdf' }] }], { browser: null }],
  [
    'a browser',
    [{}, { wait_time: 900, accept_cookies_selector: '#ok', actions: [{ type: 'pdf' }, { type: 'screenshot' }] }],
    { browser: { waitMs: 900, consentSelector: '#ok', captures: [{ type: 'pdf' }, { type: 'screenshot' }] } },
  ],
  [
    'active plugins only',
    [{}, {}, { one: { is_active: true, model: 'x' }, two: { is_active: false }, three: 'odd' }],
    { plugins: [{ key: 'one', values: { is_active: true, model: 'x' } }] },
  ],
  ['headers are not in the spec', [{}, { extra_headers: { 'X-Token': 's3cret' } }], {}],
]
for (const [name, given, spec] of ROWS)
  specs(`the spec of a v1 crawl: ${name}`, () => assert.equal(crawlSpecOfV1(optionsOf(...given)), { ...DEFAULTS, ...spec }))

specs('a v1 search and a v1 sitemap get a spec with their options', () => {
  assert.equal(searchSpecOfV1(searchOptions.parse({ language: 'de', time_renge: 'week', depth: 'advanced' })), {
    version: 1,
    proxySlug: null,
    language: 'de',
    country: null,
    timeRange: 'week',
    depth: 'advanced',
  })
  assert.equal(
    sitemapSpecOfV1(sitemapOptions.parse({ ignore_sitemap_xml: true, search: 'tea', exclude_paths: ['/x'], proxy_server: 'eu' })),
    {
      version: 1,
      proxySlug: 'eu',
      includesSubdomains: true,
      ignoresSitemapFiles: true,
      words: 'tea',
      includePaths: [],
      excludePaths: ['/x'],
    },
  )
})

const forget = (from: EngineHarness, run: number) => from.tables.prepare('UPDATE run_options SET spec = NULL WHERE run_no = ?').run(run)

specs('a half-finished crawl of an older version resumes with the options stored with it', async () => {
  const gate = Promise.withResolvers<void>()
  const links = Array.from({ length: 20 }, (_, n) => `/p/${n}`)
  const site = await startSite({
    '/': pageOf('start', [...links, '/out/1']),
    '/out/1': pageOf('out'),
    ...Object.fromEntries(
      links.map((path, n) => [path, { body: pageOf(path, [`${path}/deeper`]), ...(n > 5 && { until: gate.promise }) }]),
    ),
  })
  const run = await harness.crawl(site.url('/'), { spider: { max_depth: 1, page_limit: 100, exclude_paths: ['/out/*'] } })
  await harness.until(() => harness.rows('SELECT 1 FROM run WHERE no = ? AND kept >= 4', run).length === 1, 'some pages are kept')
  const before = harness.rows<{ url: string }>('SELECT url FROM page WHERE run_no = ?', run).length
  forget(harness, run)
  const reopened = harness.reopen({ isAfterCrash: false })
  gate.resolve()
  await reopened
  const { kept, reason, status } = await harness.ended(run)
  assert.ok(before >= 4 && before < 21, `${before} pages before`)
  assert.equal([status, reason, kept], ['finished', 'drained', 21])
  assert.is(site.times('/out/1'), 0)
  assert.not.ok(site.paths().some((path) => path.endsWith('/deeper')))
  assert.equal(harness.faults(run), [])
})

specs('a sitemap stored by an older version starts with the options stored with it', async () => {
  const idle = startEngineHarness({ engine: false, tasks: { sitemap: createSitemapTask() } })
  const site = await startSite({
    '/sitemap.xml': { body: '<urlset><url><loc>/from-file</loc></url></urlset>', headers: { 'content-type': 'application/xml' } },
    '/': pageOf('start', ['/a', '/left-out']),
  })
  const options = sitemapOptions.parse({ ignore_sitemap_xml: true, exclude_paths: ['/left-out'] })
  const run = await idle.task('sitemap', { options, label: site.url('/') })
  forget(idle, run)
  await idle.reopen()
  assert.is((await idle.ended(run)).status, 'finished')
  const urls = idle.rows<{ url: string }>('SELECT url FROM sitemap_url WHERE run_no = ? ORDER BY seq', run).map(({ url }) => url)
  assert.equal(urls.map((url) => url.replace(site.url(''), '') || '/').toSorted(), ['/', '/a'])
})

specs('a spec of a newer version is refused, and nothing is fetched', async () => {
  assert.throws(() => readRunSpec('{"version":2,"proxySlug":null}'), /newer version/)
  const idle = startEngineHarness({ engine: false })
  const site = await startSite({ '/': pageOf('start') })
  const run = await idle.crawl(site.url('/'))
  idle.tables.prepare(`UPDATE run_options SET spec = replace(spec, '"version":1', '"version":2') WHERE run_no = ?`).run(run)
  await idle.reopen()
  const { reason, status } = await idle.ended(run)
  assert.equal([status, reason, site.all.length], ['failed', 'internal', 0])
})

specs('the spec of a batch has the options of the batch, and the defaults for the rest', () => {
  const { options } = createBatchCrawl.body.parse({
    urls: ['https://a.example/'],
    options: { spider_options: { proxy_server: 'eu' }, page_options: {}, plugin_options: {} },
  })
  const spider = { ...optionsOf({ max_depth: 0 }).spider_options, ...options.spider_options }
  assert.equal(crawlSpecOfV1({ ...options, spider_options: spider }), { ...DEFAULTS, maxDepth: 0, proxySlug: 'eu' })
})

specs('HTML tags stay in the Markdown only if the crawl asks for them', async () => {
  const site = await startSite({ '/': '<title>Keys</title><main><p>Press <kbd>Enter</kbd> to go on with this page.</p></main>' })
  const markdownOf = async (page: object) => {
    const run = await harness.crawl(site.url('/'), { page })
    await harness.ended(run)
    return readDocument(keptDocuments(harness, run)[0]!.document).markdown
  }
  assert.is(await markdownOf({ html_in_markdown: true }), 'Press <kbd>Enter</kbd> to go on with this page.\n')
  assert.is(await markdownOf({}), 'Press `Enter` to go on with this page.\n')
})

specs.run()
