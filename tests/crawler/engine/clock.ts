/** The clock is set forward or back during a crawl or while the server is down: nothing waits longer or ends earlier because of it. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSqliteRunStore } from '#backend/store/sqlite/sqlite-run-store.ts'
import { createHosts } from '#backend/crawler/frontier/hosts.ts'
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import type { EngineHarness } from '#tests/support/engine/engine.ts'
import { openMigrated } from '#tests/support/migrated.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { Site, SitePage } from '#tests/support/sites/site.ts'

const clocks = suite('the clock')

const HOURS = 3_600_000
const engines: EngineHarness[] = []
const sites: Site[] = []
clocks.after(async () => {
  await Promise.all(engines.map((engine) => engine.close()))
  await Promise.all(sites.map((site) => site.close()))
})

async function site(pages: Record<string, SitePage>): Promise<Site> {
  const started = await startSite(pages)
  sites.push(started)
  return started
}

/** An engine whose time passes a hundred times as fast, and whose clock of the day a test sets by `set`. */
function engineWithSettableClock() {
  const [start, begun] = [Date.now(), performance.now()]
  const steady = () => start + Math.round((performance.now() - begun) * 100)
  let shift = 0
  const engine = startEngineHarness({ now: () => steady() + shift, steady, settings: { maxJobSeconds: 100_000 } })
  engines.push(engine)
  return { engine, set: (by: number) => (shift = by) }
}

const DELAYED = {
  '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 10\n', headers: { 'content-type': 'text/plain' } },
  '/': pageOf('start', ['/a', '/b', '/c']),
  '/a': pageOf('a'),
  '/b': pageOf('b'),
  '/c': pageOf('c'),
}
const WIDE = { max_depth: 10, page_limit: 100 }

for (const [direction, shift] of [
  ['back', -2 * HOURS],
  ['forward', 40 * HOURS],
] as const) {
  clocks(`O6: setting the clock ${direction} during a crawl with a crawl delay changes nothing`, async () => {
    const { engine, set } = engineWithSettableClock()
    const at = await site(DELAYED)
    const run = await engine.crawl(at.url('/'), { spider: WIDE })
    await engine.until(() => engine.rows('SELECT 1 FROM run WHERE no = ? AND kept >= 1', run).length === 1, 'a page is kept')
    set(shift)
    const row = await engine.ended(run, 15_000)
    assert.equal([row.status, row['reason'], row.kept], ['finished', 'drained', 4])
    assert.is(at.mostAtOnce(), 1)
  })

  clocks(`O6: setting the clock ${direction} while the server is down delays neither hosts nor retries`, async () => {
    const { engine, set } = engineWithSettableClock()
    const at = await site({
      ...DELAYED,
      '/': pageOf('start', ['/a', '/b', '/broken']),
      // Its wait lasts a real second, so a busy machine sees it too.
      '/broken': (_request, times) => (times === 1 ? { status: 503, headers: { 'retry-after': '100' } } : pageOf('repaired')),
    })
    const run = await engine.crawl(at.url('/'), { spider: WIDE })
    const isWaiting = () => engine.rows('SELECT 1 FROM run_url WHERE run_no = ? AND state = 1', run).length === 1
    await engine.until(isWaiting, 'a URL waits for its second try')
    set(shift)
    await engine.reopen()
    const row = await engine.ended(run, 15_000)
    assert.equal([row.status, row['reason'], row.kept], ['finished', 'drained', 4])
    assert.equal(engine.faults(run), [])
  })
}

clocks('O6: the time limit of a crawl counts working time, across restarts and clock changes', async () => {
  let passed = 0
  let shift = 0
  const steady = () => Date.now() + passed
  const engine = startEngineHarness({ settings: { maxJobSeconds: 100 }, now: () => steady() + shift, steady })
  engines.push(engine)
  const gate = Promise.withResolvers<void>()
  const at = await site({ '/': pageOf('start', ['/slow', '/b']), '/slow': { until: gate.promise }, '/b': pageOf('b') })
  const run = await engine.crawl(at.url('/'), { spider: WIDE })
  await engine.until(() => engine.rows('SELECT 1 FROM run WHERE no = ? AND kept = 2', run).length === 1, 'two pages are kept')
  passed = 60_000
  await engine.reopen()
  // A month in which the server was down does not count as work.
  shift = 720 * HOURS
  await at.asked('/slow', 2)
  assert.is(engine.rows('SELECT 1 FROM run WHERE no = ? AND ended_at IS NULL', run).length, 1)
  passed = 120_000
  const row = await engine.ended(run)
  gate.resolve()
  assert.equal([row['reason'], row.kept], ['time_limit', 2])
})

