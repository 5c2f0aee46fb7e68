/**
 * Measures what more workers over one PostgreSQL gain: a crawl of 200 hosts with a pause each, by 1, 2 and 4 workers. And what PostgreSQL
 * costs where SQLite would do: one host, one core.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { emptyPostgresDatabase, startPostgres } from '#tests/support/stubs/postgres.ts'
import { startRedis } from '#tests/support/stubs/servers.ts'
import { crawlWhole, startCrawl, waitFor, warmUp } from './crawl.ts'
import { costOf, cpuSecondsOfTree, median, startProcess, startProduct, startSite } from './processes.ts'
import type { Product, Site } from './processes.ts'

const HOSTS = 200
const PAGES_PER_HOST = 100
const PAUSE_MS = 100
/**
 * High enough that the requests of one worker do not fill the processors of this machine: at 20 ms it used 1.7 of 2, and more workers
 * gained nothing.
 */
const LATENCY_MS = 250
const WORKERS = [1, 2, 4]
/** Requests at a time, over all workers; one worker makes 64. */
const WIDTH = 512
const NARROW = { pages: 2000, kb: 25 }

type Wide = { speed: number; cpu: number; serverCpu: number; leastPauseMs: number }

/**
 * @param rounds  the medians of which are printed; the numbers of workers alternate
 * @param only    numbers of workers; `narrow` for the comparison with SQLite; empty for all
 */
export async function scaleBench({ rounds, only }: { rounds: number; only: readonly string[] }) {
  const counts = WORKERS.filter((workers) => only.length === 0 || only.includes(String(workers)))
  const server = await startPostgres()
  process.env['TEST_POSTGRES_URL'] = server.url
  const serverCpu = () => cpuSecondsOfTree(server.pid!)
  try {
    const wide = new Map<number, Wide[]>(counts.map((workers) => [workers, []]))
    for (let round = 1; round <= rounds; round += 1)
      for (const workers of counts) {
        const figures = await wideCrawl(workers, serverCpu)
        wide.get(workers)!.push(figures)
        console.log(`  round ${round}, ${workers} of them: ${describe(figures)}`)
      }
    if (wide.size > 0)
      console.log(
        `${HOSTS} hosts, ${PAGES_PER_HOST} pages of 6 KB each, answered after ${LATENCY_MS} ms, ${PAUSE_MS} ms between requests to a host, median of ${rounds}:`,
      )
    for (const [workers, figures] of wide) {
      const of = (name: keyof Wide) => median(figures.map((each) => each[name]))
      const all = { speed: of('speed'), cpu: of('cpu'), serverCpu: of('serverCpu') }
      console.log(`  ${workers} of them: ${describe({ ...all, leastPauseMs: Math.min(...figures.map((each) => each.leastPauseMs)) })}`)
    }
    if (only.length === 0 || only.includes('narrow')) await narrowCrawls(rounds, serverCpu)
  } finally {
    await server.stop()
  }
}

const describe = ({ cpu, leastPauseMs, serverCpu, speed }: Wide) =>
  `${speed.toFixed(0)} pages/s, ${cpu.toFixed(2)} CPU s per 1,000 and ${serverCpu.toFixed(2)} of the database, no two requests to a host closer than ${leastPauseMs.toFixed(1)} ms`

