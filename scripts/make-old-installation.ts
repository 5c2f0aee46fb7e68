/**
 * Creates the stored installation that `tests/upgrade/` opens: `node scripts/make-old-installation.ts CHECKOUT`.
 *
 * CHECKOUT is a built working copy of the older version (`git worktree add`, `npm ci`, `npm start` once). The script starts it, uses its
 * API, and kills it during a crawl; it keeps the database and the log of its last transactions as they were on the disk.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { constants, zstdCompressSync } from 'node:zlib'
import { install, login } from '#contract/accounts.ts'
import { createCrawl, getCrawl } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { createProxy } from '#contract/proxies.ts'
import { createSearch, getSearch } from '#contract/searches.ts'
import { createSitemap, getSitemap } from '#contract/sitemaps.ts'
import { createApiKey, currentTeam } from '#contract/teams.ts'
import { OLD_SITE, startOldSite } from '#tests/support/sites/old-site.ts'
import { until } from '#tests/support/until.ts'

// Only for this test database.
const SECRET_KEY = 'S6U62ybeN4dNOwZhweToeabASYAbzMbW+LYIrsdxnsML8cbf'
const OWNER = { email: 'ana@example.org', password: 'Correct-Horse-7!' }
const HEADER = 'a-secret-header-of-an-old-crawl'
const PROXY_PASSWORD = 'a-proxy-password'
/** Number of pages of the large part that are answered; requests for the others are open when the version is killed. */
const ANSWERED = 20

const checkout = process.argv[2]
if (checkout === undefined) throw new Error('Name the checkout: node scripts/make-old-installation.ts CHECKOUT')
const target = fileURLToPath(new URL('../tests/upgrade/fixtures/', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'seine-old-'))
const site = await startOldSite((path) => Number(/^\/large\/(\d+)$/.exec(path)?.[1] ?? 0) > ANSWERED)
const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { scripts: { start: string } }
const child = spawn(process.execPath, scripts.start.split(' ').slice(1), {
  cwd: checkout,
  // A process group of its own, so that the engine is killed at the same instant.
  detached: true,
  env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, EGRESS_ALLOW: '127.0.0.0/8', SECRET_KEY, WORKER_CONCURRENCY: '1' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const kill = () => process.kill(-child.pid!, 'SIGKILL')
process.once('exit', kill)
const url = await new Promise<string>((resolve) =>
  createInterface({ input: child.stdout }).on('line', (line) => {
    const address = / is ready: (\S+)$/.exec(line)?.[1]
    if (address !== undefined) resolve(address)
  }),
)

let headers: Record<string, string> = {}
await call('POST', install.path, OWNER)
const { access } = await call<{ access: string }>('POST', login.path, OWNER)
headers = { authorization: `Bearer ${access}` }
const { uuid: teamId } = await call<{ uuid: string }>('GET', currentTeam.path)
headers = { ...headers, 'x-team-id': teamId }
const { key } = await call<{ key: string }>('POST', createApiKey.path, { name: 'of the old version' })
headers = { 'x-api-key': key }
const proxy = {
  name: 'Old proxy',
  slug: 'old',
  proxy_type: 'http',
  host: '127.0.0.77',
  port: 18_078,
  username: 'ana',
  password: PROXY_PASSWORD,
}
await call('POST', createProxy.path, proxy, { authorization: `Bearer ${access}`, 'x-team-id': teamId })
const spider = { page_limit: 100, max_depth: 3 }
const small = await finished(createCrawl.path, getCrawl.path, {
  url: `${OLD_SITE}/small/`,
  options: { spider_options: spider, page_options: { extra_headers: { 'x-old-secret': HEADER } } },
})
const sitemap = await finished(createSitemap.path, getSitemap.path, { url: `${OLD_SITE}/small/` })
const search = await finished(createSearch.path, getSearch.path, { query: 'small' })
const large = await started({ url: `${OLD_SITE}/large/`, options: { spider_options: spider } })
await until(
  async () =>
    (await call<{ number_of_documents: number }>('GET', fillPath(getCrawl.path, { id: large }))).number_of_documents >= ANSWERED + 1,
)
const waiting = await started({ url: `${OLD_SITE}/late/1`, options: { spider_options: { page_limit: 1, max_depth: 0 } } })
process.off('exit', kill)
kill()
await new Promise((resolve) => child.once('close', resolve))
await site.close()

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim()
const facts = {
  commit,
  secretKey: SECRET_KEY,
  owner: OWNER,
  teamId,
  key,
  header: HEADER,
  proxy: proxy.name,
  runs: { small, sitemap, search, large, waiting },
}
for (const name of ['seine.db', 'seine.db-wal'])
  writeFileSync(
    join(target, `${name}.zst`),
    zstdCompressSync(readFileSync(join(dataDir, name)), { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  )
writeFileSync(join(target, 'installation.json'), `${JSON.stringify(facts, null, 2)}\n`)
rmSync(dataDir, { recursive: true, force: true })
console.log(`made by ${commit}:`, facts.runs)

async function call<T>(method: string, path: string, body?: unknown, withHeaders = headers): Promise<T> {
  const reply = await fetch(url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...withHeaders },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

async function started(body: object): Promise<string> {
  return (await call<{ uuid: string }>('POST', createCrawl.path, body)).uuid
}

async function finished(path: string, read: string, body: object): Promise<string> {
  const { uuid } = await call<{ uuid: string }>('POST', path, body)
  await until(async () => (await call<{ status: string }>('GET', fillPath(read, { id: uuid }))).status === 'finished')
  return uuid
}
