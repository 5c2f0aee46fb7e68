import * as assert from 'uvu/assert'
import { login, readInvitation, register, registerInvited } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { inviteMember } from '#contract/teams.ts'
import { SIGN_IN_LIMITS } from '#backend/http/rate-limits.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import type { App } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { startMailServer, tokenOf } from '#tests/support/stubs/mail-server.ts'
import { suite } from '#tests/support/suite.ts'

const registering = suite('register')

const NEW = { email: 'new@example.org', password: 'Correct-Horse-7!', first_name: 'Nia', last_name: 'Okoro' }
const invalid = (errors: object) => ({ code: 400, errors, message: 'Invalid input data.' })
const refused = (message: string) => ({ code: 400, errors: [], message })
const FORBIDDEN = { code: 403, errors: null, message: 'You do not have permission to perform this action.' }
const NOT_FOUND = { code: 404, errors: null, message: 'Not found.' }

const usersOf = ({ backend: { database } }: App) => database.selectFrom('user').selectAll().orderBy('createdAt').execute()

/** An installed app with a mail server, and its administrator. */
async function start(config: NonNullable<Parameters<typeof startApp>[0]>['config'] = {}) {
  const mailServer = await startMailServer()
  const app = await startApp({ config: { ...config, smtpUrl: mailServer.url } })
  const owner = await app.signIn()
  return { app, mailServer, owner }
}

registering('S-API-03 a registration creates an account whose address is not verified yet, and mails the link', async () => {
  const { app, mailServer } = await start()
  const reply = await app.call(register, { body: NEW })
  assert.is(reply.status, 201)
  assert.equal(reply.body, { email: NEW.email, first_name: 'Nia', last_name: 'Okoro', email_verified: false })
  const mail = await mailServer.next()
  assert.equal(mail.to, [NEW.email])
  assert.match(mail.link, /^http:\/\/127\.0\.0\.1:3000\/verify-email\/[A-Za-z0-9]{64}$/)
  assert.is((await app.call(login, { body: NEW })).status, 403)
})

registering('without a mail server new accounts are verified, and no link is created', async () => {
  const app = await startApp()
  await app.signIn()
  assert.is((await app.call(register, { body: NEW })).body.email_verified, true)
  assert.is((await app.call(login, { body: NEW })).status, 200)
  assert.equal(await app.backend.database.selectFrom('oneTimeLink').selectAll().execute(), [])
})

registering('an address has one account, whatever its letter case', async () => {
  const { app } = await start()
  await app.call(register, { body: NEW })
  const before = await usersOf(app)
  for (const email of ['NEW@Example.org', 'new@example.org', ADMINISTRATOR.email.toUpperCase()]) {
    const reply = await app.call(register, { body: { ...NEW, email, password: 'Taken-Over-9!' } })
    assert.equal(reply.body as unknown, invalid({ email: ['An account with this address exists.'] }))
  }
  assert.equal(await usersOf(app), before)
})

registering('two concurrent registrations of one address create one account', async () => {
  const { app } = await start()
  const replies = await Promise.all([1, 2, 3].map(() => app.call(register, { body: NEW })))
  assert.equal(
    replies.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 400, 400],
  )
  assert.is((await usersOf(app)).length, 2)
})

registering('a refused registration reports the error of each field and creates nothing', async () => {
  const { app } = await start()
  const cases: [body: object, errors: object][] = [
    [{}, { email: ['This field is required.'], password: ['This field is required.'] }],
    [{ ...NEW, email: 'not an address' }, { email: ['Enter a valid email address.'] }],
    [
      { ...NEW, password: '1234567' },
      {
        password: [
          'This password is too short. It must contain at least 8 characters.',
          'This password is too common.',
          'This password is entirely numeric.',
        ],
      },
    ],
    [{ ...NEW, first_name: 'x'.repeat(151) }, { first_name: ['Ensure this field has no more than 150 characters.'] }],
  ]
  for (const [body, errors] of cases) assert.equal((await app.call(register, { body })).body as unknown, invalid(errors))
  assert.is((await usersOf(app)).length, 1)
})

registering('a registration cannot set rights, a team or a verified address', async () => {
  const { app, owner } = await start({ policyUrl: 'https://example.org/privacy' })
  const body = { ...NEW, is_superuser: true, is_active: false, email_verified: true, team: owner.teamId, privacy_confirmed: true }
  assert.is((await app.call(register, { body })).status, 201)
  const user = (await usersOf(app))[1]
  assert.equal([user?.isSuperuser, user?.isActive, user?.emailVerified, user?.privacyConfirmedAt], [0, 1, 0, null])
  const { database } = app.backend
  assert.equal(
    await database
      .selectFrom('teamMember')
      .selectAll()
      .where('userId', '=', user?.id ?? '')
      .execute(),
    [],
  )
})

registering('a registration gets 403 when the operator has switched sign-up off, and before the installation', async () => {
  const app = await startApp({ config: { signupEnabled: false } })
  await app.signIn()
  assert.equal((await app.call(register, { body: NEW })).body as unknown, FORBIDDEN)
  assert.is((await app.call(getSettings)).body.is_signup_active, false)

  const fresh = await startApp()
  assert.equal((await fresh.call(register, { body: NEW })).body as unknown, FORBIDDEN)
  assert.equal(await usersOf(fresh), [])
})

