import { setImmediate } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { createCrawl, getCrawl, listCrawls } from '#contract/crawls.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { fillPath } from '#contract/endpoint.ts'
import {
  createApiKey,
  currentTeam,
  deleteApiKey,
  getTeam,
  inviteMember,
  listApiKeys,
  listInvitations,
  listMembers,
  listTeams,
  removeMember,
  renameTeam,
  withdrawInvitation,
} from '#contract/teams.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { makeUser } from '#tests/support/make.ts'
import { suite } from '#tests/support/suite.ts'

const members = suite('members of a team')

const OWNER_STAYS = { code: 403, errors: null, message: 'The owner cannot be removed.' }
let joins = 1

/** Makes a user a member of the caller's team; returns the membership. */
async function join(app: App, { teamId }: Caller, userId: string): Promise<string> {
  joins += 1
  const id = `00000000-0000-7000-8000-${String(joins).padStart(12, '0')}`
  await app.backend.database.insertInto('teamMember').values({ id, teamId, userId, isOwner: 0, createdAt: joins }).execute()
  return id
}

/** A team with an owner and a member, and a user outside. */
async function team() {
  const app = await startApp()
  const owner = await app.signIn()
  const member = await app.secondUser()
  const outsider = await app.secondUser('eve@example.org')
  const memberId = await join(app, owner, member.userId)
  const ownerId = (await app.call(listMembers, { as: owner })).body.results[0]?.uuid ?? ''
  return { app, owner, member: { ...member, teamId: owner.teamId }, memberId, outsider, ownerId, ownTeamId: member.teamId }
}

members('S-API-23 S-TEA-03 the list has the owner first, then members in order of joining, with their public fields only', async () => {
  const { app, owner, member, memberId } = await team()
  // By the time stamps of the rows, the member came first.
  const { status, body } = await app.call(listMembers, { as: member })
  assert.is(status, 200)
  assert.equal([body.count, body.next, body.previous], [2, null, null])
  assert.equal(
    body.results.map(({ is_owner, user }) => [is_owner, user.uuid, user.email]),
    [
      [true, owner.userId, owner.email],
      [false, member.userId, member.email],
    ],
  )
  assert.equal(body.results[1], {
    uuid: memberId,
    is_owner: false,
    user: {
      uuid: member.userId,
      email: member.email,
      first_name: '',
      last_name: '',
      full_name: member.email,
      privacy_confirmed_at: null,
      terms_confirmed_at: null,
      newsletter_confirmed: false,
    },
  })
})

members('S-API-23 S-TEA-03 the list has pages, and a page beyond the end gets 404', async () => {
  const { app, owner } = await team()
  for (let at = 0; at < 28; at += 1) await join(app, owner, await makeUser(app.backend, { email: `m${at}@example.org`, password: 'x' }))
  const page = async (query: Record<string, string | number>) => (await app.call(listMembers, { as: owner, query })).body
  const first = await page({})
  assert.equal([first.count, first.results.length, first.previous], [30, 25, null])
  assert.match(first.next ?? '', /\/api\/v1\/user\/teams\/current\/members\/\?page=2$/)
  const second = await page({ page: 2 })
  assert.equal([second.results.length, second.next], [5, null])
  const all = [...first.results, ...second.results]
  assert.is(new Set(all.map(({ uuid }) => uuid)).size, 30)
  assert.equal(
    all.map(({ is_owner }) => is_owner),
    [true, ...Array<boolean>(29).fill(false)],
  )
  assert.is(all.at(-1)?.user.email, 'm27@example.org')
  assert.equal((await page({ page: 'last', page_size: 7 })).results.length, 2)
  assert.is((await app.call(listMembers, { as: owner, query: { page: 3 } })).status, 404)
})

members('S-API-24 S-TEA-03 T25 no request removes the owner, not even a request of the owner', async () => {
  const { app, owner, member, ownerId } = await team()
  for (const as of [owner, member]) {
    const reply = await app.call(removeMember, { as, params: { id: ownerId } })
    assert.equal(reply.body, OWNER_STAYS)
  }
  assert.is((await app.call(listMembers, { as: owner })).body.count, 2)
})

members('S-API-24 T25 F48 the next request of a removed member acts for another of their teams; their crawl goes on', async () => {
  const { app, owner, member, memberId, ownTeamId } = await team()
  const { body: run } = await app.call(createCrawl, { as: member, body: { url: 'http://127.0.0.1:8080/' } })
  assert.is((await app.call(getCrawl, { as: member, params: { id: run.uuid } })).status, 200)
  const removed = await app.call(removeMember, { as: owner, params: { id: memberId } })
  assert.is(removed.status, 204)
  assert.is(removed.text, '')
  assert.is((await app.call(getCrawl, { as: member, params: { id: run.uuid } })).status, 404)
  assert.is((await app.call(getTeam, { as: member, params: { id: owner.teamId } })).status, 404)
  assert.is((await app.call(currentTeam, { as: member })).body.uuid, ownTeamId)
  assert.equal(
    (await app.call(listTeams, { as: member })).body.map(({ uuid }) => uuid),
    [ownTeamId],
  )
  // The crawl is the team's, and goes on without them.
  assert.is((await app.call(getCrawl, { as: owner, params: { id: run.uuid } })).status, 200)
  assert.is((await app.call(removeMember, { as: owner, params: { id: memberId } })).status, 404)
})

