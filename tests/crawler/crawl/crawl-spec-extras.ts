/** Options of a crawl beyond those of v1. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileScope } from '#backend/crawler/url/scope.ts'
import { readPage } from '#backend/crawler/page/read-page.ts'
import type { ExtractionRules } from '#backend/crawler/page/extraction-rules.ts'
import type { PageReading } from '#backend/crawler/page/read-page.ts'

const extras = suite('further options of a crawl')

const SCOPE = { allowedDomains: ['a.example'], includePaths: [], excludePaths: [], seedHosts: ['a.example'] }

extras('a scope accepts regular expressions on paths or on whole URLs', () => {
  const judge = compileScope({ ...SCOPE, regexes: { include: ['^/blog/'], exclude: ['/draft$'], onUrl: false } })
  assert.is(judge('https://a.example/blog/one'), null)
  assert.is(judge('https://a.example/blog/draft')?.rule, 'exclude_paths')
  assert.is(judge('https://a.example/about')?.rule, 'include_paths')
  assert.is(judge('https://a.example/about?next=/blog/')?.rule, 'include_paths')
  const whole = compileScope({ ...SCOPE, regexes: { include: ['a\\.example/.*\\?page=\\d+$'], exclude: [], onUrl: true } })
  assert.is(whole('https://a.example/list?page=2'), null)
  assert.is(whole('https://a.example/list')?.rule, 'include_paths')
})

extras('a scope may end below a path, and after a number of segments', () => {
  const judge = compileScope({ ...SCOPE, below: '/docs/', maxSegments: 2 })
  assert.is(judge('https://a.example/docs/one'), null)
  assert.equal(judge('https://a.example/blog'), { rule: 'below', detail: '/docs/' })
  assert.is(judge('https://a.example/docs/one/two')?.rule, 'path_depth')
})

const RULES: ExtractionRules = { includeHtml: false, onlyMainContent: false, includeTags: [], excludeTags: [] }
const HTML = `<html><body><nav><a href="/x" data-id="1">x</a></nav>
<article class="keep"><p>Kept words.</p><p class="ad">An advertisement.</p><img src="/a.png"><img src="/a.png"><img src="b.png" alt=""></article>
<a data-id="2">y</a></body></html>`
const read = (rules: Partial<ExtractionRules>) =>
  readPage(
    { bytes: Buffer.from(HTML), contentType: 'text/html', status: 200, url: 'https://a.example/p/' },
    { ...RULES, ...rules },
  ) as PageReading

extras('a page returns its raw HTML, its images, and values of attributes', () => {
  const page = read({ includeRawHtml: true, includeImages: true, attributes: [{ selector: '[data-id]', attribute: 'data-id' }] })
  assert.equal(page.extras, {
    raw_html: HTML,
    images: ['https://a.example/a.png', 'https://a.example/p/b.png'],
    attributes: [{ selector: '[data-id]', attribute: 'data-id', values: ['1', '2'] }],
  })
  assert.is(read({}).extras, undefined)
})

extras('excluded elements are removed from included ones on request', () => {
  const both = { includeTags: ['.keep'], excludeTags: ['.ad'] }
  assert.match(read(both).markdown, /advertisement/)
  const { markdown } = read({ ...both, excludesInIncluded: true })
  assert.match(markdown, /Kept words/)
  assert.not.match(markdown, /advertisement/)
  assert.is(read({ includeTags: ['.ad'], excludeTags: ['.keep'], excludesInIncluded: true }).markdown.trim(), '')
})

extras.run()
