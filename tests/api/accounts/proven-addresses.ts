// What an email address gives access to before its owner has proved it: the account only.
import * as assert from 'uvu/assert'
import {
  forgotPassword,
  getProfile,
  login,
  refreshToken,
  register,
  registerInvited,
  resetPassword,
  signInWithProvider,
  updateProfile,
} from '#contract/accounts.ts'
import { listCrawls } from '#contract/crawls.ts'
import {
  acceptInvitation,
  acceptInvitationCode,
  createTeam,
  declineInvitation,
  inviteMember,
  linkInvitation,
  listApiKeys,
  listInvitations,
  listMembers,
  listOwnInvitations,
  listTeams,
} from '#contract/teams.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { startProviders } from '#tests/support/stubs/sign-in-providers.ts'
import { suite } from '#tests/support/suite.ts'

const proven = suite('unverified addresses')

const LIMIT_MS = 30_000
const BEN = { email: 'ben@example.org', password: 'Stranger-Horse-7!' }
const NOT_FOUND = { code: 404, errors: null, message: 'Not found.' }

/** An app that sends no mail: the links are in its log, which `linkTo` reads. */
async function start(config: NonNullable<Parameters<typeof startApp>[0]>['config'] = {}) {
  const sent: { to: string; link: string }[] = []
  let told: () => void = () => undefined
  const warn = (facts: { to?: string; link?: string }) => {
    if (facts.to !== undefined && facts.link !== undefined) sent.push({ to: facts.to, link: facts.link })
    told()
  }
  const app = await startApp({ config, log: { info: () => undefined, warn, error: () => undefined } })
  const owner = await app.signIn()
  return { app, owner, linkTo, invite }

  /** The token or code at the end of the last link to an address; waits for the given number of links. */
  async function linkTo(to: string, count = 1): Promise<string> {
    const found = () => sent.filter((mail) => mail.to === to)
    const limit = setTimeout(() => told(), LIMIT_MS)
    const endsAt = performance.now() + LIMIT_MS
    while (found().length < count && performance.now() < endsAt) await new Promise<void>((resolve) => (told = resolve))
    clearTimeout(limit)
    assert.is(found().length, count, `links to ${to}`)
    return /(\w+)$/.exec(found().at(-1)?.link ?? '')?.[1] ?? ''
  }

  async function invite(email: string, as: Caller = owner): Promise<string> {
    assert.is((await app.call(inviteMember, { as, body: { email } })).status, 200)
    return (await app.call(listInvitations, { as })).body.find((one) => one.email === email)?.uuid ?? ''
  }
}

const newAccount = async (app: App, body = BEN) => {
  assert.is((await app.call(register, { body })).status, 201)
  return app.logIn(body)
}
const teamsOf = async (app: App, as: Caller) => (await app.call(listTeams, { as })).body.length
const accept = (app: App, as: Caller, code: string) => app.call(acceptInvitationCode, { as, body: { invitation_code: code } })

proven('A2 a stranger who registers an invited address gets neither the invitation nor the owner’s API key', async () => {
  const { app, invite, owner } = await start()
  const id = await invite(BEN.email)
  const stranger = await newAccount(app)
  assert.equal((await app.call(listOwnInvitations, { as: stranger })).body, [])
  assert.equal((await app.call(acceptInvitation, { as: stranger, params: { id } })).body as unknown, NOT_FOUND)
  // Nor can they decline it for the invited person.
  assert.equal((await app.call(declineInvitation, { as: stranger, params: { id } })).body as unknown, NOT_FOUND)
  assert.is(await teamsOf(app, stranger), 1)
  assert.is((await app.call(listInvitations, { as: owner })).body.length, 1, 'it still waits')
  const keys = await app.call(listApiKeys, { as: { ...stranger, teamId: owner.teamId } })
  assert.not.match(keys.text, owner.apiKey)
})

