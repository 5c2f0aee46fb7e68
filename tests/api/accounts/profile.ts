import * as assert from 'uvu/assert'
import { confirmPrivacyTerms, getProfile, install, login, register, updateProfile } from '#contract/accounts.ts'
import { renameTeam } from '#contract/teams.ts'
import { startApp } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'

const profile = suite('profile')

const PUBLISHED = { policyUrl: 'https://example.org/privacy', termsUrl: 'https://example.org/terms' }

profile("S-API-14 the profile shows the user's own data and no secret", async () => {
  const app = await startApp()
  const me = await app.signIn()
  const reply = await app.call(getProfile, { as: me })
  assert.is(reply.status, 200)
  assert.is(reply.body.full_name, me.email, 'without a name, the address')
  assert.match(reply.body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.not.match(reply.text, /password|argon2/)
})

profile('S-API-15 an update changes the fields that are sent, keeps the others, and never changes the address', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const changed = await app.call(updateProfile, { as: me, body: { first_name: ' Ana ', email: 'eve@example.org', is_superuser: false } })
  assert.is(changed.status, 200)
  assert.equal([changed.body.first_name, changed.body.full_name], ['Ana', 'Ana'])
  assert.equal([changed.body.email, changed.body.is_superuser], [me.email, true])
  const { body } = await app.call(updateProfile, { as: me, body: { last_name: 'Ruiz' } })
  assert.is(body.full_name, 'Ana Ruiz')
  assert.is((await app.call(updateProfile, { as: me, body: { first_name: '', newsletter_confirmed: 'true' } })).body.full_name, 'Ruiz')
  assert.is((await app.request('PATCH', updateProfile.path, { as: me })).status, 200, 'nothing to change')
})

profile('S-API-15 S-PRV-03 a confirmation keeps its first time; false does not take it back', async () => {
  const clock = createClock(Date.parse('2026-03-04T09:12:33Z'))
  const app = await startApp({ clock, config: PUBLISHED })
  const me = await app.signIn()
  const first = await app.call(updateProfile, { as: me, body: { privacy_confirmed: true, terms_confirmed: false } })
  assert.equal([first.body.privacy_confirmed_at, first.body.terms_confirmed_at], ['2026-03-04T09:12:33.000000Z', null])
  clock.advance(1500)
  const second = await app.call(updateProfile, { as: me, body: { privacy_confirmed: false, terms_confirmed: true } })
  assert.equal(
    [second.body.privacy_confirmed_at, second.body.terms_confirmed_at],
    ['2026-03-04T09:12:33.000000Z', '2026-03-04T09:12:34.500000Z'],
  )
})

profile('S-API-10 a request without a body confirms privacy policy and terms', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const reply = await app.request('POST', confirmPrivacyTerms.path, { as: me })
  assert.is(reply.status, 200)
  const { body } = await app.call(getProfile, { as: me })
  assert.ok(body.privacy_confirmed_at && body.terms_confirmed_at)
  assert.is(body.newsletter_confirmed, false)
  const only = await app.call(confirmPrivacyTerms, {
    as: await app.secondUser(),
    body: { terms_confirmed: false, newsletter_confirmed: true },
  })
  assert.ok(only.body.privacy_confirmed_at)
  assert.equal([only.body.terms_confirmed_at, only.body.newsletter_confirmed], [null, true])
})

profile('a supported language is stored, null removes it, any other value is refused', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const languageOf = async () => (await app.call(getProfile, { as: me })).body.language
  assert.is(await languageOf(), null)
  assert.is((await app.call(updateProfile, { as: me, body: { language: 'de' } })).body.language, 'de')
  await app.call(updateProfile, { as: me, body: { first_name: 'Ana' } })
  assert.is(await languageOf(), 'de', 'a change of something else leaves it')
  for (const language of ['fr', 'DE', '', 7, {}])
    assert.is((await app.call(updateProfile, { as: me, body: { language } })).status, 400, JSON.stringify(language))
  assert.is(await languageOf(), 'de')
  await app.call(updateProfile, { as: me, body: { language: null } })
  assert.is(await languageOf(), null)
})

profile('a new password replaces the old one', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const body = { password: 'Quite-Another-9!', current_password: me.password }
  assert.is((await app.call(updateProfile, { as: me, body })).status, 200)
  assert.is((await app.call(login, { body: { email: me.email, password: me.password } })).status, 400)
  assert.is((await app.call(login, { body: { email: me.email, password: 'Quite-Another-9!' } })).status, 200)
})

