/** One crawl of many hosts over two processes: both work on it, each host is asked at its pace, and one of them is killed. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { ask, checkRun, crawl, CRAWLS, isFinished, keyOf, rowsOf, startProcess, statusOf } from '#tests/support/scale/processes.ts'
import { emptyPostgresDatabase } from '#tests/support/stubs/postgres.ts'
import { until } from '#tests/support/until.ts'

const HOSTS = 200
const PAGES_PER_HOST = 5
const PAGES = HOSTS * PAGES_PER_HOST
const DELAY_MS = 100
/** Timers end up to a millisecond early, at either side. */
const CLOCKS_MS = 2
const LONGEST_MS = 120_000
const WIDE = { spider_options: { page_limit: 100_000, max_depth: 1000, allowed_domains: ['127.1.*'] } }

const folder = mkdtempSync(join(tmpdir(), 'seine-wide-'))
const database = await emptyPostgresDatabase()
const site = await startSite({}, { hosts: ['0.0.0.0'] })
const SECRET_KEY = randomBytes(32).toString('hex')
const start = (name: string) =>
  startProcess(['gateway/main.ts'], {
    PORT: '0',
    DATA_DIR: mkdtempSync(join(folder, 'data-')),
    DATABASE_URL: database.url,
    SECRET_KEY,
    EGRESS_ALLOW: '127.0.0.0/8',
    CRAWL_HOST_DELAY_MS: String(DELAY_MS),
    CRAWL_CONCURRENCY: '32',
    CRAWLER_USER_AGENT: `${name}/1.0`,
    LOG_LEVEL: 'error',
    CHROMIUM_PATH: 'none',
  })
const [one, two] = await Promise.all([start('one'), start('two')])
const key = await keyOf(two.url)
const enginesSeen = async () =>
  (await rowsOf<{ until: string }>(database.url, 'SELECT seen_until AS until FROM engine')).map(({ until: at }) => Number(at))

/** Waits until both engines have seen each other. An engine starts when there is work for it. */
async function enginesKnowEachOther() {
  await until(async () => (await enginesSeen()).length === 2)
  const since = Math.max(...(await enginesSeen()))
  await until(async () => Math.min(...(await enginesSeen())) > since)
}

const wide = suite('one crawl over several processes')
wide.after(async () => {
  await Promise.all([one.close(), two.close()])
  await Promise.all([site.close(), database.drop()])
  rmSync(folder, { recursive: true, force: true })
})

const hostOf = (no: number) => `127.1.0.${(no % HOSTS) + 1}`
const urlOf = (name: string, host: number, page: number) => site.url(`/${name}/${page}`, hostOf(host))

/** Hosts that each link to the next ones, and the first to all. */
function hostsOf(name: string): string {
  site.forget()
  for (let host = 0; host < HOSTS; host += 1)
    for (let page = 0; page < PAGES_PER_HOST; page += 1) {
      const own = Array.from({ length: PAGES_PER_HOST }, (_, to) => `/${name}/${to}`)
      const others = host === 0 ? Array.from({ length: HOSTS / 2 }, (_, to) => 2 * to) : [host + 1, host * 7, host + page]
      site.pages[`//${hostOf(host)}/${name}/${page}`] = {
        body: pageOf(`${name} ${host} ${page}`, [...own, ...others.map((to) => urlOf(name, to, (to + page) % PAGES_PER_HOST))]),
        afterMs: 20,
      }
    }
  return urlOf(name, 0, 0)
}

const askedBy = (name: string) => site.hits.filter(({ headers }) => headers['user-agent']?.startsWith(name)).length
const times = () => Map.groupBy(site.hits, ({ host, path }) => `${host}${path}`)

/** One request at a time to each host, and the whole pause between any two, as the site saw them; robots files included. */
function checkPace() {
  for (const [host, hits] of Map.groupBy(site.all, (hit) => hit.host)) {
    assert.ok(site.mostAtOnce((hit) => hit.host === host) <= 1, `${host} was asked for several pages at once`)
    const starts = hits.map(({ at }) => at).toSorted((a, b) => a - b)
    const pauses = starts.slice(1).map((at, index) => at - starts[index]!)
    assert.ok(Math.min(...pauses) >= DELAY_MS - CLOCKS_MS, `${host} was asked again after ${Math.min(...pauses).toFixed(1)} ms`)
  }
}

