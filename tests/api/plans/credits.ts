/**
 * Credits of plans: held when a job begins, settled when it ends, never overdrawn. The remaining credits are checked against the ledger
 * throughout.
 */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import { deleteAccount } from '#contract/accounts.ts'
import { createBatchCrawl, createCrawl, getCrawl, stopCrawl } from '#contract/crawls.ts'
import { cancelSubscription, getCurrentSubscription, startSubscription } from '#contract/plans.ts'
import { isTerminal } from '#contract/runs.ts'
import { createSearch, stopSearch } from '#contract/searches.ts'
import { createSitemap, getSitemap, stopSitemap } from '#contract/sitemaps.ts'
import { usageHistory } from '#contract/usage.ts'
import { deleteApiKey, deleteTeam, listApiKeys } from '#contract/teams.ts'
import { administerPlans } from '#backend/plans/administer-plans.ts'
import { insertUnbilled } from '#backend/plans/subscriptions.ts'
import { createIds } from '#backend/platform/ids.ts'
import type { Replacements } from '#backend/compose.ts'
import type { FromEngine, ToEngine } from '#backend/engine-host.ts'
import type { Caller } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { PLANS, startEnterpriseApp } from '#tests/support/enterprise.ts'
import { startModelStub } from '#tests/support/stubs/model-stub.ts'
import { subscriptionObject } from '#tests/support/stubs/stripe-events.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { SitePage } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'

const credits = suite('credits')

type Stage = Awaited<ReturnType<typeof startEnterpriseApp>> & { owner: Caller }

/** A plan without limits other than `bounds`. */
const plan = (bounds: object = {}) => ({
  ...PLANS.fleet,
  name: 'Test',
  price: '10.00',
  ...bounds,
})

/** A team with an unbilled plan of these limits. */
async function onPlan(
  bounds: object,
  work: (stage: Stage) => Promise<void>,
  options: Parameters<typeof startEnterpriseApp>[0] = {},
): Promise<void> {
  const stage = await startEnterpriseApp({ plans: [PLANS.free, PLANS.studio, plan(bounds)], ...options })
  try {
    const owner = await stage.app.signIn()
    const { database } = stage.app.backend
    const at = stage.clock.now()
    const id = createIds(() => at)()
    await database
      .transaction()
      .execute((transaction) => insertUnbilled(transaction, { id, teamId: owner.teamId, planId: PLANS.fleet.uuid, at }))
    await work({ ...stage, owner })
  } finally {
    await stage.close()
  }
}

const URL_OF_NOTHING = 'http://127.0.0.1:9/'

type Begun = { status: number; body: { uuid: string; message: string; errors: unknown } }

const crawl = ({ app, owner }: Stage, pages: number, { url = URL_OF_NOTHING, depth = 0, proxy = '', key = '' } = {}) =>
  app.request('POST', createCrawl.path, {
    as: owner,
    body: { url, options: { spider_options: { page_limit: pages, max_depth: depth, proxy_server: proxy } } },
    ...(key && { headers: { 'idempotency-key': key } }),
  }) as Promise<Begun>
const batch = ({ app, owner }: Stage, size: number) =>
  app.request('POST', createBatchCrawl.path, {
    as: owner,
    body: { urls: Array.from({ length: size }, (_, n) => `${URL_OF_NOTHING}${n}`) },
  }) as Promise<Begun>
const search = ({ app, owner }: Stage, results: number, depth = 'basic') =>
  app.request('POST', createSearch.path, {
    as: owner,
    body: { query: 'seine', result_limit: results, search_options: { depth } },
  }) as Promise<Begun>
const sitemap = ({ app, owner }: Stage, { url = URL_OF_NOTHING, ignores = false } = {}) =>
  app.request('POST', createSitemap.path, { as: owner, body: { url, options: { ignore_sitemap_xml: ignores } } }) as Promise<Begun>

/** The remaining credits as the team sees them: of the period and of today. */
async function left({ app, owner }: Stage): Promise<[number, number]> {
  const { body } = await app.call(getCurrentSubscription, { key: owner.apiKey })
  return [body.remaining_page_credit, body.remaining_daily_page_credit]
}

/** The sum of the ledger, over the API. */
async function ledger({ app, owner }: Stage): Promise<{ requested: number; used: number; entries: number }> {
  const fresh = await app.logIn(owner)
  const { results, count } = (await app.call(usageHistory, { as: fresh, query: { page_size: 100 } })).body
  return {
    requested: results.reduce((sum, each) => sum + each.requested_page_credit, 0),
    used: results.reduce((sum, each) => sum + each.used_page_credit, 0),
    entries: count,
  }
}

