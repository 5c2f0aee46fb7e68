/** Schedules start crawls at their times: once, and never two of one schedule side by side. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCrawl, listCrawls, stopCrawl } from '#contract/crawls.ts'
import { createProxy, deleteProxy } from '#contract/proxies.ts'
import { changeSchedule, createSchedule, deleteSchedule, getSchedule, runSchedule } from '#contract/schedules.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import type { Clock } from '#tests/support/clock.ts'
import { until } from '#tests/support/until.ts'

const starts = suite('starts of scheduled crawls')

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.parse('2026-11-27T12:00:00Z')

type Stage = { app: App; clock: Clock; key: string; me: Caller; id: string; look: () => Promise<void> }

/** An app with one schedule, for each night at three. */
async function onStage(work: (stage: Stage) => Promise<void>, crawl: object = {}): Promise<void> {
  const clock = createClock(NOON)
  const beats = new Set<() => void>()
  const app = await startApp({
    clock,
    every: (_ms, call) => {
      beats.add(call)
      return () => void beats.delete(call)
    },
  })
  try {
    // A key stays valid when the clock moves; a session ends.
    const me = await app.signIn()
    const { apiKey: key } = me
    const { uuid } = (await app.call(createCrawl, { key, body: { url: 'http://127.0.0.1:8080/', ...crawl } })).body
    const made = await app.call(createSchedule, { key, body: { crawl: uuid, name: 'Nightly', cron: '0 3 * * *' } })
    const id = made.body.uuid
    await work({ app, clock, key, me, id, look })

    /** Lets the loops look once; resolves when nothing is due any more. */
    async function look() {
      for (const beat of beats) beat()
      await until(async () => (await dueOf(app, clock)) === 0)
    }
  } finally {
    await app.close()
  }
}

async function dueOf({ backend: { database } }: App, clock: Clock): Promise<number> {
  const due = await database.selectFrom('crawlSchedule').where('nextAt', '<=', clock.now()).select('id').execute()
  return due.length
}

const read = async ({ app, id, key }: Stage) => (await app.call(getSchedule, { key, params: { id } })).body
const crawlsOf = async ({ app, id, key }: Stage) => (await app.call(listCrawls, { key, query: { schedule: id } })).body.results
const endAll = ({ app }: Stage) => app.backend.database.updateTable('run').set({ status: 'finished', endedAt: 1 }).execute()

starts('a crawl starts when its time has come, and once', async () => {
  await onStage(async (stage) => {
    const { clock, look } = stage
    clock.advance(15 * HOUR)
    await Promise.all([look(), look()])
    const [crawl, ...others] = await crawlsOf(stage)
    assert.equal([crawl?.url, others.length], ['http://127.0.0.1:8080/', 0])
    const { last_crawl: last, last_problem: problem, next_crawl_at: next } = await read(stage)
    assert.equal([last?.uuid, problem, next], [crawl?.uuid, null, '2026-11-29T03:00:00.000000Z'])
  })
})

/** A process that starts the crawl of 3 o'clock, and ends before it plans the next one. */
async function startWithoutPlan({ app, clock, look }: Stage) {
  clock.advance(15 * HOUR)
  await look()
  await app.backend.database
    .updateTable('crawlSchedule')
    .set({ nextAt: NOON + 15 * HOUR })
    .execute()
}

starts('F25 a process that ends between a start and the next plan starts nothing twice', async () => {
  await onStage(async (stage) => {
    await startWithoutPlan(stage)
    await endAll(stage)
    await stage.look()
    assert.is((await crawlsOf(stage)).length, 1)
  })
})

starts('F25 a process that ends between a start and the next plan reports no crawl in progress before', async () => {
  await onStage(async (stage) => {
    await startWithoutPlan(stage)
    await stage.look()
    assert.equal([(await crawlsOf(stage)).length, (await read(stage)).last_problem], [1, null])
  })
})

starts('F25 crawls that were planned while the service did not run are started once', async () => {
  await onStage(async (stage) => {
    stage.clock.advance(10 * DAY)
    await stage.look()
    assert.is((await crawlsOf(stage)).length, 1)
    assert.is((await read(stage)).next_crawl_at, '2026-12-08T03:00:00.000000Z')
  })
})

starts('F25 a clock that was ahead by a year does not stop a schedule', async () => {
  await onStage(async (stage) => {
    const { app, clock, look } = stage
    clock.advance(365 * DAY)
    await look()
    clock.advance(-365 * DAY)
    await look()
    await until(async () => {
      const { nextAt } = await app.backend.database.selectFrom('crawlSchedule').select('nextAt').executeTakeFirstOrThrow()
      return nextAt === NOON + 15 * HOUR
    })
  })
})

starts('a planned crawl is omitted while the one before is in progress', async () => {
  await onStage(async (stage) => {
    const { clock, look } = stage
    clock.advance(DAY)
    await look()
    clock.advance(DAY)
    await look()
    assert.is((await crawlsOf(stage)).length, 1)
    const { last_problem: problem, next_crawl_at: next } = await read(stage)
    assert.equal([problem?.problem, problem?.at, next], ['in_progress', '2026-11-29T03:00:00.000000Z', '2026-11-30T03:00:00.000000Z'])
    await endAll(stage)
    clock.advance(DAY)
    await look()
    assert.equal([(await crawlsOf(stage)).length, (await read(stage)).last_problem], [2, null])
  })
})

