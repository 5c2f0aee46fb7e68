import * as assert from 'uvu/assert'
import {
  acceptInvitation,
  createTeam,
  declineInvitation,
  inviteMember,
  listInvitations,
  listMembers,
  listOwnInvitations,
  listTeams,
  removeMember,
  withdrawInvitation,
} from '#contract/teams.ts'
import { createMails } from '#backend/mails/mails.ts'
import { createInvitations } from '#backend/teams/invitations.ts'
import { createMembers } from '#backend/teams/members.ts'
import { createIds } from '#backend/platform/ids.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'

const invitations = suite('invite to a team')

const LIMIT_MS = 30_000
const BEN = 'ben@example.org'

/** An app without a mail server: what would be mailed is in the log. `mailed` waits until so many links have been sent to an address. */
async function invitingApp() {
  const clock = createClock()
  const sent: { to: string; link: string }[] = []
  let told: () => void = () => undefined
  const note = (facts: { to?: string; email?: string; link?: string }) => {
    const to = facts.to ?? facts.email
    if (to !== undefined && facts.link !== undefined) sent.push({ to, link: facts.link })
    told()
  }
  const app = await startApp({ clock, log: { info: () => undefined, warn: note, error: () => undefined } })
  const owner = await app.signIn()
  return { app, clock, owner, sent, mailed, invite }

  async function mailed(to: string, count = 1): Promise<string[]> {
    const codes = () =>
      sent.filter((mail) => mail.to === to).map(({ link }) => /\/register\/\?invitation_code=(\w+)$/.exec(link)?.[1] ?? '')
    const limit = setTimeout(() => told(), LIMIT_MS)
    const endsAt = performance.now() + LIMIT_MS
    while (codes().length < count && performance.now() < endsAt) await new Promise<void>((resolve) => (told = resolve))
    clearTimeout(limit)
    assert.is(codes().length, count, `mails to ${to}`)
    return codes()
  }

  async function invite(email: string, as = owner): Promise<string> {
    const reply = await app.call(inviteMember, { as, body: { email } })
    assert.is(reply.status, 200, reply.text)
    const pending = (await app.call(listInvitations, { as })).body
    return pending.find((one) => one.email === email)?.uuid ?? ''
  }
}

const teamNames = async (app: App, as: Caller) => (await app.call(listTeams, { as })).body.map(({ name }) => name)
const pendingOf = async (app: App, as: Caller) => (await app.call(listOwnInvitations, { as })).body

invitations(
  'S-API-22 S-TEA-03 an invitation answers 200 without a body and mails a link with a code of 64 unambiguous characters',
  async () => {
    const { app, mailed, owner } = await invitingApp()
    const reply = await app.call(inviteMember, { as: owner, body: { email: BEN } })
    assert.is(reply.status, 200)
    assert.is(reply.text, '')
    assert.is(reply.headers['content-type'], undefined)
    const [code = ''] = await mailed(BEN)
    assert.match(code, /^[A-HJ-NP-Z2-9]{64}$/)
  },
)

invitations('S-API-25 S-TEA-03 the list has the open invitations, newest first, without codes', async () => {
  const { app, clock, invite, mailed, owner } = await invitingApp()
  await invite('one@example.org')
  clock.advance(1000)
  await invite('two@example.org')
  const { status, body, text } = await app.call(listInvitations, { as: owner })
  assert.is(status, 200)
  assert.equal(
    body.map(({ email }) => email),
    ['two@example.org', 'one@example.org'],
  )
  assert.equal(Object.keys(body[0] ?? {}).toSorted(), ['created_at', 'email', 'uuid'])
  for (const to of ['one@example.org', 'two@example.org']) assert.not.match(text, (await mailed(to))[0] ?? 'no code')
})

invitations('T31 T38 only the hash of the code is stored', async () => {
  const { app, invite, mailed } = await invitingApp()
  await invite(BEN)
  const [code = ''] = await mailed(BEN)
  const rows = await app.backend.database.selectFrom('invitation').selectAll().execute()
  assert.is(rows.length, 1)
  assert.not.match(JSON.stringify(rows), code)
})

invitations('S-API-22 T31 inviting an address again, in any letter case, gives the same invitation a new code', async () => {
  const { app, invite, mailed, owner } = await invitingApp()
  await invite('Ben@Example.org')
  const reply = await app.call(inviteMember, { as: owner, body: { email: 'bEN@example.org' } })
  assert.is(reply.status, 200)
  const { body } = await app.call(listInvitations, { as: owner })
  assert.equal(
    body.map(({ email }) => email),
    ['bEN@example.org'],
  )
  const [first] = await mailed('Ben@example.org')
  const [second] = await mailed('bEN@example.org')
  assert.is.not(first, second)
  const { find } = moduleOf(app)
  assert.is(await find(first ?? ''), null)
  assert.is((await find(second ?? ''))?.id, body[0]?.uuid)
})