const refused = (reply: Begun) => {
  assert.equal([reply.status, reply.body.errors], [403, null], JSON.stringify(reply.body))
  return reply.body.message
}
const accepted = (reply: Begun) => {
  assert.is(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.uuid
}

const begins: [name: string, begin: (stage: Stage) => Promise<Begun>, cost: number][] = [
  ['a crawl reserves its page limit', (stage) => crawl(stage, 7), 7],
  ['a batch reserves one credit per URL', (stage) => batch(stage, 3), 3],
  ['a basic search reserves one credit per five results', (stage) => search(stage, 6), 2],
  ['an advanced search reserves two credits per five results', (stage) => search(stage, 6, 'advanced'), 4],
  ['an ultimate search reserves one credit per result', (stage) => search(stage, 6, 'ultimate'), 6],
  ['a sitemap reserves five credits', (stage) => sitemap(stage), 5],
  ['a sitemap that follows links reserves 15 credits', (stage) => sitemap(stage, { ignores: true }), 15],
]

credits('a job reserves its largest possible cost when it starts, in the period and in the day', () =>
  onPlan({ page_credit: 1000, daily_page_credit: 500 }, async (stage) => {
    let spent = 0
    for (const [name, begin, cost] of begins) {
      accepted(await begin(stage))
      spent += cost
      assert.equal(await left(stage), [1000 - spent, 500 - spent], name)
    }
    assert.equal(await ledger(stage), { requested: spent, used: 0, entries: begins.length })
  }),
)

credits('T33 of 100 concurrent crawls with credit for 10, 10 start, and the ledger equals the usage', () =>
  onPlan({ page_credit: 10 }, async (stage) => {
    const replies = await Promise.all(Array.from({ length: 100 }, () => crawl(stage, 1)))
    assert.is(replies.filter(({ status }) => status === 201).length, 10)
    assert.ok(
      replies
        .filter(({ status }) => status !== 201)
        .every((reply) => refused(reply) === 'All page credits of this billing period are used.'),
    )
    assert.equal(await left(stage), [0, -1])
    assert.equal(await ledger(stage), { requested: 10, used: 0, entries: 10 })
    const { database } = stage.app.backend
    for (const table of ['run', 'runOptions', 'creditEntry', 'runUrl', 'job'] as const)
      assert.is((await database.selectFrom(table).selectAll().execute()).length, 10, `nothing stays of the others in ${table}`)
  }),
)

credits('T33 concurrent starts of every kind, in any order, do not overdraw the credits of a day', () =>
  onPlan({ daily_page_credit: 20 }, async (stage) => {
    const some = Array.from({ length: 12 }, () => [crawl(stage, 3), search(stage, 10), sitemap(stage), batch(stage, 2)]).flat()
    const replies = await Promise.all(some)
    assert.ok(replies.some(({ status }) => status === 403) && replies.some(({ status }) => status === 201))
    const [period, today] = await left(stage)
    const { requested } = await ledger(stage)
    assert.equal([period, today], [-1, 20 - requested])
    assert.ok(today >= 0 && today < 2, `${today} left, which is too little for any of them`)
  }),
)

credits('every limit of a crawl has its message in the API', async () => {
  await onPlan(
    { page_credit: 10, daily_page_credit: 6, crawl_max_depth: 2, crawl_max_limit: 5, max_concurrent_crawl: 2 },
    async (stage) => {
      assert.is(refused(await crawl(stage, 11)), 'Only 10 page credits remain in this billing period. Lower page_limit.')
      assert.is(refused(await batch(stage, 7)), 'Only 6 page credits remain for today. Send fewer URLs.')
      assert.is(refused(await crawl(stage, 1, { depth: 3 })), 'max_depth may be at most 2 on this plan.')
      assert.is(refused(await crawl(stage, 6)), 'page_limit may be at most 5 on this plan.')
      accepted(await crawl(stage, 1, { depth: 2 }))
      accepted(await batch(stage, 1))
      assert.is(refused(await crawl(stage, 1)), 'At most 2 crawls may run at once on this plan. Try again when one has ended.')
      accepted(await search(stage, 5))
      accepted(await search(stage, 5))
      assert.is(refused(await search(stage, 5)), 'At most 2 searches may run at once on this plan. Try again when one has ended.')
      assert.is(refused(await sitemap(stage)), 'This sitemap needs 5 credits, 2 remain for today.')
      assert.is(refused(await search(stage, 20)), 'This search needs 4 credits, 2 remain for today.')
    },
  )
  await onPlan({ page_credit: 4, max_concurrent_crawl: 1 }, async (stage) => {
    assert.is(refused(await sitemap(stage)), 'This sitemap needs 5 credits, 4 remain in this billing period.')
    assert.is(refused(await search(stage, 5, 'ultimate')), 'This search needs 5 credits, 4 remain in this billing period.')
    accepted(await crawl(stage, 4))
    for (const reply of [await crawl(stage, 1), await search(stage, 1), await sitemap(stage)])
      assert.is(refused(reply), 'All page credits of this billing period are used.')
  })
  await onPlan({ daily_page_credit: 5, max_concurrent_crawl: 1 }, async (stage) => {
    accepted(await sitemap(stage))
    assert.is(refused(await crawl(stage, 1)), "Today's page credits are used up.")
    assert.is(refused(await search(stage, 1)), "Today's credits are used up.")
  })
  await onPlan({ max_concurrent_crawl: 1 }, async (stage) => {
    accepted(await sitemap(stage))
    assert.is(refused(await sitemap(stage)), 'At most 1 sitemap may run at once on this plan. Try again when it has ended.')
  })
})

credits('no job starts without a plan', async () => {
  const stage = await startEnterpriseApp()
  const owner = await stage.app.signIn()
  for (const [name, begin] of begins) assert.is(refused(await begin({ ...stage, owner })), 'This team has no active plan.', name)
  assert.equal(await stage.app.backend.database.selectFrom('run').selectAll().execute(), [])
})

credits('invalid input is reported before exceeded limits', () =>
  onPlan({ page_credit: 0 }, async (stage) => {
    const reply = await crawl(stage, 0)
    assert.equal([reply.status, Object.keys(reply.body.errors as object)], [400, ['options']])
  }),
)

credits('a running job counts as concurrent for two hours, an ended job does not count', () =>
  onPlan({ max_concurrent_crawl: 1 }, async (stage) => {
    const { app, clock, owner } = stage
    const id = accepted(await crawl(stage, 1))
    assert.match(refused(await crawl(stage, 1)), /at once/)
    await app.call(stopCrawl, { as: owner, params: { id } })
    accepted(await crawl(stage, 1))
    assert.match(refused(await crawl(stage, 1)), /at once/)
    clock.advance(2 * 60 * 60 * 1000)
    accepted(await crawl({ ...stage, owner: await app.logIn(owner) }, 1))
  }),
)

credits("a premium proxy needs a paid plan; general proxies and the team's own do not", async () => {
  const stage = await startEnterpriseApp()
  const owner = await stage.app.signIn()
  const { database } = stage.app.backend
  const row = {
    isDefault: 0,
    proxyType: 'http',
    host: '127.0.0.1',
    port: 9,
    username: null,
    sealedPassword: null,
    createdAt: 1,
    updatedAt: 1,
  }
  for (const category of ['premium', 'general', 'team'])
    await database
      .insertInto('proxyServer')
      .values({ ...row, id: category, slug: category, name: category, category, teamId: category === 'team' ? owner.teamId : null })
      .execute()
  const through = (proxy: string) => crawl({ ...stage, owner }, 1, { proxy })
  await stage.app.call(startSubscription, { as: owner, body: { plan_uuid: PLANS.free.uuid } })
  assert.is(refused(await through('premium')), 'Premium proxies need a paid plan.')
  for (const allowed of ['general', 'team']) accepted(await through(allowed))
  const site = { url: URL_OF_NOTHING, options: { proxy_server: 'premium' } }
  const reply = (await stage.app.request('POST', createSitemap.path, { as: owner, body: site })) as Begun
  assert.is(refused(reply), 'Premium proxies need a paid plan.')
  await database.updateTable('team').set({ paymentCustomerId: 'cus_1' }).execute()
  await stage.stripe.subscribe('cus_1', 'price_studio')
  accepted(await through('premium'))
})

credits('the same Idempotency-Key reserves credits once', () =>
  onPlan({ page_credit: 10 }, async (stage) => {
    const first = accepted(await crawl(stage, 10, { key: 'k' }))
    assert.is(accepted(await crawl(stage, 10, { key: 'k' })), first)
    assert.equal(await left(stage), [0, -1])
  }),
)

credits('a job of any kind that is stopped before its start costs nothing', () =>
  onPlan({ page_credit: 100, daily_page_credit: 100 }, async (stage) => {
    const { app, owner } = stage
    const ids = [
      accepted(await crawl(stage, 10)),
      accepted(await search(stage, 20, 'advanced')),
      accepted(await sitemap(stage, { ignores: true })),
    ]
    assert.equal(await left(stage), [67, 67])
    for (const [place, endpoint] of [stopCrawl, stopSearch, stopSitemap].entries())
      for (let times = 0; times < 2; times += 1)
        assert.is((await app.call(endpoint, { as: owner, params: { id: ids[place]! } })).status, 204)
    assert.equal(await left(stage), [100, 100])
    assert.equal(await ledger(stage), { requested: 33, used: 0, entries: 3 })
  }),
)

/** Ends a run as the engine does. */
async function end({ app }: Stage, id: string, { status = 'finished', used }: { status?: string; used: number }) {
  const { database } = app.backend
  const { no } = await database.selectFrom('run').select('no').where('id', '=', id).executeTakeFirstOrThrow()
  await database.updateTable('run').set({ status, endedAt: 1, kept: used }).where('no', '=', no).execute()
  await database.updateTable('creditEntry').set({ used, state: 'settled' }).where('runNo', '=', no).execute()
}

credits('at midnight UTC the daily credits are renewed, the credits of the period are not', async () => {
  const clock = createClock(Date.parse('2026-03-04T23:59:00Z'))
  await onPlan(
    { page_credit: 100, daily_page_credit: 10 },
    async (stage) => {
      const id = accepted(await crawl(stage, 10))
      assert.equal(await left(stage), [90, 0])
      clock.advance(59_999)
      assert.equal(await left(stage), [90, 0])
      clock.advance(1)
      assert.equal(await left(stage), [90, 10])
      const today = { ...stage, owner: await stage.app.logIn(stage.owner) }
      accepted(await crawl(today, 4))
      assert.equal(await left(stage), [86, 6])
      // Credits returned by yesterday's runs do not count today: a day never has more than its limit.
      await end(stage, id, { used: 3 })
      assert.equal(await left(stage), [93, 6])
    },
    { clock },
  )
})

credits('the free plan has a new period each month', async () => {
  const clock = createClock(Date.parse('2026-01-31T12:00:00Z'))
  const stage = await startEnterpriseApp({ clock })
  const owner = await stage.app.signIn()
  await stage.app.call(startSubscription, { as: owner, body: { plan_uuid: PLANS.free.uuid } })
  const team = { ...stage, owner }
  await end(team, accepted(await crawl(team, 100)), { used: 100 })
  assert.equal(await left(team), [900, 0])
  clock.advance(27 * 24 * 60 * 60 * 1000)
  assert.equal(await left(team), [900, 100])
  clock.advance(24 * 60 * 60 * 1000)
  assert.equal(await left(team), [1000, 100], 'February has no 31st')
})

credits('A17 a user who deletes the team of the free plan gets no new credits before its period ends', async () => {
  const clock = createClock(Date.parse('2026-03-04T09:00:30Z'))
  const stage = await startEnterpriseApp({ clock })
  const { app } = stage
  const first = await app.signIn()
  const takeFree = (as: Caller) => app.call(startSubscription, { as, body: { plan_uuid: PLANS.free.uuid } })
  const deleteDefault = async (as: Caller) => {
    assert.is((await app.call(deleteTeam, { as, query: { confirm: 'Default' } })).status, 204)
    return app.logIn(as)
  }
  assert.is((await takeFree(first)).status, 204)
  // Without use, nothing counts.
  const second = await deleteDefault(first)
  assert.is.not(second.teamId, first.teamId)
  assert.is((await takeFree(second)).status, 204)
  await end({ ...stage, owner: second }, accepted(await crawl({ ...stage, owner: second }, 60)), { used: 60 })

  clock.advance(24 * 60 * 60 * 1000)
  let third = await deleteDefault(await app.logIn(second))
  const refusal = await takeFree(third)
  const message = 'A team that you deleted has used the free plan. It can be chosen again on 2026-04-04 at 09:01 UTC.'
  assert.equal([refusal.status, JSON.parse(refusal.text).message], [403, message])
  third = await deleteDefault(third)
  assert.is((await takeFree(third)).status, 403, 'nor with the team after that')
  clock.advance(Date.parse('2026-04-04T09:00:30Z') - clock.now() - 1)
  third = await app.logIn(third)
  assert.is((await takeFree(third)).status, 403, 'nor a moment before the period ends')
  clock.advance(1)
  assert.is((await takeFree(third)).status, 204)
  assert.equal(await left({ ...stage, owner: third }), [1000, 100])
})

credits('A17 what a deleted team used under a paid plan in between does not count as use of the free plan', async () => {
  const clock = createClock(Date.parse('2026-03-04T09:00:00Z'))
  const stage = await startEnterpriseApp({ clock })
  const { app, stripe } = stage
  const first = await app.signIn()
  const takeFree = (as: Caller) => app.call(startSubscription, { as, body: { plan_uuid: PLANS.free.uuid } })
  const cancelPaid = async () =>
    assert.is((await app.call(cancelSubscription, { as: await app.logIn(first), body: { immediately: true } })).status, 204)
  /** A paid plan in whose time the team uses 500 credits, which is canceled at once. */
  async function pay(as: Caller) {
    await app.backend.database
      .updateTable('team')
      .set({ paymentCustomerId: `cus_${as.teamId}` })
      .where('id', '=', as.teamId)
      .execute()
    await stripe.subscribe(`cus_${as.teamId}`, 'price_studio')
    await end({ ...stage, owner: as }, accepted(await crawl({ ...stage, owner: as }, 500)), { used: 500 })
    await cancelPaid()
  }
  const deleteDefault = async (as: Caller) => assert.is((await app.call(deleteTeam, { as, query: { confirm: 'Default' } })).status, 204)
  assert.is((await takeFree(first)).status, 204)
  await pay(first)
  assert.is((await takeFree(first)).status, 204)
  await deleteDefault(first)
  const second = await app.logIn(first)
  assert.is((await takeFree(second)).status, 204, 'no use of the free plan')

  // Deleted without having chosen the free plan again.
  await pay(second)
  await deleteDefault(second)
  const third = await app.logIn(first)
  assert.is((await takeFree(third)).status, 204, 'no use of the free plan')

  // What the free plan itself was charged before the paid one counts.
  await end({ ...stage, owner: third }, accepted(await crawl({ ...stage, owner: third }, 1)), { used: 1 })
  await pay(third)
  await deleteDefault(third)
  assert.is((await takeFree(await app.logIn(first))).status, 403)
})

credits('A17 the free plan that the operator has given to a team counts like one that its owner has chosen', async () => {
  const clock = createClock(Date.parse('2026-03-04T09:00:00Z'))
  const stage = await startEnterpriseApp({ clock })
  const { app } = stage
  const first = await app.signIn()
  const plans = administerPlans({ database: app.backend.database, newId: createIds(clock.now), now: clock.now })
  await plans.give(first.teamId, PLANS.free.uuid)
  await end({ ...stage, owner: first }, accepted(await crawl({ ...stage, owner: first }, 60)), { used: 60 })
  assert.is((await app.call(deleteTeam, { as: first, query: { confirm: 'Default' } })).status, 204)
  const second = await app.logIn(first)
  assert.is((await app.call(startSubscription, { as: second, body: { plan_uuid: PLANS.free.uuid } })).status, 403)
  await plans.give(second.teamId, PLANS.free.uuid)
  assert.equal(await left({ ...stage, owner: second }), [1000, 100], 'what the operator gives is not refused')
})

credits('A28 a person who deletes their account and signs up again gets no new credits before the period ends', async () => {
  const clock = createClock(Date.parse('2026-03-04T09:00:30Z'))
  const looks: (() => void)[] = []
  const stage = await startEnterpriseApp({ clock, every: (_ms, call) => (looks.push(call), () => undefined) })
  const { app } = stage
  const { database } = app.backend
  await app.signIn()
  const takeFree = async (as: Caller) => (await app.call(startSubscription, { as, body: { plan_uuid: PLANS.free.uuid } })).status
  const signUp = async ({ proves = true } = {}) => {
    const ben = await app.secondUser('ben@example.org')
    await database
      .updateTable('user')
      .set({ emailProven: proves ? 1 : 0 })
      .where('id', '=', ben.userId)
      .execute()
    return ben
  }
  const remove = async (as: Caller) =>
    assert.is((await app.call(deleteAccount, { as, body: { current_password: as.password } })).status, 204)

  // A stranger who has used an address that is not theirs does not spoil it.
  const stranger = await signUp({ proves: false })
  assert.is(await takeFree(stranger), 204)
  await end({ ...stage, owner: stranger }, accepted(await crawl({ ...stage, owner: stranger }, 60)), { used: 60 })
  await remove(stranger)
  const first = await signUp()
  assert.is(await takeFree(first), 204)
  await end({ ...stage, owner: first }, accepted(await crawl({ ...stage, owner: first }, 60)), { used: 60 })
  await remove(first)

  let again = await signUp()
  assert.is(await takeFree(again), 403)
  await remove(again)
  again = await signUp()
  assert.is(await takeFree(again), 403, 'nor with the account after that')
  assert.is(await takeFree(await app.secondUser('eva@example.org')), 204)
  assert.not.match(JSON.stringify(await database.selectFrom('pastFreePlan').selectAll().execute()), /ben/)
  clock.advance(Date.parse('2026-04-04T09:00:30Z') - clock.now())
  assert.is(await takeFree(await app.logIn(again)), 204)
  // Nothing is kept after the period.
  for (const look of looks) look()
  await until(async () => (await database.selectFrom('pastFreePlan').selectAll().execute()).length === 0 || null)
})

credits('A15 a team that leaves the free plan and takes it again keeps the used credits of its day and period', async () => {
  const clock = createClock(Date.parse('2026-03-04T09:00:00Z'))
  const stage = await startEnterpriseApp({ clock })
  const { app, stripe } = stage
  const owner = await app.signIn()
  const team = { ...stage, owner }
  const takeFree = async () => app.call(startSubscription, { as: await app.logIn(owner), body: { plan_uuid: PLANS.free.uuid } })
  assert.is((await takeFree()).status, 204)
  await end(team, accepted(await crawl(team, 60)), { used: 60 })
  const held = accepted(await crawl(team, 30))
  assert.equal(await left(team), [910, 10])

  // The team leaves the free plan for a paid one, which has credits of its own, and cancels that at once; all within one day.
  await app.backend.database.updateTable('team').set({ paymentCustomerId: 'cus_1' }).execute()
  await stripe.subscribe('cus_1', 'price_studio')
  await end(team, accepted(await crawl(team, 500)), { used: 500 })
  assert.is((await app.call(cancelSubscription, { as: await app.logIn(owner), body: { immediately: true } })).status, 204)
  assert.is((await takeFree()).status, 204)
  assert.equal(await left(team), [910, 10])
  assert.is(refused(await crawl(team, 11)), 'Only 10 page credits remain for today. Lower page_limit.')
  await end(team, held, { used: 10 })
  assert.equal(await left(team), [930, 30], 'what an earlier time gives back comes back')

  // The free plan is ended by hand and taken a third time, the next day. The day is full; the period goes on and ends as before.
  clock.advance(24 * 60 * 60 * 1000)
  await app.backend.database.updateTable('subscription').set({ status: 'canceled' }).execute()
  assert.is((await takeFree()).status, 204)
  assert.equal(await left(team), [930, 100])
  const today = { ...stage, owner: await app.logIn(owner) }
  await end(today, accepted(await crawl(today, 40)), { used: 40 })
  assert.equal(await left(team), [890, 60])
  clock.advance(Date.parse('2026-04-04T08:59:59Z') - clock.now())
  assert.equal(await left(team), [890, 100])
  clock.advance(1000)
  assert.equal(await left(team), [1000, 100])
})

credits('a new period and a change from the free plan start with full credits; a change between paid plans keeps the usage', async () => {
  const stage = await startEnterpriseApp()
  const { app, clock, stripe } = stage
  const owner = await app.signIn()
  const team = { ...stage, owner }
  await app.call(startSubscription, { as: owner, body: { plan_uuid: PLANS.free.uuid } })
  await end(team, accepted(await crawl(team, 50)), { used: 50 })
  assert.equal(await left(team), [950, 50])
  await app.backend.database.updateTable('team').set({ paymentCustomerId: 'cus_1' }).execute()
  const { id, periodEnd } = await stripe.subscribe('cus_1', 'price_studio')
  assert.equal(await left(team), [20_000, 1500])
  await end(team, accepted(await crawl(team, 200)), { used: 200 })
  const held = accepted(await crawl(team, 100))
  assert.equal(await left(team), [19_700, 1200])
  // To a plan with fewer credits: what was used stays used, and the rest is 0, never negative.
  await app.backend.database.updateTable('plan').set({ pageCredit: 250, dailyPageCredit: 1000 }).where('name', '=', 'Fleet').execute()
  clock.advance(1000)
  await stripe.change(id, { price: 'price_fleet' })
  assert.equal(await left(team), [0, 700])
  clock.advance(1000)
  await stripe.change(id, { price: 'price_studio' })
  assert.equal(await left(team), [19_700, 1200])
  clock.advance(1000)
  await stripe.change(id, { periodStart: periodEnd, periodEnd: periodEnd + 1000 })
  assert.equal(await left(team), [20_000, 1500], 'also what is still held was of the old period')
  await end(team, held, { used: 100 })
  assert.equal(await left(team), [20_000, 1500])
  // The same event a second time: no second gift.
  accepted(await crawl(team, 10))
  await stripe.tell('customer.subscription.updated', subscriptionObject(stripe.subscriptions.get(id)!))
  assert.equal(await left(team), [19_990, 1490])
})

credits(
  'F48 T33 if a plan ends or shrinks during a crawl, the crawl goes on and costs at most its reservation, and no new job starts',
  () =>
    onPlan({ page_credit: 100, crawl_max_limit: 50 }, async (stage) => {
      const { app, owner } = stage
      const { database } = app.backend
      const id = accepted(await crawl(stage, 40))
      await database.updateTable('plan').set({ pageCredit: 20, crawlMaxLimit: 10 }).where('id', '=', PLANS.fleet.uuid).execute()
      assert.equal(await left(stage), [0, -1], 'never below 0')
      assert.is((await app.call(getCrawl, { as: owner, params: { id } })).body.status, 'new')
      assert.is(refused(await crawl(stage, 1)), 'All page credits of this billing period are used.')
      await end(stage, id, { used: 5 })
      assert.equal(await left(stage), [15, -1])
      // The key that started a crawl is deleted. The crawl belongs to the team, and goes on.
      const byKey = (await app.request('POST', createCrawl.path, { key: owner.apiKey, body: { url: URL_OF_NOTHING } })) as Begun
      const keys = (await app.call(listApiKeys, { as: owner })).body.results
      for (const { uuid } of keys) await app.call(deleteApiKey, { as: owner, params: { id: uuid } })
      assert.is((await app.call(getCrawl, { as: owner, params: { id: accepted(byKey) } })).body.status, 'new')
      await database.updateTable('subscription').set({ status: 'canceled' }).execute()
      assert.is(refused(await crawl(stage, 1)), 'This team has no active plan.')
      await end(stage, accepted(byKey), { used: 1 })
      assert.equal((await ledger(stage)).used, 6)
    }),
)

credits('T33 after 200 random actions the remaining credits match a simple model, and are never negative', async () => {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e6))
  let state = seed
  const random = (below: number) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) % below
  const stage = await startEnterpriseApp({ clock: createClock(Date.parse('2026-03-01T20:00:00Z')) })
  const { app, clock, stripe } = stage
  const owner = await app.signIn()
  const { database } = app.backend
  await database.updateTable('team').set({ paymentCustomerId: 'cus_1' }).execute()
  await database.updateTable('plan').set({ pageCredit: 300, dailyPageCredit: 100, maxConcurrentCrawl: -1, crawlMaxLimit: -1 }).execute()
  await database.updateTable('plan').set({ pageCredit: 120, dailyPageCredit: 60 }).where('name', '=', 'Fleet').execute()
  const { id } = await stripe.subscribe('cus_1', 'price_studio')
  const bounds = { price_studio: [300, 100], price_fleet: [120, 60] } as const
  let price: keyof typeof bounds = 'price_studio'
  let period = 0
  type Entry = { id: string; requested: number; cost: number; isHeld: boolean; day: number; period: number }
  const entries: Entry[] = []
  const day = () => Math.floor(clock.now() / 86_400_000)
  const model = (): [number, number] => {
    const sum = (some: Entry[]) => some.reduce((total, { cost }) => total + cost, 0)
    const now = entries.filter((entry) => entry.period === period)
    const [most, mostToday] = bounds[price]
    return [Math.max(0, most - sum(now)), Math.max(0, mostToday - sum(now.filter((entry) => entry.day === day())))]
  }
  const acts: (() => Promise<void>)[] = [
    async function start() {
      const pages = 1 + random(40)
      const [ofPeriod, today] = model()
      const reply = (await app.request('POST', createCrawl.path, {
        key: owner.apiKey,
        body: { url: URL_OF_NOTHING, options: { spider_options: { page_limit: pages } } },
      })) as Begun
      assert.is(reply.status, pages <= Math.min(ofPeriod, today) ? 201 : 403, `${pages} of ${ofPeriod} and ${today}`)
      if (reply.status === 201) entries.push({ id: reply.body.uuid, requested: pages, cost: pages, isHeld: true, day: day(), period })
    },
    async function finish() {
      const entry = entries.find(({ isHeld }) => isHeld)
      if (!entry) return
      const used = random(3) === 0 ? 0 : random(entry.requested + 1)
      await end({ ...stage, owner }, entry.id, { used })
      Object.assign(entry, { cost: used, isHeld: false })
    },
    async function wait() {
      clock.advance((1 + random(7)) * 3_600_000)
    },
    async function change() {
      price = random(2) === 0 ? 'price_studio' : 'price_fleet'
      clock.advance(1000)
      await stripe.change(id, { price })
    },
    async function renew() {
      clock.advance(1000)
      period += 1
      const { periodEnd } = stripe.subscriptions.get(id)!
      await stripe.change(id, { periodStart: periodEnd, periodEnd: periodEnd + 86_400 })
    },
  ]
  const likely = [0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4]
  for (let step = 0; step < 200; step += 1) {
    await acts[likely[random(likely.length)]!]!()
    assert.equal(await left({ ...stage, owner }), model(), `step ${step}, SEED=${seed}`)
  }
  assert.ok(entries.length > 20, `${entries.length} began`)
})