proven('A2 the code of the link accepts the invitation, once, and only for its address', async () => {
  const { app, invite, linkTo, owner } = await start()
  await invite(BEN.email)
  const code = await linkTo(BEN.email)
  const ben = await newAccount(app)
  const eve = await newAccount(app, { email: 'eve@example.org', password: 'Other-Horse-9!' })
  assert.equal((await accept(app, eve, code)).body as unknown, {
    code: 400,
    errors: [],
    message: 'The invitation was sent to another address.',
  })
  assert.equal((await accept(app, ben, 'A'.repeat(64))).body as unknown, NOT_FOUND)
  assert.equal((await app.request('POST', acceptInvitationCode.path, { as: ben })).body, {
    code: 400,
    errors: { invitation_code: ['This field is required.'] },
    message: 'Invalid input data.',
  })
  assert.is((await app.request('POST', acceptInvitationCode.path, { body: { invitation_code: code } })).status, 401)
  assert.is(await teamsOf(app, ben), 1)
  const replies = await Promise.all([1, 2, 3].map(() => accept(app, ben, code)))
  assert.equal(
    replies.map(({ status }) => status).toSorted((one, other) => one - other),
    [204, 404, 404],
  )
  assert.equal([await teamsOf(app, ben), await teamsOf(app, eve)], [2, 1])
  assert.is((await app.call(listMembers, { as: owner })).body.count, 2)
  // A mailed code proves the address: the next invitation is simply listed.
  const { body: docs } = await app.call(createTeam, { as: owner, body: { name: 'Docs' } })
  const id = await invite(BEN.email, { ...owner, teamId: docs.uuid })
  assert.equal(
    (await app.call(listOwnInvitations, { as: ben })).body.map(({ uuid }) => uuid),
    [id],
  )
})

proven('A2 the owner gets a new link to pass on, which replaces the older link; other callers get none', async () => {
  const { app, invite, linkTo, owner } = await start()
  const id = await invite(BEN.email)
  const mailed = await linkTo(BEN.email)
  const carol = await newAccount(app, { email: 'carol@example.org', password: 'Other-Horse-9!' })
  const memberId = await invite('carol@example.org')
  await accept(app, carol, await linkTo('carol@example.org'))
  const member = { ...carol, teamId: owner.teamId }
  const dave = await newAccount(app, { email: 'dave@example.org', password: 'Other-Horse-9!' })
  assert.is((await app.call(linkInvitation, { as: member, params: { id } })).status, 403)
  assert.is((await app.call(linkInvitation, { as: dave, params: { id } })).status, 404, 'of another team')
  for (const gone of [memberId, owner.teamId])
    assert.is((await app.call(linkInvitation, { as: owner, params: { id: gone } })).status, 404, 'answered, or no invitation at all')

  const { status, body } = await app.call(linkInvitation, { as: owner, params: { id } })
  assert.is(status, 200)
  assert.equal(Object.keys(body), ['link'])
  const code = /^http:\/\/127\.0\.0\.1:3000\/register\/\?invitation_code=([A-HJ-NP-Z2-9]{64})$/.exec(body.link)?.[1] ?? ''
  assert.is.not(code, mailed)
  const ben = await newAccount(app)
  assert.equal((await accept(app, ben, mailed)).body as unknown, NOT_FOUND)
  assert.is((await accept(app, ben, code)).status, 204)
})

proven('A2 a link that the owner could read verifies no address: team owners cannot accept invitations of others', async () => {
  const { app, invite, owner } = await start()
  const wanted = await invite(BEN.email)
  // The stranger invites the same address to a team of their own, and takes the link.
  const eve = await newAccount(app, { email: 'eve@example.org', password: 'Other-Horse-9!' })
  const own = await invite(BEN.email, eve)
  const { body } = await app.call(linkInvitation, { as: eve, params: { id: own } })
  const code = /(\w+)$/.exec(body.link)?.[1] ?? ''
  assert.is((await app.call(registerInvited, { params: { code }, body: BEN })).status, 201)
  const stranger = await app.logIn(BEN)
  assert.is((await app.call(listTeams, { as: stranger })).body.length, 1, 'in the team of the link')
  assert.equal((await app.call(listOwnInvitations, { as: stranger })).body, [])
  assert.equal((await app.call(acceptInvitation, { as: stranger, params: { id: wanted } })).body as unknown, NOT_FOUND)
  assert.is((await app.call(listMembers, { as: owner })).body.count, 1)
})

