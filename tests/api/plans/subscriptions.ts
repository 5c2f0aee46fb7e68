import { createHash, randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { registerInvited } from '#contract/accounts.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import {
  cancelSubscription,
  getCurrentSubscription,
  getSubscription,
  listSubscriptions,
  manageSubscription,
  renewSubscription,
  startSubscription,
} from '#contract/plans.ts'
import { createTeam, inviteMember, listOwnInvitations } from '#contract/teams.ts'
import { acceptInvitation } from '#contract/teams.ts'
import { insertUnbilled } from '#backend/plans/subscriptions.ts'
import { PaymentFault } from '#backend/plans/payment/payment-provider.ts'
import { isPaymentPage, stripeProvider } from '#backend/plans/payment/stripe-provider.ts'
import type { Caller } from '#tests/support/app.ts'
import { PLANS, startEnterpriseApp } from '#tests/support/enterprise.ts'
import { startStripeStub } from '#tests/support/stubs/stripe-stub.ts'
import { suite } from '#tests/support/suite.ts'

const subscriptions = suite('subscriptions')

type Stage = Awaited<ReturnType<typeof startEnterpriseApp>>

async function onStage(work: (stage: Stage & { owner: Caller }) => Promise<void>, options: Parameters<typeof startEnterpriseApp>[0] = {}) {
  const stage = await startEnterpriseApp(options)
  try {
    await work({ ...stage, owner: await stage.app.signIn() })
  } finally {
    await stage.close()
  }
}

const take = ({ app }: Stage, owner: Caller, plan: { uuid: string }) =>
  app.call(startSubscription, { as: owner, body: { plan_uuid: plan.uuid } })
const currentOf = async ({ app }: Stage, owner: Caller) => (await app.call(getCurrentSubscription, { as: owner })).body

/** Opens the provider's page of an answer and completes it. Returns the URL to which the user returns. */
async function follow(reply: { status: number; body: { redirect_url: string } | undefined }): Promise<string> {
  assert.is(reply.status, 200)
  const done = await fetch(`${reply.body!.redirect_url}/go`, { redirect: 'manual' })
  assert.is(done.status, 303)
  return done.headers.get('location') ?? ''
}

/** On a paid plan. */
async function paying(stage: Stage, owner: Caller, plan: { uuid: string } = PLANS.studio) {
  await follow(await take(stage, owner, plan))
  return [...stage.stripe.subscriptions.values()].at(-1)!
}

async function refuses(stage: Stage, owner: Caller, endpoint: EndpointSpec, message: string, body?: unknown) {
  const reply = await stage.app.call(endpoint, { as: owner, ...(body !== undefined && { body }) })
  assert.equal([reply.status, JSON.parse(reply.text)], [403, { code: 403, errors: null, message }])
}

const BACK = 'http://127.0.0.1:3000/stripe-callback/?state='

subscriptions('S-API-28 POST start/: the free plan is active at once', () =>
  onStage(async (stage) => {
    const { app, owner, stripe } = stage
    const reply = await take(stage, owner, PLANS.free)
    assert.equal([reply.status, reply.text], [204, ''])
    const current = await currentOf(stage, owner)
    assert.equal(
      [
        current.plan_uuid,
        current.is_default,
        current.remaining_page_credit,
        current.remaining_daily_page_credit,
        current.current_period_end_at,
      ],
      [PLANS.free.uuid, true, 1000, 100, null],
    )
    assert.equal(stripe.calls, [], 'the provider is not asked')
    assert.is((await app.call(startSubscription, { as: owner, body: { plan_uuid: PLANS.free.uuid } })).status, 403, 'not twice')
  }),
)

