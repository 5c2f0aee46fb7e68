import * as assert from 'uvu/assert'
import {
  checkPasswordReset,
  forgotPassword,
  login,
  refreshToken,
  register,
  resetPassword,
  updateProfile,
  verifyEmail,
} from '#contract/accounts.ts'
import { SIGN_IN_LIMITS } from '#backend/http/rate-limits.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import type { App } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { startMailServer, tokenOf } from '#tests/support/stubs/mail-server.ts'
import { suite } from '#tests/support/suite.ts'

const resetting = suite('reset a password')

const NOT_FOUND = { code: 404, errors: null, message: 'Not found.' }
const HOUR_MS = 60 * 60 * 1000
const FRESH = 'Quite-Another-9!'

async function start() {
  const clock = createClock()
  const mailServer = await startMailServer()
  const app = await startApp({ clock, config: { smtpUrl: mailServer.url } })
  const owner = await app.signIn()
  /** Asks for a mail and gives its token. */
  const forget = async (email: string = ADMINISTRATOR.email) => {
    await app.call(forgotPassword, { body: { email } })
    return tokenOf(await mailServer.next())
  }
  return { app, clock, forget, mailServer, owner }
}

const check = async (app: App, token: string) => (await app.call(checkPasswordReset, { params: { token } })).status
const reset = (app: App, token: string, password = FRESH) => app.call(resetPassword, { params: { token }, body: { password } })

resetting('S-API-06 S-API-07 checking the link of the mail does not use it up', async () => {
  const { app, mailServer } = await start()
  const reply = await app.call(forgotPassword, { body: { email: 'ANA@example.org' } })
  assert.equal([reply.status, reply.text], [204, ''])
  const mail = await mailServer.next()
  assert.equal(mail.to, [ADMINISTRATOR.email])
  assert.match(mail.link, /^http:\/\/127\.0\.0\.1:3000\/reset-password\/[A-Za-z0-9]{64}$/)
  for (let no = 0; no < 3; no += 1) assert.is(await check(app, tokenOf(mail)), 204)
})

resetting('S-API-08 T31 the link sets the password once, ends every session and verifies the address', async () => {
  const { app, forget, owner } = await start()
  await app.backend.database.updateTable('user').set({ emailVerified: 0 }).execute()
  const token = await forget()
  const reply = await reset(app, token)
  assert.equal([reply.status, reply.text], [204, ''])
  assert.is((await app.call(refreshToken, { body: { refresh: owner.refresh } })).status, 401)
  assert.is((await app.call(login, { body: ADMINISTRATOR })).status, 400, 'the old password')
  assert.is((await app.call(login, { body: { ...ADMINISTRATOR, password: FRESH } })).status, 200)
  assert.is(await check(app, token), 404)
  assert.equal((await reset(app, token, 'Yet-Another-10!')).body as unknown, NOT_FOUND)
  assert.is((await app.call(login, { body: { ...ADMINISTRATOR, password: FRESH } })).status, 200, 'the second try changed nothing')
})

resetting('a refused password does not use up the link', async () => {
  const { app, forget } = await start()
  const token = await forget()
  const errors = { password: ['This password is too short. It must contain at least 8 characters.'] }
  assert.equal((await reset(app, token, 'Ab1!')).body as unknown, { code: 400, errors, message: 'Invalid input data.' })
  assert.is((await reset(app, token)).status, 204)
})

resetting('T31 of ten concurrent uses of a link, one sets the password', async () => {
  const { app, forget } = await start()
  const token = await forget()
  const replies = await Promise.all(Array.from({ length: 10 }, (_, no) => reset(app, token, `Correct-Horse-${no}x!`)))
  assert.is(replies.filter(({ status }) => status === 204).length, 1)
  assert.is(replies.filter(({ status }) => status === 404).length, 9)
})

resetting('T31 a link is valid for one hour, until a newer link, a new password, or the end of the account', async () => {
  const { app, clock, forget, owner } = await start()
  const [old, newer] = [await forget(), await forget()]
  assert.equal([await check(app, old), await check(app, newer)], [404, 204])
  clock.advance(HOUR_MS - 1)
  assert.is(await check(app, newer), 204)
  clock.advance(1)
  assert.equal([await check(app, newer), (await reset(app, newer)).status], [404, 404])

  const third = await forget()
  const me = await app.logIn(ADMINISTRATOR)
  assert.is((await app.call(updateProfile, { as: me, body: { password: FRESH, current_password: owner.password } })).status, 200)
  assert.is(await check(app, third), 404, 'a new password revokes the older links')

  const fourth = await forget()
  await app.backend.database.updateTable('user').set({ isActive: 0 }).execute()
  assert.equal([await check(app, fourth), (await reset(app, fourth)).status], [404, 404])
})

resetting('T31 a link to verify an address sets no password, and ends when a new password is set', async () => {
  const { app, forget, mailServer } = await start()
  await app.call(register, { body: { email: 'new@example.org', password: 'Correct-Horse-7!' } })
  const verification = tokenOf(await mailServer.next())
  assert.equal([await check(app, verification), (await reset(app, verification)).status], [404, 404])
  assert.is((await reset(app, await forget('new@example.org'))).status, 204)
  assert.is((await app.call(verifyEmail, { params: { token: verification } })).status, 404)
})

resetting('T31 the link ignores the Host and forwarding headers of the request', async () => {
  const { app, mailServer } = await start()
  const headers = {
    host: 'evil.test',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    origin: 'https://evil.test',
    forwarded: 'host=evil.test',
  }
  await app.call(forgotPassword, { body: { email: ADMINISTRATOR.email }, headers })
  const mail = await mailServer.next()
  assert.match(mail.link, /^http:\/\/127\.0\.0\.1:3000\/reset-password\//)
  assert.not.match(mail.raw, 'evil.test')
})

resetting('T29 unknown and disabled addresses get the same answer, and no mail', async () => {
  const { app, mailServer } = await start()
  await app.secondUser('off@example.org')
  const { database } = app.backend
  await database.updateTable('user').set({ isActive: 0 }).where('email', '=', 'off@example.org').execute()
  for (const email of ['nobody@example.org', 'off@example.org']) {
    const reply = await app.call(forgotPassword, { body: { email } })
    assert.equal([reply.status, reply.text], [204, ''])
  }
  await app.call(forgotPassword, { body: ADMINISTRATOR })
  assert.equal((await mailServer.next()).to, [ADMINISTRATOR.email])
  assert.is(mailServer.attempts(), 1)
  assert.equal(await database.selectFrom('oneTimeLink').select('purpose').execute(), [{ purpose: 'reset-password' }])
  assert.is((await app.call(forgotPassword, { body: { email: 'x' } })).status, 400)
})

resetting('T29 guesses at tokens are limited', async () => {
  const { app } = await start()
  const { calls, seconds } = SIGN_IN_LIMITS.linkFromAddress
  const replies = await Promise.all(
    Array.from({ length: calls + 3 }, () =>
      app.call(resetPassword, { params: { token: 'A'.repeat(64) }, body: { password: FRESH }, from: '10.0.5.1' }),
    ),
  )
  const refused = replies.filter(({ status }) => status === 429)
  assert.is(refused.length, 3)
  assert.is(refused[0]?.headers['retry-after'], String(seconds))
})

resetting.run()
