/** Products whose connection to the database is late, cut at a COMMIT, or held back for longer than their leases; and two over one file. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { startDatabaseProxy } from '#tests/support/scale/database-proxy.ts'
import { ask, checkRun, crawl, CRAWLS, isFinished, keyOf, rowsOf, startProcess } from '#tests/support/scale/processes.ts'
import { emptyPostgresDatabase, withDatabase } from '#tests/support/stubs/postgres.ts'
import { until } from '#tests/support/until.ts'

const PAGES = 40
const folder = mkdtempSync(join(tmpdir(), 'seine-databases-'))
const database = await emptyPostgresDatabase()
const proxy = await startDatabaseProxy(database.url)
const site = await startSite({}, { hosts: ['127.0.0.1'] })
const SECRET_KEY = randomBytes(32).toString('hex')
/** A user of the database; the server may have users of other tests. */
const FEW = `few_${randomBytes(4).toString('hex')}`
const dataDir = () => mkdtempSync(join(folder, 'data-'))
const start = (settings: Record<string, string>, said: string[] = []) =>
  startProcess(
    ['gateway/main.ts'],
    {
      PORT: '0',
      SECRET_KEY,
      EGRESS_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'error',
      CHROMIUM_PATH: 'none',
      ...settings,
    },
    said,
  )
const lost = suite('an outage of the database')
lost.after(async () => {
  await proxy.close()
  await Promise.all([site.close(), database.drop()])
  await rowsOf(withDatabase(database.url, 'postgres'), `DROP ROLE IF EXISTS ${FEW}`)
  rmSync(folder, { recursive: true, force: true })
})

function pagesOf(name: string) {
  site.forget()
  const links = Array.from({ length: PAGES }, (_, no) => `/${name}/${no}`)
  for (const path of links) site.pages[path] = { body: pageOf(`${name} ${path}`, links), afterMs: 60 }
  return site.url(`/${name}/0`)
}

lost('F13 F16 the product waits for a late database; a commit whose answer was lost is neither lost nor written twice', async () => {
  proxy.set('refuse')
  const starting = start({ DATABASE_URL: proxy.url, DATA_DIR: dataDir() })
  await until(() => proxy.refused > 1)
  proxy.set('pass')
  const one = await starting
  const key = await keyOf(one.url)
  const id = await crawl(one.url, key, pagesOf('cut'))
  await until(() => site.hits.length > 3)
  proxy.cutCommits(5)
  await until(isFinished(one.url, key, id))
  await checkRun(database.url, id, PAGES)
  await until(() => proxy.commitsCut === 5)
  const numbers = await rowsOf<{ seq: string }>(
    database.url,
    'SELECT page.event_seq AS seq FROM page JOIN run ON run.no = run_no WHERE run.id = $1',
    [id],
  )
  assert.is(new Set(numbers.map(({ seq }) => seq)).size, PAGES, 'each page has an event of its own')
  await one.close()
})

lost('the product waits for a free connection to the database also after it has migrated the database', async () => {
  const url = new URL(database.url)
  await rowsOf(database.url, `CREATE ROLE ${FEW} LOGIN PASSWORD '${FEW}' CONNECTION LIMIT 1`)
  await rowsOf(database.url, `GRANT "${url.username}" TO ${FEW}`)
  ;[url.username, url.password] = [FEW, FEW]
  const said: string[] = []
  const starting = start({ DATABASE_URL: url.href, DATA_DIR: dataDir(), LOG_LEVEL: 'warn' }, said)
  const waits = () => said.some((line) => line.includes('cannot be reached; it is tried again'))
  await Promise.race([starting, until(waits)])
  assert.ok(waits())
  await rowsOf(database.url, `ALTER ROLE ${FEW} CONNECTION LIMIT -1`)
  await (await starting).close()
})

lost('F19 a process that lost its database loses its crawl to another process, and changes nothing when it returns', async () => {
  const one = await start({ DATABASE_URL: proxy.url, DATA_DIR: dataDir() })
  const key = await keyOf(one.url)
  const id = await crawl(one.url, key, pagesOf('partition'))
  await until(async () => (await rowsOf(database.url, 'SELECT 1 FROM page JOIN run ON run.no = run_no WHERE run.id = $1', [id])).length > 2)
  proxy.set('stall')
  const two = await start({ DATABASE_URL: database.url, DATA_DIR: dataDir() })
  await until(isFinished(two.url, key, id))
  await checkRun(database.url, id, PAGES)
  proxy.set('pass')
  const after = await crawl(two.url, key, pagesOf('after'))
  await until(isFinished(one.url, key, after))
  for (const run of [id, after]) await checkRun(database.url, run, PAGES)
  await Promise.all([one.close(), two.close()])
})

lost('while the server admits nobody, calls get 503 and nothing crashes; the crawl goes on afterwards', async () => {
  const one = await start({ DATABASE_URL: database.url, DATA_DIR: dataDir(), LOG_LEVEL: 'warn' })
  const key = await keyOf(one.url)
  const id = await crawl(one.url, key, pagesOf('closed'))
  await until(() => site.hits.length > 3)
  const name = new URL(database.url).pathname.slice(1)
  const open = (isOpen: boolean) => rowsOf(withDatabase(database.url, 'postgres'), `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isOpen}`)
  await open(false)
  await rowsOf(withDatabase(database.url, 'postgres'), 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
  const statuses = await Promise.all(['GET', 'DELETE'].map(async (method) => (await ask(one.url, method, `${CRAWLS}${id}/`, { headers: key })).status)) // prettier-ignore
  assert.equal(statuses, [503, 503])
  await until(() => one.said.some((line) => line.includes('the indexer')) && one.said.some((line) => line.includes('does not answer')))
  const refused = await start({ DATABASE_URL: database.url, DATA_DIR: dataDir() }).then(() => null, (thrown: Error) => thrown) // prettier-ignore
  assert.match(String(refused?.message), /cannot be used: database .* is not currently accepting connections/)
  await open(true)
  await until(isFinished(one.url, key, id))
  await checkRun(database.url, id, PAGES)
  assert.not.match(one.said.join('\n'), /"msg":"(a run failed|a run could not be taken|the tables could not be read|the indexer died)/)
  const repeated = one.said
    .filter((line) => /the database does not answer|could not be read/.test(line))
    .map((line) => /"code":.*/.exec(line)?.[0] ?? line)
  assert.is(new Set(repeated).size, repeated.length, 'the log says each thing about the outage once')
  await one.close()
})

lost('F26 a second process with the same folder is refused, and the first process goes on', async () => {
  const shared = dataDir()
  const first = await start({ DATA_DIR: shared })
  const fault = await start({ DATA_DIR: shared }).then(() => null, (thrown: Error) => thrown) // prettier-ignore
  assert.match(String(fault?.message), /it ended: .*(in use|another|already)/is)
  const key = await keyOf(first.url)
  const id = await crawl(first.url, key, pagesOf('file'))
  await until(isFinished(first.url, key, id))
  await first.close()
})

lost.run()