wide('a crawl is divided by hosts: both processes fetch, no page is fetched twice, and each host keeps its delay', async () => {
  const haveMet = enginesKnowEachOther()
  site.pages[`//${hostOf(0)}/first`] = { body: pageOf('the first'), until: haveMet }
  const first = await crawl(one.url, key, site.url('/first', hostOf(0)))
  await haveMet
  await until(isFinished(two.url, key, first), LONGEST_MS)
  const id = await crawl(one.url, key, hostsOf('a'), WIDE)
  await until(isFinished(two.url, key, id), LONGEST_MS)
  await checkRun(database.url, id, PAGES)
  const [run] = await rowsOf<{ parts: number }>(database.url, 'SELECT parts FROM run WHERE id = $1', [id])
  assert.is(run!.parts, 8, 'four for each engine')
  const by = ['one', 'two'].map(askedBy)
  assert.ok(Math.min(...by) > PAGES / 10, `both fetch: ${by.join(' and ')}`)
  assert.is(Math.max(...[...times().values()].map((hits) => hits.length)), 1, 'no page was fetched twice')
  checkPace()
  const left = await rowsOf(database.url, 'SELECT 1 FROM run_part UNION ALL SELECT 1 FROM run_mail')
  assert.is(left.length, 0, 'nothing is left of its parts')
  const [twice] = await rowsOf<{ count: string }>(
    database.url,
    'SELECT count(*) FROM (SELECT 1 FROM run_url JOIN run ON no = run_no WHERE id = $1 GROUP BY key_hi, key_lo HAVING count(*) > 1) AS x',
    [id],
  )
  assert.is(twice!.count, '0', 'no URL has two rows')
})

wide('the page limit holds exactly over all parts', async () => {
  const limit = 333
  const id = await crawl(one.url, key, hostsOf('limit'), { spider_options: { ...WIDE.spider_options, page_limit: limit } })
  await until(isFinished(two.url, key, id), LONGEST_MS)
  await checkRun(database.url, id, limit)
  assert.ok(site.hits.length <= limit, `${site.hits.length} pages were asked for`)
})

wide('a crawl is canceled at once in both processes', async () => {
  const id = await crawl(one.url, key, hostsOf('cancel'), WIDE)
  await until(() => askedBy('one') > 40 && askedBy('two') > 40)
  await ask(two.url, 'DELETE', `${CRAWLS}${id}/`, { headers: key })
  await until(async () => (await statusOf(two.url, key, id)) === 'canceled')
  assert.ok(site.hits.length < PAGES, 'it was stopped in the middle')
  assert.is(
    (await rowsOf(database.url, 'SELECT 1 FROM run_part UNION ALL SELECT 1 FROM run_mail')).length,
    0,
    'nothing is left of its parts',
  )
})

wide(
  'when one of two processes is killed the other finishes the crawl; each page is stored once, and no stored page is fetched again',
  async () => {
    const id = await crawl(one.url, key, hostsOf('killed'), WIDE)
    await until(() => askedBy('one') > 60 && askedBy('two') > 60)
    await one.kill()
    const pages = await rowsOf<{ url: string }>(database.url, 'SELECT url FROM page JOIN run ON run.no = run_no WHERE run.id = $1', [id])
    const before = new Map([...times()].map(([page, hits]) => [page, hits.length]))
    await until(isFinished(two.url, key, id), LONGEST_MS)
    await checkRun(database.url, id, PAGES)
    const after = times()
    for (const { url } of pages) {
      const { hostname, pathname } = new URL(url)
      const page = `${hostname}${pathname}`
      assert.is(after.get(page)!.length, before.get(page), `${page} was kept, and not asked for again`)
    }
    checkPace()
  },
)

wide.run()
