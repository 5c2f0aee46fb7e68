/** Events of the payment provider, in every order in which they may arrive. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { getCurrentSubscription, getSubscription, listSubscriptions, startSubscription, takePaymentEvent } from '#contract/plans.ts'
import { createTeam, deleteTeam } from '#contract/teams.ts'
import { readStripeEvent } from '#backend/plans/payment/stripe-event.ts'
import type { Caller } from '#tests/support/app.ts'
import { PLANS, startEnterpriseApp } from '#tests/support/enterprise.ts'
import {
  WEBHOOK_PATH,
  eventOf,
  invoiceObject,
  olderSubscriptionObject,
  signatureOf,
  subscriptionObject,
} from '#tests/support/stubs/stripe-events.ts'
import type { StubEvent, StubSubscription } from '#tests/support/stubs/stripe-events.ts'

const webhook = suite('the payment webhook')

type Stage = Awaited<ReturnType<typeof startEnterpriseApp>> & { owner: Caller; warnings: string[] }

async function onStage(work: (stage: Stage) => Promise<void>, options: Parameters<typeof startEnterpriseApp>[0] = {}) {
  const warnings: string[] = []
  const log = { info: () => undefined, error: () => undefined, warn: (_facts: object, message: string) => void warnings.push(message) }
  const stage = await startEnterpriseApp({ log, ...options })
  try {
    await work({ ...stage, warnings, owner: await stage.app.signIn() })
  } finally {
    await stage.close()
  }
}

const DAY = 24 * 60 * 60
const seconds = ({ clock }: Stage) => Math.floor(clock.now() / 1000)

/** Sends an event as the provider would. */
async function send(stage: Stage, event: StubEvent | string, { signature, secret }: { signature?: string; secret?: string } = {}) {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  return stage.app.request('POST', WEBHOOK_PATH, {
    body,
    headers: { 'stripe-signature': signature ?? signatureOf(body, seconds(stage), secret) },
  })
}

/** Makes the team of a caller a customer, by name. */
async function customerOf({ app }: Stage, { teamId }: Caller, customer = `cus_${teamId.slice(-12)}`): Promise<string> {
  await app.backend.database.updateTable('team').set({ paymentCustomerId: customer }).where('id', '=', teamId).execute()
  return customer
}

const beginning = (stage: Stage, customer: string, changes: Partial<StubSubscription> = {}): StubSubscription => ({
  id: `sub_of_${customer}`,
  customer,
  price: 'price_studio',
  status: 'active',
  start: seconds(stage) - 100,
  periodStart: seconds(stage) - 100,
  periodEnd: seconds(stage) + 30 * DAY,
  cancelAt: null,
  ...changes,
})

const created = (of: StubSubscription, at: number) => eventOf('customer.subscription.created', subscriptionObject(of), at)
const updated = (of: StubSubscription, at: number) => eventOf('customer.subscription.updated', subscriptionObject(of), at)
const deleted = (of: StubSubscription, at: number) =>
  eventOf('customer.subscription.deleted', subscriptionObject({ ...of, status: 'canceled' }), at)

/** Everything that a team can see of its plan and its payments, without our own ids and times. */
async function stateOf({ app }: Stage, owner: Caller): Promise<string> {
  const { body } = await app.call(listSubscriptions, { as: owner })
  const payments = await app.backend.database
    .selectFrom('payment')
    .select(['invoiceId', 'paymentId', 'amount', 'currency', 'status'])
    .where('teamId', '=', owner.teamId)
    .orderBy('invoiceId')
    .execute()
  const current = await app.call(getCurrentSubscription, { as: owner })
  const seen = body.map(({ uuid: _uuid, created_at: _created, updated_at: _updated, ...rest }) => JSON.stringify(rest)).toSorted()
  return JSON.stringify({ seen, payments, current: current.status === 200 ? current.body : current.status })
}

function* orders<T>(all: readonly T[]): Generator<T[]> {
  if (all.length === 0) yield []
  for (const [at, first] of all.entries()) for (const rest of orders(all.toSpliced(at, 1))) yield [first, ...rest]
}

