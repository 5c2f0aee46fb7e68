// Generated from the table of endpoints: each one, with every kind of id of another team, as a user and with a key.
import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { ENDPOINTS } from '#contract/index.ts'
import { createTeam } from '#contract/teams.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'

const isolation = suite('isolation of teams')

const BODIES: Record<string, unknown> = { name: 'taken over', url: 'http://127.0.0.1:8080/', urls: ['http://127.0.0.1:8080/'] }
const PATHS = [...ENDPOINTS.values()].filter(({ access }) => access !== 'public' && access !== 'signed')

/** Everything of a team that has an id, each kind by its name. */
async function idsOf(app: App, owner: Caller): Promise<Record<string, string>> {
  const { body: run } = await app.call(createCrawl, { as: owner, body: { url: 'http://127.0.0.1:8080/' } })
  const { database } = app.backend
  const { no } = await database.selectFrom('run').select('no').where('id', '=', run.uuid).executeTakeFirstOrThrow()
  const page = { id: randomUUID(), runNo: no, keyHi: 1, keyLo: 1, url: 'http://127.0.0.1:8080/', title: 'secret title' }
  const facts = { httpStatus: 200, contentType: null, language: null, contentHash: '', eventSeq: 1, createdAt: 1 }
  await database
    .insertInto('page')
    .values({ no: no * 2 ** 24 + 1, ...page, ...facts })
    .execute()
  await database
    .insertInto('pageBody')
    .values({ pageNo: no * 2 ** 24 + 1, encoding: 0, rawBytes: 2, body: Buffer.from('{}') })
    .execute()
  const key = await database.selectFrom('apiKey').select('id').where('teamId', '=', owner.teamId).executeTakeFirstOrThrow()
  const member = await database.selectFrom('teamMember').select('id').where('teamId', '=', owner.teamId).executeTakeFirstOrThrow()
  return { run: run.uuid, page: page.id, apiKey: key.id, member: member.id, team: owner.teamId, user: owner.userId }
}

const dump = async ({ backend: { database } }: App, teamId: string) =>
  JSON.stringify([
    await database.selectFrom('team').selectAll().where('id', '=', teamId).execute(),
    await database.selectFrom('teamMember').selectAll().where('teamId', '=', teamId).execute(),
    await database.selectFrom('apiKey').selectAll().where('teamId', '=', teamId).execute(),
    await database.selectFrom('run').selectAll().where('teamId', '=', teamId).execute(),
  ])

isolation('T24 S-TEA-05 no endpoint shows or changes anything of another team, whatever id is put in', async () => {
  const app = await startApp()
  const owner = await app.signIn()
  const stranger = await app.secondUser()
  const ids = await idsOf(app, owner)
  const own = await idsOf(app, stranger)
  const before = await dump(app, owner.teamId)
  const callers: [who: string, headers: Record<string, string>][] = [
    ['a user', { authorization: `Bearer ${stranger.access}` }],
    ['a user who names the other team', { authorization: `Bearer ${stranger.access}`, 'x-team-id': owner.teamId }],
    ['a key', { 'x-api-key': stranger.apiKey }],
    ['a key with the other team named', { 'x-api-key': stranger.apiKey, 'x-team-id': owner.teamId }],
  ]
  let asked = 0
  for (const { method, path, access, query } of PATHS) {
    const hasTwo = path.includes('{resultId}')
    // The second id also behind an id of one's own: what is inside of another's run is no more to be had through an own one.
    const fillings = Object.entries(ids).flatMap(([kind, id]) => [
      { kind, params: { id, resultId: ids['page'] ?? '' } },
      ...(hasTwo ? [{ kind: `own run, ${kind}`, params: { id: own['run'] ?? '', resultId: id } }] : []),
    ])
    for (const { kind, params } of path.includes('{') ? fillings : [{ kind: 'none', params: {} }])
      for (const [who, headers] of callers) {
        const reply = await app.request(method, fillPath(path, params), {
          headers,
          ...(query && { query: { prefetched: true } }),
          ...(method !== 'GET' && method !== 'DELETE' && !path.includes('profile') && !path.includes('confirm') && { body: BODIES }),
        })
        const call = `${method} ${path} with ${kind} as ${who}`
        asked += 1
        if (headers['x-api-key'] && access !== 'team') assert.is(reply.status, 401, call)
        else if (path.includes('{')) assert.is(reply.status, 404, call)
        else assert.ok(reply.status < 300, `${call}: ${reply.status}`)
        for (const [name, id] of Object.entries(ids)) assert.not.match(reply.text, id, `${call} tells the ${name}`)
        assert.not.match(reply.text, owner.apiKey, call)
        assert.not.match(reply.text, owner.email, call)
      }
  }
  assert.ok(asked > 100, `asked ${asked} times`)
  assert.is(await dump(app, owner.teamId), before)
  await app.close()
})

isolation('T24 every endpoint that is not for everybody is 401 without a credential, whatever else is wrong', async () => {
  const app = await startApp()
  for (const { method, path } of PATHS)
    for (const body of [undefined, '{'])
      for (const id of [randomUUID(), 'x']) {
        const reply = await app.request(method, fillPath(path, { id, resultId: id }), { body })
        assert.is(reply.status, 401, `${method} ${path}`)
      }
  await app.close()
})

isolation('T25 who has left a team has left it at once', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const { body: docs } = await app.call(createTeam, { as: me, body: { name: 'Docs' } })
  const { body: run } = await app.call(createCrawl, { as: { ...me, teamId: docs.uuid }, body: { url: 'http://127.0.0.1:8080/' } })
  const read = () => app.request('GET', `/api/v1/core/crawl-requests/${run.uuid}/`, { as: { ...me, teamId: docs.uuid } })
  assert.is((await read()).status, 200)
  await app.backend.database.deleteFrom('teamMember').where('teamId', '=', docs.uuid).execute()
  assert.is((await read()).status, 404)
  await app.close()
})

isolation.run()