// ---- with an engine

/** The engine as a process, which a test can kill. */
function killableEngine() {
  let child: ReturnType<typeof fork> | null = null
  let needs: Parameters<NonNullable<Replacements['engine']>>[0] | null = null
  const start = (isAfterCrash: boolean) => {
    child = fork(fileURLToPath(new URL('../../../backend/engine-process.ts', import.meta.url)), [], {
      execArgv: [],
      serialization: 'advanced',
    })
    child.on('message', (message: FromEngine) => message.type === 'hints' && message.hints.forEach((hint) => needs!.onHint(hint)))
    const { database, proxyKey, search: webSearch, secretsKey, settings } = needs!
    child.send({ type: 'start', database, settings, search: webSearch, proxyKey, secretsKey, isAfterCrash } satisfies ToEngine)
  }
  const stop = async (message: () => void) => {
    const exit = new Promise((resolve) => child!.once('exit', resolve))
    message()
    await exit
  }
  return {
    engine: ((given) => {
      needs = given
      start(false)
      return {
        wake: () => child!.send({ type: 'wake' } satisfies ToEngine),
        cancel: (runNo: number) => child!.send({ type: 'cancel', runNo } satisfies ToEngine),
        close: () => stop(() => child!.send({ type: 'close', graceMs: 0 } satisfies ToEngine)),
      }
    }) satisfies Replacements['engine'],
    async crash() {
      await stop(() => child!.kill('SIGKILL'))
      start(true)
    },
  }
}