subscriptions('S-API-28 a paid plan redirects the browser to the payment, and is active when the provider confirms it', () =>
  onStage(async (stage) => {
    const { app, clock, owner, stripe } = stage
    const reply = await take(stage, owner, PLANS.studio)
    assert.is(reply.status, 200)
    assert.ok(reply.body!.redirect_url.startsWith(`${stripe.url}/pay/`))
    const { fields } = stripe.calls.at(-1)!
    assert.equal(
      [fields['mode'], fields['line_items[0][price]'], fields['success_url'], fields['cancel_url']],
      ['subscription', 'price_studio', `${BACK}payment-success`, `${BACK}payment-cancel`],
    )
    assert.is((await app.call(getCurrentSubscription, { as: owner })).status, 403, 'nothing is active yet')
    assert.is(await follow(reply), `${BACK}payment-success`)
    const current = await currentOf(stage, owner)
    assert.equal(
      [current.plan_name, current.status, current.remaining_page_credit, current.remain_number_users, current.is_default],
      ['Studio', 'active', 20_000, 2, false],
    )
    assert.is(Date.parse(current.current_period_end_at!), clock.now() + 30 * 24 * 60 * 60 * 1000)
  }),
)

subscriptions('T32 returning from the payment page changes nothing by itself', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    await take(stage, owner, PLANS.studio)
    await app.request('GET', '/stripe-callback/?state=payment-success', { as: owner })
    assert.is((await app.call(getCurrentSubscription, { as: owner })).status, 403)
    assert.equal((await app.call(listSubscriptions, { as: owner })).body, [])
  }),
)

subscriptions('a team is one customer at the provider, however often it starts a payment', () =>
  onStage(async (stage) => {
    const { owner, stripe } = stage
    await Promise.all([PLANS.studio, PLANS.fleet, PLANS.studioYearly].map((plan) => take(stage, owner, plan)))
    await take(stage, owner, PLANS.fleetYearly)
    assert.is(stripe.customers.size, 1)
    const orders = stripe.calls.filter(({ path }) => path === '/v1/checkout/sessions')
    assert.is(new Set(orders.map(({ fields }) => fields['customer'])).size, 1)
    assert.is([...stripe.customers.values()][0]!['email'], owner.email)
  }),
)

subscriptions('S-API-28 T33 every refusal has its message, also the refusal of the free plan outside the default team', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    for (const [plan_uuid, message] of [
      [randomUUID(), 'No such plan.'],
      ['x', 'Must be a valid UUID.'],
      ['', 'This field may not be blank.'],
      [undefined, 'This field is required.'],
    ] as const) {
      const reply = await app.request('POST', startSubscription.path, { as: owner, body: { plan_uuid } })
      assert.is(reply.status, 400)
      assert.equal((reply.body as { errors: unknown }).errors, { plan_uuid: [message] })
    }
    const other = (await app.call(createTeam, { as: owner, body: { name: 'Second' } })).body
    const elsewhere = { ...owner, teamId: other.uuid }
    await refuses(stage, elsewhere, startSubscription, 'The free plan is reserved for the default team.', { plan_uuid: PLANS.free.uuid })
    await paying(stage, owner, PLANS.fleet)
    await refuses(stage, owner, startSubscription, 'This team is already subscribed.', { plan_uuid: PLANS.free.uuid })
    await refuses(stage, owner, startSubscription, 'This team is already subscribed.', { plan_uuid: PLANS.fleet.uuid })
    await refuses(stage, owner, startSubscription, 'Switching to a cheaper plan is not possible.', { plan_uuid: PLANS.studio.uuid })
    assert.is((await app.request('POST', startSubscription.path, { key: owner.apiKey, body: {} })).status, 401, 'people only')
  }),
)

subscriptions('T33 concurrent requests start the free plan once', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    const replies = await Promise.all(Array.from({ length: 10 }, () => take(stage, owner, PLANS.free)))
    assert.is(replies.filter(({ status }) => status === 204).length, 1)
    assert.is((await app.call(listSubscriptions, { as: owner })).body.length, 1)
  }),
)

subscriptions('a change from the free plan to a paid plan is a new payment, and starts with full credits', () =>
  onStage(async (stage) => {
    const { app, owner, stripe } = stage
    await take(stage, owner, PLANS.free)
    const reply = await take(stage, owner, PLANS.studio)
    assert.ok(reply.body!.redirect_url.startsWith(`${stripe.url}/pay/`), 'there is nothing to upgrade at the provider')
    await follow(reply)
    assert.equal((await currentOf(stage, owner)).remaining_page_credit, 20_000)
    const states = (await app.call(listSubscriptions, { as: owner })).body.map(({ plan, status }) => `${plan.name} ${status}`)
    assert.equal(states.toSorted(), ['Free canceled', 'Studio active'])
  }),
)