members('S-API-24 a user who leaves their only team gets a new default team', async () => {
  const { app, member, memberId, ownTeamId } = await team()
  await app.backend.database.deleteFrom('teamMember').where('teamId', '=', ownTeamId).execute()
  assert.is((await app.call(removeMember, { as: member, params: { id: memberId } })).status, 204)
  const { body } = await app.call(currentTeam, { as: member })
  assert.equal([body.name, body.is_default, body.is_owner, body.members_count], ['Default', true, true, 1])
  assert.is.not(body.uuid, member.teamId)
  assert.is((await app.call(listApiKeys, { as: { ...member, teamId: body.uuid } })).body.count, 1)
})

members('A8 a member sees only their own keys unmasked; the owner sees all keys, and each key names its creator', async () => {
  const { app, owner, member } = await team()
  const made = (await app.call(createApiKey, { as: member, body: { name: 'of the member' } })).body
  const keys = async (as: Caller) => (await app.call(listApiKeys, { as })).body.results
  for (const { key, created_by } of await keys(owner)) {
    assert.match(key, /^sn-[a-z0-9]{32}$/)
    assert.is(created_by, key === made.key ? member.userId : owner.userId)
  }
  const seen = await keys(member)
  assert.is(seen.length, 3)
  for (const { key, name } of seen)
    if (name === made.name) assert.is(key, made.key)
    else assert.match(key, /^sn-[a-z0-9]…[a-z0-9]{4}$/)
  const masked = seen.find(({ name }) => name === 'test')?.key
  assert.is(masked, `${owner.apiKey.slice(0, 4)}…${owner.apiKey.slice(-4)}`)
  assert.is((await app.call(listCrawls, { headers: { 'x-api-key': encodeURIComponent(masked ?? '') } })).status, 401)
  // Only the owner manages keys that were made before their makers were recorded.
  await app.backend.database.updateTable('apiKey').set({ createdBy: null }).where('id', '=', made.uuid).execute()
  assert.equal(
    [(await keys(member))[0]?.key, (await keys(member))[0]?.created_by, (await keys(owner))[0]?.key],
    [`${made.key.slice(0, 4)}…${made.key.slice(-4)}`, null, made.key],
  )
})

members('A8 removing a member with revoke_keys revokes the keys that the member has seen, and no others', async () => {
  const { app, owner, member, memberId, ownTeamId } = await team()
  const newKey = async (as: Caller, name: string) => (await app.call(createApiKey, { as, body: { name } })).body
  const [made, old] = [await newKey(member, 'of the member'), await newKey(owner, 'from before makers were recorded')]
  await app.backend.database.updateTable('apiKey').set({ createdBy: null }).where('id', '=', old.uuid).execute()
  const status = async (key: string) => (await app.call(listCrawls, { key })).status
  const elsewhere = (await newKey({ ...member, teamId: ownTeamId }, 'of their own team')).key
  const known = [made.key, old.key]

  // Refused: nothing ends.
  const id = (await app.call(listMembers, { as: owner })).body.results[0]?.uuid ?? ''
  assert.is((await app.call(removeMember, { as: member, params: { id }, query: { revoke_keys: true } })).status, 403)
  for (const key of known) assert.is(await status(key), 200)

  assert.is((await app.call(removeMember, { as: owner, params: { id: memberId }, query: { revoke_keys: true } })).status, 204)
  for (const key of known) assert.is(await status(key), 401)
  for (const key of [owner.apiKey, elsewhere]) assert.is(await status(key), 200)
})

members('A18 removing a member with revoke_keys withdraws the invitations that the member sent, and no others', async () => {
  const { app, owner, member, memberId, ownTeamId } = await team()
  const invite = async (as: Caller, email: string) => assert.is((await app.call(inviteMember, { as, body: { email } })).status, 200)
  const invited = async (as: Caller) => (await app.call(listInvitations, { as })).body.map(({ email }) => email)
  const atHome = { ...member, teamId: ownTeamId }
  await invite(member, 'second-address@example.org')
  await invite(owner, 'other@example.org')
  await invite(atHome, 'friend@example.org')
  assert.is((await app.call(removeMember, { as: owner, params: { id: memberId }, query: { revoke_keys: true } })).status, 204)
  assert.equal([await invited(owner), await invited(atHome)], [['other@example.org'], ['friend@example.org']])
})

members('A8 a member who is being removed gets no key that outlasts the removal', async () => {
  const { app, owner, member, memberId } = await team()
  let id = memberId
  for (let turns = 0; turns < 12; turns += 1) {
    const call = app.call(createApiKey, { as: member, body: { name: 'late' } })
    // The removal overtakes it at another step each time.
    for (let turn = 0; turn < turns; turn += 1) await setImmediate()
    assert.is((await app.call(removeMember, { as: owner, params: { id }, query: { revoke_keys: true } })).status, 204)
    const { body: key, status } = await call
    const { results } = (await app.call(listApiKeys, { as: owner })).body
    assert.not.ok(status === 201 && results.some(({ uuid }) => uuid === key.uuid), `${turns}`)
    id = await join(app, owner, member.userId)
  }
})

