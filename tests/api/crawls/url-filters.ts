import * as assert from 'uvu/assert'
import { createCrawl, getCrawl, listCrawls, listOutcomes, listResults } from '#contract/crawls.ts'
import { partSpellings } from '#backend/runs/url-filter.ts'
import { startApp } from '#tests/support/app.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const site = await startSite({
  '/?q=%E6%97%A5': pageOf('Home', ['/%E6%97%A5%E6%9C%AC/1', '/gr%C3%B6%C3%9Fe', '/%C3%BCber.html']),
  '/%E6%97%A5%E6%9C%AC/1': pageOf('one'),
  '/gr%C3%B6%C3%9Fe': pageOf('two'),
  '/%C3%BCber.html': pageOf('three'),
})
const app = await startApp({ engine: true })
const me = await app.signIn()
const options = { spider_options: { max_depth: 1, page_limit: 10 } }
const start = site.url('/?q=%E6%97%A5')
const { uuid } = (await app.call(createCrawl, { as: me, body: { url: start, options } })).body
await until(async () => (await app.call(getCrawl, { as: me, params: { id: uuid } })).body.duration !== null)

const filters = suite('filters of URLs in other scripts')

for (const [typed, count] of [
  ['日本', 1],
  ['/größe', 1],
  ['/gr%c3%b6%c3%9fe', 1],
  ['über.html', 1],
  ['ber.html', 1],
  ['本日', 0],
] as const)
  filters(`${typed} is part of ${count} URLs of the crawl`, async () => {
    const query = { url__contains: typed }
    for (const list of [listResults, listOutcomes]) {
      const { body } = await app.call(list, { as: me, params: { id: uuid }, query })
      assert.is(body.count, count)
    }
  })

filters('a crawl is found by a part of its start URL in its script', async () => {
  const { body } = await app.call(listCrawls, { as: me, query: { url__contains: '?q=日', url__startswith: site.url('/') } })
  assert.is(body.count, 1)
})

filters('a host in another script is found by a part of it, a path by a name with a dot', () => {
  for (const [typed, url] of [
    ['münchen', 'https://www.xn--mnchen-3ya.example/'],
    ['münchen.example/a', 'https://www.xn--mnchen-3ya.example/a'],
    ['https://例え.jp', 'https://xn--r8jz45g.jp/'],
    ['straße.html', 'https://a.example/stra%C3%9Fe.html'],
  ] as const)
    assert.ok(
      partSpellings(typed).some((part) => url.includes(part)),
      typed,
    )
  for (const typed of ['tea', 'a.example/%', 'https://a.example/b?c=1', '~', '']) assert.equal(partSpellings(typed), [typed])
})

filters.run()
