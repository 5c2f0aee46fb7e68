/** The queue of outgoing mails, over a table that answers when the test says so. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Transaction } from '#backend/platform/database/database.ts'
import { createOutbox } from '#backend/platform/outbox.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import { until } from '#tests/support/until.ts'

const outbox = suite('queue of mails')

outbox(
  'a mail that is queued while the time of the next one is looked up is sent at once, not with the next look a minute later',
  async () => {
    const rows: { key: string; payload: string }[] = []
    const sent: string[] = []
    let isAsked = false
    const next = Promise.withResolvers<number | null>()
    const mails = createOutbox({
      committed: async () => undefined,
      jobs: {
        add: async (_transaction, row) => void rows.push(row),
        claim: async () => {
          const row = rows.shift()
          return row === undefined ? null : { no: 1, attempts: 1, ...row }
        },
        nextAt: () => {
          isAsked = true
          return next.promise
        },
        postpone: async () => undefined,
        remove: async () => undefined,
      },
      log: { warn: () => undefined, error: () => undefined },
      mailer: { send: async ({ to }) => void sent.push(to), close: () => undefined },
      newId: () => 'id',
      now: Date.now,
      sealer: createSealer(Buffer.alloc(32)),
    })
    await until(() => isAsked)
    const mail = { subject: '', html: '', text: '', link: '' }
    await mails.queue({} as Transaction, { to: 'ana@example.org', mail })
    next.resolve(null)
    await until(() => sent.length > 0, 5000)
    assert.equal(sent, ['ana@example.org'])
    await mails.close()
  },
)

outbox.run()