subscriptions('a change to a more expensive plan is confirmed on a page of the provider', () =>
  onStage(async (stage) => {
    const { owner, stripe } = stage
    const { id } = await paying(stage, owner)
    const reply = await take(stage, owner, PLANS.fleet)
    const { fields } = stripe.calls.at(-1)!
    assert.equal(
      [
        fields['flow_data[type]'],
        fields['flow_data[subscription_update_confirm][subscription]'],
        fields['flow_data[subscription_update_confirm][items][0][price]'],
        fields['flow_data[after_completion][redirect][return_url]'],
        fields['return_url'],
      ],
      ['subscription_update_confirm', id, 'price_fleet', `${BACK}payment-success`, `${BACK}payment-cancel`],
    )
    assert.is((await currentOf(stage, owner)).plan_name, 'Studio', 'not before it is confirmed')
    assert.is(await follow(reply), `${BACK}payment-success`)
    assert.is((await currentOf(stage, owner)).plan_name, 'Fleet')
    assert.is(stripe.subscriptions.size, 1, 'no second subscription')
  }),
)

subscriptions('S-API-30 DELETE cancel/: a plan is cancelled at the end of the period, on a page of the provider', () =>
  onStage(async (stage) => {
    const { app, owner, stripe } = stage
    const { id, periodEnd } = await paying(stage, owner)
    const reply = await app.call(cancelSubscription, { as: owner, body: { immediately: false } })
    const { fields } = stripe.calls.at(-1)!
    assert.equal(
      [
        fields['flow_data[subscription_cancel][subscription]'],
        fields['flow_data[after_completion][redirect][return_url]'],
        fields['return_url'],
      ],
      [id, `${BACK}subscription-cancel-success`, `${BACK}subscription-cancel`],
    )
    assert.is((await currentOf(stage, owner)).cancel_at, null)
    assert.is(await follow(reply), `${BACK}subscription-cancel-success`)
    const current = await currentOf(stage, owner)
    assert.equal([current.status, Date.parse(current.cancel_at!)], ['active', periodEnd * 1000])
  }),
)

subscriptions('S-API-30 DELETE cancel/ immediately: the plan and its credits end with the answer', () =>
  onStage(async (stage) => {
    const { app, owner, stripe } = stage
    const { id } = await paying(stage, owner)
    stripe.tellTo(async () => 503)
    const reply = await app.call(cancelSubscription, { as: owner, body: { immediately: true } })
    assert.equal([reply.status, reply.text], [204, ''])
    assert.is(stripe.subscriptions.get(id)!.status, 'canceled')
    await refuses(stage, owner, getCurrentSubscription, 'This team has no active plan.')
    await refuses(stage, owner, cancelSubscription, 'This team has no active plan.', { immediately: true })
  }),
)

subscriptions('S-API-30 the free plan cannot be cancelled, and without a plan there is nothing to cancel', () =>
  onStage(async (stage) => {
    await refuses(stage, stage.owner, cancelSubscription, 'This team has no active plan.')
    await take(stage, stage.owner, PLANS.free)
    await refuses(stage, stage.owner, cancelSubscription, 'The free plan cannot be cancelled.')
    await refuses(stage, stage.owner, cancelSubscription, 'The free plan cannot be cancelled.', { immediately: true })
  }),
)

subscriptions('S-API-31 POST renew/ withdraws a cancellation', () =>
  onStage(async (stage) => {
    const { app, owner, stripe } = stage
    await refuses(stage, owner, renewSubscription, 'This team has no active plan.')
    await take(stage, owner, PLANS.free)
    await refuses(stage, owner, renewSubscription, 'The free plan needs no renewal.')
    const { id } = await paying(stage, owner)
    await refuses(stage, owner, renewSubscription, 'No cancellation is scheduled.')
    await follow(await app.call(cancelSubscription, { as: owner }))
    assert.is((await app.call(renewSubscription, { as: owner })).status, 204)
    assert.equal([(await currentOf(stage, owner)).cancel_at, stripe.subscriptions.get(id)!.cancelAt], [null, null])
    await stripe.change(id, { cancelAt: stripe.subscriptions.get(id)!.periodEnd + 60 })
    assert.is((await app.call(renewSubscription, { as: owner })).status, 204, 'also one to a day of its own')
    const asked = stripe.calls.filter(({ method, path }) => method === 'POST' && path === `/v1/subscriptions/${id}`)
    assert.equal(
      asked.map(({ fields }) => fields),
      [{ cancel_at_period_end: 'false' }, { cancel_at: '' }],
    )
  }),
)

