// How long jobs are kept: the team sees what a number of days would delete before setting it, and the stricter of two limits applies.
import * as assert from 'uvu/assert'
import { createCrawl, listCrawls } from '#contract/crawls.ts'
import { createSearch } from '#contract/searches.ts'
import { getRetention, setRetention } from '#contract/teams.ts'
import { createRetention } from '#backend/removal/retention.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { engineRows } from '#tests/support/engine/engine-rows.ts'
import { suite } from '#tests/support/suite.ts'

const retention = suite('retention')
const SITE = 'http://127.0.0.1:8080/'
const DAY_MS = 24 * 60 * 60 * 1000

/** An ended crawl that is so many days old, with pages of the same size. */
async function endedCrawl(app: App, as: Caller, daysAgo: number, pages: number): Promise<string> {
  const { body } = await app.call(createCrawl, { as, body: { url: SITE } })
  const engine = engineRows({
    bus: { publish: () => undefined },
    database: app.backend.database,
    now: Date.now,
  })
  const no = await engine.take(body.uuid)
  const kept = Array.from({ length: pages }, (_, at) => ({ url: `${SITE}${at}`, document: { markdown: 'x'.repeat(1000) }, isPlain: true }))
  await engine.commit(no, { pages: kept, end: { status: 'finished' } })
  await app.backend.database
    .updateTable('run')
    .set({ endedAt: Date.now() - daysAgo * DAY_MS })
    .where('no', '=', no)
    .execute()
  return body.uuid
}

/** The function of the timer, with the app's own database. */
function retentionOf(app: App, installationDays: number) {
  const deleted: number[] = []
  const deleteRuns = async (nos: readonly number[]) => {
    deleted.push(...nos)
    await app.backend.database.updateTable('run').set({ deletedAt: 1 }).where('no', 'in', nos).execute()
    return nos.length
  }
  return { deleted, ...createRetention({ database: app.backend.database, deleteRuns, installationDays, now: Date.now }) }
}

const listed = async (app: App, as: Caller) => (await app.call(listCrawls, { as })).body.results.map(({ uuid }) => uuid)

retention('nothing is deleted by default, and a preview shows what a number of days would delete', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const stranger = await app.secondUser()
  await endedCrawl(app, me, 40, 3)
  await endedCrawl(app, me, 10, 2)
  await endedCrawl(app, stranger, 400, 5)
  await app.call(createCrawl, { as: me, body: { url: SITE } })
  const none = (await app.call(getRetention, { as: me })).body
  const nothing = { days: null, runs: 0, pages: 0, bytes: 0, is_estimate: false, oldest_at: null }
  assert.equal(none, { days: null, installation_days: null, effective_days: null, expired: nothing })
  const asked = async (days: number) => (await app.call(getRetention, { as: me, query: { days } })).body
  const thirty = await asked(30)
  assert.is(thirty.days, null)
  assert.equal([thirty.expired.days, thirty.expired.runs, thirty.expired.pages, thirty.expired.is_estimate], [30, 1, 3, false])
  assert.is(thirty.expired.bytes, 3 * JSON.stringify({ markdown: 'x'.repeat(1000) }).length)
  assert.ok(Math.abs(Date.parse(thirty.expired.oldest_at ?? '') - (Date.now() - 40 * DAY_MS)) < 60_000)
  const five = await asked(5)
  assert.equal([five.expired.runs, five.expired.pages], [2, 5])
  assert.equal([(await asked(365)).expired.runs, (await asked(41)).expired.runs], [0, 0])
  assert.is(await retentionOf(app, 0).deleteExpired(), 0)
  for (const days of ['0', '-1', 'x', '36501'])
    assert.is((await app.request('GET', getRetention.path, { as: me, query: { days } })).status, 400, days)
})

retention('the owner sets and removes the number of days; a member may only read it', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const member = await app.secondUser()
  await app.backend.database
    .insertInto('teamMember')
    .values({ id: 'm', teamId: me.teamId, userId: member.userId, isOwner: 0, createdAt: 1 })
    .execute()
  const asMember = { ...member, teamId: me.teamId }
  assert.is((await app.call(setRetention, { as: asMember, body: { days: 1 } })).status, 403)
  assert.is((await app.call(getRetention, { as: asMember })).status, 200)
  assert.equal((await app.call(setRetention, { as: me, body: { days: 30 } })).body.effective_days, 30)
  assert.is((await app.call(getRetention, { as: me })).body.days, 30)
  for (const days of [0, -1, 1.5, 'x', 36_501])
    assert.is((await app.call(setRetention, { as: me, body: { days } })).status, 400, String(days))
  assert.is((await app.call(setRetention, { as: me, body: {} })).status, 400)
  assert.is((await app.call(setRetention, { as: me, body: { days: null } })).body.days, null)
})

