import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { createTeam, currentTeam, getTeam, listApiKeys, listTeams, renameTeam } from '#contract/teams.ts'
import { login } from '#contract/accounts.ts'
import { startApp } from '#tests/support/app.ts'
import { makeUser } from '#tests/support/make.ts'
import { suite } from '#tests/support/suite.ts'

const teams = suite('teams')

teams('S-API-20 S-API-19 a new team belongs to its creator, has a key, and is listed after older ones', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const made = await app.call(createTeam, { as: me, body: { name: 'Docs' } })
  assert.is(made.status, 201)
  assert.equal([made.body.name, made.body.is_default, made.body.is_owner, made.body.members_count], ['Docs', false, true, 1])
  const { body: all } = await app.call(listTeams, { as: me })
  assert.equal(
    all.map(({ name }) => name),
    ['Default', 'Docs'],
  )
  const { body: keys } = await app.call(listApiKeys, { as: { ...me, teamId: made.body.uuid } })
  assert.equal(
    keys.results.map(({ name }) => name),
    ['Default'],
  )
  assert.is((await app.call(getTeam, { as: me, params: { id: made.body.uuid } })).body.name, 'Docs')
})

teams('a user may own 500 teams, since their list is sent whole and read with each request', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const { database } = app.backend
  const at = Date.now()
  const ids = Array.from({ length: 498 }, () => randomUUID())
  await database
    .insertInto('team')
    .values(ids.map((id) => ({ id, name: 'Many', isDefault: 0, createdAt: at, updatedAt: at })))
    .execute()
  await database
    .insertInto('teamMember')
    .values(ids.map((teamId) => ({ id: randomUUID(), teamId, userId: me.userId, isOwner: 1, createdAt: at })))
    .execute()
  const create = () => app.request('POST', createTeam.path, { as: me, body: { name: 'More' } })
  const replies = await Promise.all([create(), create(), create()])
  assert.equal(
    replies.map(({ status }) => status).toSorted((one, other) => one - other),
    [201, 400, 400],
  )
  const refused = replies.find(({ status }) => status === 400)?.body as { errors: unknown }
  assert.equal(refused.errors, { name: ['A user may own 500 teams.'] })
  assert.is((await app.call(listTeams, { as: me })).body.length, 500)
})

teams("S-API-18 S-TEA-05 the current team is the one in the header, else the user's oldest team; a wrong header is no error", async () => {
  const app = await startApp()
  const me = await app.signIn()
  const stranger = await app.secondUser()
  const { body: docs } = await app.call(createTeam, { as: me, body: { name: 'Docs' } })
  const cases: [header: string | undefined, name: string, why: string][] = [
    [docs.uuid, 'Docs', 'the id of my team'],
    [docs.uuid.toUpperCase(), 'Docs', 'the id of my team in upper case'],
    [undefined, 'Default', 'no header'],
    ['', 'Default', 'an empty header'],
    ['nonsense', 'Default', 'a text that is not an id'],
    ['00000000-0000-7000-8000-000000000000', 'Default', 'an unknown id'],
    [stranger.teamId, 'Default', 'the id of a team that I am not a member of'],
  ]
  for (const [header, name, why] of cases) {
    const headers = { authorization: `Bearer ${me.access}`, ...(header !== undefined && { 'x-team-id': header }) }
    const reply = await app.call(currentTeam, { headers })
    assert.is(reply.status, 200, why)
    assert.is(reply.body.name, name, why)
    assert.is.not(reply.body.uuid, stranger.teamId, why)
  }
})

teams('S-API-21 an update renames the current team only; is_default cannot be changed', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const { body: docs } = await app.call(createTeam, { as: me, body: { name: 'Docs' } })
  const renamed = await app.call(renameTeam, {
    as: { ...me, teamId: docs.uuid },
    body: { name: ' Manuals ', is_default: true, uuid: me.teamId },
  })
  assert.is(renamed.status, 200)
  assert.equal([renamed.body.name, renamed.body.is_default, renamed.body.uuid], ['Manuals', false, docs.uuid])
  assert.equal(
    (await app.call(listTeams, { as: me })).body.map(({ name }) => name),
    ['Default', 'Manuals'],
  )
})

teams('a user without a team gets a team with the first call, and only one for twenty concurrent calls', async () => {
  const app = await startApp()
  await makeUser(app.backend, { email: 'new@example.org', password: 'Correct-Horse-7!' })
  const { body: pair } = await app.call(login, { body: { email: 'new@example.org', password: 'Correct-Horse-7!' } })
  const headers = { authorization: `Bearer ${pair.access}` }
  const replies = await Promise.all(Array.from({ length: 20 }, () => app.call(currentTeam, { headers })))
  assert.is(new Set(replies.map(({ body }) => body.uuid)).size, 1)
  assert.equal([replies[0]?.body.name, replies[0]?.body.is_default, replies[0]?.body.is_owner], ['Default', true, true])
  assert.is((await app.call(listTeams, { headers })).body.length, 1)
  assert.is((await app.call(listApiKeys, { headers })).body.count, 1)
})

teams('the name of a team is required, not blank, and has at most 255 characters', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const cases: [body: unknown, message: string][] = [
    [{}, 'This field is required.'],
    [undefined, 'This field is required.'],
    [{ name: '   ' }, 'This field may not be blank.'],
    [{ name: null }, 'This field may not be null.'],
    [{ name: ['Docs'] }, 'Not a valid string.'],
    [{ name: 'a\u0000b' }, 'Null characters are not allowed.'],
    [{ name: 'x'.repeat(256) }, 'Ensure this field has no more than 255 characters.'],
  ]
  for (const endpoint of [createTeam, renameTeam])
    for (const [body, message] of cases)
      assert.equal((await app.call(endpoint, { as: me, body })).body as unknown, {
        code: 400,
        errors: { name: [message] },
        message: 'Invalid input data.',
      })
  assert.equal(
    (await app.call(listTeams, { as: me })).body.map(({ name }) => name),
    ['Default'],
  )
})

teams.run()
