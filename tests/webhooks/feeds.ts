/** The feeds of a run while several processes on one database announce it. */
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { createWebhook } from '#contract/webhooks.ts'
import { PAGES_PER_RUN } from '#backend/platform/database/database.ts'
import { createRunFeeds } from '#backend/webhooks/run-feeds.ts'
import { startApp } from '#tests/support/app.ts'
import { engineRows } from '#tests/support/engine/engine-rows.ts'
import { suite } from '#tests/support/suite.ts'
import { webhookParts } from '#tests/support/webhook-parts.ts'

const feeding = suite('feeds of runs for webhooks')

const SITE = 'http://127.0.0.1:9/'
const now = Date.now
const never = () => () => undefined
// The app's own feeds look only when its timer calls.
const app = await startApp({ every: never })
const owner = await app.signIn()
const { database } = app.backend
const { deliveries, deliveryLog: log, endpoints } = webhookParts({ database, now })

feeding(
  'when another process announces some pages of a run first, all others are announced too, each once and before the end',
  async () => {
    const { body: run } = await app.call(createCrawl, { as: owner, body: { url: SITE } })
    const engine = engineRows({ bus: { publish: () => undefined }, database, now })
    const runNo = await engine.take(run.uuid)
    const { body: endpoint } = await app.call(createWebhook, { as: owner, body: { url: SITE, events: ['run.pages', 'run.ended'] } })
    const first = runNo * PAGES_PER_RUN
    let isOvertaken = false
    const feeds = createRunFeeds({
      bus: { subscribeAll: never },
      database,
      deliveries: {
        ...deliveries,
        // Asked after the pages were read, and before their message is queued.
        async countWaiting(...asked) {
          if (!isOvertaken)
            await database
              .updateTable('webhookFeed')
              .set({ pageNo: first + 2 })
              .where('runNo', '=', runNo)
              .execute()
          isOvertaken = true
          return deliveries.countWaiting(...asked)
        },
      },
      endpoints,
      every: never,
      now,
      warn: (facts, message) => assert.unreachable(`${message}: ${JSON.stringify(facts)}`),
      bodiesOf: () => assert.unreachable() as never,
    })
    await database.transaction().execute((transaction) => feeds.addFeed(transaction, runNo, endpoint.uuid))
    await engine.commit(runNo, { pages: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ url: SITE + name })), end: { status: 'finished' } })
    await database.updateTable('webhookFeed').set({ endedStatus: 'finished', endedAt: now() }).where('runNo', '=', runNo).execute()
    await feeds.start()
    await feeds.look()
    assert.ok(isOvertaken)
    await feeds.look()
    const queued = await log.list(endpoint.uuid, {}, { limit: 10, offset: 0 })
    const bodies = await Promise.all(queued.toReversed().map(async ({ id }) => JSON.parse((await log.read(endpoint.uuid, id)).body)))
    assert.equal(
      bodies.map(({ data, type }) => [type, data.first, data.pages?.map(({ url }: { url: string }) => url)]),
      [
        ['run.pages', 3, ['c', 'd', 'e'].map((name) => SITE + name)],
        ['run.ended', undefined, undefined],
      ],
    )
    await feeds.close()
  },
)

feeding.run()
