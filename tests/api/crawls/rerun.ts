/** Running crawls, searches and sitemaps again: with the same options including secrets, or only for the URLs that failed. */
import * as assert from 'uvu/assert'
import { createBatchCrawl, createCrawl, getCrawl, rerunCrawl } from '#contract/crawls.ts'
import { createSearch, rerunSearch } from '#contract/searches.ts'
import { createSitemap, rerunSitemap } from '#contract/sitemaps.ts'
import { startApp } from '#tests/support/app.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const again = suite('running again')
const SITE = 'http://127.0.0.1:8080/'

const errorsOf = ({ body }: { body: unknown }) => (body as { errors: Record<string, unknown> }).errors

again('a crawl that runs again has the same URL and options; another team cannot run it', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const options = { spider_options: { max_depth: 3, page_limit: 40, exclude_paths: ['/private/*'] }, page_options: { include_html: true } }
  const { body: first } = await app.call(createCrawl, { as: me, body: { url: SITE, options } })
  const { body: second, status } = await app.call(rerunCrawl, { as: me, params: { id: first.uuid } })
  assert.is(status, 201)
  assert.is.not(second.uuid, first.uuid)
  assert.equal([second.url, second.crawl_type, second.options, second.status], [first.url, first.crawl_type, first.options, 'new'])
  const stranger = await app.secondUser()
  assert.is((await app.call(rerunCrawl, { as: stranger, params: { id: first.uuid } })).status, 404)
})

again('the same Idempotency-Key returns the same new crawl', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const { body: first } = await app.call(createBatchCrawl, { as: me, body: { urls: [SITE, `${SITE}b`] } })
  const rerun = () => app.call(rerunCrawl, { as: me, params: { id: first.uuid }, headers: { 'idempotency-key': 'k' } })
  const [one, other] = [await rerun(), await rerun()]
  assert.is(one.body.uuid, other.body.uuid)
  assert.equal(one.body.urls, [SITE, `${SITE}b`])
})

again('headers and credentials are sent again, and stay hidden; failed_only fetches only the failed URLs', async () => {
  const broken = { isBroken: true }
  const site = await startSite({
    '/': pageOf('start', ['/good', '/bad']),
    '/good': pageOf('good'),
    '/bad': () => (broken.isBroken ? { status: 404, body: 'none' } : pageOf('bad')),
  })
  const app = await startApp({ engine: true })
  const me = await app.signIn()
  const url = site.url('/').replace('http://', 'http://ana:s%25cret@')
  const options = { spider_options: { max_depth: 1, page_limit: 10 }, page_options: { extra_headers: { 'X-Token': 'hidden' } } }
  const { body: first } = await app.call(createCrawl, { as: me, body: { url, options } })
  const endOf = async (id: string) => {
    await until(async () => (await app.call(getCrawl, { as: me, params: { id } })).body.duration !== null)
    return (await app.call(getCrawl, { as: me, params: { id } })).body
  }
  assert.is((await endOf(first.uuid)).counts.failed, 1)

  site.forget()
  broken.isBroken = false
  const { body: retried } = await app.call(rerunCrawl, { as: me, params: { id: first.uuid }, body: { failed_only: true } })
  assert.is(retried.crawl_type, 'batch')
  assert.not.match(JSON.stringify(retried), /s%25cret|s%cret|hidden/)
  assert.is((await endOf(retried.uuid)).counts.kept, 1)
  const basic = `Basic ${Buffer.from('ana:s%cret').toString('base64')}`
  assert.equal(
    site.hits.map(({ path, headers }) => [path, headers['x-token'], headers.authorization]),
    [['/bad', 'hidden', basic]],
  )
  const nothing = await app.call(rerunCrawl, { as: me, params: { id: retried.uuid }, body: { failed_only: true } })
  assert.equal([nothing.status, errorsOf(nothing)], [400, { failed_only: ['No URL of this crawl failed.'] }])

  site.forget()
  const { body: whole } = await app.call(rerunCrawl, { as: me, params: { id: first.uuid } })
  assert.is((await endOf(whole.uuid)).counts.kept, 3)
  assert.equal(site.paths().toSorted(), ['/', '/bad', '/good'])
  assert.ok(site.hits.every(({ headers }) => headers['x-token'] === 'hidden' && headers.authorization === basic))
})

again('searches and sitemaps run again with their own options', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const search = await app.call(createSearch, { as: me, body: { query: 'nets', result_limit: 7, search_options: { depth: 'advanced' } } })
  const searched = await app.call(rerunSearch, { as: me, params: { id: search.body.uuid } })
  assert.is(searched.status, 201)
  assert.equal(
    [searched.body.query, searched.body.result_limit, searched.body.search_options],
    [search.body.query, search.body.result_limit, search.body.search_options],
  )
  const map = await app.call(createSitemap, { as: me, body: { url: SITE, options: { include_paths: ['/docs/*'] } } })
  const mapped = await app.call(rerunSitemap, { as: me, params: { id: map.body.uuid } })
  assert.is(mapped.status, 201)
  assert.equal([mapped.body.url, mapped.body.options], [map.body.url, map.body.options])
})

again.run()