/**
 * Sends events in every order, each order to a team of its own, and again with every event sent twice. Returns the one state in which all
 * of them end.
 */
async function everyOrder(
  stage: Stage,
  eventsOf: (customer: string, name: string) => StubEvent[],
  before: (guest: Caller) => Promise<unknown> = async () => undefined,
): Promise<{ state: string; count: number }> {
  const states = new Map<string, string>()
  const { owner } = stage
  const size = eventsOf('cus_none', 'x').length
  let count = 0
  for (const order of orders([...Array(size).keys()])) {
    count += 1
    const name = `t${count}`
    const team = (await stage.app.call(createTeam, { as: owner, body: { name } })).body
    const guest = { ...owner, teamId: team.uuid }
    await stage.app.backend.database.updateTable('team').set({ isDefault: 1 }).where('id', '=', team.uuid).execute()
    await before(guest)
    const events = eventsOf(await customerOf(stage, guest, `cus_${name}`), name)
    for (const place of order) assert.is((await send(stage, events[place]!)).status, 204)
    const once = await stateOf(stage, guest)
    for (const place of order.toReversed()) assert.is((await send(stage, events[place]!)).status, 204)
    assert.is(await stateOf(stage, guest), once, `a second delivery changes nothing (${order.join()})`)
    states.set(once.replaceAll(`_${name}"`, '"').replaceAll(`_${name}_`, '_'), order.map((place) => events[place]!.type).join(' < '))
  }
  assert.is(states.size, 1, [...states].map(([state, order]) => `${order}\n  ${state}`).join('\n'))
  return { state: [...states.keys()][0]!, count }
}

webhook('S-PLN-12 a subscription follows the events of the provider', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    const customer = await customerOf(stage, owner)
    const at = seconds(stage)
    const subscription = beginning(stage, customer)
    assert.equal([(await send(stage, created(subscription, at))).status], [204])
    const current = async () => (await app.call(getCurrentSubscription, { as: owner })).body
    const first = await current()
    assert.equal(
      [first.plan_name, first.status, first.remaining_page_credit, Date.parse(first.current_period_end_at!)],
      ['Studio', 'active', 20_000, subscription.periodEnd * 1000],
    )
    await send(stage, updated({ ...subscription, cancelAt: subscription.periodEnd }, at + 1))
    assert.is(Date.parse((await current()).cancel_at!), subscription.periodEnd * 1000)
    await send(stage, updated({ ...subscription, price: 'price_fleet' }, at + 2))
    assert.equal([(await current()).plan_name, (await current()).cancel_at], ['Fleet', null])
    for (const [status, place] of [
      ['past_due', 3],
      ['unpaid', 4],
      ['paused', 5],
    ] as const) {
      await send(stage, updated({ ...subscription, status }, at + place))
      assert.is((await app.call(getCurrentSubscription, { as: owner })).status, 403, status)
    }
    await send(stage, updated({ ...subscription, status: 'trialing' }, at + 6))
    assert.is((await current()).status, 'trialing')
    await send(stage, deleted(subscription, at + 7))
    assert.is((await app.call(getCurrentSubscription, { as: owner })).status, 403)
    const [only] = (await app.call(listSubscriptions, { as: owner })).body
    assert.equal(
      [only?.status, (await app.call(getSubscription, { as: owner, params: { id: only!.uuid } })).body.status],
      ['canceled', 'canceled'],
    )
  }),
)

webhook('F35 checkout, start, change and two payments have the same result in every order of their events', () =>
  onStage(async (stage) => {
    const at = seconds(stage)
    const { state, count } = await everyOrder(stage, (customer, name) => {
      const subscription = beginning(stage, customer, { id: `sub_${name}`, status: 'incomplete' })
      return [
        eventOf('checkout.session.completed', { id: `cs_${name}`, customer }, at + 2, `evt_1_${name}`),
        { ...created(subscription, at), id: `evt_2_${name}` },
        { ...updated({ ...subscription, status: 'active' }, at + 1), id: `evt_3_${name}` },
        eventOf('invoice.payment_failed', invoiceObject({ customer, id: `in_${name}`, isPaid: false }), at, `evt_4_${name}`),
        eventOf('invoice.payment_succeeded', invoiceObject({ customer, id: `in_${name}` }), at + 1, `evt_5_${name}`),
      ]
    })
    assert.is(count, 120)
    const { current, payments } = JSON.parse(state) as { current: { status: string }; payments: { status: string; amount: number }[] }
    assert.equal([current.status, payments.length, payments[0]?.status, payments[0]?.amount], ['active', 1, 'paid', 4900])
  }),
)

