import { createHmac } from 'node:crypto'
import * as assert from 'uvu/assert'
import { getProfile, logout, refreshToken, updateProfile, verifyToken } from '#contract/accounts.ts'
import { getSettings } from '#contract/settings.ts'
import { deriveKey } from '#backend/platform/secrets.ts'
import { startApp } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { suite } from '#tests/support/suite.ts'

const sessions = suite('sessions')

const BAD_REFRESH = { code: 401, errors: null, message: 'Token is invalid or expired' }
const BAD_ACCESS = { code: 401, errors: null, message: 'Given token not valid for any token type' }

sessions('S-API-01 a refresh token returns a new access token and stays unchanged', async () => {
  const clock = createClock()
  const app = await startApp({ clock })
  const me = await app.signIn()
  clock.advance(301_000)
  assert.equal((await app.call(getProfile, { as: me })).body as unknown, BAD_ACCESS)
  const reply = await app.call(refreshToken, { body: { refresh: me.refresh } })
  assert.is(reply.status, 200)
  assert.equal(Object.keys(reply.body), ['access'])
  assert.is((await app.call(getProfile, { as: { ...me, access: reply.body.access } })).status, 200)
})

sessions('T27 F38 twenty refreshes of one token at once all succeed', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const replies = await Promise.all(Array.from({ length: 20 }, () => app.call(refreshToken, { body: { refresh: me.refresh } })))
  assert.ok(replies.every(({ status }) => status === 200))
})

sessions('T27 F38 logging out ends the session at once: both of its tokens get 401, the tokens of another session still work', async () => {
  const app = await startApp()
  const [one, other] = [await app.signIn(), await app.signIn()]
  const ended = await app.call(logout, { body: { refresh: one.refresh } })
  assert.is(ended.status, 204)
  assert.equal((await app.call(refreshToken, { body: { refresh: one.refresh } })).body as unknown, BAD_REFRESH)
  assert.equal((await app.call(getProfile, { as: one })).body as unknown, BAD_ACCESS)
  assert.is((await app.call(getProfile, { as: other })).status, 200)
  for (const refresh of [one.refresh, 'nonsense', 7, null, undefined])
    assert.is((await app.call(logout, { body: { refresh } })).status, 204)
  assert.is((await app.request('POST', logout.path)).status, 204)
})

sessions('T27 a new password ends every session', async () => {
  const app = await startApp()
  const [one, other] = [await app.signIn(), await app.signIn()]
  const changed = await app.call(updateProfile, {
    as: one,
    body: { password: 'Quite-Another-9!', current_password: one.password },
  })
  assert.is(changed.status, 200)
  for (const { refresh } of [one, other]) assert.is((await app.call(refreshToken, { body: { refresh } })).status, 401)
  for (const as of [one, other]) assert.is((await app.call(getProfile, { as })).status, 401)
})

sessions('disabling a user ends the session at once', async () => {
  const app = await startApp()
  const me = await app.signIn()
  await app.backend.database.updateTable('user').set({ isActive: 0 }).where('id', '=', me.userId).execute()
  assert.equal((await app.call(getProfile, { as: me })).body as unknown, BAD_ACCESS)
  assert.equal((await app.call(refreshToken, { body: { refresh: me.refresh } })).body as unknown, BAD_REFRESH)
})

sessions('a session ends when its refresh token expires', async () => {
  const clock = createClock()
  const app = await startApp({ clock, config: { refreshTokenSeconds: 600 } })
  const me = await app.signIn()
  clock.advance(599_000)
  assert.is((await app.call(refreshToken, { body: { refresh: me.refresh } })).status, 200)
  clock.advance(1000)
  assert.is((await app.call(refreshToken, { body: { refresh: me.refresh } })).status, 401)
})

