import * as assert from 'uvu/assert'
import { getProfile, install, login } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { listApiKeys, listTeams } from '#contract/teams.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import { suite } from '#tests/support/suite.ts'

const installing = suite('install')

installing('S-API-04 S-INS-12 the install creates the administrator, once, with a default team and a key', async () => {
  const app = await startApp()
  assert.is((await app.call(getSettings)).body.is_installed, false)
  const done = await app.call(install, { body: { ...ADMINISTRATOR, newsletter_confirmed: true } })
  assert.is(done.status, 204)
  assert.is(done.text, '')
  assert.is(done.headers['content-type'], undefined)
  assert.is((await app.call(getSettings)).body.is_installed, true)

  const me = await app.signIn()
  const { body: profile } = await app.call(getProfile, { as: me })
  assert.is(profile.email, ADMINISTRATOR.email)
  assert.is(profile.is_superuser && profile.is_active && profile.email_verified && profile.newsletter_confirmed, true)
  // No document is published here, so there is nothing to confirm.
  assert.equal([profile.privacy_confirmed_at, profile.terms_confirmed_at], [profile.created_at, profile.created_at])
  const { body: teams } = await app.call(listTeams, { as: me })
  assert.equal(
    teams.map(({ name, is_default, is_owner, members_count }) => ({ name, is_default, is_owner, members_count })),
    [{ name: 'Default', is_default: true, is_owner: true, members_count: 1 }],
  )
  const { body: keys } = await app.call(listApiKeys, { as: me })
  assert.ok(keys.results.some(({ name, key }) => name === 'Default' && /^sn-[a-z0-9]{32}$/.test(key)))
})

installing('S-INS-12 a second install is 403 and changes nothing', async () => {
  const app = await startApp()
  await app.call(install, { body: ADMINISTRATOR })
  const again = await app.call(install, { body: { email: 'eve@example.org', password: 'Another-Horse-8!' } })
  assert.is(again.status, 403)
  assert.equal(again.body as unknown, { code: 403, errors: null, message: 'You do not have permission to perform this action.' })
  assert.is((await app.call(login, { body: { email: 'eve@example.org', password: 'Another-Horse-8!' } })).status, 400)
  // The answer is the same for a bad password: nothing can be installed twice.
  assert.is((await app.call(install, { body: { email: 'eve@example.org', password: '1' } })).status, 403)
})

installing('T30 of fifty concurrent installs exactly one creates an administrator', async () => {
  const app = await startApp()
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, no) => app.call(install, { body: { email: `admin${no}@example.org`, password: 'Correct-Horse-7!' } })),
  )
  const statuses = replies.map(({ status }) => status)
  assert.is(statuses.filter((status) => status === 204).length, 1)
  assert.is(statuses.filter((status) => status === 403).length, 49)
  for (const table of ['user', 'team', 'teamMember', 'apiKey'] as const)
    assert.is((await app.backend.database.selectFrom(table).selectAll().execute()).length, 1, table)
})

installing('S-INS-06 newsletter and analytics are optional and off by default; the choice about analytics is stored', async () => {
  const app = await startApp()
  await app.call(install, { body: { ...ADMINISTRATOR } })
  const { body: profile } = await app.call(getProfile, { as: await app.signIn() })
  assert.is(profile.newsletter_confirmed, false)
  const setting = await app.backend.database.selectFrom('setting').selectAll().where('name', '=', 'analytics_confirmed').executeTakeFirst()
  assert.is(setting?.value, 'false')
})

installing('S-INS-10 a refused install lists the errors of each field', async () => {
  const app = await startApp()
  const required = ['This field is required.']
  const cases: [body: unknown, errors: unknown, why: string][] = [
    [undefined, { email: required, password: required }, 'no body'],
    [{}, { email: required, password: required }, 'an empty body'],
    [{ email: 'ana', password: 'Correct-Horse-7!' }, { email: ['Enter a valid email address.'] }, 'an invalid email address'],
    [{ email: '', password: '' }, { email: ['This field may not be blank.'], password: ['This field may not be blank.'] }, 'blank'],
    [{ email: null, password: 7 }, { email: ['This field may not be null.'], password: ['Not a valid string.'] }, 'wrong types'],
    [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }, 'a list as the body'],
    [
      { email: 'ana@example.org', password: '12345' },
      {
        password: [
          'This password is too short. It must contain at least 8 characters.',
          'This password is too common.',
          'This password is entirely numeric.',
        ],
      },
      'all three rules of the server, in their order',
    ],
    [{ email: 'ana@example.org', password: 'PassWord' }, { password: ['This password is too common.'] }, 'a common password in mixed case'],
    [
      { ...ADMINISTRATOR, newsletter_confirmed: 'maybe' },
      { newsletter_confirmed: ['Must be a valid boolean.'] },
      'a newsletter choice that is not a boolean',
    ],
  ]
  for (const [body, errors, why] of cases) {
    const reply = await app.call(install, { body })
    assert.equal(reply.body as unknown, { code: 400, errors, message: 'Invalid input data.' }, why)
  }
  assert.is((await app.call(getSettings)).body.is_installed, false)
})

installing('the server accepts every password that its three rules allow, even if the forms demand more', async () => {
  const app = await startApp()
  assert.is((await app.call(install, { body: { email: 'Ana@EXAMPLE.org', password: 'lowercase only' } })).status, 204)
  const { status, body } = await app.call(login, { body: { email: 'aNA@example.ORG', password: 'lowercase only' } })
  assert.is(status, 200)
  const { body: profile } = await app.call(getProfile, { headers: { authorization: `Bearer ${body.access}` } })
  assert.is(profile.email, 'Ana@example.org')
})

installing.run()