async function wideCrawl(workers: number, serverCpu: () => number): Promise<Wide> {
  const [database, redis] = [await emptyPostgresDatabase(), await startRedis()]
  const site = await startSite({ pages: PAGES_PER_HOST, kb: 6, hosts: HOSTS, latency: LATENCY_MS }, null)
  const hub = await startHub(site, HOSTS)
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    CRAWL_CONCURRENCY: String(WIDTH),
    CRAWL_HOST_DELAY_MS: String(PAUSE_MS),
    EGRESS_ALLOW: '127.0.0.0/8',
  }
  const api = await startProduct(site.port, null, { ...env, ROLE: 'api' })
  const ofWorker = { ...env, ROLE: 'worker' }
  const all = [api, ...(await Promise.all(Array.from({ length: workers }, () => startProcess(site.port, null, ofWorker))))]
  try {
    await wakeAll(api, hub.url, [api], database.url, workers)
    await site.reset()
    const cpu = () => all.reduce((sum, { child }) => sum + costOf(child).cpuSeconds, 0)
    const [before, serverBefore] = [cpu(), serverCpu()]
    const options = {
      spider_options: { max_depth: 1000, page_limit: 1_000_000, concurrent_requests: WIDTH, allowed_domains: ['127.0.0.*'] },
      page_options: { ignore_rendering: true },
    }
    const { uuid } = await api.call<{ uuid: string }>('POST', '/api/v1/core/crawl-requests/', { url: hub.url, options })
    await waitFor(api, uuid)
    const stats = await site.stats()
    const pages = HOSTS * PAGES_PER_HOST
    if (stats['unique_pages'] !== pages) throw new Error(`${stats['unique_pages']} of ${pages} pages were fetched`)
    return {
      speed: (pages / stats['window_ms']!) * 1000,
      cpu: ((cpu() - before) / pages) * 1000,
      serverCpu: ((serverCpu() - serverBefore) / pages) * 1000,
      leastPauseMs: stats['least_pause_ms']!,
    }
  } finally {
    await Promise.all(all.map((each) => each.stop()))
    await Promise.all([site.stop(), hub.close(), database.drop(), redis.close()])
  }
}

/** A page with links to every host, so that all hosts are known from the beginning. */
export async function startHub(site: Site, hosts: number) {
  const links = Array.from({ length: hosts }, (_, host) => `<a href="http://127.0.0.${host + 1}:${site.port}/">host ${host + 1}</a>`)
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Hosts</title><main><p>All hosts.</p>${links.join(' ')}</main>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.255', resolve))
  return {
    url: `http://127.0.0.255:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/**
 * Starts all engines: each starts with its first work, so small crawls run until each has had some, and all have seen the others.
 *
 * @param processes  those with an API
 * @param engines    how many there will be
 */
export async function wakeAll(
  product: Product,
  url: string,
  processes: readonly { base: string }[],
  databaseUrl: string,
  engines = processes.length,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (;;) {
      for (const { base } of processes) {
        await waitFor(product, await startCrawl({ call: product.callAt(base) }, url, 1))
      }
      const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM engine')
      if (Number(rows[0]!.count) >= engines) return
    }
  } finally {
    await client.end()
  }
}

/** The same crawl of one host on one core, alternating between SQLite and PostgreSQL. */
async function narrowCrawls(rounds: number, serverCpu: () => number): Promise<void> {
  const ratios = { speed: [] as number[], cpu: [] as number[] }
  for (let round = 1; round <= rounds; round += 1) {
    const sqlite = await narrowCrawl({}, () => 0)
    const database = await emptyPostgresDatabase()
    const postgres = await narrowCrawl({ DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') }, serverCpu)
    await database.drop()
    ratios.speed.push(postgres.speed / sqlite.speed)
    ratios.cpu.push(sqlite.cpu / (postgres.cpu + postgres.serverCpu))
    console.log(
      `  round ${round}: SQLite ${sqlite.speed.toFixed(0)} pages/s, ${sqlite.cpu.toFixed(2)} CPU s per 1,000; PostgreSQL ${postgres.speed.toFixed(0)} pages/s, ${postgres.cpu.toFixed(2)} and ${postgres.serverCpu.toFixed(2)} of the database`,
    )
  }
  console.log(
    `one host, one core, ${NARROW.pages} pages of ${NARROW.kb} KB, median of ${rounds}: PostgreSQL makes ${median(ratios.speed).toFixed(2)} of the pages/s of SQLite, ${median(ratios.cpu).toFixed(2)} for the same processor with that of the database`,
  )
}

async function narrowCrawl(env: Record<string, string>, serverCpu: () => number) {
  const site = await startSite(NARROW, 1)
  const product = await startProduct(site.port, 0, env)
  try {
    await warmUp(product, site)
    const before = serverCpu()
    const { cpuSeconds, pages, seconds } = await crawlWhole(product, site, NARROW.pages)
    return { speed: pages / seconds, cpu: (cpuSeconds / pages) * 1000, serverCpu: ((serverCpu() - before) / pages) * 1000 }
  } finally {
    await product.stop()
    await site.stop()
  }
}
