// A user deletes their account: they see what is deleted with it, and confirm with a password or code.
import * as assert from 'uvu/assert'
import { deleteAccount, describeAccountDeletion, getProfile, login, mailDeletionCode, updateProfile } from '#contract/accounts.ts'
import { createCrawl } from '#contract/crawls.ts'
import { getSettings } from '#contract/settings.ts'
import { createApiKey, createTeam, inviteMember, listApiKeys, listInvitations, listMembers, listTeams } from '#contract/teams.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const deletion = suite('deletion of an account')
const SITE = 'http://127.0.0.1:8080/'

const join = ({ backend: { database } }: App, teamId: string, { userId }: Caller) =>
  database
    .insertInto('teamMember')
    .values({ id: `${userId.slice(0, 20)}-${teamId.slice(-8)}`, teamId, userId, isOwner: 0, createdAt: 1 })
    .execute()

const messageOf = (body: unknown) => (body as { message: string }).message

deletion('the user sees which teams will be deleted, how many others belong to them, and which keys end', async () => {
  const app = await startApp()
  const admin = await app.signIn()
  const ben = await app.secondUser()
  const { body: docs } = await app.call(createTeam, { as: ben, body: { name: 'Docs' } })
  await join(app, docs.uuid, admin)
  await join(app, admin.teamId, ben)
  await app.call(createApiKey, { as: { ...ben, teamId: admin.teamId }, body: { name: "Ben's in the other team" } })
  await app.call(createCrawl, { as: { ...ben, teamId: docs.uuid }, body: { url: SITE } })
  const { body } = await app.call(describeAccountDeletion, { as: ben })
  assert.equal(
    body.teams.map(({ name, other_members: others, runs }) => [name, others, runs]),
    [
      ['Default', 0, 0],
      ['Docs', 1, 1],
    ],
  )
  assert.equal([body.memberships, body.api_keys, body.obstacles], [1, 1, []])
})

deletion('a deletion needs the password; a wrong or missing password, or a code that was not mailed, deletes nothing', async () => {
  const app = await startApp()
  await app.signIn()
  const ben = await app.secondUser()
  for (const [body, field] of [
    [{}, 'current_password'],
    [{ current_password: 'wrong' }, 'current_password'],
    [{ code: 'x'.repeat(64) }, 'code'],
    [{ current_password: 5 }, 'current_password'],
  ] as const) {
    const reply = await app.call(deleteAccount, { as: ben, body })
    assert.is(reply.status, 400, JSON.stringify(body))
    assert.equal(Object.keys((reply.body as unknown as { errors: object }).errors), [field])
  }
  assert.is((await app.call(getProfile, { as: ben })).status, 200)
  assert.is((await app.request('DELETE', deleteAccount.path, { key: ben.apiKey, body: { current_password: ben.password } })).status, 401)
})

deletion(
  'teams with other members are deleted only on request; sessions, keys and memberships of the user end, those of others stay',
  async () => {
    const app = await startApp()
    const admin = await app.signIn()
    const ben = await app.secondUser()
    await join(app, ben.teamId, admin)
    await join(app, admin.teamId, ben)
    await app.call(createApiKey, { as: { ...ben, teamId: admin.teamId }, body: { name: "Ben's" } })
    await app.call(inviteMember, { as: admin, body: { email: 'ben.other@example.org' } })
    await app.call(createCrawl, { as: ben, body: { url: SITE } })
    const proof = { current_password: ben.password }
    const refused = await app.call(deleteAccount, { as: ben, body: proof })
    assert.is(refused.status, 409)
    assert.match(messageOf(refused.body), 'Others belong to teams that you own (Default)')
    assert.is((await app.call(getProfile, { as: ben })).status, 200)

    assert.is((await app.call(deleteAccount, { as: ben, body: { ...proof, delete_teams: true } })).status, 204)
    assert.is((await app.call(getProfile, { as: ben })).status, 401)
    assert.is((await app.call(login, { body: { email: ben.email, password: ben.password } })).status, 400)
    assert.is((await app.request('GET', '/api/v1/core/crawl-requests/', { key: ben.apiKey })).status, 401)
    assert.equal(
      (await app.call(listTeams, { as: admin })).body.map(({ uuid }) => uuid),
      [admin.teamId],
    )
    assert.equal(
      (await app.call(listMembers, { as: admin })).body.results.map(({ user }) => user.email),
      [admin.email],
    )
    const keys = (await app.call(listApiKeys, { as: admin })).body.results.map(({ name }) => name)
    assert.equal(keys, ['test', 'Default'])
    await until(async () => (await app.backend.database.selectFrom('team').select('id').execute()).length === 1)
    // The address is free again.
    const again = await app.secondUser(ben.email)
    assert.is.not(again.userId, ben.userId)
  },
)

