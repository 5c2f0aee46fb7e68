/** The life of runs in the engine: canceled at any moment, giving up places, resumed after a restart, broken, taken over. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { StoreTrouble } from '#backend/store/run-store.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import type { EngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { Site, SitePage } from '#tests/support/sites/site.ts'

const life = suite('the life of a run')
const open: { close(): Promise<void> }[] = []
life.after(async () => {
  for (const one of open.toReversed()) await one.close()
})

function engineWith(options: Parameters<typeof startEngineHarness>[0] = {}): EngineHarness {
  const engine = startEngineHarness(options)
  open.push(engine)
  return engine
}

async function site(pages: Record<string, SitePage>): Promise<Site> {
  const started = await startSite(pages)
  open.push(started)
  return started
}

const WIDE = { max_depth: 1000, page_limit: 1000 }
const many = (count: number, name: (n: number) => string) => Array.from({ length: count }, (_, n) => name(n))
/** A start page and `count` others, each linking to the next few. */
function chain(count: number, answer: (path: string) => SitePage = () => ''): Record<string, SitePage> {
  const pages: Record<string, SitePage> = { '/': pageOf('start', ['/p/0', '/p/1']) }
  for (let n = 0; n < count; n += 1) {
    const own = answer(`/p/${n}`)
    const html = pageOf(
      `page ${n}`,
      many(4, (step) => `/p/${(n + step + 1) % count}`),
    )
    pages[`/p/${n}`] = own === '' ? html : typeof own === 'object' ? { body: html, ...own } : own
  }
  return pages
}
const idOf = (engine: EngineHarness, run: number) => engine.rows<{ id: string }>('SELECT id FROM run WHERE no = ?', run)[0]!.id
const rowOf = (engine: EngineHarness, run: number) =>
  engine.rows<{ status: string; kept: number; token: number; slice_no: number; event_seq: number; ended_at: number | null }>(
    'SELECT * FROM run WHERE no = ?',
    run,
  )[0]!
const stop = (engine: EngineHarness, run: number, team = 'team') => engine.runs.stop(team, 'crawl', idOf(engine, run))
const swept = (engine: EngineHarness, run: number) =>
  engine.until(() => engine.rows('SELECT 1 FROM run_url WHERE run_no = ? AND state < 2', run).length === 0, 'all URLs have ended')

life('S-WRK-09 the call that stops a crawl answers after its end, and no more requests follow', async () => {
  const engine = engineWith()
  const gate = Promise.withResolvers<void>()
  const at = await site(chain(60, (path) => (Number(path.slice(3)) > 10 ? { until: gate.promise } : '')))
  const run = await engine.crawl(at.url('/'), { spider: WIDE })
  await at.asked('/p/12')
  // Pages that are not stored yet when the crawl is stopped are canceled.
  await engine.until(() => rowOf(engine, run).kept > 0, 'a page is stored')
  await stop(engine, run)
  const { status, kept } = rowOf(engine, run)
  assert.is(status, 'canceled')
  // A request that was on its way may be seen a little late, but not after the next one to the same site has been answered.
  const markers = async () => engine.ended(await engine.crawl(at.url('/p/1'), { spider: { max_depth: 0, page_limit: 1 } }))
  await markers()
  const asked = at.all.length
  gate.resolve()
  await swept(engine, run)
  await markers()
  assert.is(at.all.length, asked + 1)
  assert.is(rowOf(engine, run).kept, kept)
  assert.equal(engine.faults(run), [])
  const outcomes = engine
    .rows<{ outcome: string }>('SELECT DISTINCT outcome FROM run_url WHERE run_no = ?', run)
    .map(({ outcome }) => outcome)
  assert.equal(outcomes.toSorted(), ['canceled', 'kept'])
})

life('a crawl that waits for a place is canceled at once and never starts', async () => {
  const engine = engineWith({ settings: { runConcurrency: 1 } })
  const gate = Promise.withResolvers<void>()
  const at = await site({ '/held': { body: pageOf('held'), until: gate.promise }, '/': pageOf('start') })
  const first = await engine.crawl(at.url('/held'), { spider: WIDE })
  await at.asked('/held')
  const second = await engine.crawl(at.url('/'), { spider: WIDE })
  await stop(engine, second)
  assert.is(rowOf(engine, second).status, 'canceled')
  gate.resolve()
  await engine.ended(first)
  assert.is(at.times('/'), 0)
  assert.equal([engine.faults(first), engine.faults(second)], [[], []])
})

