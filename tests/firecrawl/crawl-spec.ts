/** How crawls of Firecrawl's clients are translated, where a site of one host cannot show it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { DEFAULT_LIMIT, crawlSpec, crawlWarnings, regexFault } from '#backend/firecrawl/crawl-spec.ts'
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

specs('patterns are regular expressions for paths, or for whole URLs on request, and are refused when they cannot be used', () => {
  assert.is(spec({}).scope.regexes, undefined)
  assert.equal(spec({ includePaths: ['^/a'] }).scope.regexes, { include: ['^/a'], exclude: [], onUrl: false })
  assert.equal(spec({ excludePaths: ['b'], regexOnFullURL: true }).scope.regexes, { include: [], exclude: ['b'], onUrl: true })
  for (const patterns of [{ includePaths: ['('] }, { excludePaths: ['('] }])
    assert.throws(() => spec(patterns), /^The pattern "\(" cannot be used: a parenthesis is not closed\.$/)
  assert.equal([regexFault('a'), regexFault('(')], [null, 'a parenthesis is not closed'])
})

specs('a crawl of other sites is not bound to a folder, and segments, queries and sitemaps are as asked', () => {
  assert.is(spec({ allowExternalLinks: true }).scope.below, undefined)
  const { ignoresQuery, scope, sitemap } = spec({ maxPathDepth: 2, ignoreQueryParameters: true, sitemap: 'only' })
  assert.equal([scope.maxSegments, ignoresQuery, sitemap], [2, true, 'only'])
  const plain = spec({ ignoreQueryParameters: false })
  assert.equal([plain.scope.maxSegments, plain.ignoresQuery, plain.sitemap, plain.maxDepth], [undefined, undefined, 'include', 1_000_000])
  assert.is(spec({ sitemap: 'skip' }).sitemap, undefined)
  assert.is(DEFAULT_LIMIT, 10_000)
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
