/** Schedules over the API: what may be created and changed, and what they copy of a crawl. */
import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { createBatchCrawl, createCrawl, deleteCrawls, getCrawl, listCrawls, rerunCrawl } from '#contract/crawls.ts'
import { MAX_SCHEDULES } from '#contract/sizes.ts'
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  previewSchedule,
  runSchedule,
} from '#contract/schedules.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'

const schedules = suite('schedules')

const NIGHTLY = { name: 'Nightly', cron: '0 3 * * *', timezone: 'Europe/Paris' }
const NOON = Date.parse('2026-11-27T12:00:00Z')

async function withApp(work: (app: App, me: Caller) => Promise<void>): Promise<void> {
  const app = await startApp({ clock: createClock(NOON), every: () => () => undefined })
  await work(app, await app.signIn())
}

const errorsOf = ({ body }: { body: unknown }) => (body as { errors: Record<string, unknown> }).errors

async function crawl(app: App, as: Caller, body: object = { url: 'http://127.0.0.1:8080/' }): Promise<string> {
  const made = await app.call(createCrawl, { as, body })
  assert.is(made.status, 201, made.text)
  return made.body.uuid
}
async function schedule(app: App, as: Caller, body: object = {}) {
  const made = await app.call(createSchedule, { as, body: { crawl: await crawl(app, as), ...NIGHTLY, ...body } })
  assert.is(made.status, 201, made.text)
  return made.body
}

schedules('a schedule copies URL and options of a crawl, and stays when the crawl is deleted', async () => {
  await withApp(async (app, me) => {
    const options = { spider_options: { max_depth: 2, page_limit: 7 } }
    const id = await crawl(app, me, { url: 'http://127.0.0.1:8080/docs/', options })
    const made = (await app.call(createSchedule, { as: me, body: { crawl: id, ...NIGHTLY } })).body
    assert.equal(
      [made.name, made.url, made.number_of_urls, made.crawl_type, made.is_active, made.mail_changes, made.last_crawl, made.last_problem],
      ['Nightly', 'http://127.0.0.1:8080/docs/', 1, 'single', true, false, null, null],
    )
    assert.is(made.next_crawl_at, '2026-11-28T02:00:00.000000Z')
    assert.equal((await app.call(deleteCrawls, { as: me, query: { ids: id, purge: true } })).body, { deleted: 1 })
    const started = await app.call(runSchedule, { as: me, params: { id: made.uuid } })
    assert.is(started.status, 201, started.text)
    const { max_depth: depth, page_limit: limit } = started.body.options.spider_options
    assert.equal([started.body.url, depth, limit], ['http://127.0.0.1:8080/docs/', 2, 7])
    const { body } = await app.call(getSchedule, { as: me, params: { id: made.uuid } })
    assert.equal([body.last_crawl?.uuid, body.last_crawl?.status], [started.body.uuid, 'new'])
    assert.is(body.next_crawl_at, made.next_crawl_at, 'the planned time stays')
  })
})

schedules('T24 passwords and headers are stored sealed, and used when the crawl starts', async () => {
  await withApp(async (app, me) => {
    const options = { page_options: { extra_headers: { 'x-token': 'secret-word' } } }
    const id = await crawl(app, me, { url: 'http://ana:pass-word@127.0.0.1:8080/', options })
    const made = await app.call(createSchedule, { as: me, body: { crawl: id, ...NIGHTLY } })
    assert.is(made.body.url, 'http://ana:***@127.0.0.1:8080/')
    const rows = await app.backend.database.selectFrom('crawlSchedule').selectAll().execute()
    assert.not.match(JSON.stringify(rows), /secret-word|pass-word/)
    const started = await app.call(runSchedule, { as: me, params: { id: made.body.uuid } })
    assert.is(started.status, 201, started.text)
    const again = await app.call(rerunCrawl, { as: me, params: { id: started.body.uuid }, body: {} })
    assert.is(again.status, 201, 'the started crawl has the secrets, too')
  })
})