async function withSite(
  pages: Record<string, SitePage>,
  work: (
    stage: Stage & { url: (path: string) => string; crash: () => Promise<void>; site: Awaited<ReturnType<typeof startSite>> },
  ) => Promise<void>,
) {
  const site = await startSite(pages)
  const { crash, engine } = killableEngine()
  await onPlan({ page_credit: 1000, daily_page_credit: 500 }, (stage) => work({ ...stage, crash, site, url: (path) => site.url(path) }), {
    engine,
  })
}

/** Polls for a change by the engine. */
async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (const limit = Date.now() + 30_000; Date.now() < limit; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const found = await look()
    if (found !== null) return found
  }
  throw new Error('it did not come in time')
}

const ended = ({ app, owner }: Stage, id: string, endpoint: typeof getCrawl | typeof getSitemap = getCrawl) =>
  until(async () => {
    const { body } = await app.call(endpoint, { key: owner.apiKey, params: { id } })
    return isTerminal(body.status) ? body : null
  })

const kept = ({ app, owner }: Stage, id: string, count: number) =>
  until(async () => {
    const { body } = await app.call(getCrawl, { key: owner.apiKey, params: { id } })
    return body.number_of_documents >= count ? body : null
  })

const tree = (count: number): Record<string, SitePage> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      n === 0 ? '/' : `/${n}`,
      { body: pageOf(`page ${n}`, [`/${n + 1}`, `/${n + 2}`]), afterMs: n === 0 ? 0 : 5 },
    ]),
  )

