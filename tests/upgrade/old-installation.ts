/**
 * Opens an installation of an older version that was killed in the middle of a crawl: all data is there, and the crawl goes on.
 *
 * `scripts/make-old-installation.ts` has made `fixtures/` with commit d3a4e2e (version 0.2): the database and its log, as they lay on the disk.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { CompiledQuery } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getProfile } from '#contract/accounts.ts'
import { getCrawl, getResult, listCrawls, listOutcomes, listResults } from '#contract/crawls.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { searchOwnPages } from '#contract/own-pages.ts'
import { listProxies } from '#contract/proxies.ts'
import { getSearch, listSearches } from '#contract/searches.ts'
import { getSitemap, listSitemapUrls, listSitemaps } from '#contract/sitemaps.ts'
import { listApiKeys, listMembers } from '#contract/teams.ts'
import { usageHistory } from '#contract/usage.ts'
import { MIGRATIONS } from '#backend/platform/database/migrations.ts'
import { startApp } from '#tests/support/app.ts'
import { LARGE_PAGES, OLD_SITE, SMALL_PAGES, startOldSite } from '#tests/support/sites/old-site.ts'
import { until } from '#tests/support/until.ts'

const stored = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url))
const old = JSON.parse(stored('installation.json').toString()) as {
  secretKey: string
  owner: { email: string; password: string }
  teamId: string
  key: string
  header: string
  proxy: string
  runs: Record<'small' | 'sitemap' | 'search' | 'large' | 'waiting', string>
}
const { runs } = old

const upgrade = suite('an installation of an older version')
const dataDir = mkdtempSync(join(tmpdir(), 'seine-upgrade-'))
for (const name of ['seine.db', 'seine.db-wal']) writeFileSync(join(dataDir, name), zstdDecompressSync(stored(`${name}.zst`)))
const openedAt = Date.now()
const site = await startOldSite()
const app = await startApp({ config: { dataDir, secretKey: old.secretKey, egressAllow: ['127.0.0.77'] }, engine: true })
const { database } = app.backend

upgrade.after(async () => {
  await app.close()
  await site.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** An answer to the old API key. */
async function read<T>(endpoint: EndpointSpec, id?: string, query: Record<string, string | number> = {}): Promise<T> {
  const path = id === undefined ? endpoint.path : endpoint.path.replace('{id}', id)
  const { body, status, text } = await app.request(endpoint.method, path, { key: old.key, query })
  assert.is(status, 200, `${path}: ${text}`)
  return body as T
}

type Page<Row> = { count: number; results: Row[] }
type Crawl = { uuid: string; status: string; number_of_documents: number; options: { page_options: { extra_headers?: object } } }

upgrade('every migration has run', async () => {
  const { rows } = await database.executeQuery<{ name: string }>(CompiledQuery.raw('SELECT name FROM migration ORDER BY name'))
  assert.equal(
    rows.map(({ name }) => name),
    MIGRATIONS.map(({ name }) => name).toSorted(),
  )
})

upgrade('its user signs in with the old password and is in the same team, and the old API key works', async () => {
  const me = await app.logIn(old.owner)
  assert.is(me.teamId, old.teamId)
  const { body } = await app.call(getProfile, { as: me })
  assert.is((body as { email: string }).email, old.owner.email)
  const members = await app.request('GET', listMembers.path, { as: me })
  assert.is((members.body as Page<object>).count, 1)
  const keys = await app.request('GET', listApiKeys.path, { as: me })
  assert.ok(
    (keys.body as Page<{ key: string }>).results.some(({ key }) => key === old.key),
    'its text opens',
  )
  const proxies = await app.request('GET', listProxies.path, { as: me })
  assert.match(proxies.text, new RegExp(old.proxy))
})

