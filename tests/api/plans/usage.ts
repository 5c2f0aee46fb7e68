import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { getUsage, usageHistory } from '#contract/usage.ts'
import { createUsage } from '#backend/usage/usage.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'

const NOON = Date.parse('2026-03-04T12:00:00Z')
const DAY_MS = 24 * 60 * 60 * 1000

const usage = suite('usage')

/** A crawl of the team as it ended: `kept` pages, `used` credits. */
async function ended(app: App, as: Caller, { status = 'finished', kept = 0, used = 0, limit = 10 } = {}) {
  const body = { url: 'http://127.0.0.1:9/', options: { spider_options: { page_limit: limit }, page_options: {} } }
  const { body: crawl } = await app.call(createCrawl, { as, body })
  const { database } = app.backend
  const { no } = await database.selectFrom('run').select('no').where('id', '=', crawl.uuid).executeTakeFirstOrThrow()
  await database.updateTable('run').set({ status, kept }).where('no', '=', no).execute()
  await database.updateTable('creditEntry').set({ used, state: 'settled' }).where('runNo', '=', no).execute()
  return crawl.uuid
}

usage('S-WRK-05 the usage of a team without jobs is all zero', async () => {
  const app = await startApp()
  const { status, body } = await app.call(getUsage, { as: await app.signIn() })
  assert.is(status, 200)
  const { previous, ...now } = body
  for (const [name, value] of [...Object.entries(now), ...Object.entries(previous)])
    assert.equal(value, Array.isArray(value) ? [] : 0, name)
})

usage('S-WRK-05 the usage adds up what was created in the last 30 days, by day', async () => {
  const clock = createClock(NOON - 31 * DAY_MS)
  const app = await startApp({ clock })
  const ana = await app.signIn()
  await ended(app, ana, { kept: 1000, used: 1000 })
  clock.advance(26 * DAY_MS)
  const early = await app.logIn(ana)
  await ended(app, early, { kept: 3, used: 3 })
  await ended(app, early, { status: 'failed' })
  clock.advance(5 * DAY_MS)
  const now = await app.logIn(ana)
  await ended(app, now, { kept: 4, used: 4 })
  await ended(app, now, { status: 'running', kept: 2, used: 2 })
  const { body } = await app.call(getUsage, { as: now })
  assert.equal(body, {
    total_crawls: 4,
    finished_crawls: 2,
    failed_crawls: 1,
    running_crawls: 1,
    total_documents: 9,
    total_searches: 0,
    total_sitemaps: 0,
    used_credits: 9,
    crawl_history: [
      { date: '2026-02-27', count: 2 },
      { date: '2026-03-04', count: 2 },
    ],
    document_history: [
      { date: '2026-02-27', count: 3 },
      { date: '2026-03-04', count: 6 },
    ],
    search_history: [],
    sitemap_history: [],
    credit_history: [
      { date: '2026-02-27', count: 3 },
      { date: '2026-03-04', count: 6 },
    ],
    previous: {
      total_crawls: 1,
      finished_crawls: 1,
      failed_crawls: 0,
      total_documents: 1000,
      total_searches: 0,
      total_sitemaps: 0,
      used_credits: 1000,
    },
  })
})

usage('S-WRK-05 the ledger has an entry for each job, newest first, filtered and paged', async () => {
  const clock = createClock(NOON - DAY_MS)
  const app = await startApp({ clock })
  const ana = await app.signIn()
  const first = await ended(app, ana, { kept: 2, used: 2, limit: 5 })
  clock.advance(DAY_MS)
  const as = await app.logIn(ana)
  const second = await ended(app, as, { status: 'failed' })
  const { body } = await app.call(usageHistory, { as })
  assert.equal(
    body.results.map(({ object_id: id, requested_page_credit: requested, used_page_credit: used, status }) => [
      id,
      requested,
      used,
      status,
    ]),
    [
      [second, 10, 0, 'failed'],
      [first, 5, 2, 'finished'],
    ],
  )
  assert.equal([body.results[0]?.content_type, body.results[0]?.label], ['crawl', 'http://127.0.0.1:9/'])

  const of = async (query: Record<string, string>) =>
    (await app.call(usageHistory, { as, query })).body.results.map(({ object_id: id }) => id)
  assert.equal(await of({ created_at__lt: '2026-03-04' }), [first])
  assert.equal(await of({ created_at__gte: '2026-03-04' }), [second])
  assert.equal(await of({ content_type: 'search' }), [])
  assert.equal(await of({ content_type: 'crawl', page_size: '1', page: '2' }), [first])
  const refused = await app.call(usageHistory, { as, query: { content_type: 'x' } })
  assert.equal(
    [refused.status, (refused.body as unknown as { errors: unknown }).errors],
    [400, { content_type: ['Select a valid choice. x is not one of the available choices.'] }],
  )
})

usage('a run that is removed while the usage is read counts once', async () => {
  const app = await startApp()
  const ana = await app.signIn()
  const id = await ended(app, ana, { kept: 5, used: 5 })
  const { database } = app.backend
  /** What the sweep writes. */
  const remove = async () => {
    const [run] = await database.deleteFrom('run').where('id', '=', id).returning(['no', 'kind', 'status', 'kept']).execute()
    if (run === undefined) return
    const removed = { removedRunId: id, removedKind: run.kind, removedStatus: run.status, removedKept: run.kept }
    await database.updateTable('creditEntry').set(removed).where('runNo', '=', run.no).execute()
  }
  // Of another process: within a result, the connection is in use.
  const reader = await startApp({ config: { dataDir: app.dataDir } })
  const removing = reader.backend.database.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await remove()
      return result
    },
  })
  const { totals } = createUsage({ database: removing, now: Date.now })
  const first = await totals(ana.teamId)
  assert.equal([first.total_crawls, first.total_documents, first.used_credits, first.previous.total_crawls], [1, 5, 5, 0])
  assert.equal(await totals(ana.teamId), first)
})

usage("the usage covers the caller's own team only, and refuses API keys", async () => {
  const app = await startApp()
  const ana = await app.signIn()
  await ended(app, ana, { kept: 5, used: 5 })
  const ben = await app.secondUser()
  assert.is((await app.call(getUsage, { as: ben })).body.total_crawls, 0)
  assert.equal((await app.call(usageHistory, { as: { ...ben, teamId: ana.teamId } })).body.results, [])
  assert.is((await app.call(getUsage, { key: ana.apiKey })).status, 401)
})

usage.run()