subscriptions('S-API-32 POST manage-subscription/ returns the portal, which leads back to the settings', () =>
  onStage(async (stage) => {
    const { app, owner, stripe } = stage
    await refuses(stage, owner, manageSubscription, 'This team has no active plan.')
    const { id } = await paying(stage, owner)
    const reply = await app.call(manageSubscription, { as: owner })
    assert.ok(reply.body.redirect_url.startsWith(`${stripe.url}/portal/`))
    assert.is(stripe.calls.at(-1)!.fields['return_url'], 'http://127.0.0.1:3000/dashboard/settings#billing')
    // While a payment is due, the user has to change the payment method.
    await stripe.change(id, { status: 'past_due' })
    const mending = await app.call(manageSubscription, { as: owner })
    assert.equal(
      [stripe.calls.at(-1)!.fields['flow_data[type]'], stripe.calls.at(-1)!.fields['return_url']],
      ['payment_method_update', `${BACK}payment-method-update-cancel`],
    )
    assert.is(await follow(mending), `${BACK}payment-method-update-success`)
    assert.is((await currentOf(stage, owner)).status, 'active')
  }),
)

subscriptions('while a payment is due no second subscription starts: the user pays, or changes the plan', () =>
  onStage(async (stage) => {
    const { owner, stripe } = stage
    const { id } = await paying(stage, owner)
    await stripe.change(id, { status: 'past_due' })
    await refuses(stage, owner, getCurrentSubscription, 'This team has no active plan.')
    const fields = () => stripe.calls.at(-1)!.fields
    await take(stage, owner, PLANS.fleet)
    assert.is(fields()['flow_data[subscription_update_confirm][subscription]'], id)
    const mending = await take(stage, owner, PLANS.studio)
    assert.is(fields()['flow_data[type]'], 'payment_method_update')
    assert.is(await follow(mending), `${BACK}payment-method-update-success`)
    assert.equal([(await currentOf(stage, owner)).plan_name, stripe.subscriptions.size], ['Studio', 1])
  }),
)

subscriptions('a team with an unbilled plan may pay for any other plan', () =>
  onStage(async (stage) => {
    const { app, clock, owner, stripe } = stage
    const gift = { id: randomUUID(), teamId: owner.teamId, planId: PLANS.fleet.uuid, at: clock.now() }
    await app.backend.database.transaction().execute((transaction) => insertUnbilled(transaction, gift))
    await refuses(stage, owner, startSubscription, 'This team is already subscribed.', { plan_uuid: PLANS.fleet.uuid })
    await refuses(stage, owner, cancelSubscription, 'This plan is not billed: it can only be cancelled immediately.')
    const reply = await take(stage, owner, PLANS.studio)
    assert.ok(reply.body!.redirect_url.startsWith(`${stripe.url}/pay/`))
    await follow(reply)
    assert.is((await currentOf(stage, owner)).plan_name, 'Studio')
  }),
)

