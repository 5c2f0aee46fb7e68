import { writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { cancelSubscription, getCurrentSubscription, getPlan, listPlans, listSubscriptions, manageSubscription } from '#contract/plans.ts'
import { renewSubscription, startSubscription } from '#contract/plans.ts'
import { getSettings } from '#contract/settings.ts'
import { inviteMember } from '#contract/teams.ts'
import { createCatalogue } from '#backend/plans/catalogue.ts'
import { PlansFault, readPlans, readPlansFile } from '#backend/plans/plans-file.ts'
import { startApp } from '#tests/support/app.ts'
import { PLANS, startEnterpriseApp, writePlans } from '#tests/support/enterprise.ts'
import { suite } from '#tests/support/suite.ts'

const plans = suite('plans')

plans('S-API-33 GET plans/ lists the plans of the file, in its order, for anyone', async () => {
  const { app } = await startEnterpriseApp()
  const { status, body } = await app.call(listPlans, { headers: { authorization: 'Bearer stale' } })
  assert.is(status, 200)
  assert.equal(
    body.map(({ name, group }) => `${name} ${group}`),
    ['Free monthly', 'Studio monthly', 'Studio yearly', 'Fleet monthly', 'Fleet yearly'],
  )
  assert.equal(body[2], {
    uuid: PLANS.studioYearly.uuid,
    name: 'Studio',
    label: 'Two months free',
    group: 'yearly',
    description: 'For teams that crawl every day.',
    price_before_discount: '588.00',
    price: '490.00',
    number_of_users: 3,
    page_credit: 20_000,
    daily_page_credit: 1500,
    crawl_max_depth: 10,
    crawl_max_limit: 1000,
    max_concurrent_crawl: 4,
    is_default: false,
    features: [
      { title: '20,000 pages a month', help_text: null, icon: 'check' },
      { title: 'Premium proxies', help_text: 'Proxy servers of the installation that only paid plans may use.', icon: 'check' },
      { title: 'Invoices by mail', help_text: null, icon: 'info' },
      { title: 'All formats', help_text: null, icon: '' },
    ],
  })
  assert.equal([body[0]?.label, body[1]?.label], [null, ''], 'no badge, and one with its usual text')
  assert.not.match(JSON.stringify(body), /price_studio|stripe/, 'the name of the price stays here')
})

plans('S-API-34 GET plans/{id}/ returns one plan', async () => {
  const { app } = await startEnterpriseApp()
  const { status, body } = await app.call(getPlan, { params: { id: PLANS.free.uuid } })
  assert.equal([status, body.name, body.price, body.is_default], [200, 'Free', '0.00', true])
  for (const id of [randomUUID(), 'x']) assert.is((await app.call(getPlan, { params: { id } })).status, 404)
})

plans('S-PLN-01 without enterprise mode everything is unlimited, and no plan can be chosen, cancelled or managed', async () => {
  const app = await startApp()
  const owner = await app.signIn()
  assert.is((await app.call(getSettings)).body.is_enterprise_mode_active, false)
  assert.equal((await app.call(listPlans)).body, [])
  assert.equal((await app.call(listSubscriptions, { as: owner })).body, [])
  const { status, body } = await app.call(getCurrentSubscription, { as: owner })
  assert.is(status, 200)
  assert.equal(
    [body.plan_name, body.status, body.is_default, body.plan_page_credit, body.remaining_daily_page_credit, body.max_depth],
    ['Unlimited', 'active', false, -1, -1, -1],
  )
  assert.equal([body.remain_number_users, body.max_concurrent_crawl, body.start_at, body.cancel_at], [-1, -1, null, null])
  for (const endpoint of [cancelSubscription, renewSubscription, manageSubscription]) {
    const reply = await app.call(endpoint, { as: owner })
    assert.equal([reply.status, reply.text], [403, forbidden])
  }
  const start = await app.call(startSubscription, { as: owner, body: { plan_uuid: randomUUID() } })
  assert.equal([start.status, start.text], [403, forbidden])
  const crawl = { url: 'http://127.0.0.1:8080/', options: { spider_options: { max_depth: 50, page_limit: 100_000 } } }
  assert.is((await app.call(createCrawl, { as: owner, body: crawl })).status, 201)
  assert.is((await app.call(inviteMember, { as: owner, body: { email: 'new@example.org' } })).status, 200)
})
const forbidden = JSON.stringify({ code: 403, errors: null, message: 'You do not have permission to perform this action.' })

plans('without enterprise mode only the server limits the depth', async () => {
  const app = await startApp({ config: { crawlMaxDepth: 4 } })
  const owner = await app.signIn()
  const crawl = (max_depth: number) =>
    app.request('POST', createCrawl.path, {
      as: owner,
      body: { url: 'http://127.0.0.1:8080/', options: { spider_options: { max_depth } } },
    })
  assert.is((await crawl(4)).status, 201)
  const refused = await crawl(5)
  assert.equal(refused.body, { code: 403, errors: null, message: 'max_depth may be at most 4 on this plan.' })
  assert.is((await app.call(getCurrentSubscription, { as: owner })).body.max_depth, 4)
})

plans('a plan removed from the file can no longer be chosen; a changed plan is updated', async () => {
  const first = await startEnterpriseApp()
  const ana = await first.app.signIn()
  await first.app.call(startSubscription, { as: ana, body: { plan_uuid: PLANS.free.uuid } })
  const { database } = first.app.backend
  const catalogue = createCatalogue({ database, now: Date.now })
  await catalogue.replaceFromFile(readPlans([{ ...PLANS.studio, price: '55.5', is_default: false }, { ...PLANS.fleet }]))
  const listed = (await first.app.call(listPlans)).body
  assert.equal(
    listed.map(({ name, price }) => `${name} ${price}`),
    ['Studio 55.50', 'Fleet 199.00'],
  )
  assert.is((await first.app.call(getPlan, { params: { id: PLANS.free.uuid } })).status, 404)
  assert.is((await first.app.call(getCurrentSubscription, { as: ana })).body.plan_name, 'Free', 'who has it keeps it')
})

plans('only one plan is the free plan: a new free plan replaces the old one', async () => {
  const { app } = await startEnterpriseApp()
  const catalogue = createCatalogue({ database: app.backend.database, now: Date.now })
  const [entry] = readPlans([{ ...PLANS.free, uuid: randomUUID(), name: 'Freer' }])
  await catalogue.keep([entry!])
  const { body } = await app.call(listPlans)
  assert.equal(
    body.filter((plan) => plan.is_default).map(({ name }) => name),
    ['Freer'],
  )
})

const WRONG: [written: unknown, expected: RegExp][] = [
  [{}, /it must be \{ "plans"/],
  [[{ ...PLANS.free, uuid: 'one' }], /plan 1 \(Free\): uuid must be a UUID/],
  [[PLANS.free, { ...PLANS.studio, price: '4,90' }], /plan 2 \(Studio\): price must be an amount such as "19.00"/],
  [[{ ...PLANS.studio, price: -1 }], /price must be an amount/],
  [[{ ...PLANS.studio, page_credit: -2 }], /plan 1 \(Studio\): page_credit /],
  [[{ ...PLANS.studio, page_credit: 1.5 }], /page_credit/],
  [[{ ...PLANS.studio, group: 'weekly' }], /group/],
  [[{ ...PLANS.studio, pages: 1 }], /plan 1 \(Studio\).*pages/],
  [[{ ...PLANS.free, price: '1.00' }], /is the free plan, but its price is not 0/],
  [[{ ...PLANS.studio, price: '0.00' }], /only the plan with is_default costs nothing/],
  [[PLANS.free, { ...PLANS.free, uuid: randomUUID() }], /more than one plan has is_default/],
  [[PLANS.studio, { ...PLANS.fleet, uuid: PLANS.studio.uuid }], /two plans have the uuid/],
  [[PLANS.studio, { ...PLANS.fleet, stripe_price_id: 'price_studio' }], /two plans have the stripe_price_id price_studio/],
  [[{ ...PLANS.studio, features: [{ title: 'x', icon: 'star' }] }], /features 0 icon/],
]

plans('an invalid catalogue is refused with all its errors', () => {
  for (const [written, expected] of WRONG)
    assert.throws(
      () => readPlans(written),
      (error: unknown) => error instanceof PlansFault && expected.test(error.message),
      String(expected),
    )
  const both = [
    { ...PLANS.free, uuid: 'one' },
    { ...PLANS.studio, group: 'x' },
  ]
  assert.throws(
    () => readPlans(both),
    (error: Error) => error.message.split('\n').length === 2,
  )
})

plans('an error of a file that is not JSON has its place, and a byte order mark is no error', () => {
  const file = writePlans()
  writeFileSync(file.path, '{ "plans": [\n  { "name": "Free", },\n] }')
  assert.throws(() => readPlansFile(file.path), /it is not JSON: .* \(line 2 column 21\)$/)
  writeFileSync(file.path, `\uFEFF${JSON.stringify([PLANS.free])}`)
  assert.is(readPlansFile(file.path).length, 1)
  file.remove()
})

plans('a missing or malformed file prevents the start, and the error names the file', async () => {
  assert.throws(() => readPlansFile('/nowhere/plans.json'), /it cannot be read \(ENOENT\)/)
  const file = writePlans()
  writeFileSync(file.path, '{')
  assert.throws(() => readPlansFile(file.path), /it is not JSON/)
  try {
    await startApp({ config: { plansFile: file.path } })
    assert.unreachable()
  } catch (error) {
    assert.instance(error, PlansFault)
  }
  file.remove()
})

plans.run()
