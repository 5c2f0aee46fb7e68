import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { SIGN_IN_LIMITS, callerAddress } from '#backend/http/rate-limits.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { makeUser } from '#tests/support/make.ts'
import { suite } from '#tests/support/suite.ts'

const signing = suite('log in')

const WRONG = { code: 400, errors: { email: ['Wrong email address or password.'] }, message: 'Invalid input data.' }
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

signing('S-API-02 S-SES-04 a login returns two tokens, both with the claims that the dashboard reads', async () => {
  const app = await startApp()
  const me = await app.signIn()
  const [access, refresh] = [claimsOf(me.access), claimsOf(me.refresh)]
  assert.is(access['token_type'], 'access')
  assert.is(refresh['token_type'], 'refresh')
  assert.is(access['user_id'], me.userId)
  assert.is(Number(access['exp']) - Number(access['iat']), 300)
  assert.is(Number(refresh['exp']) - Number(refresh['iat']), 2_592_000)
  assert.type(refresh['jti'], 'string')
})

signing('an unknown address, a wrong password and a disabled account get the same answer', async () => {
  const app = await startApp()
  const me = await app.signIn()
  await app.secondUser()
  await app.backend.database.updateTable('user').set({ isActive: 0 }).where('id', '!=', me.userId).execute()
  const attempts = [
    { email: 'nobody@example.org', password: 'Correct-Horse-7!' },
    { email: ADMINISTRATOR.email, password: 'Correct-Horse-7' },
    { email: 'ben@example.org', password: 'Another-Horse-8!' },
  ]
  for (const body of attempts) assert.equal((await app.call(login, { body })).body as unknown, WRONG)
})

signing('a login with an unverified address and the right password gets 403', async () => {
  const app = await startApp()
  await makeUser(app.backend, { email: 'new@example.org', password: 'Correct-Horse-7!', emailVerified: false })
  const right = await app.call(login, { body: { email: 'new@example.org', password: 'Correct-Horse-7!' } })
  assert.equal(right.body as unknown, { code: 403, errors: null, message: 'Please verify your email address first.' })
  assert.is((await app.call(login, { body: { email: 'new@example.org', password: 'wrong' } })).status, 400)
})

signing('a login gets 403 when the operator has switched login off', async () => {
  const app = await startApp({ config: { loginEnabled: false } })
  assert.is((await app.call(login, { body: ADMINISTRATOR })).status, 403)
})

signing('T29 a locked-out caller is refused before the password is checked, until the lock expires', async () => {
  const clock = createClock()
  const app = await startApp({ clock })
  await app.signIn()
  const { calls, seconds } = SIGN_IN_LIMITS.loginOfEmailFromAddress
  const guess = (from = '10.0.0.1', email = ADMINISTRATOR.email) => app.call(login, { body: { email, password: 'guess' }, from })
  const replies = await Promise.all(Array.from({ length: calls + 15 }, () => guess()))
  assert.is(replies.filter(({ status }) => status === 400).length, calls)
  const refused = replies.filter(({ status }) => status === 429)
  assert.is(refused.length, 15)
  assert.is(refused[0]?.headers['retry-after'], String(seconds))
  assert.equal(refused[0]?.body as unknown, {
    code: 429,
    errors: null,
    message: `Request was throttled. Expected available in ${seconds} seconds.`,
  })
  // The right password does not help once the guesses are used up; other letter case is the same address.
  assert.is((await app.call(login, { body: { ...ADMINISTRATOR, email: 'ANA@example.org' }, from: '10.0.0.1' })).status, 429)
  // Others are not disturbed.
  assert.is((await app.call(login, { body: ADMINISTRATOR, from: '10.0.0.2' })).status, 200)
  assert.is((await guess('10.0.0.1', 'other@example.org')).status, 400)
  clock.advance(seconds * 1000)
  assert.is((await app.call(login, { body: ADMINISTRATOR, from: '10.0.0.1' })).status, 200)
})

signing('T29 one address that tries many accounts is locked out, and so is one account tried from many addresses', async () => {
  const app = await startApp({ clock: createClock() })
  await app.signIn()
  const tries = 120
  const many = await Promise.all(
    Array.from({ length: tries }, (_, no) =>
      app.call(login, { body: { email: `a${no}@example.org`, password: 'guess' }, from: '10.0.0.9' }),
    ),
  )
  assert.is(many.filter(({ status }) => status === 400).length, SIGN_IN_LIMITS.loginFromAddress.calls)
  const wide = await Promise.all(
    Array.from({ length: tries }, (_, no) =>
      app.call(login, { body: { email: 'ana@example.org', password: 'guess' }, from: `10.0.1.${no}` }),
    ),
  )
  assert.is(wide.filter(({ status }) => status === 400).length, SIGN_IN_LIMITS.loginOfEmail.calls)
})

signing('successful logins do not count against the limit', async () => {
  const app = await startApp({ clock: createClock() })
  await app.signIn()
  for (let no = 0; no < 25; no += 1) assert.is((await app.call(login, { body: ADMINISTRATOR, from: '10.0.0.3' })).status, 200)
})

signing('T36 a forged forwarding header does not change the caller', async () => {
  const app = await startApp({ clock: createClock() })
  await app.signIn()
  const { calls } = SIGN_IN_LIMITS.loginOfEmailFromAddress
  const statuses = []
  for (let no = 0; no <= calls; no += 1) {
    const body = { email: ADMINISTRATOR.email, password: 'guess' }
    const headers = { 'x-forwarded-for': `192.0.2.${no}`, 'x-real-ip': `192.0.2.${no}`, forwarded: `for=192.0.2.${no}` }
    statuses.push((await app.call(login, { body, headers })).status)
  }
  assert.is(statuses.at(-1), 429)
})

signing('callers are counted by their address, and by their network with IPv6', () => {
  const cases: [ip: string, caller: string, why: string][] = [
    ['192.0.2.7', '192.0.2.7', 'an IPv4 address'],
    ['::ffff:192.0.2.7', '192.0.2.7', 'an IPv4-mapped IPv6 address'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', 'the first 64 bits of an IPv6 address'],
    ['2001:db8:1:2::1', '2001:db8:1:2', 'zeros left out after the network'],
    ['2001:DB8::1', '2001:db8:0:0', 'zeros left out in the network'],
    ['::1', '0:0:0:0', 'the loopback address'],
    ['fe80::1%eth0', 'fe80:0:0:0', 'an address with a zone'],
  ]
  for (const [ip, caller, why] of cases) assert.is(callerAddress(ip), caller, why)
})

signing.run()