credits('a crawl costs its stored pages; a crawl that reaches its page limit finishes with the pages it has', () =>
  withSite(tree(4), async (stage) => {
    const all = await ended(stage, accepted(await crawl(stage, 50, { url: stage.url('/'), depth: 9 })))
    assert.equal([all.status, all.number_of_documents], ['finished', 4])
    assert.equal(await left(stage), [996, 496])
    const some = await ended(stage, accepted(await crawl(stage, 2, { url: stage.url('/'), depth: 9 })))
    assert.equal([some.status, some.reason, some.number_of_documents], ['finished', 'page_limit', 2])
    assert.equal(await left(stage), [994, 494])
    assert.equal(await ledger(stage), { requested: 52, used: 6, entries: 2 })
  }),
)

credits('a failed crawl, search or sitemap returns all its credits; a finished sitemap keeps its price', () =>
  withSite({ '/': pageOf('home', ['/a']), '/a': pageOf('a') }, async (stage) => {
    const failed = await ended(stage, accepted(await crawl(stage, 50, { url: stage.url('/nowhere') })))
    assert.is(failed.status, 'failed')
    const unreachable = await ended(stage, accepted(await sitemap(stage)), getSitemap)
    assert.is(unreachable.status, 'failed')
    assert.equal(await left(stage), [1000, 500])
    const done = await ended(stage, accepted(await sitemap(stage, { url: stage.url('/') })), getSitemap)
    assert.is(done.status, 'finished')
    assert.equal(await left(stage), [995, 495])
  }),
)