webhook('F35 start, two changes and the end have the same result in every order of their events, also after a free plan', () =>
  onStage(async (stage) => {
    const at = seconds(stage)
    const { state, count } = await everyOrder(
      stage,
      (customer, name) => {
        const subscription = beginning(stage, customer, { id: `sub_${name}` })
        return [
          { ...created(subscription, at), id: `evt_1_${name}` },
          { ...updated({ ...subscription, price: 'price_fleet' }, at + 1), id: `evt_2_${name}` },
          { ...updated({ ...subscription, price: 'price_fleet', periodStart: at + 2, cancelAt: at + 9 }, at + 2), id: `evt_3_${name}` },
          { ...deleted({ ...subscription, price: 'price_fleet', periodStart: at + 2, cancelAt: at + 9 }, at + 3), id: `evt_4_${name}` },
        ]
      },
      async (guest) => {
        const reply = await stage.app.call(startSubscription, { as: guest, body: { plan_uuid: PLANS.free.uuid } })
        assert.is(reply.status, 204)
      },
    )
    assert.is(count, 24)
    const { current, seen } = JSON.parse(state) as { current: number; seen: string[] }
    assert.is(current, 403)
    assert.equal(
      seen
        .map((each) => JSON.parse(each) as { status: string; plan: { name: string } })
        .map(({ plan, status }) => `${plan.name} ${status}`),
      ['Free canceled', 'Fleet canceled'],
    )
  }),
)

webhook('F35 changes within one second, whose order is unknown, lead to the state that the provider reports', () =>
  onStage(async (stage) => {
    const { stripe } = stage
    const at = seconds(stage)
    const { state } = await everyOrder(stage, (customer, name) => {
      const subscription = beginning(stage, customer, { id: `sub_${name}` })
      stripe.subscriptions.set(subscription.id, { ...subscription, price: 'price_fleet' })
      return [
        { ...created({ ...subscription, status: 'incomplete' }, at), id: `evt_1_${name}` },
        { ...updated({ ...subscription, status: 'past_due' }, at), id: `evt_2_${name}` },
        { ...updated({ ...subscription, price: 'price_fleet' }, at), id: `evt_3_${name}` },
        { ...updated({ ...subscription, price: 'price_studio_yearly' }, at), id: `evt_4_${name}` },
      ]
    })
    const { current } = JSON.parse(state) as { current: { plan_name: string; status: string } }
    assert.equal([current.plan_name, current.status], ['Fleet', 'active'])
  }),
)

webhook('F37 an unclear event is refused while the provider does not answer, and applied when it is sent again', () =>
  onStage(async (stage) => {
    const { app, owner, stripe } = stage
    const at = seconds(stage)
    const subscription = beginning(stage, await customerOf(stage, owner))
    await send(stage, updated(subscription, at))
    const change = updated({ ...subscription, price: 'price_fleet' }, at)
    stripe.subscriptions.set(subscription.id, { ...subscription, price: 'price_fleet' })
    stripe.fail(500)
    assert.is((await send(stage, change)).status, 503)
    assert.is((await app.call(getCurrentSubscription, { as: owner })).body.plan_name, 'Studio')
    stripe.fail(null)
    assert.is((await send(stage, change)).status, 204)
    assert.is((await app.call(getCurrentSubscription, { as: owner })).body.plan_name, 'Fleet')
  }),
)

webhook('F34 ten concurrent deliveries of one event have one effect', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    const event = created(beginning(stage, await customerOf(stage, owner)), seconds(stage))
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(stage, event)))
    assert.ok(replies.every(({ status }) => status === 204))
    assert.is((await app.call(listSubscriptions, { as: owner })).body.length, 1)
    assert.equal(await app.backend.database.selectFrom('paymentEvent').select(['id', 'type']).execute(), [
      { id: event.id, type: event.type },
    ])
  }),
)

