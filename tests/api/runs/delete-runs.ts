// Deleting crawls, searches and sitemaps over the API: they are unreadable at once, and their rows are removed soon after.
import * as assert from 'uvu/assert'
import {
  createCrawl,
  deleteCrawls,
  followCrawl,
  getCrawl,
  getResult,
  listCrawls,
  listOutcomes,
  listResults,
  stopCrawl,
} from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { searchOwnPages } from '#contract/own-pages.ts'
import { createSearch, deleteSearches, getSearch, listSearches, stopSearch } from '#contract/searches.ts'
import { createSitemap, deleteSitemaps, getSitemap, listSitemapUrls, listSitemaps, stopSitemap } from '#contract/sitemaps.ts'
import { getUsage, usageHistory } from '#contract/usage.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { engineRows } from '#tests/support/engine/engine-rows.ts'
import { openStream } from '#tests/support/read-stream.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const deletion = suite('deletion of runs')
const SITE = 'http://127.0.0.1:8080/'

const KINDS = [
  { noun: 'crawl', create: createCrawl, body: { url: SITE }, read: getCrawl, list: listCrawls, stop: stopCrawl, many: deleteCrawls },
  {
    noun: 'search',
    create: createSearch,
    body: { query: 'nets' },
    read: getSearch,
    list: listSearches,
    stop: stopSearch,
    many: deleteSearches,
  },
  {
    noun: 'sitemap',
    create: createSitemap,
    body: { url: SITE },
    read: getSitemap,
    list: listSitemaps,
    stop: stopSitemap,
    many: deleteSitemaps,
  },
] as const

type Listed = { count: number; results: { uuid: string }[] }

const post = async (app: App, as: Caller, { create, body }: { create: EndpointSpec; body: object }): Promise<string> =>
  ((await app.request('POST', create.path, { as, body })).body as { uuid: string }).uuid
const listed = async (app: App, as: Caller, list: EndpointSpec): Promise<string[]> =>
  ((await app.request('GET', list.path, { as })).body as Listed).results.map(({ uuid }) => uuid)

/** Rows of every table with the number of a run. */
async function rowsOf({ backend: { database } }: App, no: number): Promise<number> {
  let rows = 0
  for (const table of ['runOptions', 'runUrl', 'runFeed', 'page', 'sitemapUrl', 'searchResult'] as const)
    rows += (await database.selectFrom(table).selectAll().where('runNo', '=', no).execute()).length
  rows += (await database.selectFrom('run').select('no').where('no', '=', no).execute()).length
  rows += (
    await database
      .selectFrom('pageBody')
      .select('pageNo')
      .where('pageNo', '>', no * 2 ** 24)
      .where('pageNo', '<', (no + 1) * 2 ** 24)
      .execute()
  ).length
  return rows
}

const numberOf = async ({ backend: { database } }: App, id: string) =>
  (await database.selectFrom('run').select('no').where('id', '=', id).executeTakeFirstOrThrow()).no

const engineOf = ({ backend: { database } }: App) => engineRows({ bus: { publish: () => undefined }, database, now: Date.now })

for (const kind of KINDS)
  deletion(`a deleted ${kind.noun} gets 404 and leaves all lists at once, and its rows soon after; others stay`, async () => {
    const app = await startApp()
    const me = await app.signIn()
    const [id, other] = [await post(app, me, kind), await post(app, me, kind)]
    const no = await numberOf(app, id)
    const path = fillPath(kind.stop.path, { id })
    const reply = await app.request('DELETE', path, { as: me, query: { purge: true } })
    assert.equal([reply.status, reply.text], [204, ''])
    assert.equal(await listed(app, me, kind.list), [other])
    for (const [method, query] of [
      ['GET', {}],
      ['DELETE', {}],
      ['DELETE', { purge: true }],
    ] as const)
      assert.is((await app.request(method, path, { as: me, query })).status, 404, `${method} ${JSON.stringify(query)}`)
    assert.is((await app.request('GET', `${path}status/`, { as: me })).status, 404)
    await until(async () => (await rowsOf(app, no)) === 0)
    assert.ok((await rowsOf(app, await numberOf(app, other))) > 0)
    assert.is((await app.request('GET', fillPath(kind.read.path, { id: other }), { as: me })).status, 200)
    const jobs = await app.backend.database.selectFrom('job').select('key').execute()
    assert.equal(
      jobs.map(({ key }) => key),
      [`run:${await numberOf(app, other)}:1`],
    )
  })