starts('a planned crawl is also omitted if a newer one, started by hand, has ended before', async () => {
  await onStage(async (stage) => {
    const { app, clock, id, key, look } = stage
    clock.advance(DAY)
    await look()
    const byHand = (await app.call(runSchedule, { key, params: { id } })).body.uuid
    await app.call(stopCrawl, { key, params: { id: byHand } })
    clock.advance(DAY)
    await look()
    assert.equal([(await crawlsOf(stage)).length, (await read(stage)).last_problem?.problem], [2, 'in_progress'])
  })
})

starts('a planned check of a monitor has the planned time; a check that was refused is named in a warning', async () => {
  await onStage(async (stage) => {
    const { app, clock, look, me } = stage
    const headers = { authorization: `Bearer ${me.apiKey}` }
    const monitor = async <T>(method: 'GET' | 'POST', path: string, body?: object) =>
      (await app.request(method, `/v2/monitor${path}`, { headers, ...(body && { body }) })).body as T
    const scrapeOptions = { headers: { 'x-token': 'secret-word' } }
    const target = { type: 'crawl', url: 'http://ana:pass-word@127.0.0.1:8080/', scrapeOptions }
    const made = await monitor<{ data: { id: string } }>('POST', '', { name: 'Site', schedule: { cron: '0 3 * * *' }, targets: [target] })
    const { id } = made.data
    const rows = await app.backend.database.selectFrom('crawlSchedule').selectAll().execute()
    assert.not.match(JSON.stringify(rows), /secret-word|pass-word/)
    clock.advance(DAY)
    await look()
    type Check = { id: string; status: string; trigger: string; scheduledFor: string | null; billingStatus: string }
    const [check] = (await monitor<{ data: Check[] }>('GET', `/${id}/checks`)).data
    assert.equal(
      [check?.status, check?.trigger, check?.scheduledFor, check?.billingStatus],
      ['queued', 'scheduled', '2026-11-28T03:00:00.000Z', 'not_applicable'],
    )
    type Answer = { data: { currentCheckId: string | null; nextRunAt: string }; warning?: string }
    const queued = await monitor<Answer>('GET', `/${id}`)
    assert.equal([queued.data.currentCheckId, queued.data.nextRunAt, queued.warning], [check!.id, '2026-11-29T03:00:00.000Z', undefined])
    clock.advance(DAY)
    await look()
    const { warning } = await monitor<Answer>('GET', `/${id}`)
    assert.is(warning, 'The last planned check did not start: The previous crawl was still in progress.')
  })
})

starts('a refused crawl is shown with its reason, and tried again at the next time', async () => {
  await onStage(async (stage) => {
    const { app, clock, look, key, me } = stage
    await app.call(createProxy, { as: me, body: { name: 'Pool', slug: 'pool', host: '127.0.0.1', port: 8080 } })
    const options = { spider_options: { proxy_server: 'pool' } }
    const { uuid: crawl } = (await app.call(createCrawl, { key, body: { url: 'http://127.0.0.1:8080/', options } })).body
    await app.call(changeSchedule, { key, params: { id: stage.id }, body: { crawl } })
    await app.call(deleteProxy, { as: me, params: { slug: 'pool' } })
    clock.advance(DAY)
    await look()
    const { last_problem: problem, next_crawl_at: next } = await read(stage)
    assert.equal(
      [problem?.problem, problem?.message, next],
      ['refused', 'options.spider_options.proxy_server: Unknown proxy server.', '2026-11-29T03:00:00.000000Z'],
    )
    assert.is((await crawlsOf(stage)).length, 0)
    const { uuid: other } = (await app.call(createCrawl, { key, body: { url: 'http://127.0.0.1:8080/' } })).body
    await app.call(changeSchedule, { key, params: { id: stage.id }, body: { crawl: other } })
    clock.advance(DAY)
    await look()
    assert.equal([(await crawlsOf(stage)).length, (await read(stage)).last_problem], [1, null])
  })
})

starts('a paused schedule and a deleted one start nothing', async () => {
  await onStage(async (stage) => {
    const { app, clock, look, key, id } = stage
    await app.call(changeSchedule, { key, params: { id }, body: { is_active: false } })
    clock.advance(2 * DAY)
    await look()
    assert.is((await crawlsOf(stage)).length, 0)
    await app.call(changeSchedule, { key, params: { id }, body: { is_active: true } })
    await app.call(deleteSchedule, { key, params: { id } })
    clock.advance(2 * DAY)
    await look()
    assert.is((await crawlsOf(stage)).length, 0)
  })
})

starts('a crawl can be started by hand beside the plan, also while another is in progress', async () => {
  await onStage(async (stage) => {
    const { app, clock, look, key, id } = stage
    clock.advance(DAY)
    await look()
    assert.is((await app.call(runSchedule, { key, params: { id } })).status, 201)
    assert.is((await crawlsOf(stage)).length, 2)
    assert.is((await read(stage)).next_crawl_at, '2026-11-29T03:00:00.000000Z')
    for (const { uuid } of await crawlsOf(stage)) await app.call(stopCrawl, { key, params: { id: uuid } })
  })
})

starts.run()