life('a stop after the end changes nothing', async () => {
  const engine = engineWith()
  const at = await site({ '/': pageOf('start') })
  const run = await engine.crawl(at.url('/'))
  const before = await engine.ended(run)
  await stop(engine, run)
  assert.equal(rowOf(engine, run), before)
})

life('each of a hundred and twenty crawls that are stopped just as they end has one end, and keeps it', async () => {
  const hints: { runNo: number; status: string }[] = []
  const engine = engineWith({ settings: { runConcurrency: 6 }, publish: (told) => hints.push(...told) })
  const at = await site(chain(8))
  const statuses = new Map<string, number>()
  let seed = 7
  const random = () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31
  for (let round = 0; round < 30; round += 1) {
    const runs: number[] = []
    for (let n = 0; n < 4; n += 1) runs.push(await engine.crawl(at.url('/'), { spider: { ...WIDE, page_limit: 9 } }))
    const after = Math.floor(random() * 40)
    await engine.until(() => at.hits.length >= after || runs.every((run) => rowOf(engine, run).ended_at !== null), 'some were fetched')
    at.forget()
    for (const run of runs) {
      if (random() < 0.5) await new Promise((resolve) => setImmediate(resolve))
      await stop(engine, run)
    }
    for (const run of runs) {
      const { status, event_seq: last } = await engine.ended(run)
      await swept(engine, run)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      assert.equal(engine.faults(run), [], `run ${run}, ${status}`)
      assert.is(rowOf(engine, run).event_seq, last)
      const ends = hints.filter(({ runNo, status: told }) => runNo === run && !['new', 'running', 'canceling'].includes(told))
      assert.ok(new Set(ends.map(({ status: told }) => told)).size <= 1, `run ${run} was told to have ended ${ends.length} times`)
    }
  }
  assert.is(
    [...statuses.values()].reduce((sum, count) => sum + count),
    120,
  )
  assert.equal(
    [...statuses.keys()].filter((status) => !['canceled', 'finished'].includes(status)),
    [],
  )
  assert.ok((statuses.get('canceled') ?? 0) >= 10, JSON.stringify([...statuses]))
})

life('three crawls take turns on one place, and none loses or doubles a page', async () => {
  const begun = performance.now()
  const start = Date.now()
  const engine = engineWith({ settings: { runConcurrency: 1 }, now: () => start + Math.round((performance.now() - begun) * 2) })
  const at = await site(chain(700))
  const runs: number[] = []
  for (let n = 0; n < 3; n += 1)
    runs.push(await engine.crawl(at.url('/'), { spider: { max_depth: 1000, page_limit: 701 }, teamId: n === 2 ? 'other' : 'team' }))
  for (const run of runs) {
    const row = await engine.ended(run)
    assert.equal([row.status, row.kept], ['finished', 701])
    assert.equal(engine.faults(run), [])
  }
  assert.ok(rowOf(engine, runs[0]!).slice_no > 1, 'the first was never interrupted')
  assert.is(at.hits.length, 3 * 701)
})

life('a crawl that is stopped between two turns ends without waiting for its next', async () => {
  const engine = engineWith()
  const gate = Promise.withResolvers<void>()
  const at = await site(chain(20, () => ({ until: gate.promise })))
  const run = await engine.crawl(at.url('/'), { spider: WIDE })
  await at.asked('/p/1')
  await engine.engine.close({ graceMs: 0 })
  // No engine holds the run now, as between two slices.
  const stopped = stop(engine, run)
  await engine.until(() => rowOf(engine, run).status === 'canceling', 'it is being stopped')
  await engine.reopen()
  await stopped
  await engine.until(() => rowOf(engine, run).status === 'canceled', 'it has ended')
  await swept(engine, run)
  gate.resolve()
  assert.equal(engine.faults(run), [])
})

life('a restarted engine resumes its runs, and fetches nothing twice', async () => {
  const engine = engineWith()
  const at = await site(chain(300))
  const run = await engine.crawl(at.url('/'), { spider: WIDE })
  for (const pages of [20, 90, 150, 220]) {
    await engine.until(() => rowOf(engine, run).kept >= pages, `${pages} pages`)
    await engine.reopen()
  }
  const row = await engine.ended(run)
  assert.equal([row.status, row.kept], ['finished', 301])
  assert.equal(engine.faults(run), [])
  // 16 in fetch and 8 in the parser at each restart.
  assert.ok(at.hits.length <= 301 + 4 * 24, `${at.hits.length} requests`)
})

