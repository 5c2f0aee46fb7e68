/** The order in which several processes on one database send the messages of a run. */
import * as assert from 'uvu/assert'
import { createWebhook } from '#contract/webhooks.ts'
import { startApp } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'
import { CLAIM_MS, webhookParts } from '#tests/support/webhook-parts.ts'

const order = suite('the order of webhooks')

const clock = createClock()
const { now } = clock
const app = await startApp({ clock })
const owner = await app.signIn()
const { database } = app.backend
const one = webhookParts({ database, now }).deliveries
const other = webhookParts({ database, now }).deliveries

/** An endpoint at a URL that nothing is sent to, with waiting messages of runs. */
async function queue(...messages: [runId: string, type: string][]): Promise<string> {
  const { body } = await app.call(createWebhook, { as: owner, body: { url: 'http://127.0.0.1:9/', events: ['run.ended'] } })
  await database.transaction().execute(async (transaction) => {
    for (const [runId, type] of messages) await one.add(transaction, { endpointId: body.uuid, type, runId, body: '{}' })
  })
  return body.uuid
}
const idle = () => false
const attempt = (failure: string | null) => ({
  at: now(),
  tookMs: 1,
  url: '',
  sent: '{}',
  status: failure === null ? 200 : 500,
  failure,
  headers: '{}',
  answer: '',
  isCut: 0,
})

order('while one process sends a message, another one sends messages of other runs only, until the first has arrived', async () => {
  const endpoint = await queue(['a', 'run.started'], ['a', 'run.ended'], ['b', 'run.started'])
  const sent = (await one.claim(endpoint, idle))!
  assert.equal([sent.runId, sent.type], ['a', 'run.started'])
  assert.is((await other.claim(endpoint, idle))?.runId, 'b')
  assert.is(await other.claim(endpoint, idle), null)
  await database.transaction().execute((transaction) => one.settle(transaction, sent.no, 'delivered', attempt(null)))
  assert.is((await other.claim(endpoint, idle))?.type, 'run.ended')
})

order('later messages of a run do not wait for one that has failed', async () => {
  const endpoint = await queue(['a', 'run.started'], ['a', 'run.ended'])
  const sent = (await one.claim(endpoint, idle))!
  await database.transaction().execute((transaction) => one.postpone(transaction, sent.no, now() + CLAIM_MS / 2, attempt('HTTP 500')))
  assert.is((await other.claim(endpoint, idle))?.type, 'run.ended')
})

order('when a process dies while it sends, another one sends that message first, a minute later', async () => {
  const endpoint = await queue(['a', 'run.started'], ['a', 'run.ended'])
  await one.claim(endpoint, idle)
  clock.advance(CLAIM_MS - 1)
  assert.is(await other.claim(endpoint, idle), null)
  clock.advance(1)
  assert.is((await other.claim(endpoint, idle))?.type, 'run.started')
})

order('a message of a process whose clock is ahead comes before later ones of the same run', async () => {
  const endpoint = await queue(['a', 'run.started'])
  clock.advance(-5000)
  await database
    .transaction()
    .execute((transaction) => other.add(transaction, { endpointId: endpoint, type: 'run.ended', runId: 'a', body: '{}' }))
  assert.is(await other.claim(endpoint, idle), null)
  clock.advance(5000)
  assert.is((await other.claim(endpoint, idle))?.type, 'run.started')
})

order.run()