// ---- rows of hosts

const storeOver = (connection: SqliteConnection) =>
  createSqliteRunStore({ connection, kinds: ['crawl'], owner: 'engine', now: () => 0, newId: () => '' })

function hostsOver(connection: SqliteConnection, clock: { wall: number; steady: number }) {
  return createHosts({
    addressOf: () => null,
    store: storeOver(connection),
    limits: { concurrency: 4, delayMs: 0 },
    clock: { wall: () => clock.wall, steady: () => clock.steady },
    random: () => 0.5,
    report: (message, cause) => {
      throw new Error(message, { cause })
    },
  })
}

const KEY = 'http://a.test:80'
/** An engine that has learned something about a host, and a later one that starts with its rows. */
async function restarted(learn: (hosts: ReturnType<typeof hostsOver>) => void, { afterMs, shift }: { afterMs: number; shift: number }) {
  const connection = openMigrated()
  const first = hostsOver(connection, { wall: 10 * HOURS, steady: 500 })
  first.get(KEY)
  await first.loaded()
  learn(first)
  await storeOver(connection).commit([], first.takeChanges())
  const steady = 9000
  const second = hostsOver(connection, { wall: 10 * HOURS + afterMs + shift, steady })
  second.get(KEY)
  await second.loaded()
  const result = {
    host: second.get(KEY),
    robots: await second.loadRobots(KEY),
    opensInMs: second.opensAt(second.get(KEY)) - steady,
    steady,
  }
  connection.close()
  return result
}
const tooMuch = (retryAfterMs: number | null) => (hosts: ReturnType<typeof hostsOver>) => {
  hosts.start(hosts.get(KEY))
  hosts.end(hosts.get(KEY), { kind: 'busy', retryAfterMs })
}

clocks('the back-off of a host (penalty, width and closing) survives a restart for ten minutes', async () => {
  const soon = await restarted(tooMuch(null), { afterMs: 300, shift: 0 })
  assert.equal([soon.host.state.penaltyMs, soon.host.state.width, soon.opensInMs], [1000, 1, 700])
  const later = await restarted(tooMuch(null), { afterMs: HOURS, shift: 0 })
  assert.equal([later.host.state.penaltyMs, later.host.state.width], [0, 2])
  assert.ok(later.opensInMs <= 0)
  assert.is((await restarted(tooMuch(60_000), { afterMs: 10_000, shift: 0 })).opensInMs, 50_000)
})

clocks('O6: after the clock was set back, no stored instant is further away than its longest possible wait', async () => {
  const penalty = await restarted(tooMuch(null), { afterMs: 0, shift: -2 * HOURS })
  assert.ok(penalty.opensInMs <= 1200, `${penalty.opensInMs}`)
  assert.is(penalty.host.state.penaltyMs, 1000)
  assert.is((await restarted(tooMuch(60_000), { afterMs: 0, shift: -2 * HOURS })).opensInMs, 120_000)
  const silent = { robots: null, readAt: 0, until: 500 + 60_000, failures: 1 }
  const { robots, steady } = await restarted((hosts) => hosts.saveRobots(KEY, silent), { afterMs: 1000, shift: -2 * HOURS })
  assert.is(robots!.until - steady, 60_000)
  const rules = { robots: { rules: [], crawlDelayMs: null, sitemaps: [] }, readAt: 500, until: 500 + 24 * HOURS, failures: 0 }
  const back = await restarted((hosts) => hosts.saveRobots(KEY, rules), { afterMs: HOURS, shift: -2 * HOURS })
  assert.equal([back.robots!.until - back.steady, back.robots!.readAt - back.steady], [24 * HOURS, 0])
  const usual = await restarted((hosts) => hosts.saveRobots(KEY, rules), { afterMs: HOURS, shift: 0 })
  assert.equal([usual.robots!.until - usual.steady, usual.robots!.readAt - usual.steady], [23 * HOURS, -HOURS])
})

clocks.run()