webhook('F34 an event that is repeated after the plan has changed does not restore the old plan', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    const at = seconds(stage)
    const subscription = beginning(stage, await customerOf(stage, owner))
    const first = created(subscription, at)
    await send(stage, first)
    await send(stage, updated({ ...subscription, price: 'price_fleet' }, at + 1))
    await send(stage, first)
    await send(stage, { ...first, id: 'evt_same_words_other_id' })
    assert.is((await app.call(getCurrentSubscription, { as: owner })).body.plan_name, 'Fleet')
  }),
)

webhook('F36 T32 an unsigned, wrongly signed or old event is refused, and stores nothing', () =>
  onStage(async (stage) => {
    const { app, clock, owner } = stage
    const at = seconds(stage)
    const event = created(beginning(stage, await customerOf(stage, owner)), at)
    const body = JSON.stringify(event)
    const missing = await app.request('POST', WEBHOOK_PATH, { body })
    assert.equal(missing.body, { code: 403, errors: null, message: 'Signature header is missing.' })
    const wrong: [why: string, body: string, signature: string][] = [
      ['another secret', body, signatureOf(body, at, 'whsec_another')],
      ['another body', `${body} `, signatureOf(body, at)],
      ['a reformatted body', JSON.stringify(event, null, 2), signatureOf(body, at)],
      ['a signature 301 seconds old', body, signatureOf(body, at - 301)],
      ['a header without a signature', body, `t=${at}`],
      ['a signature of scheme v0', body, signatureOf(body, at).replace('v1=', 'v0=')],
      ['nonsense', body, 'nonsense'],
      ['A11: an empty signature', body, 't=1,v1='],
      ['A11: an empty signature with the current time', body, `t=${at},v1=`],
      ['A11: a short signature', body, `t=${at},v1=ab`],
      ['A11: a signature that is not hexadecimal', body, `t=${at},v1=${'é'.repeat(32)}`],
      ['A11: an empty time', body, signatureOf(body, at).replace(/t=\d+/, 't=')],
      ['A11: 2,000 empty signatures', body, `t=${at},${'v1=,'.repeat(2000)}`],
    ]
    for (const [why, sent, signature] of wrong) {
      const reply = await send(stage, sent, { signature })
      assert.equal([reply.status, (reply.body as { message: string }).message], [403, 'Signature does not match.'], why)
    }
    assert.equal((await app.call(listSubscriptions, { as: owner })).body, [])
    assert.equal(await app.backend.database.selectFrom('paymentEvent').selectAll().execute(), [])
    assert.is((await send(stage, body, { signature: signatureOf(body, at - 300) })).status, 204, '300 seconds is young enough')
    clock.advance(301_000)
    assert.is((await send(stage, body, { signature: signatureOf(body, at) })).status, 403, 'recorded, and played again later')
  }),
)

webhook('F36 while the secret is being replaced, the old and the new secret are valid', () =>
  onStage(
    async (stage) => {
      const event = eventOf('checkout.session.completed', {}, seconds(stage))
      assert.is((await send(stage, event, { secret: 'whsec_old' })).status, 204)
      assert.is((await send(stage, event, { secret: 'whsec_new' })).status, 204)
      const both = `${signatureOf(JSON.stringify(event), seconds(stage), 'whsec_gone')},${signatureOf(JSON.stringify(event), seconds(stage), 'whsec_new').split(',')[1]}`
      assert.is((await send(stage, JSON.stringify(event), { signature: both })).status, 204, 'two signatures in one header')
      assert.is((await send(stage, event, { secret: 'whsec_gone' })).status, 403)
    },
    { config: { stripeWebhookSecret: ['whsec_old', 'whsec_new'] } },
  ),
)

webhook('without a secret every event is refused', () =>
  onStage(
    async (stage) => {
      const event = eventOf('checkout.session.completed', {}, seconds(stage))
      assert.is((await send(stage, event, { secret: '' })).status, 403)
      assert.is((await send(stage, event)).status, 403)
    },
    { payment: false },
  ),
)

