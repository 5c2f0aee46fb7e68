/** How crawls of Firecrawl's clients are translated, where a site of one host cannot show it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { crawlSpec, crawlWarnings } from '#backend/firecrawl/crawl-spec.ts'
import { pageWish } from '#backend/firecrawl/scrape-spec.ts'

const specs = suite('crawl specs of Firecrawl')

const page = pageWish({}, { hasBrowser: false, model: null, version: 'v2' })
const start = 'https://www.docs.example.co.uk/guide/'
const spec = (body: object) => crawlSpec({ url: start, ...body }, { most: null, page, start })

specs('a crawl covers its host with and without www., or the whole site if subdomains are allowed, or every host', () => {
  assert.equal(spec({}).scope.allowedDomains, ['docs.example.co.uk', 'www.docs.example.co.uk'])
  assert.equal(spec({ allowSubdomains: true }).scope.allowedDomains, ['example.co.uk', '*.example.co.uk'])
  assert.equal(spec({ allowExternalLinks: true }).scope.allowedDomains, ['*'])
})

specs('a crawl stays below its start, and keeps its depth, its delay and the limits of the plan', () => {
  assert.is(spec({}).scope.below, '/guide/')
  assert.is(spec({ crawlEntireDomain: true }).scope.below, undefined)
  const { delayMs, maxConcurrency, maxDepth } = spec({ delay: 1.5, maxConcurrency: 3, maxDiscoveryDepth: 2 })
  assert.equal([delayMs, maxConcurrency, maxDepth], [1500, 3, 2])
  assert.is(crawlSpec({ url: start }, { most: 4, page, start }).maxDepth, 4)
  assert.is(spec({ sitemap: 'only' }).maxDepth, 0)
})

specs('unsupported options are reported', () => {
  const said = crawlWarnings({ url: start, ignoreRobotsTxt: true, robotsUserAgent: 'x', deduplicateSimilarURLs: false })
  assert.equal(
    said.map((text) => text.split(' ', 1)[0]),
    ['ignoreRobotsTxt', 'robotsUserAgent', 'deduplicateSimilarURLs'],
  )
  assert.equal(crawlWarnings({ url: start, deduplicateSimilarURLs: true }), [])
})

specs.run()
