// The owner deletes a team: from then on no caller can act for it, and soon nothing of it is left.
import { setImmediate } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { createCrawl, followCrawl, getCrawl, listCrawls, listResults } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { createPreset } from '#contract/presets.ts'
import { createSchedule } from '#contract/schedules.ts'
import { createApiKey, createTeam, currentTeam, deleteTeam, describeTeamDeletion, inviteMember, listTeams } from '#contract/teams.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { engineRows } from '#tests/support/engine/engine-rows.ts'
import { openStream } from '#tests/support/read-stream.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const deletion = suite('deletion of a team')
const SITE = 'http://127.0.0.1:8080/'

/** A member of the owner's team with a token of their own, who has a team of their own too. */
async function withMember(app: App, owner: Caller): Promise<Caller> {
  const guest = await app.secondUser()
  const row = { id: guest.userId, teamId: owner.teamId, userId: guest.userId, isOwner: 0, createdAt: 1 }
  await app.backend.database.insertInto('teamMember').values(row).execute()
  return { ...guest, teamId: owner.teamId }
}

const rowsOf = async ({ backend: { database } }: App, teamId: string) => {
  const counts: Record<string, number> = {}
  for (const table of [
    'run',
    'teamMember',
    'apiKey',
    'invitation',
    'creditEntry',
    'proxyServer',
    'subscription',
    'crawlSchedule',
    'crawlPreset',
  ] as const)
    counts[table] = (await database.selectFrom(table).selectAll().where('teamId', '=', teamId).execute()).length
  counts['team'] = (await database.selectFrom('team').select('id').where('id', '=', teamId).execute()).length
  return counts
}

const livingRunsOf = ({ backend: { database } }: App, teamId: string) =>
  database.selectFrom('run').select('id').where('teamId', '=', teamId).where('deletedAt', 'is', null).execute()

deletion('the owner sees what will be deleted and confirms by typing the name; a member may do neither', async () => {
  const app = await startApp()
  const owner = await app.signIn()
  const member = await withMember(app, owner)
  await app.call(createCrawl, { as: owner, body: { url: SITE } })
  const told = await app.call(describeTeamDeletion, { as: owner })
  assert.equal(told.body, { name: 'Default', members: 2, api_keys: 2, proxy_servers: 0, runs: 1, pages: 0, obstacles: [] })
  assert.is((await app.call(describeTeamDeletion, { as: member })).status, 403)
  assert.is((await app.call(deleteTeam, { as: member, query: { confirm: 'Default' } })).status, 403)
  for (const query of [{}, { confirm: '' }, { confirm: 'default' }] as Record<string, string>[]) {
    const reply = await app.request('DELETE', deleteTeam.path, { as: owner, query })
    assert.is(reply.status, 400, JSON.stringify(query))
    assert.equal(Object.keys((reply.body as { errors: object }).errors), ['confirm'])
  }
  // A key acts for its team, but a program cannot delete one.
  assert.is((await app.request('DELETE', deleteTeam.path, { key: owner.apiKey, query: { confirm: 'Default' } })).status, 401)
  assert.is((await rowsOf(app, owner.teamId))['teamMember'], 2)
})

deletion('a header that names a former team never deletes the current one', async () => {
  const app = await startApp()
  const owner = await app.signIn()
  const { body: docs } = await app.call(createTeam, { as: owner, body: { name: 'Default' } })
  const asDocs = { ...owner, teamId: docs.uuid }
  assert.is((await app.call(deleteTeam, { as: asDocs, query: { confirm: 'Default' } })).status, 204)
  // The same call again would fall back to the oldest team, which has the same name.
  assert.is((await app.call(deleteTeam, { as: asDocs, query: { confirm: 'Default' } })).status, 404)
  assert.equal(
    (await app.call(listTeams, { as: owner })).body.map(({ uuid }) => uuid),
    [owner.teamId],
  )
})

deletion(
  'members, keys, invitations, links and streams end at once; runs stop; then no row of the team is left, and other teams lose nothing',
  async () => {
    const canceled: number[] = []
    const app = await startApp({
      engine: () => ({ wake: () => undefined, cancel: (no) => void canceled.push(no), close: async () => undefined }),
    })
    const owner = await app.signIn()
    const member = await withMember(app, owner)
    const stranger = await app.secondUser('mia@example.org')
    await app.call(inviteMember, { as: owner, body: { email: 'guest@example.org' } })
    const start = async (as: Caller) => (await app.call(createCrawl, { as, body: { url: SITE } })).body.uuid
    const [running, ended, waiting, theirs] = [await start(owner), await start(owner), await start(owner), await start(stranger)]
    const engine = engineRows({
      bus: { publish: () => undefined },
      database: app.backend.database,
      now: Date.now,
    })
    const no = await engine.take(running)
    const endedNo = await engine.take(ended)
    await engine.commit(endedNo, { pages: [{ url: SITE, title: 'kept' }], end: { status: 'finished' } })
    const { body: results } = await app.call(listResults, { as: owner, params: { id: ended } })
    const link = new URL(String(results.results[0]?.result))
    const base = await app.listen()
    const stream = await openStream(base + fillPath(followCrawl.path, { id: running }), {
      authorization: `Bearer ${member.access}`,
      'x-team-id': owner.teamId,
    })
    await stream.until(({ type }) => type === 'state')
    const schedule = { crawl: ended, name: 'Nightly', cron: '0 3 * * *' }
    assert.is((await app.call(createSchedule, { as: owner, body: schedule })).status, 201)
    assert.is((await app.call(createPreset, { as: owner, body: { name: 'Shops', options: {} } })).status, 201)
    const others = await rowsOf(app, stranger.teamId)

    assert.is((await app.call(deleteTeam, { as: owner, query: { confirm: ' Default ' } })).status, 204)
    assert.is((await app.request('GET', link.pathname + link.search)).status, 404)
    assert.is((await app.request('GET', listCrawls.path, { key: owner.apiKey })).status, 401)
    for (const as of [owner, member]) assert.is((await app.call(getCrawl, { as, params: { id: ended } })).status, 404)
    assert.equal(
      (await stream.rest()).filter(({ type }) => type !== 'state'),
      [],
    )
    // A user without a team gets a new one.
    const { body: next } = await app.call(currentTeam, { as: owner })
    assert.is.not(next.uuid, owner.teamId)
    const at = await rowsOf(app, owner.teamId)
    assert.equal([at['teamMember'], at['apiKey'], at['invitation'], at['team']], [0, 0, 0, 1])
    assert.equal([at['crawlSchedule'], at['crawlPreset']], [0, 0], 'secrets and names do not wait for the crawls to be removed')

    await until(() => canceled.includes(no))
    await until(async () => (await rowsOf(app, owner.teamId))['run'] === 1)
    assert.ok(waiting !== running)
    await engine.commit(no, { end: { status: 'canceled', reason: 'canceled' } })
    await until(async () => Object.values(await rowsOf(app, owner.teamId)).every((rows) => rows === 0))
    assert.equal(await rowsOf(app, stranger.teamId), others)
    assert.is((await app.call(getCrawl, { as: stranger, params: { id: theirs } })).status, 200)
  },
)

