/** The product with its state in a PostgreSQL, as processes: crawls, kills, a server that is lost, and two installations on one database. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createApiKey, currentTeam } from '#contract/teams.ts'
import { install, login } from '#contract/accounts.ts'
import { until } from '#tests/support/until.ts'
import { postgresDatabase, startPostgres } from '#tests/support/stubs/postgres.ts'

const OWNER = { email: 'ana@example.org', password: 'Correct-Horse-7!' }
const SECRET_KEY = randomBytes(32).toString('hex')
const PAGES = 60

const product = suite('the product over PostgreSQL')

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
async function start(databaseUrl: string, dataDir: string) {
  const child = spawn(process.execPath, ['gateway/main.ts'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      SECRET_KEY,
      EGRESS_ALLOW: '127.0.0.1',
      CRAWL_HOST_DELAY_MS: '0',
      LOG_LEVEL: 'error',
      CHROMIUM_PATH: 'none',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => void said.push(line))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`it ended: ${said.join('\n')}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = / is ready: (\S+)$/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, name)
    } catch {
      // All of its processes have ended.
    }
  }
  const end = async (name: NodeJS.Signals) => {
    signal(name)
    await exited
    signal('SIGKILL')
  }
  return { url, signal, kill: () => end('SIGKILL'), close: () => end('SIGTERM') }
}

async function ask(
  base: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
) {
  const reply = await fetch(base + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  return { status: reply.status, body: (await reply.json().catch(() => null)) as Record<string, never> & Record<string, unknown> }
}

/** Gives the headers of a team's key. */
async function keyOf(base: string): Promise<Record<string, string>> {
  await ask(base, 'POST', install.path, { body: OWNER })
  const { access } = (await ask(base, 'POST', login.path, { body: OWNER })).body
  const authorization = `Bearer ${String(access)}`
  const team = (await ask(base, 'GET', currentTeam.path, { headers: { authorization } })).body
  const headers = { authorization, 'x-team-id': String(team['uuid']) }
  const { key } = (await ask(base, 'POST', createApiKey.path, { headers, body: { name: 'test' } })).body
  return { 'x-api-key': String(key) }
}

const CRAWLS = '/api/v1/core/crawl-requests/'

async function crawl(base: string, key: Record<string, string>, url: string): Promise<string> {
  const reply = await ask(base, 'POST', CRAWLS, {
    headers: key,
    body: { url, options: { spider_options: { page_limit: 1000, max_depth: 2 }, page_options: {} } },
  })
  assert.is(reply.status, 201)
  return String(reply.body['uuid'])
}

const statusOf = async (base: string, key: Record<string, string>, id: string) =>
  (await ask(base, 'GET', `${CRAWLS}${id}/`, { headers: key }).catch(() => null))?.body?.['status']

const isFinished = (base: string, key: Record<string, string>, id: string) => async () => (await statusOf(base, key, id)) === 'finished'

/** What must hold of a crawl of the whole site: each page once, counters that are those of the rows. */
async function checkRun(databaseUrl: string, id: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<Record<string, string>>(
    `SELECT kept, known, settled, (SELECT count(*) FROM page WHERE run_no = run.no) AS pages,
      (SELECT count(DISTINCT url) FROM page WHERE run_no = run.no) AS urls,
      (SELECT count(*) FROM page JOIN page_body ON page_no = page.no WHERE run_no = run.no) AS bodies,
      (SELECT used FROM credit_entry WHERE run_no = run.no) AS used,
      (SELECT count(*) FROM job WHERE kind = 'crawl') AS jobs
      FROM run WHERE id = $1`,
    [id],
  )
  await client.end()
  const expected = String(PAGES + 1)
  const { known, settled, ...counts } = rows[0]!
  assert.equal(counts, { kept: expected, pages: expected, urls: expected, bodies: expected, used: expected, jobs: '0' })
  assert.is(settled, known)
}

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

product('killed in the middle of a crawl it goes on where it was: each page once, and its words are found', () =>
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
    await checkRun(databaseUrl, id)
    const search = async () => (await ask(second.url, 'GET', '/api/v1/core/own-pages/search/?q=%22page+7%22', { headers: key })).body
    await until(async () => Number((await search())?.['count']) > 0)
    await second.close()
    await site.close()
  }),
)

product('of two on one database each does some of the crawls; when one is killed the other ends them', () =>
  withDatabase(async (databaseUrl, folder) => {
    const site = await startSite()
    const [one, two] = [await start(databaseUrl, folder()), await start(databaseUrl, folder())]
    const key = await keyOf(one.url)
    const ids = [await crawl(one.url, key, site.url), await crawl(two.url, key, site.url), await crawl(one.url, key, site.url)]
    await until(async () => site.asked.length > 15)
    await one.kill()
    for (const id of ids) await until(isFinished(two.url, key, id))
    for (const id of ids) await checkRun(databaseUrl, id)
    await two.close()
    await site.close()
  }),
)

product('F14 F15 a server that restarts or hangs: calls are 503 meanwhile, and the crawl is finished with each page once', async () => {
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
  // Sessions that were open answer while the first process of the server is stopped: new ones do not.
  assert.ok([201, 503].includes(hung.status), String(hung.status))
  await server.restart!()
  await until(isFinished(running.url, key, id))
  await checkRun(databaseUrl, id).catch(async (fault: unknown) => {
    // The call during the stop may have made a second crawl, whose job waits.
    if (hung.status !== 201) throw fault
    await until(isFinished(running.url, key, String(hung.body['uuid'])))
    await checkRun(databaseUrl, id)
  })
  await running.close()
  await server.stop()
  await site.close()
  rmSync(dataDir, { recursive: true, force: true })
})

product.run()
