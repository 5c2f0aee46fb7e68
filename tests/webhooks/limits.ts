/** Events about credits, and endpoints with too many waiting events. */
import * as assert from 'uvu/assert'
import { createWebhook, getWebhook, listWebhookDeliveries } from '#contract/webhooks.ts'
import { createCreditsLow } from '#backend/webhooks/credits-low.ts'
import type { Allowance } from '#backend/webhooks/credits-low.ts'
import { createLogKeeper } from '#backend/webhooks/keep-log.ts'
import { startApp } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'
import { webhookParts } from '#tests/support/webhook-parts.ts'

const limits = suite('limits reported by webhooks')

const clock = createClock()
const { now } = clock
const app = await startApp({ clock })
const owner = await app.signIn()
const { database } = app.backend
const { deliveries, deliveryLog, endpoints } = webhookParts({ database, now })
const warn = (facts: object, message: string) => assert.unreachable(`${message}: ${JSON.stringify(facts)}`)

/** An endpoint at a URL that nothing is sent to: the sender of the product is not woken. */
async function make(events: string[]): Promise<string> {
  const made = await app.call(createWebhook, { as: owner, body: { url: 'http://127.0.0.1:9/', events } })
  assert.is(made.status, 201, made.text)
  return made.body.uuid
}
const bodiesOf = async (endpointId: string) => {
  const rows = await database.selectFrom('webhookDelivery').where('endpointId', '=', endpointId).selectAll().orderBy('no').execute()
  return rows.map(({ type }) => type)
}

limits('credits.low is sent once per period, when a fifth of its credits is left, to endpoints that want it', async () => {
  const wanting = await make(['credits.low'])
  const other = await make(['run.ended'])
  let allowed: Awaited<ReturnType<Allowance>> = { periodLeft: 21, planCredits: 100, period: { startAt: 1, endAt: 2 } }
  const creditsLow = createCreditsLow({ allowance: async () => allowed, database, deliveries, endpoints, now, warn })
  const changed = async (left: typeof allowed) => {
    allowed = left
    creditsLow.changed(owner.teamId)
    await creditsLow.look()
  }
  await changed({ periodLeft: 21, planCredits: 100, period: { startAt: 1, endAt: 2 } })
  await changed({ periodLeft: null, planCredits: null, period: null })
  assert.equal(await bodiesOf(wanting), [], 'more than a fifth, or no limit')
  await changed({ periodLeft: 20, planCredits: 100, period: { startAt: 1, endAt: 2 } })
  assert.equal(await bodiesOf(wanting), ['credits.low'])
  await changed({ periodLeft: 0, planCredits: 100, period: { startAt: 1, endAt: 2 } })
  assert.equal(await bodiesOf(wanting), ['credits.low'], 'once in a period')
  await changed({ periodLeft: 5, planCredits: 100, period: { startAt: 2, endAt: null } })
  assert.equal(await bodiesOf(wanting), ['credits.low', 'credits.low'])
  assert.equal(await bodiesOf(other), [])
  const { body } = await app.call(listWebhookDeliveries, { as: owner, params: { id: wanting } })
  assert.equal(
    body.results.map(({ type }) => type),
    ['credits.low', 'credits.low'],
  )
  await creditsLow.close()
})

limits(
  'an endpoint with too many waiting messages is switched off with its reason, and its owner gets a mail; other endpoints stay on',
  async () => {
    const full = await make(['run.ended'])
    const small = await make(['run.ended'])
    const told: string[] = []
    const keeper = createLogKeeper({
      database,
      deliveries,
      deliveryLog,
      endpoints,
      every: () => () => undefined,
      logDays: 7,
      mostWaiting: 3,
      now,
      onSwitchedOff: ({ id }, why) => void told.push(`${id} ${why}`),
      warn,
    })
    const add = (endpointId: string) =>
      database
        .transaction()
        .execute((transaction) => deliveries.add(transaction, { endpointId, type: 'run.ended', runId: null, body: '{}' }))
    for (const id of [full, full, small, small]) await add(id)
    await keeper.look()
    assert.equal(told, [])
    await add(full)
    await keeper.look()
    await keeper.look()
    assert.equal(told, [`${full} overflow`])
    const state = async (id: string) => (await app.call(getWebhook, { as: owner, params: { id } })).body
    assert.equal([(await state(full)).is_enabled, (await state(full)).switched_off], [false, 'overflow'])
    assert.equal([(await state(small)).is_enabled, (await state(small)).switched_off], [true, null])
    await keeper.close()
  },
)

limits.run()
