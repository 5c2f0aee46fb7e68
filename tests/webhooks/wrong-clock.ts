/** Webhooks of a service whose clock was wrong, or whose machine slept. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCrawl, stopCrawl } from '#contract/crawls.ts'
import { createWebhook } from '#contract/webhooks.ts'
import { startApp } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { startReceiver } from '#tests/support/stubs/receiver.ts'
import { until } from '#tests/support/until.ts'

const clocks = suite('webhooks and the clock')

const DAY = 24 * 3_600_000

/** An app with an endpoint; `answers` are its statuses, the last one for all further requests. `happen` causes an event. */
async function onStage(
  { answers, retrySeconds }: { answers: number[]; retrySeconds: number[] },
  work: (stage: Awaited<ReturnType<typeof openStage>>) => Promise<void>,
) {
  const opened = await openStage(answers, retrySeconds)
  try {
    await work(opened)
  } finally {
    await opened.app.close()
    await opened.receiver.close()
  }
}

async function openStage(answers: number[], webhookRetrySeconds: number[]) {
  const clock = createClock()
  let answered = 0
  const receiver = await startReceiver((_, response) => response.writeHead(answers[answered++] ?? answers.at(-1)!).end())
  const app = await startApp({ clock, config: { webhookRetrySeconds } })
  const owner = await app.signIn()
  await app.call(createWebhook, { as: owner, body: { url: receiver.url(), events: ['run.ended'] } })
  const { database } = app.backend
  const rows = () => database.selectFrom('webhookDelivery').selectAll().orderBy('no').execute()
  return {
    app,
    clock,
    receiver,
    rows,
    isEnabled: async () => (await database.selectFrom('webhookEndpoint').select('isEnabled').executeTakeFirstOrThrow()).isEnabled === 1,
    async happen() {
      const { body } = await app.call(createCrawl, { as: owner, body: { url: 'http://127.0.0.1:8080/' } })
      await app.call(stopCrawl, { as: owner, params: { id: (body as { uuid: string }).uuid } })
    },
  }
}

clocks('a message that failed while the clock was years ahead is sent again when the clock is right', () =>
  onStage({ answers: [500, 200], retrySeconds: [3600] }, async ({ clock, happen, receiver, rows }) => {
    await happen()
    await until(async () => (await rows())[0]?.lastFailure === 'HTTP 500')
    clock.advance(-20 * 365 * DAY)
    await happen()
    await receiver.arrived(3)
    await until(async () => (await rows()).every(({ state }) => state === 'delivered'))
  }),
)

clocks('an endpoint that failed before and after the machine slept for days gets the rest of its attempts', () =>
  onStage({ answers: [500, 500, 200], retrySeconds: [0.05, 0.1] }, async ({ clock, happen, isEnabled, receiver, rows }) => {
    await happen()
    await until(async () => (await rows())[0]?.lastFailure === 'HTTP 500')
    clock.advance(2 * DAY)
    await until(async () => (clock.advance(100), (await rows())[0]?.state !== 'waiting' || !(await isEnabled())))
    assert.equal([await isEnabled(), (await rows())[0]?.state, receiver.received.length], [true, 'delivered', 3])
  }),
)

clocks.run()
