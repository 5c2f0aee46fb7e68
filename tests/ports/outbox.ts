/** The queue of outgoing mails, over a table that answers when the test says so. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Transaction } from '#backend/platform/database/database.ts'
import { createOutbox } from '#backend/platform/outbox.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import { until } from '#tests/support/until.ts'

const outbox = suite('queue of mails')

/** A queue in memory: `nextAt` and `send` are those of the test. */
function queueOf({ nextAt, send, warn = () => undefined }: QueueNeeds) {
  const rows: { key: string; payload: string }[] = []
  return createOutbox({
    committed: async () => undefined,
    jobs: {
      add: async (_transaction, row) => void rows.push(row),
      claim: async () => {
        const row = rows.shift()
        return row === undefined ? null : { no: 1, attempts: 1, ...row }
      },
      nextAt,
      postpone: async () => undefined,
      remove: async () => undefined,
    },
    log: { warn, error: () => undefined },
    mailer: { send, close: () => undefined },
    newId: () => 'id',
    now: Date.now,
    sealer: createSealer(Buffer.alloc(32)),
  })
}

type QueueNeeds = {
  nextAt: () => Promise<number | null>
  send: (mail: { to: string }) => Promise<void>
  warn?: (facts: object) => void
}

outbox(
  'a mail that is queued while the time of the next one is looked up is sent at once, not with the next look a minute later',
  async () => {
    const sent: string[] = []
    let isAsked = false
    const next = Promise.withResolvers<number | null>()
    const mails = queueOf({
      nextAt: () => {
        isAsked = true
        return next.promise
      },
      send: async ({ to }) => void sent.push(to),
    })
    await until(() => isAsked)
    const mail = { subject: '', html: '', text: '', link: '' }
    await mails.queue({} as Transaction, { to: 'ana@example.org', mail })
    next.resolve(null)
    await until(() => sent.length > 0)
    assert.equal(sent, ['ana@example.org'])
    await mails.close()
  },
)

outbox('the log says which mail could not be sent, to whom and why, and nothing of its content', async () => {
  const said: object[] = []
  const mails = queueOf({
    nextAt: async () => null,
    send: () => Promise.reject(new Error('connect ECONNREFUSED')),
    warn: (facts) => void said.push(facts),
  })
  const mail = { subject: 'Reset your password', html: 'secret', text: 'secret', link: 'https://seine.example.org/secret' }
  await mails.queue({} as Transaction, { to: 'ana@example.org', mail })
  await until(() => said.length > 0)
  assert.equal(said, [
    { err: new Error('connect ECONNREFUSED'), attempts: 1, to: 'ana@example.org', subject: 'Reset your password', waitMs: 10_000 },
  ])
  await mails.close()
})

outbox.run()