webhook('a signed message that is not an event is refused; an event of an unused type is accepted', () =>
  onStage(async (stage) => {
    const { app } = stage
    const cases: [body: string, errors: unknown][] = [
      ['{"data":{}}', { type: ['This field is required.'] }],
      ['{"type":1,"data":{}}', { type: ['Not a valid string.'] }],
      ['{"type":"x"}', { data: ['This field is required.'] }],
      ['{"type":"x","data":"y"}', { data: ['Not a valid object.'] }],
      ['[]', { non_field_errors: ['Not a valid object.'] }],
      ['{', null],
    ]
    for (const [body, errors] of cases) {
      const reply = await send(stage, body)
      assert.is(reply.status, 400, body)
      assert.equal((reply.body as { errors: unknown }).errors, errors, body)
    }
    const event = eventOf('customer.created', { id: 'cus_9' }, seconds(stage))
    const body = JSON.stringify(event)
    const reply = await app.call(takePaymentEvent, { body, headers: { 'stripe-signature': signatureOf(body, seconds(stage)) } })
    assert.equal([reply.status, reply.text], [204, ''])
    const [kept] = await app.backend.database.selectFrom('paymentEvent').selectAll().execute()
    assert.equal([kept?.id, kept?.type, kept?.objectId], [event.id, 'customer.created', 'cus_9'])
    assert.is((await send(stage, '{"type":"customer.subscription.updated","data":{}}')).status, 204, 'an event about nothing')
  }),
)

webhook('an unknown customer or price is logged and accepted, and changes nothing', () =>
  onStage(async (stage) => {
    const { app, owner, warnings } = stage
    const at = seconds(stage)
    assert.is((await send(stage, created(beginning(stage, 'cus_stranger'), at))).status, 204)
    assert.is((await send(stage, eventOf('invoice.payment_succeeded', invoiceObject({ customer: 'cus_stranger' }), at))).status, 204)
    const customer = await customerOf(stage, owner)
    assert.is((await send(stage, created(beginning(stage, customer, { price: 'price_unknown' }), at))).status, 204)
    assert.equal((await app.call(listSubscriptions, { as: owner })).body, [])
    assert.equal(warnings, ['an event of an unknown customer', 'an event of an unknown customer', 'an event of an unknown price'])
    assert.equal(await app.backend.database.selectFrom('payment').selectAll().execute(), [])
    // A known subscription ends, even when its price has another name by now.
    await send(stage, created(beginning(stage, customer), at))
    await send(stage, deleted(beginning(stage, customer, { price: 'price_unknown' }), at + 1))
    assert.is((await app.call(listSubscriptions, { as: owner })).body[0]?.status, 'canceled')
  }),
)

webhook('T32 a customer cannot act for another team', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    const other = await app.secondUser()
    const subscription = beginning(stage, await customerOf(stage, owner))
    await send(stage, created(subscription, seconds(stage)))
    await send(stage, deleted({ ...subscription, customer: await customerOf(stage, other) }, seconds(stage) + 1))
    assert.is((await app.call(getCurrentSubscription, { as: owner })).status, 200)
    assert.equal((await app.call(listSubscriptions, { as: other })).body, [])
  }),
)

webhook('payments are recorded, one per invoice, in cents', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    const customer = await customerOf(stage, owner)
    const at = seconds(stage)
    await send(stage, eventOf('invoice.payment_failed', invoiceObject({ customer, id: 'in_1', isPaid: false, total: 19_900 }), at))
    await send(stage, eventOf('invoice.payment_succeeded', invoiceObject({ customer, id: 'in_1', total: 19_900 }), at))
    await send(stage, eventOf('invoice.paid', invoiceObject({ customer, id: 'in_1', total: 19_900 }), at))
    await send(stage, eventOf('invoice.payment_failed', invoiceObject({ customer, id: 'in_2', isPaid: false }), at))
    const rows = await app.backend.database
      .selectFrom('payment')
      .select(['invoiceId', 'paymentId', 'amount', 'status', 'teamId'])
      .orderBy('invoiceId')
      .execute()
    assert.equal(rows, [
      { invoiceId: 'in_1', paymentId: 'pi_in_1', amount: 19_900, status: 'paid', teamId: owner.teamId },
      { invoiceId: 'in_2', paymentId: 'pi_in_2', amount: 4900, status: 'open', teamId: owner.teamId },
    ])
  }),
)

