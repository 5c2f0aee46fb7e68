/** The engine as a process, killed and ended in the middle of its work: the stored data stays right, and the crawl goes on. */
import { fork, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { install, login } from '#contract/accounts.ts'
import { createCrawl } from '#contract/crawls.ts'
import type { FromEngine, ToEngine } from '#backend/engine-host.ts'
import { openSqlite } from '#backend/platform/database/sqlite.ts'
import { engineSettings, faultsOf, startEngineHarness } from '#tests/support/engine/engine.ts'
import { cleanEnvironment } from '#tests/support/environment.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { Site, SitePage } from '#tests/support/sites/site.ts'
import { aboutFiles } from '#tests/support/test-state.ts'

const NO_WEB_SEARCH = { searxng: null, brave: null, google: null, order: null, userAgent: 'test' }
const resume = suite('a crawl that is interrupted')
/** Open resources of a failed test; closing twice does nothing. */
const opened: { close: () => Promise<unknown> }[] = []
resume.after(async () => {
  for (const one of opened) await one.close().catch(() => undefined)
})
const root = fileURLToPath(new URL('../../..', import.meta.url))

const PAGES = 500
const KILLS = 24
const CONCURRENCY = 6
/** Pages that may wait for a parser or for a commit besides those in fetch. */
const WAITING = 30

/** 500 pages: each links to eight children and to pages that are long known. */
function bigSite(): Promise<Site> {
  const pages: Record<string, SitePage> = {}
  for (let n = 0; n < PAGES; n += 1) {
    const links = [0, 1, 2, 3, 4, 5, 6, 7].map((child) => 8 * n + child + 1).filter((child) => child < PAGES)
    const body = pageOf(
      `page ${n}`,
      [...links, n >> 1, (n * 7) % PAGES].map((to) => (to === 0 ? '/' : `/p/${to}`)),
    )
    pages[n === 0 ? '/' : `/p/${n}`] = { body, afterMs: 2 }
  }
  return startSite(pages)
}

function repeatable(seed: number) {
  let state = seed
  return () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) / 2 ** 32
}

aboutFiles(resume)('kill -9 at 24 random moments: each page is stored once, and no commit is lost', async () => {
  const seed = Number(process.env['SEED'] ?? randomBytes(3).readUIntBE(0, 3))
  console.log(`\nSEED=${seed}`)
  const random = repeatable(seed)
  const site = await bigSite()
  const harness = startEngineHarness({ engine: false })
  opened.push(harness, site)
  const run = await harness.crawl(site.url('/'), { spider: { max_depth: 100, page_limit: 1000, concurrent_requests: CONCURRENCY } })
  let again = 0
  let resumed = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const engine = startEngine(harness.place)
    // Sometimes before the first request, mostly in the middle of the work.
    const target = site.hits.length + (random() < 0.1 ? 0 : 1 + Math.floor(random() * 34))
    const urls = new Set(site.paths())
    const before = site.hits.length
    await engine.ready
    await harness.until(() => site.hits.length >= target || isOver(), 'some pages were asked for')
    for (let turns = Math.floor(random() * 40); turns > 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve))
    await engine.kill()
    if (isOver()) break
    resumed += 1
    again += site
      .paths()
      .slice(before)
      .filter((path) => urls.has(path)).length
    assert.equal(faultsOf(harness.tables, run), [], `after kill ${kill + 1}, SEED=${seed}`)
    // If some lives were too short to fetch lost pages again, a later life does it for all of them.
    assert.ok(again <= resumed * (CONCURRENCY + WAITING), `${again} pages fetched again after ${resumed} kills, SEED=${seed}`)
  }
  assert.ok(resumed >= 20, `only ${resumed} kills hit the crawl`)
  const last = startEngine(harness.place)
  await harness.until(isOver, 'the crawl has ended')
  await last.close()
  const row = harness.rows<{ status: string; kept: number; token: number }>('SELECT status, kept, token FROM run WHERE no = ?', run)[0]!
  assert.equal([row.status, row.kept], ['finished', PAGES])
  assert.equal(faultsOf(harness.tables, run), [])
  assert.equal(harness.tables.prepare('PRAGMA integrity_check').get(), { integrity_check: 'ok' })
  const stored = harness.rows<{ url: string }>('SELECT url FROM page WHERE run_no = ?', run).map(({ url }) => url)
  assert.is(new Set(stored).size, PAGES)
  assert.ok(site.hits.length <= PAGES + KILLS * (CONCURRENCY + WAITING), `${site.hits.length} requests`)
  await harness.close()
  await site.close()

  function isOver() {
    return harness.rows('SELECT 1 FROM run WHERE no = ? AND ended_at IS NOT NULL', run).length > 0
  }
})