credits('a stopped crawl costs its stored pages, a stopped sitemap its price', async () => {
  const gate = Promise.withResolvers<void>()
  const pages = { '/': pageOf('home', ['/a', '/held']), '/a': pageOf('a'), '/held': { body: pageOf('held'), until: gate.promise } }
  await withSite({ ...pages, '/robots.txt': { body: '' }, '/sitemap.xml': { body: '', until: gate.promise } }, async (stage) => {
    const { app, owner, site } = stage
    const id = accepted(await crawl(stage, 50, { url: stage.url('/'), depth: 2 }))
    await site.asked('/held')
    await kept(stage, id, 2)
    assert.equal(await left(stage), [950, 450])
    await app.call(stopCrawl, { as: owner, params: { id } })
    const { number_of_documents: count, status } = await ended(stage, id)
    assert.equal([status, count], ['canceled', 2])
    assert.equal(await left(stage), [998, 498])
    const map = accepted(await sitemap(stage, { url: stage.url('/') }))
    await site.asked('/sitemap.xml')
    await app.call(stopSitemap, { as: owner, params: { id: map } })
    assert.is((await ended(stage, map, getSitemap)).status, 'canceled')
    assert.equal(await left(stage), [993, 493])
    gate.resolve()
  })
})

credits('T33 an engine that is killed again and again loses no credit and charges none twice', () =>
  withSite(tree(60), async (stage) => {
    const { crash } = stage
    const id = accepted(await crawl(stage, 100, { url: stage.url('/'), depth: 100 }))
    for (const count of [5, 20, 40]) {
      await kept(stage, id, count)
      const held = await left(stage)
      const { body } = await stage.app.call(getCrawl, { key: stage.owner.apiKey, params: { id } })
      // With a slow database the crawl may end before this sees it running.
      if (body.status === 'finished') break
      assert.equal(held, [900, 400], 'held until the end')
      await crash()
    }
    const { number_of_documents: count, status } = await ended(stage, id)
    assert.equal([status, count], ['finished', 60])
    assert.equal(await left(stage), [940, 440])
    assert.equal(await ledger(stage), { requested: 100, used: 60, entries: 1 })
  }),
)

credits('options that a language model chooses for a crawl of the Firecrawl API stay within the plan', async () => {
  const model = await startModelStub(() => ({ content: { limit: 5000, maxDiscoveryDepth: 50 } }))
  const config = { openaiBaseUrl: model.url, openaiModels: [{ name: 'small', price: null }], egressAllow: ['127.0.0.1'] }
  await onPlan(
    { page_credit: 400, crawl_max_limit: 100, crawl_max_depth: 4 },
    async ({ app, owner }) => {
      const body = { url: 'http://127.0.0.1:9/', prompt: 'all of it' }
      const { status, text } = await app.request('POST', '/v2/crawl', { key: owner.apiKey, body })
      assert.is(status, 200, text)
      const run = await app.backend.database.selectFrom('run').selectAll().executeTakeFirstOrThrow()
      const { spec } = await app.backend.database.selectFrom('runOptions').select('spec').executeTakeFirstOrThrow()
      assert.equal([run.pageLimit, (JSON.parse(spec!) as { maxDepth: number }).maxDepth], [100, 4])
    },
    { config },
  )
})

credits.run()
