/** The product with its state in a PostgreSQL, as processes: crawls, kills, a server that is lost, and two installations on one database. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '#tests/support/until.ts'
import { ask, checkRun, crawl, CRAWLS, isFinished, keyOf, startProcess } from '#tests/support/scale/processes.ts'
import { postgresDatabase, startPostgres } from '#tests/support/stubs/postgres.ts'

const SECRET_KEY = randomBytes(32).toString('hex')
const PAGES = 60

const product = suite('the product on PostgreSQL')

/** A site of `PAGES` pages in a row of tens, which notes what was asked. */
async function startSite() {
  const asked: string[] = []
  const server = createServer((request, reply) => {
    const path = request.url ?? '/'
    if (path === '/robots.txt') return void reply.writeHead(404).end()
    asked.push(path)
    const links = Array.from({ length: PAGES }, (_, at) => `<a href="/page/${at}">page ${at}</a>`).join(' ')
    reply.writeHead(200, { 'content-type': 'text/html' })
    setTimeout(
      () =>
        reply.end(
          `<html><title>${path}</title><body><main><p>Words of ${path}, enough of them to be kept.</p>${links}</main></body></html>`,
        ),
      20,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))),
  }
}

/** Starts it over a data folder; `kill` ends all of its processes at once. */
const start = (databaseUrl: string, dataDir: string) =>
  startProcess(['gateway/main.ts'], {
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SECRET_KEY,
    EGRESS_ALLOW: '127.0.0.1',
    CRAWL_HOST_DELAY_MS: '0',
    LOG_LEVEL: 'error',
    CHROMIUM_PATH: 'none',
  })

async function withDatabase(work: (databaseUrl: string, folder: () => string) => Promise<void>) {
  const folders: string[] = []
  const { drop, url } = await postgresDatabase()
  try {
    await work(url, () => {
      folders.push(mkdtempSync(join(tmpdir(), 'seine-pg-product-')))
      return folders.at(-1)!
    })
  } finally {
    await drop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

product('a product that is killed in the middle of a crawl resumes it: each page is stored once, and its words are found', () =>
  withDatabase(async (databaseUrl, folder) => {
    const site = await startSite()
    const dataDir = folder()
    const first = await start(databaseUrl, dataDir)
    const key = await keyOf(first.url)
    const id = await crawl(first.url, key, site.url)
    await until(async () => site.asked.length > 15)
    await first.kill()
    const second = await start(databaseUrl, dataDir)
    await until(isFinished(second.url, key, id))
    await checkRun(databaseUrl, id, PAGES + 1)
    const search = async () => (await ask(second.url, 'GET', '/api/v1/core/own-pages/search/?q=%22page+7%22', { headers: key })).body
    await until(async () => Number((await search())?.['count']) > 0)
    await second.close()
    await site.close()
  }),
)

product('two products on one database share the crawls; when one is killed the other finishes them', () =>
  withDatabase(async (databaseUrl, folder) => {
    const site = await startSite()
    const [one, two] = [await start(databaseUrl, folder()), await start(databaseUrl, folder())]
    const key = await keyOf(one.url)
    const ids = [await crawl(one.url, key, site.url), await crawl(two.url, key, site.url), await crawl(one.url, key, site.url)]
    await until(async () => site.asked.length > 15)
    await one.kill()
    for (const id of ids) await until(isFinished(two.url, key, id))
    for (const id of ids) await checkRun(databaseUrl, id, PAGES + 1)
    await two.close()
    await site.close()
  }),
)

product('F14 F15 calls get 503 while the server restarts or hangs, and the crawl finishes with each page once', async () => {
  const server = await startPostgres()
  const { url: databaseUrl } = await postgresDatabase(server)
  const site = await startSite()
  const dataDir = mkdtempSync(join(tmpdir(), 'seine-pg-product-'))
  const running = await start(databaseUrl, dataDir)
  const key = await keyOf(running.url)
  const id = await crawl(running.url, key, site.url)
  await until(async () => site.asked.length > 5)
  const { pid } = server
  process.kill(pid!, 'SIGSTOP')
  const hung = await ask(running.url, 'POST', CRAWLS, { headers: key, body: { url: site.url } })
  process.kill(pid!, 'SIGCONT')
  // While the first process of the server is stopped, open sessions work, new ones do not.
  assert.ok([201, 503].includes(hung.status), String(hung.status))
  await server.restart!()
  await until(isFinished(running.url, key, id))
  await checkRun(databaseUrl, id, PAGES + 1).catch(async (fault: unknown) => {
    // The call during the stop may have made a second crawl, whose job waits.
    if (hung.status !== 201) throw fault
    await until(isFinished(running.url, key, String(hung.body['uuid'])))
    await checkRun(databaseUrl, id, PAGES + 1)
  })
  await running.close()
  await server.stop()
  await site.close()
  rmSync(dataDir, { recursive: true, force: true })
})

product.run()