/** What a stranger knew of an account, and which of it still gives access. */
async function knownTo(app: App, stranger: Caller) {
  const { body: keys } = await app.call(listApiKeys, { as: stranger })
  const secrets = keys.results.map(({ key }) => key)
  assert.ok(secrets.length > 0)
  for (const key of secrets) assert.is((await app.call(listCrawls, { key })).status, 200)
  return async () => ({
    password: (await app.call(login, { body: BEN })).status,
    refresh: (await app.call(refreshToken, { body: { refresh: stranger.refresh } })).status,
    access: (await app.call(getProfile, { as: stranger })).status,
    keys: [...new Set(await Promise.all(secrets.map(async (key) => (await app.call(listCrawls, { key })).status)))],
  })
}
const NOTHING = { password: 400, refresh: 401, access: 401, keys: [401] }

proven(
  'A3 an account with an unverified address passes to the user whom a provider verified: password, sessions and keys end',
  async () => {
    const providers = await startProviders()
    const { app } = await start(providers.config)
    const stranger = await newAccount(app)
    const left = await knownTo(app, stranger)
    providers.codes.set('code', { emails: [{ email: BEN.email, primary: true, verified: true }], name: 'Ben' })
    const signedIn = await app.call(signInWithProvider, { body: { provider: 'github', token: 'code' } })
    assert.is(signedIn.status, 200)
    assert.equal(await left(), NOTHING)
    // It is the same account. Its new holder sets a password without being asked for the stranger's.
    const headers = { authorization: `Bearer ${signedIn.body.access}` }
    assert.is((await app.call(getProfile, { headers })).body.uuid, stranger.userId)
    const password = 'Own-Fresh-Horse-1!'
    assert.is((await app.call(updateProfile, { headers, body: { password } })).status, 200)
    const owner = await app.logIn({ email: BEN.email, password })
    // From here on the address is verified: another sign-in by the provider ends no session.
    const leftOfOwner = owner.refresh
    providers.codes.set('again', { emails: [{ email: BEN.email, primary: true, verified: true }], name: 'Ben' })
    assert.is((await app.call(signInWithProvider, { body: { provider: 'github', token: 'again' } })).status, 200)
    assert.is((await app.call(refreshToken, { body: { refresh: leftOfOwner } })).status, 200)
    assert.is((await app.call(listCrawls, { key: owner.apiKey })).status, 200)
  },
)

proven('A3 a mailed reset takes over an unverified account in the same way; the keys of a verified account stay', async () => {
  const { app, linkTo } = await start()
  const stranger = await newAccount(app)
  const left = await knownTo(app, stranger)
  await app.call(forgotPassword, { body: { email: BEN.email } })
  const fresh = { email: BEN.email, password: 'Own-Fresh-Horse-1!' }
  const reset = async (count: number, password: string) =>
    app.call(resetPassword, { params: { token: await linkTo(BEN.email, count) }, body: { password } })
  assert.is((await reset(1, fresh.password)).status, 204)
  assert.equal(await left(), NOTHING)
  const owner = await app.logIn(fresh)
  assert.is(owner.userId, stranger.userId)

  await app.call(forgotPassword, { body: { email: BEN.email } })
  assert.is((await reset(2, 'Second-Fresh-Horse-2!')).status, 204)
  assert.is((await app.call(refreshToken, { body: { refresh: owner.refresh } })).status, 401)
  assert.is((await app.call(listCrawls, { key: owner.apiKey })).status, 200)
})

proven('A18 a reset that takes over an unverified account withdraws the invitations that its creator sent', async () => {
  const { app, invite, linkTo } = await start()
  const stranger = await newAccount(app)
  const { teamId } = stranger
  await invite('accomplice@example.org', stranger)
  await app.call(forgotPassword, { body: { email: BEN.email } })
  const fresh = { email: BEN.email, password: 'Own-Fresh-Horse-1!' }
  const token = await linkTo(BEN.email)
  assert.is((await app.call(resetPassword, { params: { token }, body: { password: fresh.password } })).status, 204)
  const owner = { ...(await app.logIn(fresh)), teamId }
  assert.equal((await app.call(listInvitations, { as: owner })).body, [])
  const person = { email: 'accomplice@example.org', password: 'Stranger-Horse-8!', first_name: '', last_name: '' }
  const code = await linkTo(person.email)
  assert.is((await app.call(registerInvited, { params: { code }, body: person })).status, 404)
  assert.is((await app.call(listMembers, { as: owner })).body.count, 1)
})

proven.run()