retention("ended jobs of every kind are deleted after their days; younger, unfinished and other teams' jobs stay", async () => {
  const app = await startApp()
  const me = await app.signIn()
  const stranger = await app.secondUser()
  const old = await endedCrawl(app, me, 31, 1)
  const young = await endedCrawl(app, me, 29, 1)
  const theirs = await endedCrawl(app, stranger, 500, 1)
  const { body: waiting } = await app.call(createCrawl, { as: me, body: { url: SITE } })
  await app.backend.database.updateTable('run').set({ createdAt: 1 }).where('id', '=', waiting.uuid).execute()
  const { body: search } = await app.call(createSearch, { as: me, body: { query: 'nets' } })
  await app.backend.database.updateTable('run').set({ status: 'finished', endedAt: 1 }).where('id', '=', search.uuid).execute()
  await app.call(setRetention, { as: me, body: { days: 30 } })
  assert.is(await retentionOf(app, 0).deleteExpired(), 2)
  assert.equal(await listed(app, me), [waiting.uuid, young])
  assert.equal(await listed(app, stranger), [theirs])
  assert.is((await app.backend.database.selectFrom('run').select('deletedAt').where('id', '=', old).executeTakeFirstOrThrow()).deletedAt, 1)
})

retention("the installation's number of days applies to all teams; the smaller of two numbers applies", async () => {
  const app = await startApp({ config: { retentionDays: 60 } })
  const me = await app.signIn()
  const stranger = await app.secondUser()
  const [forty, twenty, theirs] = [
    await endedCrawl(app, me, 40, 1),
    await endedCrawl(app, me, 20, 1),
    await endedCrawl(app, stranger, 40, 1),
  ]
  const gone = await endedCrawl(app, stranger, 61, 1)
  assert.equal((await app.call(getRetention, { as: me })).body.effective_days, 60)
  // More days than the operator allows change nothing.
  const wide = (await app.call(setRetention, { as: me, body: { days: 365 } })).body
  assert.equal([wide.days, wide.installation_days, wide.effective_days], [365, 60, 60])
  const narrow = (await app.call(setRetention, { as: me, body: { days: 30 } })).body
  assert.equal([narrow.effective_days, narrow.expired.runs], [30, 1])
  assert.is(await retentionOf(app, 60).deleteExpired(), 2)
  assert.equal(await listed(app, me), [twenty])
  assert.equal(await listed(app, stranger), [theirs])
  assert.ok(forty && gone)
})

retention('many runs are deleted in groups, and the bytes of many pages are estimated from a sample', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const { database } = app.backend
  await endedCrawl(app, me, 50, 1500)
  const { no } = await database.selectFrom('run').select('no').executeTakeFirstOrThrow()
  for (let at = 1; at <= 120; at += 1)
    await database
      .insertInto('run')
      .columns(['id', 'teamId', 'kind', 'variant', 'status', 'label', 'pageLimit', 'seeds', 'urlSalt', 'createdAt', 'updatedAt', 'endedAt'])
      .expression((of) =>
        of
          .selectFrom('run')
          .where('no', '=', no)
          .select((run) => [run.val(`copy-${at}`).as('id'), 'teamId', run.val('search').as('kind'), 'variant', 'status', 'label'])
          .select(['pageLimit', 'seeds', 'urlSalt', 'createdAt', 'updatedAt', 'endedAt']),
      )
      .execute()
  const { deleted, deleteExpired, expired } = retentionOf(app, 30)
  const preview = await expired(null, 30)
  assert.equal([preview.runs, preview.pages, preview.isEstimate], [121, 1500, true])
  assert.is(preview.bytes, 1500 * JSON.stringify({ markdown: 'x'.repeat(1000) }).length)
  assert.is(await deleteExpired(), 121)
  assert.is(new Set(deleted).size, 121)
})

retention.run()