resume('pages that wait for the store count as open requests, which limits how many pages are fetched again after a crash', async () => {
  const links = Array.from({ length: 200 }, (_, n) => `/p/${n}`)
  const pages: Record<string, SitePage> = { '/': { body: pageOf('all', links) } }
  for (const link of links) pages[link] = { body: pageOf(link, []) }
  const site = await startSite(pages)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let isHeld = false
  const harness = startEngineHarness({
    around: (store) => ({
      ...store,
      commit: async (...wanted) => {
        if (isHeld) await released
        const written = await store.commit(...wanted)
        // The start page is committed, and nothing after it.
        isHeld ||= site.hits.length > 1
        return written
      },
    }),
  })
  const run = await harness.crawl(site.url('/'), { spider: { max_depth: 2, page_limit: 1000, concurrent_requests: CONCURRENCY } })
  const kept = () => harness.rows<{ kept: number }>('SELECT kept FROM run WHERE no = ?', run)[0]!.kept
  await harness.until(() => isHeld, 'a commit was made while pages are fetched')
  const committed = kept()
  const pagesAsked = () => site.paths().filter((path) => pages[path] !== undefined).length
  await harness.until(() => pagesAsked() - committed >= CONCURRENCY + WAITING, 'as many pages were asked for as may be')
  // An engine that wants more asks as soon as a page is read.
  for (let request = 0; request < 20; request += 1) await fetch(site.url('/robots.txt')).then((answer) => answer.text())
  assert.is(pagesAsked() - committed, CONCURRENCY + WAITING)
  release()
  await harness.until(() => kept() === 201, 'the rest is fetched')
  assert.is(pagesAsked(), 201, 'and nothing twice')
  await harness.close()
  await site.close()
})

resume('an engine whose parent has ended ends too', async () => {
  const harness = startEngineHarness({ engine: false })
  const engine = startEngine(harness.place)
  await engine.ready
  engine.child.disconnect()
  assert.is(await engine.exit, 0)
  await harness.close()
})

resume('the product exits with 0 on SIGTERM during a crawl, and resumes the crawl after SIGTERM and after kill -9', async () => {
  const site = await bigSite()
  const gate = Promise.withResolvers<void>()
  // A page that is never answered must not delay the end.
  site.pages['/p/40'] = { body: pageOf('page 40'), until: gate.promise }
  const dataDir = mkdtempSync(join(tmpdir(), 'seine-resume-'))
  let product = await startProduct(dataDir)
  const owner = { email: 'ana@example.org', password: 'Correct-Horse-7!' }
  await post(product.url + install.path, owner, 204)
  const { access } = (await post(product.url + login.path, owner, 200)) as { access: string }
  const options = {
    spider_options: { max_depth: 100, page_limit: 1000, concurrent_requests: 4 },
    page_options: { ignore_rendering: true, timeout: 60_000 },
  }
  await post(product.url + createCrawl.path, { url: site.url('/'), options }, 201, access)
  await site.asked('/p/60')
  assert.is(await product.end('SIGTERM'), 0)
  const file = join(dataDir, 'seine.db')
  check(false)
  const afterStop = site.hits.length
  product = await startProduct(dataDir)
  await site.asked('/p/150')
  assert.ok(site.hits.length > afterStop)
  await product.end('SIGKILL')
  check(false)
  gate.resolve()
  product = await startProduct(dataDir)
  const connection = openSqlite(file, { cacheMiB: 4 })
  const late = performance.now() + 60_000
  while ((connection.prepare('SELECT ended_at FROM run').get() as { ended_at: number | null }).ended_at === null) {
    assert.ok(performance.now() < late, 'the crawl did not end')
    await site.asked('/', site.times('/') + 1, 50).catch(() => undefined)
  }
  connection.close()
  assert.is(await product.end('SIGTERM'), 0)
  check(true)
  rmSync(dataDir, { recursive: true, force: true })
  await site.close()

  function check(isOver: boolean) {
    const own = openSqlite(file, { cacheMiB: 4 })
    // One snapshot: for a moment after its parent was killed, the engine may still commit.
    own.exec('BEGIN')
    const row = own.prepare('SELECT status, kept FROM run').get() as { status: string; kept: number }
    assert.is(row.status, isOver ? 'finished' : 'running')
    if (isOver) assert.is(row.kept, PAGES)
    assert.equal(faultsOf(own, 1), [])
    own.exec('COMMIT')
    assert.is(own.pragma('integrity_check', { simple: true }), 'ok')
    own.close()
  }
})

/** The engine's process, as the API starts it. */
function startEngine(database: string) {
  const child: ChildProcess = fork(join(root, 'backend/engine-process.ts'), [], { execArgv: [], serialization: 'advanced' })
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (message: FromEngine) => message.type === 'ready' && resolve())
    void exit.then((code) => reject(new Error(`the engine ended with ${code}`)))
  })
  ready.catch(() => undefined)
  const say = (message: ToEngine) => child.send(message)
  say({
    type: 'start',
    database,
    settings: engineSettings({ hostConcurrency: CONCURRENCY }),
    search: NO_WEB_SEARCH,
    proxyKey: Buffer.alloc(32),
    secretsKey: Buffer.alloc(32, 7),
    isAfterCrash: false,
  })
  return {
    child,
    ready,
    exit,
    async kill() {
      child.kill('SIGKILL')
      await exit
    },
    async close() {
      say({ type: 'close', graceMs: 0 })
      await exit
    },
  }
}

async function startProduct(dataDir: string) {
  const child = spawn(process.execPath, [join(root, 'gateway/main.ts')], {
    cwd: root,
    env: cleanEnvironment({
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      EGRESS_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'error',
    }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    void exit.then((code) => reject(new Error(`the product ended with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const at = / is ready: (\S+)$/.exec(line)?.[1]
      if (at !== undefined) resolve(at)
    })
  })
  return {
    url,
    async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
      child.kill(signal)
      return exit
    },
  }
}

async function post(url: string, body: object, status: number, access?: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(access === undefined ? {} : { authorization: `Bearer ${access}` }) }
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await reply.text()
  assert.is(reply.status, status, text)
  return text === '' ? null : JSON.parse(text)
}

resume.run()