members('A8 without revoke_keys all keys and invitations stay valid', async () => {
  const { app, owner, member, memberId } = await team()
  const { key } = (await app.call(createApiKey, { as: member, body: { name: 'of the member' } })).body
  assert.is((await app.call(inviteMember, { as: member, body: { email: 'new@example.org' } })).status, 200)
  assert.is((await app.call(removeMember, { as: owner, params: { id: memberId }, query: { revoke_keys: false } })).status, 204)
  assert.is((await app.call(listCrawls, { key })).status, 200)
  assert.is((await app.call(listInvitations, { as: owner })).body.length, 1)
})

type Role = 'owner' | 'member' | 'outsider' | 'key' | 'nobody'
type World = Awaited<ReturnType<typeof team>>
type Row = [
  why: string,
  endpoint: EndpointSpec,
  call: (world: World) => Promise<{ params?: Record<string, string>; body?: unknown }>,
  Expected,
]
/** The status of each role, in the order of ROLES. */
type Expected = readonly [owner: number, member: number, outsider: number, key: number, nobody: number]

const ROLES: readonly Role[] = ['owner', 'member', 'outsider', 'key', 'nobody']
const nothing = async () => ({})
const named = async () => ({ body: { name: 'Docs' } })
const apiKeyOf = async ({ app, owner }: World) => ({
  params: { id: (await app.call(createApiKey, { as: owner, body: { name: 'one' } })).body.uuid },
})
let guests = 0
const guest = () => ({ email: `guest-${(guests += 1)}@example.org` })
const invitationOf = async ({ app, owner }: World) => {
  await app.call(inviteMember, { as: owner, body: guest() })
  return { params: { id: (await app.call(listInvitations, { as: owner })).body[0]?.uuid ?? '' } }
}

// An outsider who names the team acts for their own team: 200 is for that one, and objects of the named team get 404.
const ROWS: readonly Row[] = [
  ['reads the team', getTeam, async ({ owner }) => ({ params: { id: owner.teamId } }), [200, 200, 404, 401, 401]],
  ['reads the current team', currentTeam, nothing, [200, 200, 200, 401, 401]],
  ['renames the current team', renameTeam, named, [200, 200, 200, 401, 401]],
  ['invites', inviteMember, async () => ({ body: guest() }), [200, 200, 200, 401, 401]],
  ['withdraws an invitation', withdrawInvitation, invitationOf, [204, 204, 404, 401, 401]],
  ['lists members', listMembers, nothing, [200, 200, 200, 401, 401]],
  ['removes a member', removeMember, async ({ memberId }) => ({ params: { id: memberId } }), [204, 204, 404, 401, 401]],
  ['removes the owner', removeMember, async ({ ownerId }) => ({ params: { id: ownerId } }), [403, 403, 404, 401, 401]],
  ['makes a key', createApiKey, named, [201, 201, 201, 401, 401]],
  ['revokes a key', deleteApiKey, apiKeyOf, [204, 204, 404, 401, 401]],
  ['crawls', createCrawl, async () => ({ body: { url: 'http://127.0.0.1:8080/' } }), [201, 201, 201, 201, 401]],
]

members('T25 each role may call exactly its routes, and affects the right team', async () => {
  const world = await team()
  const { app, owner, member, memberId, outsider } = world
  const membership = { id: memberId, teamId: owner.teamId, userId: member.userId, isOwner: 0, createdAt: 2 }
  for (const [why, { method, path }, prepare, expected] of ROWS)
    for (const [at, role] of ROLES.entries()) {
      // Brings back the member whom the previous role removed.
      await app.backend.database
        .insertInto('teamMember')
        .values(membership)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const { params, body } = await prepare(world)
      const before = await rowsOf(world)
      const caller = { owner, member, outsider: { ...outsider, teamId: owner.teamId }, key: undefined, nobody: undefined }[role]
      const reply = await app.request(method, fillPath(path, params), {
        as: caller,
        key: role === 'key' ? owner.apiKey : undefined,
        body,
      })
      assert.is(reply.status, expected[at], `${role} ${why}: ${reply.text}`)
      // An outsider's action hits their own team, and a refused one changes nothing.
      if (role === 'outsider' || reply.status >= 400) assert.is(await rowsOf(world), before, `${role} ${why}`)
    }
})

/** All data of the team that a role might change. */
async function rowsOf({ app: { backend }, owner: { teamId } }: World): Promise<string> {
  const tables = ['teamMember', 'apiKey', 'invitation', 'run'] as const
  const rows = tables.map((table) => backend.database.selectFrom(table).select('id').where('teamId', '=', teamId).execute())
  const named = await backend.database.selectFrom('team').select('name').where('id', '=', teamId).execute()
  return JSON.stringify([named, ...(await Promise.all(rows))])
}

members.run()