webhook('events of older versions of the provider’s API are understood', () =>
  onStage(async (stage) => {
    const subscription = beginning(stage, 'cus_1')
    const read = (object: unknown) => readStripeEvent(eventOf('customer.subscription.created', object, 1, 'evt_1')).about
    assert.equal(read(olderSubscriptionObject(subscription)), read(subscriptionObject(subscription)))
    const older = { id: 'in_1', customer: { id: 'cus_1' }, total: 100, currency: 'eur', status: 'paid', payment_intent: { id: 'pi_in_1' } }
    const about = (object: unknown) => readStripeEvent(eventOf('invoice.payment_succeeded', object, 1, 'evt_1')).about
    assert.equal(about(older), about(invoiceObject({ customer: 'cus_1', id: 'in_1', total: 100 })))
  }),
)

webhook('a free plan that was taken while a payment is due stays until the payment is made, whatever else is told of the unpaid one', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    const at = seconds(stage)
    const planOf = async () => (await app.call(getCurrentSubscription, { as: owner })).body.plan_name
    const take = async () => (await app.call(startSubscription, { as: owner, body: { plan_uuid: PLANS.free.uuid } })).status
    const subscription = beginning(stage, await customerOf(stage, owner))
    await send(stage, created(subscription, at))
    await send(stage, updated({ ...subscription, status: 'past_due' }, at + 1))
    assert.is(await take(), 204)
    for (const [place, status] of ['past_due', 'unpaid', 'paused'].entries()) {
      await send(stage, updated({ ...subscription, status }, at + 2 + place))
      assert.is(await planOf(), 'Free', status)
    }
    await send(stage, updated(subscription, at + 5))
    assert.is(await planOf(), 'Studio')
    await send(stage, updated({ ...subscription, status: 'past_due' }, at + 6))
    assert.is(await take(), 204)
    await send(stage, deleted(subscription, at + 7))
    assert.is(await planOf(), 'Free')
  }),
)

webhook('crawls on the free plan while a payment is due are not charged to the paid plan, which keeps its own charges', () =>
  onStage(async (stage) => {
    const { app, clock, owner } = stage
    const subscription = beginning(stage, await customerOf(stage, owner))
    const become = async (status: string) => {
      clock.advance(1000)
      assert.is((await send(stage, updated({ ...subscription, status }, seconds(stage)))).status, 204)
    }
    const crawl = async (pages: number) => {
      const body = { url: 'http://127.0.0.1:9/', options: { spider_options: { page_limit: pages } } }
      assert.is((await app.call(createCrawl, { as: owner, body })).status, 201)
    }
    const left = async () => {
      const current = (await app.call(getCurrentSubscription, { as: owner })).body
      return [current.plan_name, current.remaining_page_credit]
    }
    await become('active')
    await crawl(7)
    await become('past_due')
    await app.call(startSubscription, { as: owner, body: { plan_uuid: PLANS.free.uuid } })
    await crawl(20)
    assert.equal(await left(), ['Free', 980])
    await become('active')
    assert.equal(await left(), ['Studio', 19_993])
    await crawl(3)
    assert.equal(await left(), ['Studio', 19_990])
  }),
)

webhook('a plan starts with its first payment, with full credits: what the free plan was charged for until then does not count', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    const at = seconds(stage)
    const subscription = beginning(stage, await customerOf(stage, owner), { status: 'incomplete' })
    const body = { url: 'http://127.0.0.1:9/', options: { spider_options: { page_limit: 7 } } }
    const left = async () => {
      const current = (await app.call(getCurrentSubscription, { as: owner })).body
      return [current.plan_name, current.remaining_page_credit, current.remaining_daily_page_credit]
    }
    await app.call(startSubscription, { as: owner, body: { plan_uuid: PLANS.free.uuid } })
    await send(stage, created(subscription, at))
    assert.is((await app.call(createCrawl, { as: owner, body })).status, 201)
    assert.equal(await left(), ['Free', 993, 93])
    await send(stage, updated({ ...subscription, status: 'active' }, at + 1))
    assert.equal(await left(), ['Studio', 20_000, 1500])
    // A later change within the period returns nothing.
    assert.is((await app.call(createCrawl, { as: owner, body })).status, 201)
    await send(stage, updated({ ...subscription, status: 'past_due' }, at + 2))
    await send(stage, updated({ ...subscription, status: 'active' }, at + 3))
    assert.equal(await left(), ['Studio', 19_993, 1493])
  }),
)