deletion('calls that come in beside the deletion leave no key, invitation or crawl behind', async () => {
  const app = await startApp()
  const owner = await app.signIn()
  for (let turns = 0; turns < 12; turns += 1) {
    const { body: docs } = await app.call(createTeam, { as: owner, body: { name: 'Docs' } })
    const as = { ...owner, teamId: docs.uuid }
    const calls = Promise.all([
      app.call(createApiKey, { as, body: { name: 'late' } }),
      app.call(inviteMember, { as, body: { email: `guest-${turns}@example.org` } }),
      app.call(createCrawl, { as, body: { url: SITE } }),
    ])
    // The deletion overtakes them at another step each time.
    for (let turn = 0; turn < turns; turn += 1) await setImmediate()
    assert.is((await app.call(deleteTeam, { as, query: { confirm: 'Docs' } })).status, 204)
    const [key] = await calls
    if (key.status === 201) {
      const keyed = app.backend.database.selectFrom('apiKey').where('id', '=', key.body.uuid).select('teamId')
      // A call that begins after the deletion is one for the owner's oldest team.
      const isOfOldest = (await keyed.executeTakeFirst())?.teamId === owner.teamId
      assert.is((await app.call(listCrawls, { key: key.body.key })).status, isOfOldest ? 200 : 401, `${turns}`)
    }
    const { apiKey, invitation } = await rowsOf(app, docs.uuid)
    assert.equal([apiKey, invitation], [0, 0], `${turns}`)
    await until(async () => (await livingRunsOf(app, docs.uuid)).length === 0)
  }
})

deletion('the next process finishes a deletion that a killed process began', async () => {
  const app = await startApp()
  const owner = await app.signIn()
  for (let at = 0; at < 3; at += 1) await app.call(createCrawl, { as: owner, body: { url: SITE } })
  await app.backend.database.updateTable('team').set({ deletedAt: 1 }).where('id', '=', owner.teamId).execute()
  await app.http.close()
  await app.backend.close()
  const next = await startApp({ config: { dataDir: app.dataDir } })
  await until(async () => (await rowsOf(next, owner.teamId))['team'] === 0)
  assert.is((await rowsOf(next, owner.teamId))['run'], 0)
})

deletion('a team that pays for a plan cannot be deleted before its subscription has ended', async () => {
  const app = await startApp()
  const owner = await app.signIn()
  const { database } = app.backend
  const plan = {
    id: 'p',
    name: 'Studio',
    label: null,
    planGroup: 'monthly',
    description: '',
    priceBeforeDiscount: null,
    price: 1,
    numberOfUsers: 1,
  }
  const limits = {
    pageCredit: 1,
    dailyPageCredit: 1,
    crawlMaxDepth: 1,
    crawlMaxLimit: 1,
    maxConcurrentCrawl: 1,
    isDefault: 0,
    features: '[]',
  }
  await database
    .insertInto('plan')
    .values({ ...plan, ...limits, priceId: null, position: 1, isActive: 1, source: 'admin', createdAt: 1, updatedAt: 1 })
    .execute()
  const period = { startAt: 1, periodStartAt: 1, periodEndAt: null, cancelAt: null, countsAfter: 0, eventAt: 0, eventRank: 0, eventId: '' }
  const row = { id: 's', teamId: owner.teamId, planId: 'p', status: 'active', providerId: 'sub_1', ...period, createdAt: 1, updatedAt: 1 }
  await database.insertInto('subscription').values(row).execute()
  assert.equal((await app.call(describeTeamDeletion, { as: owner })).body.obstacles, [
    'This team pays for a plan: delete its subscription first.',
  ])
  for (const status of ['active', 'trialing', 'past_due', 'unpaid', 'paused']) {
    await database.updateTable('subscription').set({ status }).execute()
    const reply = await app.call(deleteTeam, { as: owner, query: { confirm: 'Default' } })
    assert.equal(
      [reply.status, (reply.body as unknown as { message: string }).message],
      [409, 'This team pays for a plan: delete its subscription first.'],
      status,
    )
  }
  await database.updateTable('subscription').set({ status: 'canceled' }).execute()
  assert.is((await app.call(deleteTeam, { as: owner, query: { confirm: 'Default' } })).status, 204)
})

deletion.run()