registering('T29 registrations are counted before hashing, by email and by network address', async () => {
  const app = await startApp({ clock: createClock() })
  await app.signIn()
  const { registrationOfEmail, registrationFromAddress } = SIGN_IN_LIMITS
  const statuses = []
  for (let no = 0; no <= registrationOfEmail.calls; no += 1)
    statuses.push((await app.call(register, { body: { ...NEW, email: ADMINISTRATOR.email }, from: `10.0.2.${no}` })).status)
  assert.equal([...new Set(statuses.slice(0, -1))], [400])
  assert.is(statuses.at(-1), 429)
  const many = await Promise.all(
    Array.from({ length: registrationFromAddress.calls + 5 }, (_, no) =>
      app.call(register, { body: { ...NEW, email: `n${no}@example.org` }, from: '10.0.3.1' }),
    ),
  )
  const last = many.filter(({ status }) => status === 429)
  assert.is(last.length, 5)
  assert.is(last[0]?.headers['retry-after'], String(registrationFromAddress.seconds))
})

registering('S-API-11 an invitation names its address and says whether that has an account', async () => {
  const { app, mailServer, owner } = await start()
  await app.secondUser('ben@example.org')
  for (const [email, isNew] of [
    ['new@example.org', true],
    ['ben@example.org', false],
  ] as const) {
    await app.call(inviteMember, { as: owner, body: { email } })
    const mail = await mailServer.next()
    const code = tokenOf(mail)
    assert.is(mail.link, `http://127.0.0.1:3000/register/?invitation_code=${code}`)
    assert.match(code, /^[A-Z2-9]{64}$/)
    assert.not.match(code, /[IO01]/)
    const reply = await app.call(readInvitation, { params: { code } })
    assert.equal(reply.body, { new_user: isNew, email, invitation_code: code })
  }
  for (const code of ['A'.repeat(64), 'x', '%00'])
    assert.equal((await app.call(readInvitation, { params: { code } })).body as unknown, NOT_FOUND, code)
})

registering('S-API-12 an invited person who registers is verified and joins the team; the code is used up', async () => {
  const mailServer = await startMailServer()
  // Works while sign-up is closed.
  const app = await startApp({ config: { smtpUrl: mailServer.url, signupEnabled: false } })
  const owner = await app.signIn()
  await app.call(inviteMember, { as: owner, body: { email: 'new@example.org' } })
  const code = tokenOf(await mailServer.next())
  const reply = await app.call(registerInvited, { params: { code }, body: { ...NEW, email: 'New@example.org' } })
  assert.is(reply.status, 201)
  assert.equal(reply.body, { email: 'New@example.org', first_name: 'Nia', last_name: 'Okoro', email_verified: true })
  const me = await app.logIn(NEW)
  assert.is(me.teamId, owner.teamId)
  assert.equal((await app.call(readInvitation, { params: { code } })).body as unknown, NOT_FOUND)
  const again = await app.call(registerInvited, { params: { code }, body: NEW })
  assert.equal(again.body as unknown, NOT_FOUND)
  assert.is(mailServer.mails.length, 1)
})

registering('T25 an invitation works for its own address only, and a failed registration changes nothing', async () => {
  const { app, mailServer, owner } = await start()
  await app.call(inviteMember, { as: owner, body: { email: 'new@example.org' } })
  const code = tokenOf(await mailServer.next())
  const attempt = async (body: object) => (await app.call(registerInvited, { params: { code }, body })).body as unknown
  assert.equal(await attempt({ ...NEW, email: 'thief@example.org' }), refused('The invitation was sent to another address.'))
  assert.equal(await attempt({ ...NEW, password: 'password' }), invalid({ password: ['This password is too common.'] }))
  assert.is((await usersOf(app)).length, 1)
  assert.is((await app.call(readInvitation, { params: { code } })).status, 200, 'still good')
  // Several at once: one account, one place in the team.
  const replies = await Promise.all([1, 2, 3].map(() => app.call(registerInvited, { params: { code }, body: NEW })))
  assert.is(replies.filter(({ status }) => status === 201).length, 1)
  assert.is((await usersOf(app)).length, 2)
  const members = await app.backend.database.selectFrom('teamMember').select('id').where('teamId', '=', owner.teamId).execute()
  assert.is(members.length, 2)
})

registering('a person who already has an account is told to sign in instead', async () => {
  const { app, mailServer, owner } = await start()
  await app.secondUser('ben@example.org')
  await app.call(inviteMember, { as: owner, body: { email: 'ben@example.org' } })
  const code = tokenOf(await mailServer.next())
  const reply = await app.call(registerInvited, { params: { code }, body: { ...NEW, email: 'ben@example.org' } })
  assert.equal(reply.body as unknown, refused('There is already an account for this address. Sign in and accept the invitation there.'))
  assert.is((await app.call(readInvitation, { params: { code } })).status, 200)
})

registering.run()