invitations('S-API-22 an invalid address or an existing member gets an error at its field, and no mail', async () => {
  const { app, owner, sent } = await invitingApp()
  const cases: [body: unknown, errors: Record<string, string[]>, message: string][] = [
    [{}, { email: ['This field is required.'] }, 'Invalid input data.'],
    [{ email: null }, { email: ['This field may not be null.'] }, 'Invalid input data.'],
    [{ email: ' ' }, { email: ['This field may not be blank.'] }, 'Invalid input data.'],
    [{ email: 'ben' }, { email: ['Enter a valid email address.'] }, 'Invalid input data.'],
    [{ email: 'ben@example.org\nBcc: all@example.org' }, { email: ['Enter a valid email address.'] }, 'Invalid input data.'],
    [
      { email: owner.email.toUpperCase() },
      { non_field_errors: ['This person already belongs to the team.'] },
      'This person already belongs to the team.',
    ],
  ]
  for (const [body, errors, message] of cases)
    assert.equal((await app.call(inviteMember, { as: owner, body })).body, { code: 400, errors, message })
  assert.equal((await app.call(listInvitations, { as: owner })).body, [])
  assert.equal(sent, [])
})

invitations('S-API-16 S-TEA-04 a user sees the invitations for their address, with the team, and no other user sees them', async () => {
  const { app, invite, owner } = await invitingApp()
  const ben = await app.secondUser(BEN)
  const id = await invite('BEN@example.org')
  const [seen, ...more] = await pendingOf(app, ben)
  assert.equal(more, [])
  assert.equal(
    [seen?.uuid, seen?.team.uuid, seen?.team.name, seen?.team.is_owner, seen?.team.members_count],
    [id, owner.teamId, 'Default', false, 1],
  )
  assert.match(seen?.created_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.equal(await pendingOf(app, owner), [])
})

invitations('S-API-17 S-TEA-04 T31 accepting an invitation makes the user a member, once, and uses the code up', async () => {
  const { app, invite, mailed, owner } = await invitingApp()
  const ben = await app.secondUser(BEN)
  const id = await invite(BEN)
  const accept = () => app.call(acceptInvitation, { as: ben, params: { id } })
  const replies = await Promise.all([accept(), accept(), accept()])
  assert.equal(
    replies.map(({ status }) => status).toSorted((one, other) => one - other),
    [204, 404, 404],
  )
  assert.equal((await teamNames(app, ben)).length, 2)
  const { body: members } = await app.call(listMembers, { as: owner })
  assert.equal(
    members.results.map(({ is_owner, user }) => [is_owner, user.email]),
    [
      [true, owner.email],
      [false, BEN],
    ],
  )
  assert.equal(await pendingOf(app, ben), [])
  assert.equal((await app.call(listInvitations, { as: owner })).body, [])
  assert.is(await moduleOf(app).find((await mailed(BEN))[0] ?? ''), null)
  assert.is((await app.call(inviteMember, { as: owner, body: { email: BEN } })).status, 400)
})

invitations('S-API-17 accepting an invitation again changes nothing for a member, and uses the invitation up', async () => {
  const { app, invite, owner } = await invitingApp()
  const ben = await app.secondUser(BEN)
  const id = await invite(BEN)
  const row = { id: ben.userId, teamId: owner.teamId, userId: ben.userId, isOwner: 0, createdAt: 1 }
  await app.backend.database.insertInto('teamMember').values(row).execute()
  assert.is((await app.call(acceptInvitation, { as: ben, params: { id } })).status, 204)
  assert.is((await app.call(listMembers, { as: owner })).body.count, 2)
  assert.equal(await pendingOf(app, ben), [])
})

invitations('T25 only the invited address accepts or declines an invitation', async () => {
  const { app, invite, owner } = await invitingApp()
  const ben = await app.secondUser(BEN)
  const eve = await app.secondUser('eve@example.org')
  const id = await invite(BEN)
  for (const endpoint of [acceptInvitation, declineInvitation])
    for (const as of [eve, owner]) assert.is((await app.call(endpoint, { as, params: { id } })).status, 404)
  assert.equal((await teamNames(app, eve)).length, 1)
  assert.equal((await pendingOf(app, ben)).length, 1)
  // Nor does a member of another team withdraw it.
  assert.is((await app.call(withdrawInvitation, { as: eve, params: { id } })).status, 404)
  assert.is((await app.call(withdrawInvitation, { as: { ...eve, teamId: owner.teamId }, params: { id } })).status, 404)
  assert.equal((await app.call(listInvitations, { as: owner })).body.length, 1)
})

for (const [how, status] of [
  ['withdrawn', 'withdrawn'],
  ['declined', 'declined'],
] as const)
  invitations(`T31 an invitation that was ${how} disappears for both sides, with its code; the address can be invited again`, async () => {
    const { app, clock, invite, mailed, owner } = await invitingApp()
    const ben = await app.secondUser(BEN)
    const id = await invite(BEN)
    const [code = ''] = await mailed(BEN)
    const end = () =>
      status === 'withdrawn'
        ? app.call(withdrawInvitation, { as: owner, params: { id } })
        : app.call(declineInvitation, { as: ben, params: { id } })
    assert.is((await end()).status, 204)
    assert.is((await end()).status, 404)
    assert.is((await app.call(acceptInvitation, { as: ben, params: { id } })).status, 404)
    assert.equal([await pendingOf(app, ben), (await app.call(listInvitations, { as: owner })).body], [[], []])
    assert.is(await moduleOf(app).find(code), null)
    assert.equal((await teamNames(app, ben)).length, 1)
    clock.advance(60_000)
    await invite(BEN)
    assert.is((await pendingOf(app, ben))[0]?.created_at, new Date(clock.now()).toISOString().replace('Z', '000Z'))
  })

invitations('S-API-22 a former member can be invited again', async () => {
  const { app, invite, owner } = await invitingApp()
  const ben = await app.secondUser(BEN)
  await app.call(acceptInvitation, { as: ben, params: { id: await invite(BEN) } })
  const { body: members } = await app.call(listMembers, { as: owner })
  await app.call(removeMember, { as: owner, params: { id: members.results[1]?.uuid ?? '' } })
  assert.equal((await teamNames(app, ben)).length, 1)
  assert.equal(await pendingOf(app, ben), [])
  await app.call(acceptInvitation, { as: ben, params: { id: await invite(BEN) } })
  assert.equal((await teamNames(app, ben)).length, 2)
})

invitations('T31 of twenty concurrent uses of a code one creates a member, and none if the rest of the transaction fails', async () => {
  const { app, invite, mailed, owner } = await invitingApp()
  await invite(BEN)
  const [code = ''] = await mailed(BEN)
  const ben = await app.secondUser(BEN)
  const { database } = app.backend
  const { find, take } = moduleOf(app)
  assert.equal([(await find(code))?.email, (await find(code))?.teamId], [BEN, owner.teamId])
  const failed = database.transaction().execute(async (transaction) => {
    assert.ok(await take(transaction, code, ben.userId))
    throw new Error('the account could not be made')
  })
  await failed.then(
    () => assert.unreachable(),
    () => undefined,
  )
  assert.ok(await find(code))
  const taken = await Promise.all(
    Array.from({ length: 20 }, () => database.transaction().execute((transaction) => take(transaction, code, ben.userId))),
  )
  assert.is(taken.filter(Boolean).length, 1)
  assert.is(await find(code), null)
  assert.is((await app.call(listMembers, { as: owner })).body.count, 2)
  for (const wrong of ['', 'x', code.toLowerCase(), `${code} `]) assert.is(await find(wrong), null)
})

invitations('T29 an address gets only a few mails an hour, and the sender learns when to try again', async () => {
  const { app, clock, owner } = await invitingApp()
  const send = (email: string, as = owner) => app.call(inviteMember, { as, body: { email } })
  for (let at = 0; at < 5; at += 1) assert.is((await send(BEN)).status, 200)
  const refused = await send('BEN@example.org')
  assert.is(refused.status, 429)
  assert.is(refused.headers['retry-after'], '3600')
  assert.match((refused.body as unknown as { message: string }).message, /^Request was throttled\. Expected available in 3600 seconds\.$/)
  assert.is((await send('other@example.org')).status, 200)
  clock.advance(3_600_000)
  // The token is older than its five minutes.
  const again = await app.signIn()
  assert.is((await send(BEN, again)).status, 200)
})

invitations('T29 a user can send a limited number of invitations an hour, whatever the addresses and teams', async () => {
  const { app, owner } = await invitingApp()
  const { body: docs } = await app.call(createTeam, { as: owner, body: { name: 'Docs' } })
  const teams = [owner, { ...owner, teamId: docs.uuid }]
  const statuses: number[] = []
  for (let at = 0; at < 70; at += 1) {
    const as = teams[at % 2] ?? owner
    statuses.push((await app.call(inviteMember, { as, body: { email: `n${at}@example.org` } })).status)
  }
  assert.equal([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length], [60, 10])
})

/** The functions that registration gets, over the app's own database. */
function moduleOf({ backend: { database } }: App) {
  const needs = { database, newId: createIds(Date.now), now: Date.now }
  return createInvitations({
    ...needs,
    checkInvitation: async () => undefined,
    checkSeat: async () => undefined,
    mails: createMails({ baseUrl: () => 'https://crawl.example.org', productName: 'Seine' }),
    members: createMembers({ ...needs, endAccess: async () => undefined }),
    outbox: { queue: async () => undefined },
    teamsById: async () => new Map(),
  })
}

invitations.run()
