/**
 * Measures whether a crawl of a million small pages over 254 hosts, by two processes over one PostgreSQL, stays as fast and as small as it
 * began: speed since the previous mark, memory of each process and of the database, and rows and bytes per page, at a tenth, at half and at
 * the end.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { emptyPostgresDatabase, startPostgres } from '#tests/support/stubs/postgres.ts'
import { costOf, cpuSecondsOfTree, memoryOfTree, startProcess, startProduct, startSite } from './processes.ts'
import { startHub, wakeAll } from './scale.ts'

const HOSTS = 254
const MARKS = [0.1, 0.5, 1]
const LOOK_MS = 2000

export async function longBench({ pages }: { pages: number }) {
  const perHost = Math.ceil(pages / HOSTS)
  const all = perHost * HOSTS
  const server = await startPostgres()
  process.env['TEST_POSTGRES_URL'] = server.url
  const database = await emptyPostgresDatabase()
  const site = await startSite({ pages: perHost, kb: 2, hosts: HOSTS, fanout: 8, branch: 8, 'cache-mb': 512 }, null)
  const hub = await startHub(site, HOSTS)
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    CRAWL_CONCURRENCY: '128',
    CRAWL_HOST_CONCURRENCY: '4',
    CRAWL_MAX_JOB_SECONDS: '86400',
    EGRESS_ALLOW: '127.0.0.0/8',
  }
  const first = await startProduct(site.port, null, env)
  const second = await startProcess(site.port, null, env)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await wakeAll(first, hub.url, [first, second], database.url)
    await site.reset()
    const { uuid } = await first.call<{ uuid: string }>('POST', '/api/v1/core/crawl-requests/', {
      url: hub.url,
      options: {
        spider_options: { max_depth: 100_000, page_limit: 10_000_000, concurrent_requests: 128, allowed_domains: ['127.0.0.*'] },
        page_options: { ignore_rendering: true },
      },
    })
    const marks = MARKS.map((share) => Math.floor(share * all))
    let before = { kept: 0, at: performance.now() }
    for (;;) {
      const { number_of_documents: kept, status } = await first.call<{ number_of_documents: number; status: string }>(
        'GET',
        `/api/v1/core/crawl-requests/${uuid}/`,
      )
      if (status === 'failed' || status === 'canceled') throw new Error(`the crawl ended ${status}`)
      if (kept >= marks[0]!) {
        const at = performance.now()
        const speed = (kept - before.kept) / ((at - before.at) / 1000)
        console.log(`  ${kept} pages: ${speed.toFixed(0)} pages/s since the mark before; ${await describe(kept)}`)
        before = { kept, at: performance.now() }
        while (marks.length > 0 && kept >= marks[0]!) marks.shift()
      }
      if (status === 'finished') break
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
    const stats = await site.stats()
    console.log(`${stats['unique_pages']} of ${all} pages were fetched, ${stats['page_hits']! - stats['unique_pages']!} of them twice`)
  } finally {
    await client.end()
    await Promise.all([first.stop(), second.stop()])
    await Promise.all([site.stop(), hub.close(), database.drop()])
    await server.stop()
  }

  async function describe(kept: number): Promise<string> {
    const memory = [first, second].map(({ child }) => `${costOf(child).mebibytes.toFixed(0)} MiB`).join(' and ')
    const { rows } = await client.query<{ name: string; bytes: string; rows: string }>(
      `SELECT relname AS name, pg_total_relation_size(relid) AS bytes, n_live_tup AS rows FROM pg_stat_user_tables
        WHERE relname IN ('run_url', 'page', 'page_body', 'run_feed', 'page_search') ORDER BY relname`,
    )
    const [{ size } = { size: '0' }] = (await client.query<{ size: string }>('SELECT pg_database_size(current_database()) AS size')).rows
    const tables = rows.map(
      ({ bytes, name, rows: count }) => `${name} ${(Number(count) / kept).toFixed(2)} rows and ${(Number(bytes) / kept).toFixed(0)} bytes`,
    )
    const cpu = [first, second].reduce((sum, { child }) => sum + costOf(child).cpuSeconds, 0)
    const serverCpu = cpuSecondsOfTree(server.pid!)
    return `the processes have ${memory}, the database's ${memoryOfTree(server.pid!).toFixed(0)} MiB; a page costs ${((cpu / kept) * 1000).toFixed(2)} and ${((serverCpu / kept) * 1000).toFixed(2)} CPU ms so far, ${(Number(size) / kept).toFixed(0)} bytes of the database: ${tables.join(', ')}`
  }
}
