// The product as two processes over one PostgreSQL, one Redis and one bucket, by configuration alone.
import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { createCrawl, getCrawl, stopCrawl } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { emptyPostgresDatabase } from '#tests/support/stubs/postgres.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startRedis, startS3 } from '#tests/support/stubs/servers.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'

const TOKEN = 'a-token-of-the-tests-alone'
const DELAY_MS = 300
/** Timers end up to a millisecond early, at either side. */
const CLOCKS_MS = 2

const [database, redis, s3] = await Promise.all([emptyPostgresDatabase(), startRedis(), startS3()])
const place = s3.placeOf(`${randomUUID()}/`)
const SHARED = {
  DATABASE_URL: database.url,
  REDIS_URL: redis.url,
  BLOB_STORE: `s3://${place.bucket}/${place.prefix}?endpoint=${place.endpoint}&region=${place.region}`,
  AWS_ACCESS_KEY_ID: place.accessKeyId,
  AWS_SECRET_ACCESS_KEY: place.secretAccessKey,
  SECRET_KEY: 'Zq8wN2rV6tYb4xLs9pKd3hGf7mJc5eUa',
  METRICS_TOKEN: TOKEN,
  CRAWL_HOST_DELAY_MS: String(DELAY_MS),
  WORKER_CONCURRENCY: '1',
}
const first = await startProduct(SHARED)
const second = await startProduct(SHARED, { installed: false })
const site = await startSite({}, { hosts: ['127.0.0.1'] })
const several = suite('two processes')
several.after(async () => {
  await Promise.all([first.close(), second.close()])
  await site.close()
  await Promise.all([database.drop(), redis.close(), s3.close()])
})

type Process = typeof first
const { access } = (await (await send(first, 'POST', login.path, OWNER)).json()) as { access: string }
const ask = (process: Process, method: string, path: string, body?: unknown) =>
  send(process, method, path, body, { authorization: `Bearer ${access}` })

/** Pages that each link to the next. */
function chain(name: string, pages: number, afterMs = 0) {
  for (let no = 0; no < pages; no += 1)
    site.pages[`/${name}/${no}`] = { body: pageOf(`${name} ${no}`, no + 1 < pages ? [`/${name}/${no + 1}`] : []), afterMs }
}

async function startCrawlAt(process: Process, path: string): Promise<string> {
  const options = { spider_options: { max_depth: 100, page_limit: 500 }, page_options: { ignore_rendering: true }, plugin_options: {} }
  const answer = await ask(process, 'POST', createCrawl.path, { url: site.url(path), options })
  assert.is(answer.status, 201)
  return ((await answer.json()) as { uuid: string }).uuid
}

const statusAt = async (process: Process, id: string) =>
  ((await (await ask(process, 'GET', fillPath(getCrawl.path, { id }))).json()) as { status: string }).status

/** The value of a metric of a process; 0 where its engine does not run. */
async function metricAt(process: Process, name: string): Promise<number> {
  const text = await (await fetch(`${process.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text()
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}

several('two processes share work and politeness: both crawl, each page is fetched once, and the pause of a host is kept', async () => {
  for (const name of ['a', 'b']) chain(name, 8)
  const crawls = [await startCrawlAt(first, '/a/0'), await startCrawlAt(second, '/b/0')]
  for (const [at, id] of crawls.entries()) await until(async () => (await statusAt([second, first][at]!, id)) === 'finished')
  const paths = site.paths().toSorted()
  assert.equal(
    paths,
    ['a', 'b'].flatMap((name) => Array.from({ length: 8 }, (_, no) => `/${name}/${no}`)),
  )
  assert.is(site.mostAtOnce(), 1)
  const starts = site.all.map(({ at }) => at)
  const pauses = starts.slice(1).map((at, index) => at - starts[index]!)
  assert.ok(Math.min(...pauses) >= DELAY_MS - CLOCKS_MS, `asked again after ${Math.min(...pauses).toFixed(1)} ms`)
  const kept = [await metricAt(first, 'seine_pages_kept_total'), await metricAt(second, 'seine_pages_kept_total')]
  assert.is(kept[0]! + kept[1]!, 16)
  assert.ok(Math.min(...kept) > 0, `pages of each: ${kept.join(' and ')}`)
})

several('a crawl can be stopped through another process', async () => {
  chain('c', 400)
  site.forget()
  const id = await startCrawlAt(first, '/c/0')
  await site.asked('/c/1')
  const other = (await metricAt(first, 'seine_engine_runs')) === 1 ? second : first
  assert.is((await ask(other, 'DELETE', fillPath(stopCrawl.path, { id }))).status, 204)
  await until(async () => (await statusAt(other, id)) === 'canceled')
  const ofStopped = () => site.hits.filter(({ path }) => path.startsWith('/c/')).length
  const asked = ofStopped()
  chain('d', 3)
  const next = await startCrawlAt(other, '/d/0')
  await until(async () => (await statusAt(first, next)) === 'finished')
  assert.is(ofStopped(), asked, 'nothing more was fetched of it')
})

several('the other process finishes the work of a killed one, and fetches no stored page again', async () => {
  chain('e', 12)
  site.forget()
  const id = await startCrawlAt(first, '/e/0')
  await site.asked('/e/3')
  const [dead, alive] = (await metricAt(first, 'seine_engine_runs')) === 1 ? [first, second] : [second, first]
  process.kill(dead.pid, 'SIGKILL')
  await until(async () => (await statusAt(alive, id)) === 'finished')
  const paths = site.paths()
  assert.equal([...new Set(paths)].toSorted(), Array.from({ length: 12 }, (_, no) => `/e/${no}`).toSorted())
  assert.ok(paths.length <= 14, `asked for ${paths.length} times: only what was in progress may be asked for again`)
})

several.run()

function send(process: Process, method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(process.url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}