subscriptions('S-API-26 GET subscriptions/ and S-API-27 GET subscriptions/{id}/ return the team’s subscriptions', () =>
  onStage(async (stage) => {
    const { app, clock, owner } = stage
    await take(stage, owner, PLANS.free)
    clock.advance(1000)
    await paying(stage, owner)
    const { status, body } = await app.call(listSubscriptions, { key: owner.apiKey })
    assert.is(status, 200)
    assert.equal(
      body.map(({ plan, status: state }) => `${plan.name} ${state}`),
      ['Studio active', 'Free canceled'],
    )
    assert.equal([body[0]?.remain_page_credit, body[0]?.remain_daily_page_credit, body[0]?.plan.uuid], [20_000, 1500, PLANS.studio.uuid])
    const one = await app.call(getSubscription, { as: owner, params: { id: body[0]!.uuid } })
    assert.equal([one.status, one.body], [200, body[0]])
    const stranger = await app.secondUser()
    assert.is((await app.call(getSubscription, { as: stranger, params: { id: body[0]!.uuid } })).status, 404)
    assert.equal((await app.call(listSubscriptions, { as: stranger })).body, [])
  }),
)

subscriptions('S-API-29 GET current/ is refused without a plan, and answers a key', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    await refuses(stage, owner, getCurrentSubscription, 'This team has no active plan.')
    await take(stage, owner, PLANS.free)
    const { status, body } = await app.call(getCurrentSubscription, { key: owner.apiKey })
    assert.equal([status, body.plan_name, body.max_depth, body.crawl_max_limit, body.max_concurrent_crawl], [200, 'Free', 3, 100, 2])
  }),
)

subscriptions('without a key of the provider the free plan works, and a paid one is refused', () =>
  onStage(
    async (stage) => {
      const reply = await take(stage, stage.owner, PLANS.studio)
      assert.is(reply.status, 400)
      assert.equal(JSON.parse(reply.text), {
        code: 400,
        errors: [],
        message: 'The payment page could not be opened: payment is not set up.',
      })
      assert.is((await take(stage, stage.owner, PLANS.free)).status, 204)
    },
    { payment: false },
  ),
)

subscriptions('a paid plan without a price at the provider is refused', () =>
  onStage(
    async (stage) => {
      const reply = await take(stage, stage.owner, PLANS.studio)
      assert.equal(
        [reply.status, JSON.parse(reply.text).message],
        [400, 'The payment page could not be opened: this plan has no price at the payment provider.'],
      )
    },
    { plans: [{ ...PLANS.studio, stripe_price_id: null }] },
  ),
)

subscriptions('F37 while the provider is down a call gets an error and changes nothing; afterwards it works', () =>
  onStage(async (stage) => {
    const { app, owner, stripe } = stage
    stripe.fail(500)
    const reply = await take(stage, owner, PLANS.studio)
    assert.equal(
      [reply.status, JSON.parse(reply.text).message],
      [400, 'The payment page could not be opened: the payment provider does not answer.'],
    )
    assert.equal((await app.call(listSubscriptions, { as: owner })).body, [])
    assert.equal(await app.backend.database.selectFrom('team').select('paymentCustomerId').execute(), [{ paymentCustomerId: null }])
    stripe.fail(null)
    const { customer } = await paying(stage, owner)
    assert.is((await currentOf(stage, owner)).plan_name, 'Studio')
    // The provider fails again: nothing changes.
    stripe.fail(500)
    const ended = await app.call(cancelSubscription, { as: owner, body: { immediately: true } })
    assert.equal(
      [ended.status, JSON.parse(ended.text).message],
      [400, 'The subscription could not be changed: the payment provider does not answer.'],
    )
    assert.is((await currentOf(stage, owner)).plan_name, 'Studio')
    // The provider's later event settles it all the same.
    await stripe.change([...stripe.subscriptions.values()].find((each) => each.customer === customer)!.id, { status: 'canceled' })
    await refuses(stage, owner, getCurrentSubscription, 'This team has no active plan.')
  }),
)

subscriptions('F37 a provider that answers too late counts as down', async () => {
  const stripe = await startStripeStub()
  const warnings: string[] = []
  const warn = (_facts: object, message: string) => void warnings.push(message)
  const provider = stripeProvider({ apiBase: stripe.url, askMs: 50, now: Date.now, secretKey: 'sk_test_1', warn, webhookSecrets: [] })
  stripe.fail('silence')
  try {
    await provider.portal('cus_1', 'https://example.org/')
    assert.unreachable()
  } catch (fault) {
    assert.instance(fault, PaymentFault)
    assert.is((fault as Error).message, 'the payment provider does not answer.')
  }
  assert.equal(warnings, ['a request to the payment provider failed'])
})

