/** Two processes on one PostgreSQL and one Redis: first one process stops for longer than its leases last, then Redis does. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { checkRun, crawl, isFinished, keyOf, rowsOf, startProcess } from '#tests/support/scale/processes.ts'
import { emptyPostgresDatabase } from '#tests/support/stubs/postgres.ts'
import { startRedis } from '#tests/support/stubs/servers.ts'
import { until } from '#tests/support/until.ts'

const PAGES = 30
const WIDTH = 2
const folder = mkdtempSync(join(tmpdir(), 'seine-lost-'))
const [database, redis] = await Promise.all([emptyPostgresDatabase(), startRedis()])
const site = await startSite({}, { hosts: ['127.0.0.1'] })
const SECRET_KEY = randomBytes(32).toString('hex')
const start = () =>
  startProcess(['gateway/main.ts'], {
    PORT: '0',
    DATA_DIR: mkdtempSync(join(folder, 'data-')),
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    SECRET_KEY,
    EGRESS_ALLOW: '127.0.0.1',
    CRAWL_HOST_CONCURRENCY: String(WIDTH),
    LOG_LEVEL: 'error',
    CHROMIUM_PATH: 'none',
    WORKER_CONCURRENCY: '1',
  })
const [one, two] = [await start(), await start()]
const key = await keyOf(two.url)
const lost = suite('outages of processes and Redis')
lost.after(async () => {
  one.signal('SIGCONT')
  await Promise.all([one.close(), two.close()])
  await Promise.all([site.close(), database.drop(), redis.close()])
  rmSync(folder, { recursive: true, force: true })
})

function pagesOf(name: string) {
  const links = Array.from({ length: PAGES }, (_, no) => `/${name}/${no}`)
  for (const path of links) site.pages[path] = { body: pageOf(`${name} ${path}`, links), afterMs: 100 }
  return site.url(`/${name}/0`)
}
const openRuns = async () =>
  Number((await rowsOf<{ count: string }>(database.url, 'SELECT count(DISTINCT owner) FROM run WHERE ended_at IS NULL'))[0]!.count)

lost(
  'F20 a process that is paused for longer than its leases loses its crawls to another process, and changes nothing when it returns',
  async () => {
    const ids = [await crawl(two.url, key, pagesOf('a')), await crawl(two.url, key, pagesOf('b'))]
    await until(async () => (await openRuns()) === 2 && site.hits.length > 12)
    one.signal('SIGSTOP')
    for (const id of ids) await until(isFinished(two.url, key, id))
    one.signal('SIGCONT')
    const after = await crawl(one.url, key, pagesOf('c'))
    await until(isFinished(one.url, key, after))
    for (const id of [...ids, after]) await checkRun(database.url, id, PAGES)
    assert.ok(site.mostAtOnce() <= WIDTH, `${site.mostAtOnce()} at once`)
  },
)

lost(
  'F17 crawls go on and new ones start while Redis hangs and is emptied: host pauses are kept, and each page is fetched once',
  async () => {
    site.forget()
    // One that was given by its URL is only emptied.
    const signal = (name: NodeJS.Signals) => redis.pid !== null && process.kill(redis.pid, name)
    const before = await crawl(one.url, key, pagesOf('d'))
    await until(() => site.hits.length > 3)
    signal('SIGSTOP')
    const during = await crawl(two.url, key, pagesOf('e'))
    for (const id of [before, during]) await until(isFinished(two.url, key, id))
    signal('SIGCONT')
    await redis.flush()
    const after = await crawl(one.url, key, pagesOf('f'))
    await until(isFinished(two.url, key, after))
    for (const id of [before, during, after]) await checkRun(database.url, id, PAGES)
    const asked = site.hits.map(({ path }) => path)
    assert.is(new Set(asked).size, asked.length, 'no page was fetched twice')
    assert.ok(site.mostAtOnce() <= WIDTH, `${site.mostAtOnce()} at once`)
  },
)

lost.run()
