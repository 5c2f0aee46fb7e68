/** When the sender of webhooks looks for messages, over a queue that answers when the test says so. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Posted } from '#backend/crawler/fetch/post-message.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import type { ClaimedDelivery, Deliveries } from '#backend/webhooks/deliveries.ts'
import { createEndpointSecrets } from '#backend/webhooks/endpoint-secrets.ts'
import type { EndpointRow } from '#backend/webhooks/endpoints.ts'
import { createSender } from '#backend/webhooks/sender.ts'
import { until } from '#tests/support/until.ts'

const sending = suite('sender of webhooks')

const ENDPOINT = { id: 'e', teamId: 't', url: 'http://127.0.0.1:9/', sealedSecret: null, sealedHeaders: null } as EndpointRow
const ARRIVED = { status: 200, failure: null, headers: {}, body: new Uint8Array(0), isCut: false, retryAfterMs: null, isCanceled: false }
const query = { set: () => query, where: () => query, execute: async () => [] }
const transaction = { updateTable: () => query }
const database = { transaction: () => ({ execute: (work: (open: object) => unknown) => work(transaction) }) } as unknown as Database

const message = (no: number): ClaimedDelivery => ({
  no,
  id: String(no),
  endpointId: 'e',
  type: 'run.pages',
  runId: 'a',
  body: Buffer.from('{}'),
  attempts: 1,
})

sending(
  'a message that waits for an earlier one is sent as soon as that has arrived, even while the sender looks for messages',
  async () => {
    const arrived = Promise.withResolvers<Posted>()
    const looked = Promise.withResolvers<null>()
    const answers: (ClaimedDelivery | Promise<null> | null)[] = [message(1), null, looked.promise, message(2)]
    const settled: number[] = []
    let posts = 0
    const sender = createSender({
      database,
      deliveries: {
        waiting: async () => [{ endpointId: 'e', share: 't', failures: 0, restUntil: 0, dueAt: 0 }],
        claim: async () => answers.shift() ?? null,
        settle: async (_transaction: unknown, no: number) => void settled.push(no),
      } as unknown as Deliveries,
      endpoints: { byId: async () => ENDPOINT },
      log: { warn: (facts, text) => assert.unreachable(`${text}: ${JSON.stringify(facts)}`) },
      now: () => 1000,
      // The look ends right after the attempt.
      onSettled: () => void setImmediate(() => looked.resolve(null)),
      onSwitchedOff: () => undefined,
      post: () => (++posts === 1 ? arrived.promise : Promise.resolve(ARRIVED)),
      secrets: createEndpointSecrets({ now: () => 1000, sealer: createSealer(Buffer.alloc(32)) }),
      steady: () => 0,
      userAgent: 'test',
      waitsMs: [1000],
    })
    sender.start()
    await until(() => posts === 1 && answers.length === 2)
    sender.wake()
    await until(() => answers.length === 1)
    arrived.resolve(ARRIVED)
    // Less than the half minute after which the sender would look by itself.
    await until(() => settled.length === 2, 20_000)
    assert.equal(settled, [1, 2])
    await sender.close()
  },
)

sending.run()
