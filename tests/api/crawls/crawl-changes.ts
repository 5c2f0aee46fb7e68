/** A crawl in figures, and compared with another one of the same site. */
import * as assert from 'uvu/assert'
import { countChanges, crawlOverview, createCrawl, getCrawl, listChanges, listOutcomes, rerunCrawl } from '#contract/crawls.ts'
import type { PageChange } from '#contract/crawls.ts'
import { startApp } from '#tests/support/app.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const NOWHERE = '01890000-0000-7000-8000-0000000000ff'
const site = await startSite({
  '/': pageOf('start', ['/stays', '/changes', '/leaves', '/missing']),
  '/stays': pageOf('stays'),
  '/changes': (_request, times) => pageOf(times === 1 ? 'two minutes' : 'three minutes'),
  '/leaves': pageOf('leaves'),
})
const app = await startApp({ engine: true })
const me = await app.signIn()
const endOf = async (id: string) => {
  await until(async () => (await app.call(getCrawl, { as: me, params: { id } })).body.duration !== null)
  return id
}
const options = { spider_options: { max_depth: 1, page_limit: 10 } }
const older = await endOf((await app.call(createCrawl, { as: me, body: { url: site.url('/'), options } })).body.uuid)
site.pages['/leaves'] = { status: 410, body: 'gone' }
site.pages['/missing'] = pageOf('came')
const newer = await endOf((await app.call(rerunCrawl, { as: me, params: { id: older } })).body.uuid)

const changes = suite('figures and changes of a crawl')
const params = { id: newer }
const paths = (pages: readonly PageChange[]) => pages.map(({ url }) => new URL(url).pathname)

changes('pages that were added, removed and changed are counted and listed with their results', async () => {
  const counts = await app.call(countChanges, { as: me, params, query: { base: older } })
  assert.equal(counts.body, { added: 1, removed: 1, changed: 1, unchanged: 2, differing_options: [] })
  const listed = async (change: string) => (await app.call(listChanges, { as: me, params, query: { base: older, change } })).body
  const [added, removed, changed] = [await listed('added'), await listed('removed'), await listed('changed')]
  assert.equal([paths(added.results), paths(removed.results), paths(changed.results)], [['/missing'], ['/leaves'], ['/changes']])
  assert.equal(
    [added, removed, changed].map(({ results: [page] }) => [page?.result !== null, page?.before !== null]),
    [
      [true, false],
      [false, true],
      [true, true],
    ],
  )
  assert.equal(paths((await listed('unchanged')).results).toSorted(), ['/', '/stays'])
  const back = await app.call(countChanges, { as: me, params: { id: older }, query: { base: newer } })
  assert.equal([back.body.added, back.body.removed], [1, 1])
})

changes('options that change the text of pages are named if the crawls differ in them', async () => {
  const start = async (page_options: Record<string, unknown>) =>
    endOf((await app.call(createCrawl, { as: me, body: { url: site.url('/'), options: { ...options, page_options } } })).body.uuid)
  const base = await start({ exclude_tags: ['nav', 'h1'], only_main_content: false })
  const id = await start({ exclude_tags: ['h1', 'nav'], include_html: true, locale: 'de', timeout: 9000 })
  const { body } = await app.call(countChanges, { as: me, params: { id }, query: { base } })
  assert.equal(body.differing_options, ['only_main_content', 'locale'])
})

changes('the list of changes is paged; by default it lists changed pages', async () => {
  const query = { base: older, change: 'unchanged', page_size: 1 }
  const first = (await app.call(listChanges, { as: me, params, query })).body
  const second = (await app.call(listChanges, { as: me, params, query: { ...query, page: 2 } })).body
  assert.is(first.count, 2)
  assert.equal([...paths(first.results), ...paths(second.results)].toSorted(), ['/', '/stays'])
  assert.is(second.next, null)
  assert.equal(paths((await app.call(listChanges, { as: me, params, query: { base: older } })).body.results), ['/changes'])
})

changes('a crawl is compared with the newest older crawl of the same start URL by default, and gets 404 if there is none', async () => {
  const named = await app.call(countChanges, { as: me, params, query: { base: older } })
  const unnamed = await app.call(countChanges, { as: me, params })
  assert.equal(unnamed.body, named.body)
  const first = await app.request('GET', `/api/v1/core/crawl-requests/${older}/changes/`, { as: me })
  assert.equal(
    [first.status, (first.body as { message: string }).message],
    [404, 'There is no older crawl of this start URL to compare with.'],
  )
})

changes('an unknown crawl or a crawl of another team cannot be the base', async () => {
  const stranger = await app.secondUser()
  const theirs = (await app.call(createCrawl, { as: stranger, body: { url: site.url('/stays') } })).body.uuid
  for (const base of [NOWHERE, 'nonsense', theirs]) {
    const reply = await app.request('GET', `/api/v1/core/crawl-requests/${newer}/changes/`, { as: me, query: { base } })
    assert.equal([reply.status, (reply.body as { errors: unknown }).errors], [400, { base: ['Unknown crawl.'] }])
  }
})

changes('the figures of the overview add up to the counts of the crawl', async () => {
  const { body: overview } = await app.call(crawlOverview, { as: me, params })
  const { body: crawl } = await app.call(getCrawl, { as: me, params })
  const sum = (rows: readonly { count: number }[]) => rows.reduce((total, { count }) => total + count, 0)
  assert.is(
    overview.speed.pages.reduce((total, count) => total + count, 0),
    crawl.counts.kept,
  )
  assert.ok(overview.speed.step_ms >= 1000 && overview.speed.pages.length <= 60)
  assert.equal(
    overview.statuses.find(({ status }) => status === 410),
    { status: 410, count: 1 },
  )
  assert.equal(overview.content_types, [{ content_type: 'text/html', count: crawl.counts.kept }])
  assert.is(sum(overview.depths), crawl.counts.known)
  assert.equal(overview.depths[0], { depth: 0, count: 1, kept: 1 })
  assert.is(new URL(overview.largest[0]!.url).pathname, '/')
  assert.ok(overview.slowest.every(({ took_ms }, at, all) => at === 0 || took_ms! <= all[at - 1]!.took_ms!))
})

changes('URLs are filtered by their status and depth', async () => {
  const urls = async (query: Record<string, string>) =>
    (await app.call(listOutcomes, { as: me, params, query })).body.results.map(({ url }) => new URL(url).pathname)
  assert.equal(await urls({ http_status: '410' }), ['/leaves'])
  assert.equal(await urls({ depth: '0' }), ['/'])
  assert.is((await urls({ depth: '1' })).length, 4)
  const wrong = await app.request('GET', `/api/v1/core/crawl-requests/${newer}/urls/`, { as: me, query: { depth: '-1' } })
  assert.is(wrong.status, 400)
})

changes.run()