schedules('a batch repeats all its URLs', async () => {
  await withApp(async (app, me) => {
    const urls = ['http://127.0.0.1:8080/a', 'http://127.0.0.1:8080/b']
    const batch = (await app.call(createBatchCrawl, { as: me, body: { urls } })).body.uuid
    const made = (await app.call(createSchedule, { as: me, body: { crawl: batch, ...NIGHTLY } })).body
    assert.equal([made.crawl_type, made.url, made.number_of_urls], ['batch', urls[0], 2])
    assert.equal((await app.call(runSchedule, { as: me, params: { id: made.uuid } })).body.urls, urls)
  })
})

schedules('what cannot be used is refused by field', async () => {
  await withApp(async (app, me) => {
    const id = await crawl(app, me)
    const refused = async (body: object) => {
      const reply = await app.call(createSchedule, { as: me, body: { crawl: id, ...NIGHTLY, ...body } })
      assert.is(reply.status, 400, reply.text)
      return errorsOf(reply)
    }
    assert.equal(await refused({ crawl: '0192f6a0-0000-7000-8000-000000000000' }), { crawl: ['Unknown crawl.'] })
    assert.equal(await refused({ crawl: 'x' }), { crawl: ['Unknown crawl.'] })
    assert.equal(await refused({ crawl: '\u0000' }), { crawl: ['Null characters are not allowed.'] }, 'PostgreSQL cannot compare it')
    assert.equal(await refused({ name: ' ' }), { name: ['This field may not be blank.'] })
    assert.equal(Object.keys(await refused({ cron: '* * * * *' })), ['cron'])
    assert.equal(Object.keys(await refused({ timezone: 'Nowhere' })), ['timezone'])
    assert.is((await app.call(listSchedules, { as: me })).body.count, 0, 'nothing was created')
  })
})

schedules('T24 a crawl of another team cannot be repeated', async () => {
  await withApp(async (app, me) => {
    const theirs = await crawl(app, await app.secondUser('mia@example.org'))
    const reply = await app.call(createSchedule, { as: me, body: { crawl: theirs, ...NIGHTLY } })
    assert.equal([reply.status, errorsOf(reply)], [400, { crawl: ['Unknown crawl.'] }])
    const { uuid } = await schedule(app, me)
    const changed = await app.call(changeSchedule, { as: me, params: { id: uuid }, body: { crawl: theirs } })
    assert.equal([changed.status, errorsOf(changed)], [400, { crawl: ['Unknown crawl.'] }])
  })
})

schedules('a change plans the next crawl anew, a pause plans none, and a new name keeps the plan', async () => {
  await withApp(async (app, me) => {
    const { uuid: id, next_crawl_at: planned } = await schedule(app, me)
    const change = async (body: object) => (await app.call(changeSchedule, { as: me, params: { id }, body })).body
    const renamed = await change({ name: 'Every night' })
    assert.equal([renamed.name, renamed.next_crawl_at], ['Every night', planned])
    assert.is((await change({ timezone: 'UTC' })).next_crawl_at, '2026-11-28T03:00:00.000000Z')
    assert.is((await change({ cron: '30 12 * * *' })).next_crawl_at, '2026-11-27T12:30:00.000000Z')
    const paused = await change({ is_active: false })
    assert.equal([paused.is_active, paused.next_crawl_at], [false, null])
    assert.is((await change({ is_active: true })).next_crawl_at, '2026-11-27T12:30:00.000000Z')
    const other = await crawl(app, me, { url: 'http://127.0.0.1:8080/other' })
    assert.is((await change({ crawl: other })).url, 'http://127.0.0.1:8080/other')
  })
})

schedules('the preview shows the next five times, and the same errors as a new schedule', async () => {
  await withApp(async (app, me) => {
    const { body } = await app.call(previewSchedule, { as: me, body: { cron: '0 3 * * *', timezone: 'Europe/Paris' } })
    assert.is(body.next.length, 5)
    assert.equal(body.next.slice(0, 2), ['2026-11-28T02:00:00.000000Z', '2026-11-29T02:00:00.000000Z'])
    const reply = await app.call(previewSchedule, { as: me, body: { cron: '* * * * *' } })
    assert.equal([reply.status, Object.keys(errorsOf(reply))], [400, ['cron']])
  })
})

