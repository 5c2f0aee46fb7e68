import * as assert from 'uvu/assert'
import { forgotPassword, getProfile, login, register, resendVerifyEmail, verifyEmail } from '#contract/accounts.ts'
import { fillPath } from '#contract/endpoint.ts'
import { SIGN_IN_LIMITS } from '#backend/http/rate-limits.ts'
import { startApp } from '#tests/support/app.ts'
import type { App } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { startMailServer, tokenOf } from '#tests/support/stubs/mail-server.ts'
import { suite } from '#tests/support/suite.ts'

const verifying = suite('verify an address')

const NEW = { email: 'new@example.org', password: 'Correct-Horse-7!', first_name: 'Nia', last_name: 'Okoro' }
const NOT_FOUND = { code: 404, errors: null, message: 'Not found.' }
const DAY_MS = 24 * 60 * 60 * 1000

/** An app with a registered user, and the token of their mail. */
async function start() {
  const clock = createClock()
  const mailServer = await startMailServer()
  const app = await startApp({ clock, config: { smtpUrl: mailServer.url } })
  await app.signIn()
  await app.call(register, { body: NEW })
  const token = tokenOf(await mailServer.next())
  return { app, clock, mailServer, token }
}

const open = (app: App, token: string) => app.call(verifyEmail, { params: { token } })

verifying('S-API-05 the link verifies the address and signs in, once', async () => {
  const { app, token } = await start()
  const reply = await open(app, token)
  assert.is(reply.status, 200)
  assert.equal(Object.keys(reply.body).toSorted(), ['access', 'refresh'])
  const { body: profile } = await app.call(getProfile, { headers: { authorization: `Bearer ${reply.body.access}` } })
  assert.equal([profile.email, profile.email_verified], [NEW.email, true])
  assert.is((await app.call(login, { body: NEW })).status, 200)
  assert.equal((await open(app, token)).body as unknown, NOT_FOUND)
})

verifying('T31 of ten concurrent uses of a link, one signs in', async () => {
  const { app, token } = await start()
  const replies = await Promise.all(Array.from({ length: 10 }, () => open(app, token)))
  assert.equal(
    replies.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, ...Array<number>(9).fill(404)],
  )
})

verifying('T31 a token is valid for seven days, for its purpose and an active user, and only unchanged', async () => {
  const { app, clock, mailServer, token } = await start()
  for (const wrong of [token.toLowerCase(), token.slice(1), `${token}A`, 'x', 'A'.repeat(64), '%27%20OR%201%3D1', '..%2F'])
    assert.equal((await open(app, wrong)).body as unknown, NOT_FOUND, wrong)
  await app.call(forgotPassword, { body: { email: NEW.email } })
  assert.is((await open(app, tokenOf(await mailServer.next()))).status, 404, 'a token to set a password')
  const { database } = app.backend
  await database.updateTable('user').set({ isActive: 0 }).where('email', '=', NEW.email).execute()
  assert.is((await open(app, token)).status, 404, 'of a disabled user')
  await database.updateTable('user').set({ isActive: 1 }).where('email', '=', NEW.email).execute()
  clock.advance(7 * DAY_MS - 1)
  const head = await app.request('HEAD', fillPath(verifyEmail.path, { token }))
  assert.equal([head.status, head.headers['allow']], [405, 'GET, OPTIONS'], 'asking for the head alone uses nothing up')
  assert.is((await open(app, token)).status, 200)

  const late = await start()
  late.clock.advance(7 * DAY_MS)
  assert.is((await open(late.app, late.token)).status, 404)
})

verifying('S-API-09 a new mail makes the link of the older mail invalid', async () => {
  const { app, mailServer, token } = await start()
  const reply = await app.call(resendVerifyEmail, { body: { email: 'NEW@EXAMPLE.ORG' } })
  assert.equal([reply.status, reply.text], [204, ''])
  const mail = await mailServer.next()
  assert.equal(mail.to, [NEW.email], 'to the address of the account, as it was written then')
  assert.not.equal(tokenOf(mail), token)
  assert.is((await open(app, token)).status, 404)
  assert.is((await open(app, tokenOf(mail))).status, 200)
})

verifying('T29 unknown, verified and disabled addresses get the same answer, and no mail', async () => {
  const { app, mailServer } = await start()
  await app.secondUser('ben@example.org')
  await app.secondUser('off@example.org')
  const { database } = app.backend
  await database.updateTable('user').set({ isActive: 0, emailVerified: 0 }).where('email', '=', 'off@example.org').execute()
  const links = await database.selectFrom('oneTimeLink').selectAll().execute()
  for (const email of ['nobody@example.org', 'ben@example.org', 'off@example.org']) {
    const reply = await app.call(resendVerifyEmail, { body: { email } })
    assert.equal([reply.status, reply.text], [204, ''])
  }
  assert.equal(await database.selectFrom('oneTimeLink').selectAll().execute(), links)
  // Mails are sent in order: when this one has arrived, no other is still to come.
  await app.call(resendVerifyEmail, { body: { email: NEW.email } })
  assert.equal((await mailServer.next()).to, [NEW.email])
  assert.is(mailServer.attempts(), 2)
  assert.is((await app.call(resendVerifyEmail, { body: { email: 'x' } })).status, 400)
})

verifying('T29 an address gets only a few mails, whether it has an account or not', async () => {
  const { app, clock } = await start()
  const { calls, seconds } = SIGN_IN_LIMITS.mailToEmail
  for (const email of [NEW.email, 'nobody@example.org']) {
    const statuses = []
    for (let no = 0; no <= calls; no += 1)
      statuses.push((await app.call(resendVerifyEmail, { body: { email }, from: `10.0.4.${no}` })).status)
    assert.equal(statuses, [...Array<number>(calls).fill(204), 429])
  }
  clock.advance(seconds * 1000)
  assert.is((await app.call(resendVerifyEmail, { body: { email: NEW.email } })).status, 204)
})

verifying.run()
