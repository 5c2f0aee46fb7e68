/** Teams of one owner use one part of what teams share. */
import * as assert from 'uvu/assert'
import { createTeam } from '#contract/teams.ts'
import { createWebhook } from '#contract/webhooks.ts'
import { AppError } from '#backend/errors.ts'
import { createShareOf } from '#backend/platform/database/share-of-team.ts'
import { createStreamCallers } from '#backend/runs/stream-callers.ts'
import { createIds } from '#backend/platform/ids.ts'
import { createDeliveries } from '#backend/webhooks/deliveries.ts'
import { startApp } from '#tests/support/app.ts'
import { suite } from '#tests/support/suite.ts'

const shares = suite('shares of owners')

const app = await startApp()
const [ana, ben] = [await app.signIn(), await app.secondUser()]
const { database } = app.backend
const [second, third] = [
  await app.call(createTeam, { as: ana, body: { name: 'Second' } }),
  await app.call(createTeam, { as: ana, body: { name: 'Third' } }),
]

shares('all teams of a user are one share, and a deleted team stays in it until its data is removed', async () => {
  const shareOf = createShareOf(database)
  assert.equal(await Promise.all([ana.teamId, second.body.uuid, ben.teamId].map(shareOf)), [ana.userId, ana.userId, ben.userId])
  await database.deleteFrom('teamMember').where('teamId', '=', second.body.uuid).execute()
  assert.is(await createShareOf(database)(second.body.uuid), ana.userId)
  assert.is(await shareOf('unknown'), 'unknown')
})

shares('streams of API keys are counted for all teams of an owner together', () => {
  const callers = createStreamCallers({
    expel: () => undefined,
    maxStreams: 2,
    mayRead: async () => true,
    now: () => 0,
    warn: () => undefined,
  })
  const key = (teamId: string, share: string) => ({ teamId, share, userId: null, sessionId: null, apiKeyId: `key of ${teamId}` })
  callers.enter(key('first', 'ana'))
  callers.enter(key('second', 'ana'))
  assert.throws(
    () => callers.enter(key('third', 'ana')),
    (error: unknown) => error instanceof AppError && error.code === 'throttled',
  )
  callers.enter(key('of ben', 'ben'))
  callers.uncount(key('second', 'ana'))
  callers.enter(key('third', 'ana'))
})

shares('messages to endpoints wait under the share of the owner', async () => {
  const newId = createIds(Date.now)
  const deliveries = createDeliveries({ database, claimMs: 1, longestMs: 1, newId, now: Date.now, onWaiting: () => undefined })
  const endpoints: string[] = []
  for (const as of [ana, { ...ana, teamId: third.body.uuid }, ben]) {
    const { body } = await app.call(createWebhook, { as, body: { url: 'http://127.0.0.1:9/', events: ['run.ended'] } })
    endpoints.push(body.uuid)
    const message = { endpointId: body.uuid, type: 'run.ended', runId: null, body: '{}' }
    await database.transaction().execute((transaction) => deliveries.add(transaction, message))
  }
  const shareAt = new Map((await deliveries.waiting()).map(({ endpointId, share }) => [endpointId, share]))
  assert.equal(
    endpoints.map((id) => shareAt.get(id)),
    [ana.userId, ana.userId, ben.userId],
  )
})

shares.run()