profile('of several new passwords sent at once with the same current one, one is taken', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const asked = ['First-Horse-1!', 'Second-Horse-2!', 'Third-Horse-3!']
  const replies = await Promise.all(
    asked.map((password) => app.call(updateProfile, { as: me, body: { password, current_password: me.password } })),
  )
  assert.equal(
    replies.map(({ status }) => status).toSorted((one, other) => one - other),
    [200, 400, 400],
  )
  for (const [at, { status }] of replies.entries())
    assert.is((await app.call(login, { body: { email: me.email, password: asked[at]! } })).status, status, asked[at])
})

profile('a wrong current password, a poor new password and names that are too long are refused and change nothing', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const cases: [body: unknown, errors: unknown][] = [
    [{ current_password: 'wrong', password: 'Quite-Another-9!' }, { current_password: ['Wrong password'] }],
    [{ password: 'short' }, { password: ['This password is too short. It must contain at least 8 characters.'] }],
    [{ password: '' }, { password: ['This field may not be blank.'] }],
    [
      { first_name: 'x'.repeat(151), last_name: 7 },
      { first_name: ['Ensure this field has no more than 150 characters.'], last_name: ['Not a valid string.'] },
    ],
    [{ first_name: 'Eve', newsletter_confirmed: null }, { newsletter_confirmed: ['This field may not be null.'] }],
  ]
  for (const [body, errors] of cases)
    assert.equal((await app.call(updateProfile, { as: me, body })).body as unknown, { code: 400, errors, message: 'Invalid input data.' })
  assert.is((await app.call(getProfile, { as: me })).body.full_name, me.email)
  assert.is((await app.call(login, { body: { email: me.email, password: me.password } })).status, 200)
})

profile('A14 a new password needs the current one, also with a valid access token', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const body = { password: 'Quite-Another-9!' }
  const refused = await app.call(updateProfile, { as: me, body })
  const errors = { current_password: ['This field is required.'] }
  assert.equal(refused.body as unknown, { code: 400, errors, message: 'Invalid input data.' })
  assert.is((await app.call(login, { body: { email: me.email, password: me.password } })).status, 200, 'the old one still holds')
  assert.is((await app.call(login, { body: { email: me.email, password: body.password } })).status, 400)
  // An account that a provider opened has none to ask for.
  await app.backend.database.updateTable('user').set({ passwordHash: null }).execute()
  assert.is((await app.call(updateProfile, { as: me, body })).status, 200)
  assert.is((await app.call(login, { body: { email: me.email, password: body.password } })).status, 200)
})

profile(
  "A14 a password made of its owner's name, address or team, or of the product's name, is refused wherever passwords are set",
  async () => {
    const app = await startApp({ config: { productName: 'Crawl House' } })
    const refused = (reply: { status: number; text: string }, why: string) => {
      assert.is(reply.status, 400, why)
      assert.match(reply.text, /"password":\["This password is too easy to guess/, why)
    }
    const poor = (email: string, password: string) => ({ email, password, first_name: 'Carolina', last_name: 'Okoro' })
    refused(await app.call(install, { body: poor('carolina@example.org', 'carolina-2026') }), 'install')
    const me = await app.signIn()
    for (const password of ['Okoro2026', 'ben.b-12345', 'seine123', 'crawlhouse!'])
      refused(await app.call(register, { body: poor('ben.b@example.org', password) }), password)
    await app.call(renameTeam, { as: me, body: { name: 'Lighthouse' } })
    await app.call(updateProfile, { as: me, body: { last_name: 'Wintermute' } })
    for (const password of ['Lighthouse1', 'wintermute99'])
      refused(await app.call(updateProfile, { as: me, body: { password, current_password: me.password } }), password)
    assert.is((await app.call(login, { body: { email: me.email, password: me.password } })).status, 200, 'nothing changed')
  },
)

const CONFIRMED = 'when there is nothing to confirm, a new account has confirmed it'
profile(`V5 ${CONFIRMED}; where a document is published, it has not`, async () => {
  const one = { policyUrl: PUBLISHED.policyUrl }
  for (const [config, isConfirmed] of [
    [{}, true],
    [PUBLISHED, false],
    [one, false],
    [{ termsUrl: PUBLISHED.termsUrl }, false],
  ] as const) {
    const app = await startApp({ config })
    const administrator = await app.signIn()
    const ben = { email: 'ben@example.org', password: 'Another-Horse-8!' }
    assert.is((await app.call(register, { body: ben })).status, 201)
    for (const as of [administrator, await app.logIn(ben)]) {
      const { body } = await app.call(getProfile, { as })
      const at = isConfirmed ? body.created_at : null
      assert.equal([body.privacy_confirmed_at, body.terms_confirmed_at], [at, at], JSON.stringify(config))
    }
  }
})

profile.run()