deletion('invitations that the user sent for the teams of others are withdrawn; those of others stay', async () => {
  const app = await startApp()
  const admin = await app.signIn()
  const ben = await app.secondUser()
  await join(app, admin.teamId, ben)
  await app.call(inviteMember, { as: admin, body: { email: 'kim@example.org' } })
  await app.call(inviteMember, { as: { ...ben, teamId: admin.teamId }, body: { email: 'mia@example.org' } })
  assert.is((await app.call(deleteAccount, { as: ben, body: { current_password: ben.password } })).status, 204)
  assert.equal(
    (await app.call(listInvitations, { as: admin })).body.map(({ email }) => email),
    ['kim@example.org'],
  )
})

deletion('of several deletions at once one succeeds; other calls beside them are answered as to a stranger', async () => {
  const faults: unknown[] = []
  const app = await startApp({ log: { info: () => undefined, warn: () => undefined, error: (fault) => void faults.push(fault) } })
  await app.signIn()
  const ben = await app.secondUser()
  const remove = () => app.call(deleteAccount, { as: ben, body: { current_password: ben.password, delete_teams: true } })
  const removed = await Promise.all([remove(), remove(), remove()])
  assert.equal(
    removed.map(({ status }) => status).toSorted((one, other) => one - other),
    [204, 401, 401],
  )

  const mia = await app.secondUser('mia@example.org')
  const calls = () => [
    app.call(createTeam, { as: mia, body: { name: 'Late' } }),
    app.call(listTeams, { as: mia }),
    app.call(createApiKey, { as: mia, body: { name: 'late' } }),
    app.call(updateProfile, { as: mia, body: { first_name: 'Mia' } }),
    app.call(mailDeletionCode, { as: mia }),
    app.call(inviteMember, { as: mia, body: { email: 'guest@example.org' } }),
  ]
  const first = app.call(deleteAccount, { as: mia, body: { current_password: mia.password, delete_teams: true } })
  const answers = await Promise.all([...calls(), first.then(() => Promise.all(calls())), ...calls()])
  for (const { status } of answers.flat()) assert.ok(status < 500, `${status}`)
  assert.equal(faults, [])
  const { database } = app.backend
  assert.equal(await database.selectFrom('team').select('id').where('deletedAt', 'is', null).where('name', '!=', 'Default').execute(), [])
})

deletion('the only administrator cannot delete their account, since the next visitor would become one', async () => {
  const app = await startApp()
  const admin = await app.signIn()
  const ben = await app.secondUser()
  const body = { current_password: admin.password, delete_teams: true }
  assert.is((await app.call(describeAccountDeletion, { as: admin })).body.obstacles.length, 1)
  const refused = await app.call(deleteAccount, { as: admin, body })
  assert.is(refused.status, 409)
  assert.match(messageOf(refused.body), 'only administrator')
  assert.is((await app.call(getSettings)).body.is_installed, true)
  await app.backend.database.updateTable('user').set({ isSuperuser: 1 }).where('id', '=', ben.userId).execute()
  assert.is((await app.call(deleteAccount, { as: admin, body })).status, 204)
  assert.is((await app.call(getSettings)).body.is_installed, true)
})

deletion('an account without a password is deleted with a mailed code, which works once and for its own account only', async () => {
  const mails: string[] = []
  const app = await startApp({
    log: { info: () => undefined, error: () => undefined, warn: (facts) => void mails.push(JSON.stringify(facts)) },
  })
  await app.signIn()
  const ben = await app.secondUser()
  const mia = await app.secondUser('mia@example.org')
  await app.backend.database.updateTable('user').set({ passwordHash: null }).where('id', '=', ben.userId).execute()
  const none = await app.call(deleteAccount, { as: ben, body: {} })
  assert.equal(Object.keys((none.body as unknown as { errors: object }).errors), ['code'])
  assert.is((await app.call(mailDeletionCode, { as: ben })).status, 204)
  await until(() => mails.some((mail) => mail.includes('deletion_code=')))
  const code = /deletion_code=([A-Za-z0-9]{64})/.exec(mails.find((mail) => mail.includes('deletion_code=')) ?? '')?.[1] ?? ''
  assert.is((await app.call(deleteAccount, { as: mia, body: { code } })).status, 400)
  assert.is((await app.call(getProfile, { as: mia })).status, 200)
  assert.is((await app.call(deleteAccount, { as: ben, body: { code } })).status, 204)
  assert.is((await app.call(getProfile, { as: ben })).status, 401)
})

deletion('a user gets only a few codes an hour by mail', async () => {
  const app = await startApp()
  await app.signIn()
  const ben = await app.secondUser()
  const statuses: number[] = []
  for (let at = 0; at < 7; at += 1) statuses.push((await app.call(mailDeletionCode, { as: ben })).status)
  assert.equal(statuses, [204, 204, 204, 204, 204, 429, 429])
})

deletion.run()