async function takeFree({ app, owner }: Stage): Promise<number> {
  return (await app.call(startSubscription, { as: await app.logIn(owner), body: { plan_uuid: PLANS.free.uuid } })).status
}

/** Starts a crawl that reserves seven credits. */
async function reserveSeven({ app, owner }: Stage): Promise<void> {
  const body = { url: 'http://127.0.0.1:9/', options: { spider_options: { page_limit: 7 } } }
  assert.is((await app.call(createCrawl, { as: owner, body })).status, 201)
}

webhook('A17 what the free plan is charged while the first payment of another is due counts when its team is deleted', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    assert.is(await takeFree(stage), 204)
    await send(stage, created(beginning(stage, await customerOf(stage, owner), { status: 'incomplete' }), seconds(stage)))
    await reserveSeven(stage)
    assert.is((await app.call(deleteTeam, { as: owner, query: { confirm: 'Default' } })).status, 204)
    assert.is(await takeFree(stage), 403)
  }),
)

webhook('A17 what a plan is charged after its open payment was made does not count as use of the free plan before', () =>
  onStage(async (stage) => {
    const { app, clock, owner } = stage
    const at = seconds(stage)
    const subscription = beginning(stage, await customerOf(stage, owner))
    await send(stage, created(subscription, at))
    await send(stage, updated({ ...subscription, status: 'past_due' }, at + 1))
    assert.is(await takeFree(stage), 204)
    clock.advance(5000)
    await send(stage, updated({ ...subscription, status: 'active' }, at + 5))
    clock.advance(5000)
    await reserveSeven(stage)
    await send(stage, deleted(subscription, at + 10))
    assert.is((await app.call(deleteTeam, { as: owner, query: { confirm: 'Default' } })).status, 204)
    assert.is(await takeFree(stage), 204)
  }),
)

webhook('A15 what the free plan was charged while the first payment of another was due counts when it is chosen again', () =>
  onStage(async (stage) => {
    const { app, clock, owner } = stage
    const at = seconds(stage)
    const customer = await customerOf(stage, owner)
    assert.is(await takeFree(stage), 204)
    await send(stage, created(beginning(stage, customer, { id: 'sub_1', status: 'incomplete' }), at))
    await reserveSeven(stage)
    clock.advance(5000)
    const second = beginning(stage, customer, { id: 'sub_2' })
    await send(stage, created(second, at + 5))
    clock.advance(5000)
    await send(stage, deleted(second, at + 10))
    assert.is(await takeFree(stage), 204)
    const current = await app.call(getCurrentSubscription, { as: await app.logIn(owner) })
    assert.equal([current.body.plan_name, current.body.remaining_page_credit], ['Free', 993])
  }),
)

webhook('a time that no calendar has counts as none, and the subscription can be read', () =>
  onStage(async (stage) => {
    const { app, owner } = stage
    for (const moment of [9e12, 9_007_199_254_740_991, -1, 1.5]) {
      const object = beginning(stage, await customerOf(stage, owner), { periodStart: moment, periodEnd: moment, cancelAt: moment })
      const event = eventOf('customer.subscription.created', subscriptionObject(object), seconds(stage), `evt_${moment}`)
      assert.is((await send(stage, event)).status, 204)
      const { body, status } = await app.call(getCurrentSubscription, { as: owner })
      assert.equal([status, body.current_period_end_at, body.cancel_at], [200, null, null], `${moment}`)
      assert.is((await app.call(listSubscriptions, { as: owner })).status, 200)
      await app.backend.database.deleteFrom('subscription').execute()
    }
  }),
)

webhook.run()