upgrade('a finished crawl has its pages, documents and outcomes', async () => {
  const crawl = await read<Crawl>(getCrawl, runs.small)
  assert.equal([crawl.status, crawl.number_of_documents], ['finished', SMALL_PAGES])
  const { count, results } = await read<Page<{ uuid: string; url: string }>>(listResults, runs.small)
  assert.is(count, SMALL_PAGES)
  const page = results.find(({ url }) => url === `${OLD_SITE}/small/1`)!
  const document = await app.request('GET', getResult.path.replace('{id}', runs.small).replace('{resultId}', page.uuid), {
    key: old.key,
    query: { prefetched: true },
  })
  assert.match(document.text, /Words about page \/small\/1/)
  const outcomes = await read<Page<{ url: string; outcome: string }>>(listOutcomes, runs.small, { page_size: 100 })
  assert.equal(
    outcomes.results
      .filter(({ outcome }) => outcome === 'kept')
      .map(({ url }) => url.slice(OLD_SITE.length))
      .toSorted(),
    ['/small/', '/small/1', '/small/2', '/small/3'],
  )
})

upgrade('a header that the older version stored in clear is sealed, and no file contains it in clear', async () => {
  const crawl = await read<Crawl>(getCrawl, runs.small)
  assert.equal(crawl.options.page_options.extra_headers, { 'x-old-secret': '***' })
  for (const name of readdirSync(dataDir).filter((each) => each.startsWith('seine.db')))
    assert.not.ok(readFileSync(join(dataDir, name)).includes(old.header), name)
})

upgrade('searches and sitemaps are listed with their results', async () => {
  assert.is((await read<{ status: string }>(getSearch, runs.search)).status, 'finished')
  assert.is((await read<{ status: string }>(getSitemap, runs.sitemap)).status, 'finished')
  const { results } = await read<Page<{ url: string }>>(listSitemapUrls, runs.sitemap)
  assert.ok(results.some(({ url }) => url === `${OLD_SITE}/small/2`))
  const listed = async (endpoint: EndpointSpec) => (await read<Page<{ uuid: string }>>(endpoint)).results.map(({ uuid }) => uuid)
  assert.equal(await listed(listCrawls), [runs.waiting, runs.large, runs.small])
  assert.equal(await listed(listSearches), [runs.search])
  assert.equal(await listed(listSitemaps), [runs.sitemap])
})

upgrade('the half-finished crawl finishes, and no stored page is fetched again', async () => {
  await until(async () => (await read<Crawl>(getCrawl, runs.large)).status === 'finished')
  const crawl = await read<Crawl>(getCrawl, runs.large)
  assert.is(crawl.number_of_documents, LARGE_PAGES)
  const pages = await database
    .selectFrom('page')
    .innerJoin('run', 'run.no', 'page.runNo')
    .where('run.id', '=', runs.large)
    .select(['page.url', 'page.createdAt'])
    .execute()
  assert.is(new Set(pages.map(({ url }) => url)).size, LARGE_PAGES)
  const before = pages.filter(({ createdAt }) => createdAt < openedAt).map(({ url }) => url.slice(OLD_SITE.length))
  assert.ok(before.length > 1 && before.length < LARGE_PAGES, `${before.length} were kept by the older version`)
  assert.equal(
    site.paths.filter((path) => before.includes(path)),
    [],
  )
})

upgrade('the waiting crawl finishes, and credits count the pages of both versions', async () => {
  await until(async () => (await read<Crawl>(getCrawl, runs.waiting)).status === 'finished')
  const entries = await database
    .selectFrom('creditEntry')
    .innerJoin('run', 'run.no', 'creditEntry.runNo')
    .where('run.kind', '=', 'crawl')
    .orderBy('run.no')
    .select(['creditEntry.used', 'creditEntry.state'])
    .execute()
  assert.equal(
    entries,
    [SMALL_PAGES, LARGE_PAGES, 1].map((used) => ({ used, state: 'settled' })),
  )
  const me = await app.logIn(old.owner)
  assert.is((await app.request('GET', usageHistory.path, { as: me })).status, 200)
})

upgrade('pages of the older version are found in the search over own pages', async () => {
  await until(async () => (await read<Page<object>>(searchOwnPages, undefined, { q: 'words' })).count > 0)
})

upgrade.run()