for (const kind of KINDS)
  deletion(`one call deletes several entries of the ${kind.noun} log, and counts those that existed`, async () => {
    const app = await startApp()
    const me = await app.signIn()
    const stranger = await app.secondUser()
    const ids = [await post(app, me, kind), await post(app, me, kind), await post(app, me, kind)]
    const theirs = await post(app, stranger, kind)
    const [first = '', second = '', kept = ''] = ids
    const nobodys = '00000000-0000-7000-8000-000000000000'
    const many = (value: string, more: object = { purge: true }, as = me) =>
      app.request('DELETE', kind.many.path, { as, query: { ids: value, ...more } })
    // An invalid call deletes nothing.
    const refused: [query: Record<string, string | boolean>, field: string][] = [
      [{ ids: `${first},${second}` }, 'purge'],
      [{ ids: first, purge: 'false' }, 'purge'],
      [{ purge: true }, 'ids'],
      [{ ids: ' ', purge: true }, 'ids'],
      [{ ids: `${first},x`, purge: true }, 'ids'],
      [
        { ids: Array.from({ length: 101 }, (_, at) => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`).join(','), purge: true },
        'ids',
      ],
    ]
    for (const [query, field] of refused) {
      const reply = await app.request('DELETE', kind.many.path, { as: me, query })
      assert.is(reply.status, 400, JSON.stringify(query))
      assert.equal(Object.keys((reply.body as { errors: object }).errors), [field])
    }
    assert.equal(await listed(app, me, kind.list), ids.toReversed())
    const reply = await many([first, second.toUpperCase(), first, nobodys, theirs].join(', '))
    assert.equal([reply.status, reply.body], [200, { deleted: 2 }])
    assert.equal(await listed(app, me, kind.list), [kept])
    assert.equal(await listed(app, stranger, kind.list), [theirs])
    assert.equal((await many(`${first},${second}`)).body, { deleted: 0 })
  })

deletion('deleting a crawl returns its credits, drops its job and frees its idempotency key', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const start = (url: string) => app.call(createCrawl, { as: me, body: { url }, headers: { 'idempotency-key': 'again' } })
  const { body: first } = await start(SITE)
  await app.call(stopCrawl, { as: me, params: { id: first.uuid }, query: { purge: true } })
  const entries = await app.backend.database.selectFrom('creditEntry').select(['used', 'state']).execute()
  assert.equal(entries, [{ used: 0, state: 'settled' }])
  assert.equal(await app.backend.database.selectFrom('job').selectAll().execute(), [])
  // The answer is neither the deleted crawl nor a conflict with it.
  const second = await start(`${SITE}other`)
  assert.is(second.status, 201)
  assert.is.not(second.body.uuid, first.uuid)
})

deletion('without purge a run is stopped and stays', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const { body } = await app.call(createCrawl, { as: me, body: { url: SITE } })
  for (const query of [{}, { purge: 'false' }, { purge: '0' }] as Record<string, string>[])
    assert.is((await app.call(stopCrawl, { as: me, params: { id: body.uuid }, query })).status, 204)
  assert.is((await app.call(getCrawl, { as: me, params: { id: body.uuid } })).body.status, 'canceled')
})

deletion('deleting a running job stops it and ends its streams; its rows are removed only after its end', async () => {
  const canceled: number[] = []
  const app = await startApp({
    engine: () => ({ wake: () => undefined, cancel: (no) => void canceled.push(no), close: async () => undefined }),
  })
  const me = await app.signIn()
  const { body } = await app.call(createCrawl, { as: me, body: { url: SITE } })
  const engine = engineOf(app)
  const no = await engine.take(body.uuid)
  await engine.commit(no, { pages: [{ url: SITE }], found: [{ url: `${SITE}a` }] })
  const stream = await openStream((await app.listen()) + fillPath(followCrawl.path, { id: body.uuid }), { 'x-api-key': me.apiKey })
  await stream.until(({ type }) => type === 'state')

  assert.is((await app.call(stopCrawl, { as: me, params: { id: body.uuid }, query: { purge: true } })).status, 204)
  assert.equal(canceled, [no])
  assert.equal(await stream.rest(), [])
  assert.is((await app.call(getCrawl, { as: me, params: { id: body.uuid } })).status, 404)
  const row = await app.backend.database.selectFrom('run').select(['status', 'endedAt']).where('no', '=', no).executeTakeFirstOrThrow()
  assert.equal(row, { status: 'canceling', endedAt: null })
  const held = await rowsOf(app, no)
  // The removal of another run does not wait for this one.
  const { body: other } = await app.call(createCrawl, { as: me, body: { url: SITE } })
  const otherNo = await numberOf(app, other.uuid)
  await app.call(stopCrawl, { as: me, params: { id: other.uuid }, query: { purge: true } })
  await until(async () => (await rowsOf(app, otherNo)) === 0)
  assert.is(await rowsOf(app, no), held)
  await engine.commit(no, { end: { status: 'canceled', reason: 'canceled' } })
  await until(async () => (await rowsOf(app, no)) === 0)
})

deletion('deleting a crawl removes pages, URLs, signed links and its search index; the team’s usage stays', async () => {
  const site = await startSite({ '/': pageOf('harbour pilots', ['/tides']), '/tides': pageOf('neap tides') })
  const app = await startApp({ engine: true })
  const me = await app.signIn()
  const start = async () => {
    const { body } = await app.call(createCrawl, { as: me, body: { url: site.url('/'), options: { spider_options: { page_limit: 5 } } } })
    await until(async () => (await app.call(getCrawl, { as: me, params: { id: body.uuid } })).body.status === 'finished')
    return body.uuid
  }
  const [id, other] = [await start(), await start()]
  const find = async () => (await app.call(searchOwnPages, { as: me, query: { q: 'tides', newest: false } })).body
  await until(async () => (await find()).index.indexed === 4)
  const { body: crawl } = await app.call(getCrawl, { as: me, params: { id } })
  const { body: results } = await app.call(listResults, { as: me, params: { id } })
  const links = [crawl.sitemap, ...results.results.map(({ result }) => result)].map((link) => new URL(String(link)))
  assert.is(links.length, 3)
  for (const { pathname, search } of links) assert.is((await app.request('GET', pathname + search)).status, 200, pathname)
  const before = (await app.call(getUsage, { as: me })).body
  const no = await numberOf(app, id)

  await app.call(deleteCrawls, { as: me, query: { ids: id, purge: true } })
  for (const { pathname, search } of links) assert.is((await app.request('GET', pathname + search)).status, 404, pathname)
  for (const endpoint of [getCrawl, listResults, listOutcomes])
    assert.is((await app.request('GET', fillPath(endpoint.path, { id }), { as: me })).status, 404)
  const resultId = results.results[0]?.uuid ?? ''
  assert.is((await app.call(getResult, { as: me, params: { id, resultId } })).status, 404)
  assert.not.ok(
    (await find()).results.some((hit) => JSON.stringify(hit).includes(id)),
    'no hit of it at once',
  )

  await until(async () => (await rowsOf(app, no)) === 0)
  await until(async () => (await find()).index.indexed === 2)
  const hits = (await find()).results
  assert.ok(hits.length > 0 && hits.every((hit) => JSON.stringify(hit).includes(other)), 'the other crawl is found')
  // The usage is the same once the run is marked, and once it is removed.
  assert.equal((await app.call(getUsage, { as: me })).body, before)
  const { body: ledger } = await app.call(usageHistory, { as: me, query: { content_type: 'crawl' } })
  assert.is(ledger.count, 2)
  const entry = ledger.results.find(({ object_id }) => object_id === id)
  assert.equal([entry?.label, entry?.is_deleted, entry?.used_page_credit, entry?.status], ['', true, 2, 'finished'])
  assert.is(ledger.results.find(({ object_id }) => object_id === other)?.is_deleted, false)
})

deletion('a restart does not lose a deletion: its rows are removed afterwards', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const { body } = await app.call(createCrawl, { as: me, body: { url: SITE } })
  const no = await numberOf(app, body.uuid)
  // The state after a process was killed right after its answer.
  await app.backend.database.updateTable('run').set({ status: 'canceled', endedAt: 1, deletedAt: 1 }).where('no', '=', no).execute()
  const { dataDir } = app
  await app.http.close()
  await app.backend.close()
  const next = await startApp({ config: { dataDir } })
  await until(async () => (await rowsOf(next, no)) === 0)
})

deletion('the URLs of a deleted sitemap are deleted too', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const { body } = await app.call(createSitemap, { as: me, body: { url: SITE } })
  const no = await numberOf(app, body.uuid)
  const { database } = app.backend
  await database.insertInto('sitemapUrl').values({ runNo: no, seq: 0, url: SITE, lastmod: null }).execute()
  assert.is((await app.call(listSitemapUrls, { as: me, params: { id: body.uuid } })).body.count, 1)
  await app.call(stopSitemap, { as: me, params: { id: body.uuid }, query: { purge: true } })
  await until(async () => (await rowsOf(app, no)) === 0)
})

deletion.run()