life('the log says why a run ended, with how many pages and after how long', async () => {
  const ends: Record<string, unknown>[] = []
  const info = (facts: object, message: string) => void (message === 'run ended' && ends.push({ ...facts }))
  const engine = engineWith({ log: { info, warn: () => undefined, error: () => undefined } })
  const at = await site({ ...chain(3), '/gone': { status: 404 } })
  const limited = await engine.crawl(at.url('/'), { spider: { ...WIDE, page_limit: 2 } })
  await engine.ended(limited)
  const failed = await engine.crawl(at.url('/gone'))
  await engine.ended(failed)
  await engine.until(() => ends.length === 2, 'both ends')
  assert.ok(ends.every(({ workedMs }) => Number.isInteger(workedMs)))
  assert.equal(
    ends.map(({ pages, reason, run, status }) => ({ pages, reason, run, status })),
    [
      { pages: 2, reason: 'page_limit', run: idOf(engine, limited), status: 'finished' },
      { pages: 0, reason: 'no_start_url', run: idOf(engine, failed), status: 'failed' },
    ],
  )
})

life('an owner with an expired lease token changes no row and makes no more requests', async () => {
  const logged: string[] = []
  const log = { info: () => undefined, warn: (_: object, message: string) => logged.push(message), error: () => undefined }
  const engine = engineWith({ log })
  const gate = Promise.withResolvers<void>()
  const at = await site(chain(40, (path) => (Number(path.slice(3)) > 15 ? { until: gate.promise } : '')))
  const run = await engine.crawl(at.url('/'), { spider: WIDE })
  await at.asked('/p/17')
  await engine.until(() => rowOf(engine, run).kept >= 10, 'ten pages')
  // Another engine takes the run while the first owner works on pages, as after a long pause.
  engine.tables.prepare("UPDATE run SET token = token + 1, owner = 'another', lease_until = 0 WHERE no = ?").run(run)
  const asked = at.hits.length
  const before = rowOf(engine, run)
  const rows = engine.rows('SELECT count(*) n FROM run_url WHERE run_no = ? AND state = 2', run)
  gate.resolve()
  await engine.until(() => logged.includes('a run was taken by another owner'), 'the first owner notices')
  assert.equal(engine.rows('SELECT count(*) n FROM run_url WHERE run_no = ? AND state = 2', run), rows)
  assert.equal(
    [rowOf(engine, run).kept, rowOf(engine, run).event_seq, rowOf(engine, run).token],
    [before.kept, before.event_seq, before.token],
  )
  assert.ok(at.hits.length - asked <= 40)
  // The tables say that the run is unfinished and that no engine holds it: it is taken again and ends.
  const row = await engine.ended(run)
  assert.equal([row.status, row.kept], ['finished', 41])
  assert.equal(engine.faults(run), [])
})

life('a run that cannot be written breaks without affecting others, and ends if retries fail', async () => {
  const begun = performance.now()
  const start = Date.now()
  const engine = engineWith({ now: () => start + Math.round((performance.now() - begun) * 20) })
  const at = await site({ ...chain(12), '/sick': pageOf('sick', ['/p/3']) })
  engine.refusePages('/sick')
  const sick = await engine.crawl(at.url('/sick'), { spider: WIDE })
  const well = await engine.crawl(at.url('/'), { spider: { ...WIDE, page_limit: 10 } })
  assert.equal([(await engine.ended(well)).status, rowOf(engine, well).kept], ['finished', 10])
  const row = await engine.ended(sick)
  assert.equal([row.status, row['reason'], row.kept], ['failed', 'internal', 0])
  await swept(engine, sick)
  assert.is(at.times('/sick'), 3)
  assert.equal([engine.faults(sick), engine.faults(well)], [[], []])
})

life('a database that cannot be read for a moment costs no URL: the rules of a host are read when it works again', async () => {
  let refusals = 2
  const engine = engineWith({
    around: (store) => ({
      ...store,
      robots: async (key) => {
        if (refusals-- > 0) throw new StoreTrouble(new Error('too many connections'), { isFull: false })
        return store.robots(key)
      },
    }),
  })
  const at = await site(chain(3))
  const run = await engine.crawl(at.url('/'), { spider: WIDE })
  const row = await engine.ended(run)
  assert.equal([row.status, row.kept, engine.faults(run)], ['finished', 4, []])
})

life.run()