subscriptions('T35 a URL that does not belong to the provider is never returned', () =>
  onStage(async (stage) => {
    const { app, owner, stripe } = stage
    await paying(stage, owner)
    stripe.lie('https://example.org')
    for (const reply of [
      await take(stage, owner, PLANS.fleet),
      await app.call(cancelSubscription, { as: owner }),
      await app.call(manageSubscription, { as: owner }),
    ]) {
      assert.is(reply.status, 400)
      assert.not.match(reply.text, /example\.org/)
    }
  }),
)

const PAGES: [url: string, isOurs: boolean][] = [
  ['https://checkout.stripe.com/c/pay/cs_1', true],
  ['https://billing.stripe.com/p/session/1', true],
  ['http://127.0.0.1:4242/pay/cs_1', true],
  ['https://checkout.stripe.com.example.org/', false],
  ['https://notstripe.com/', false],
  ['http://checkout.stripe.com/', false],
  ['https://checkout.stripe.com:8443/', false],
  ['https://user@checkout.stripe.com/', false],
  ['javascript:alert(1)', false],
  ['https://example.org/', false],
  ['/pay', false],
]

subscriptions('T35 a browser is redirected only to pages of the provider', () => {
  for (const [address, isOurs] of PAGES) assert.is(isPaymentPage(address, 'http://127.0.0.1:4242'), isOurs, address)
})

subscriptions('members above the limit of the plan stay, and no more can be invited', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    const invite = (email: string) => app.request('POST', inviteMember.path, { as: owner, body: { email } })
    assert.equal(((await invite('one@example.org')).body as { message: string }).message, 'This team has no active plan.')
    await paying(stage, owner)
    const [ben, cleo, dan] = await Promise.all(['ben', 'cleo', 'dan'].map((name) => app.secondUser(`${name}@example.org`)))
    for (const { email } of [ben!, cleo!, dan!]) assert.is((await invite(email)).status, 200, 'an invitation takes no seat')
    const join = async (guest: Caller) => {
      const [waiting] = (await app.call(listOwnInvitations, { as: guest })).body
      return app.call(acceptInvitation, { as: guest, params: { id: waiting!.uuid } })
    }
    assert.equal([(await join(ben!)).status, (await join(cleo!)).status], [204, 204])
    const late = await join(dan!)
    assert.equal([late.status, JSON.parse(late.text).message], [403, 'This team has no free seat left.'])
    assert.is((await app.call(listOwnInvitations, { as: dan! })).body.length, 1, 'it waits for a seat')
    // Nor can an invitation code create an account in the team.
    const code = 'e'.repeat(64)
    const { database } = app.backend
    const codeHash = createHash('sha256').update(code).digest('base64url')
    const fresh = { email: 'fay@example.org', emailLower: 'fay@example.org', codeHash, status: 'pending', invitedBy: null }
    await database
      .insertInto('invitation')
      .values({ id: randomUUID(), teamId: owner.teamId, ...fresh, createdAt: 1, updatedAt: 1 })
      .execute()
    const account = { first_name: 'Fay', last_name: 'Far', email: 'fay@example.org', password: 'Brand-New-Horse-9!' }
    const registered = await app.call(registerInvited, { params: { code }, body: account })
    assert.equal([registered.status, JSON.parse(registered.text).message], [403, 'This team has no free seat left.'])
    assert.is(await database.selectFrom('user').select('id').where('email', '=', 'fay@example.org').executeTakeFirst(), undefined)
    const refused = await invite('eva@example.org')
    assert.equal([refused.status, (refused.body as { message: string }).message], [403, 'This plan allows 3 team members.'])
    assert.is((await currentOf(stage, owner)).remain_number_users, 0)
    await app.backend.database.updateTable('plan').set({ numberOfUsers: 1 }).execute()
    assert.is((await currentOf(stage, owner)).remain_number_users, 0, 'never below 0')
    assert.is(
      (await app.call(getCurrentSubscription, { headers: { authorization: `Bearer ${ben!.access}`, 'x-team-id': owner.teamId } })).status,
      200,
    )
  }),
)

subscriptions.run()
