/** Who the caller is, tested with made-up callers. */
import fastify from 'fastify'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { AppError } from '#backend/errors.ts'
import { authenticateWith } from '#backend/http/authenticate.ts'

const callers = suite('who is calling')

const ENDPOINT = { method: 'GET', path: '/x/', access: 'team', tag: 'x', summary: 'x' } as const

/** The result of a call: the actor or the name of the error, and the counted calls. */
async function call(endpoint: Partial<EndpointSpec>, headers: Record<string, string | string[]>, method: 'GET' | 'POST' = 'GET') {
  const counted: string[] = []
  const app = fastify()
  authenticateWith(app, {
    userOf: async (token) => (token === 'good' ? { userId: 'ana', sessionId: 's1' } : null),
    teamOfKey: async (key) => (key === 'sn-good' || key === 'good' ? { apiKeyId: 'k1', teamId: 'of-key' } : null),
    teamFor: async (userId, asked) => `${userId} asks ${asked}`,
    shareOf: async (teamId) => `owner of ${teamId}`,
    countCall: (id) => void counted.push(`key ${id}`),
    countStranger: (ip) => void counted.push(`address ${ip}`),
  })
  let initial: unknown
  app.route({
    method: ['GET', 'POST'],
    url: '/x/',
    async handler(request) {
      initial = request.actor
      try {
        return { actor: await app.authenticate(request, { ...ENDPOINT, method, ...endpoint }) }
      } catch (fault) {
        if (fault instanceof AppError) return { refused: fault.code }
        throw fault
      }
    },
  })
  const answer = await app.inject({ method, url: '/x/', headers })
  await app.close()
  assert.is(initial, null, 'before that the request has no actor')
  return { ...answer.json<{ actor?: unknown; refused?: string }>(), counted }
}

callers("public endpoints ignore credentials, and count only calls with a body, by the caller's IP address", async () => {
  for (const access of ['public', 'signed'] as const) {
    const headers = { authorization: 'Bearer stale', 'x-api-key': 'stale' }
    assert.equal(await call({ access }, headers), { actor: null, counted: [] })
    assert.equal(await call({ access }, headers, 'POST'), { actor: null, counted: ['address 127.0.0.1'] })
    assert.equal(await call({ access, isUncounted: true }, headers, 'POST'), { actor: null, counted: [] })
  }
})

callers('a user acts alone, for a team, or in a session, as the endpoint requires', async () => {
  const headers = { authorization: 'Bearer good', 'x-team-id': ' T1 ' }
  assert.equal(await call({ access: 'user' }, headers), { actor: { userId: 'ana' }, counted: [] })
  assert.equal(await call({ access: 'user+team' }, headers), { actor: { userId: 'ana', teamId: 'ana asks t1' }, counted: [] })
  assert.equal(await call({}, headers), {
    actor: { userId: 'ana', sessionId: 's1', teamId: 'ana asks t1', share: 'owner of ana asks t1', apiKeyId: null },
    counted: [],
  })
  const noTeam = await call({ access: 'user+team' }, { authorization: 'Bearer good' })
  assert.equal(noTeam.actor, { userId: 'ana', teamId: 'ana asks null' })
})

callers('a key acts for its team alone, and its calls are counted', async () => {
  const actor = { userId: null, sessionId: null, teamId: 'of-key', share: 'owner of of-key', apiKeyId: 'k1' }
  assert.equal(await call({}, { 'x-api-key': ' sn-good ' }), { actor, counted: ['key k1'] })
  assert.equal(await call({}, { 'x-api-key': 'good' }), { actor, counted: ['key k1'] })
  assert.equal(await call({ isUncounted: true }, { 'x-api-key': 'sn-good' }), { actor, counted: [] })
  for (const scheme of ['Bearer', 'Api-Key', 'token']) {
    assert.equal(await call({}, { authorization: `${scheme} sn-good` }), { actor, counted: ['key k1'] }, scheme)
  }
  for (const access of ['user', 'user+team'] as const) {
    assert.equal(await call({ access }, { 'x-api-key': 'sn-good' }), { refused: 'not_authenticated', counted: [] })
  }
})

callers(
  'a token wins over a key, a wrong credential gets the error of its kind, and a call without a credential is anonymous',
  async () => {
    const key = { 'x-api-key': 'sn-good' }
    assert.equal(await call({}, { authorization: 'Bearer bad', ...key }), { refused: 'bad_access_token', counted: [] })
    assert.equal(await call({}, { 'x-api-key': 'sn-bad' }), { refused: 'unknown_api_key', counted: [] })
    assert.equal(await call({}, {}), { refused: 'not_authenticated', counted: [] })
    assert.equal(await call({}, { 'x-api-key': ' ' }), { refused: 'not_authenticated', counted: [] })
    // An unknown scheme, or a key behind the wrong scheme, leaves the decision to the other header.
    for (const authorization of ['Basic good', 'sn-good', 'Basic sn-good', 'Bearers good'])
      assert.equal(await call({}, { authorization }), { refused: 'not_authenticated', counted: [] }, authorization)
    assert.equal((await call({}, { authorization: 'Basic good', ...key })).counted, ['key k1'])
  },
)

callers.run()