sessions('T26 tokens that are changed, unsigned, of the wrong type, signed with another key or for another audience get 401', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const [header = '', payload = '', signature = ''] = me.access.split('.')
  const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  // Signed with the true key, so that a token is refused for its content only.
  const key = deriveKey('a secret of tests alone, 4f9c1b7e2a6d8035', 'access and refresh tokens')
  const signed = (head: unknown, body: unknown, secret: string | Buffer = key, hash = 'sha256') =>
    `${json(head)}.${json(body)}.${createHmac(hash, secret)
      .update(`${json(head)}.${json(body)}`)
      .digest('base64url')}`
  const HS256 = { alg: 'HS256', typ: 'JWT' }
  assert.is(
    (await app.call(getProfile, { as: { ...me, access: signed(HS256, claims) } })).status,
    200,
    'the key of this test is the right one',
  )

  const forged: [token: string, why: string][] = [
    [me.refresh, 'a refresh token'],
    [`${header}.${json({ ...claims, user_id: '00000000-0000-7000-8000-000000000000' })}.${signature}`, 'a changed payload'],
    [`${header}.${payload}.`, 'no signature'],
    [`${header}.${payload}.${signature.slice(0, -4)}AAAA`, 'a changed signature'],
    [`${json({ alg: 'none' })}.${payload}.`, 'alg none'],
    [`${json({ alg: 'nOnE', typ: 'JWT' })}.${payload}.${signature}`, 'alg none in mixed case'],
    [signed({ alg: 'HS512', typ: 'JWT' }, claims, key, 'sha512'), 'another algorithm with the right key'],
    [signed({ ...HS256, crit: ['x'], x: 1 }, claims), 'an unknown critical header'],
    [signed(HS256, claims, ''), 'an empty key'],
    [signed(HS256, claims, 'secret'), 'a guessed key'],
    [signed(HS256, claims, 'a secret of tests alone, 4f9c1b7e2a6d8035'), 'the installation secret instead of the derived key'],
    [signed(HS256, claims, deriveKey('a secret of tests alone, 4f9c1b7e2a6d8035', 'file links')), 'a key derived for another purpose'],
    [signed(HS256, { ...claims, aud: 'another service' }), 'another audience'],
    [signed(HS256, { ...claims, iss: 'another service' }), 'another issuer'],
    [signed(HS256, { ...claims, exp: Number(claims['iat']) - 1 }), 'expired'],
    [signed(HS256, { ...claims, exp: undefined }), 'no expiry'],
    [signed(HS256, { ...claims, nbf: Number(claims['iat']) + 1000 }), 'not yet valid'],
    [signed(HS256, { ...claims, token_type: 'refresh' }), 'a refresh token signed with the right key'],
    [signed(HS256, { ...claims, sid: 'unknown' }), 'an unknown session'],
    [signed(HS256, { ...claims, sid: undefined }), 'no session'],
    [signed(HS256, { ...claims, user_id: 7 }), 'a user id that is a number'],
    ['a.b.c', 'three parts that are not JSON'],
    ['..', 'three empty parts'],
    [`${me.access}.${me.access}`, 'two tokens joined by a dot'],
    [`${me.access} ${me.access}`, 'two tokens joined by a space'],
  ]
  for (const [token, why] of forged) {
    const reply = await app.request('GET', getProfile.path, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(reply.body, BAD_ACCESS, why)
  }
  for (const token of [me.access, signed(HS256, { ...claims, token_type: 'refresh' }), 'nonsense', `${me.refresh}A`])
    assert.equal((await app.call(refreshToken, { body: { refresh: token } })).body as unknown, BAD_REFRESH)
})

sessions('the verify endpoint accepts both types of tokens', async () => {
  const app = await startApp()
  const me = await app.signIn()
  for (const token of [me.access, me.refresh]) {
    const reply = await app.call(verifyToken, { body: { token } })
    assert.is(reply.status, 200)
    assert.is(reply.text, '{}')
  }
  assert.equal((await app.call(verifyToken, { body: { token: 'nonsense' } })).body as unknown, BAD_REFRESH)
  assert.is((await app.call(verifyToken, { body: {} })).status, 400)
})

sessions('a refresh without a token gets 400, never 401', async () => {
  const app = await startApp()
  const reply = await app.call(refreshToken, { body: {} })
  assert.equal(reply.body as unknown, { code: 400, errors: { refresh: ['This field is required.'] }, message: 'Invalid input data.' })
})

sessions('public endpoints ignore an expired token', async () => {
  const app = await startApp()
  const headers = { authorization: 'Bearer stale', 'x-api-key': 'sn-unknown' }
  assert.is((await app.call(getSettings, { headers })).status, 200)
})

sessions('T38 no token, key or password can be read from a copy of the database', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const rows = []
  for (const table of ['user', 'session', 'team', 'teamMember', 'apiKey', 'setting'] as const)
    rows.push(await app.backend.database.selectFrom(table).selectAll().execute())
  const dump = JSON.stringify(rows)
  const { jti } = JSON.parse(Buffer.from(me.refresh.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }
  for (const secret of [me.password, me.access, me.refresh, jti, me.apiKey, me.apiKey.slice(3)]) assert.not.match(dump, secret)
  assert.match(dump, '$argon2id$')
})

sessions.run()