schedules('crawls of a schedule can be listed, and stay when it is deleted', async () => {
  await withApp(async (app, me) => {
    const { uuid: id } = await schedule(app, me)
    const { body: started } = await app.call(runSchedule, { as: me, params: { id } })
    const found = await app.call(listCrawls, { as: me, query: { schedule: id } })
    assert.equal(
      found.body.results.map(({ uuid }) => uuid),
      [started.uuid],
    )
    assert.is((await app.call(deleteSchedule, { as: me, params: { id } })).status, 204)
    assert.is((await app.call(getSchedule, { as: me, params: { id } })).status, 404)
    assert.is((await app.call(getCrawl, { as: me, params: { id: started.uuid } })).status, 200)
    const wrong = await app.call(listCrawls, { as: me, query: { schedule: 'x' } })
    assert.equal([wrong.status, errorsOf(wrong)], [400, { schedule: ['Enter a valid UUID.'] }])
  })
})

schedules(
  'a start with a known Idempotency-Key returns the first crawl, also after a change; another schedule cannot use the key',
  async () => {
    await withApp(async (app, me) => {
      const [{ uuid: id }, { uuid: other }] = [await schedule(app, me), await schedule(app, me)]
      const start = (scheduleId: string, key = 'once') =>
        app.call(runSchedule, { as: me, params: { id: scheduleId }, headers: { 'idempotency-key': key } })
      const first = await start(id)
      await app.call(changeSchedule, { as: me, params: { id }, body: { crawl: await crawl(app, me, { url: 'http://127.0.0.1:8080/b' }) } })
      const again = await start(id)
      assert.equal([first.status, again.status, again.body.uuid], [201, 201, first.body.uuid])
      assert.is((await start(other)).status, 409)
      assert.is.not((await start(id, 'twice')).body.uuid, first.body.uuid)
      const count = async () => (await app.call(listCrawls, { as: me, query: { schedule: id } })).body.count
      assert.is(await count(), 2)
      await app.call(runSchedule, { as: me, params: { id } })
      assert.is(await count(), 3, 'without a key, each call starts one')
    })
  },
)

schedules('requests at once do not pass the limit of schedules', async () => {
  await withApp(async (app, me) => {
    const { uuid } = await schedule(app, me)
    const { database } = app.backend
    const row = await database.selectFrom('crawlSchedule').selectAll().where('id', '=', uuid).executeTakeFirstOrThrow()
    const more = Array.from({ length: MAX_SCHEDULES - 2 }, () => ({ ...row, id: randomUUID() }))
    await database.insertInto('crawlSchedule').values(more).execute()
    const id = await crawl(app, me)
    const create = async () => (await app.call(createSchedule, { as: me, body: { crawl: id, ...NIGHTLY } })).status
    const answered = await Promise.all(Array.from({ length: 8 }, create))
    assert.equal(
      answered.filter((status) => status !== 400),
      [201],
    )
  })
})

schedules('a team has a limited number of schedules', async () => {
  await withApp(async (app, me) => {
    const { uuid } = await schedule(app, me)
    const { database } = app.backend
    const row = await database.selectFrom('crawlSchedule').selectAll().where('id', '=', uuid).executeTakeFirstOrThrow()
    const more = Array.from({ length: MAX_SCHEDULES - 1 }, () => ({ ...row, id: randomUUID() }))
    await database.insertInto('crawlSchedule').values(more).execute()
    const reply = await app.call(createSchedule, { as: me, body: { crawl: await crawl(app, me), ...NIGHTLY } })
    assert.equal([reply.status, errorsOf(reply)], [400, { non_field_errors: [`A team has at most ${MAX_SCHEDULES} schedules.`] }])
    const page = await app.call(listSchedules, { as: me, query: { page_size: 100 } })
    assert.equal([page.body.count, page.body.results.length], [MAX_SCHEDULES, 100])
  })
})

schedules.run()
