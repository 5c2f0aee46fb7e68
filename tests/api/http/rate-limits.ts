// Limits for strangers, who cannot use up the limits of others.
import * as assert from 'uvu/assert'
import { forgotPassword, login, register, registerInvited } from '#contract/accounts.ts'
import { inviteMember, linkInvitation } from '#contract/teams.ts'
import * as rateLimits from '#backend/http/rate-limits.ts'
import { createPasswords } from '#backend/accounts/passwords.ts'
import { AppError } from '#backend/errors.ts'
import { connectRedis } from '#backend/platform/redis/redis.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { startRedis } from '#tests/support/stubs/servers.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'

const limiting = suite('rate limits')

const { SIGN_IN_LIMITS, createRateLimits } = rateLimits
const NEW = { email: 'new@example.org', password: 'Correct-Horse-7!', first_name: 'Nia', last_name: 'Okoro' }
const THREE = { calls: 3, seconds: 60 }

/** Whether a call is allowed. */
function isTaken(take: () => void): boolean {
  try {
    take()
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'throttled') return false
    throw error
  }
}

limiting('A4 a full table does not forget a locked-out caller, neither for another limit nor for new keys', () => {
  const clock = createClock()
  const limits = createRateLimits({ now: clock.now, maxWindows: 50 })
  const guess = () => isTaken(() => limits.take('login', THREE, 'eve'))
  for (let no = 0; no < 3; no += 1) assert.ok(guess())
  assert.not(guess())
  for (let no = 0; no < 500; no += 1) limits.take('mail', THREE, `fresh-${no}`)
  assert.not(guess(), 'after a flood of another limit')
  for (let no = 0; no < 500; no += 1) limits.take('login', THREE, `fresh-${no}`)
  assert.not(guess(), 'after a flood of the same limit')
  clock.advance(59_999)
  assert.not(guess())
  clock.advance(1)
  assert.ok(guess(), 'when its time is over')
})

limiting('A4 a full table drops expired entries first, then the least used', () => {
  const clock = createClock()
  const limits = createRateLimits({ now: clock.now, maxWindows: 10 })
  for (const key of ['two', 'two', 'one']) limits.take('login', THREE, key)
  for (let no = 0; no < 30; no += 1) limits.take('login', THREE, `fresh-${no}`)
  assert.equal(
    [1, 2].map(() => isTaken(() => limits.take('login', THREE, 'two'))),
    [true, false],
    'two of three were remembered',
  )
  clock.advance(60_000)
  for (let no = 0; no < 10; no += 1) for (let use = 0; use < 3; use += 1) limits.take('login', THREE, `late-${no}`)
  assert.ok(
    Array.from({ length: 10 }, (_, no) => isTaken(() => limits.take('login', THREE, `late-${no}`))).every((taken) => !taken),
    'the expired ones made room',
  )
})

limiting('A4 refused calls insert no rows: when several limits apply, either all count the call or none does', () => {
  const limits = createRateLimits({ now: createClock().now })
  const both = (address: string, email: string) =>
    isTaken(() =>
      limits.takeAll([
        { name: 'address', limit: THREE, parts: [address] },
        { name: 'email', limit: THREE, parts: [email] },
      ]),
    )
  for (let no = 0; no < 3; no += 1) assert.ok(both('10.0.0.1', `n${no}@example.org`))
  // The address has used up its limit: its refused calls do not count against the email.
  for (let no = 0; no < 5; no += 1) assert.not(both('10.0.0.1', 'ana@example.org'))
  for (let no = 0; no < 3; no += 1) assert.ok(both('10.0.0.2', 'ana@example.org'))
  // The email has used up its limit: its refused calls do not count against the next address.
  for (let no = 0; no < 5; no += 1) assert.not(both('10.0.0.3', 'ana@example.org'))
  for (let no = 0; no < 3; no += 1) assert.ok(both('10.0.0.3', `m${no}@example.org`))
})

limiting('A4 a call that is taken back leaves no count', () => {
  const limits = createRateLimits({ now: createClock().now })
  const tries = [{ name: 'login', limit: THREE, parts: ['ana@example.org'.padEnd(300, 'x')] }]
  for (let no = 0; no < 10; no += 1) limits.takeAll(tries)()
  for (let no = 0; no < 3; no += 1) limits.takeAll(tries)
  assert.not(isTaken(() => limits.takeAll(tries)))
})

limiting('A4 an IPv6 customer with 65,536 networks counts as one customer; IPv4 and single networks are counted as before', () => {
  const limits = createRateLimits({ now: createClock().now })
  const take = (ip: string) => isTaken(() => limits.takeAll(rateLimits.addressTries('mail', THREE, ip)))
  for (let no = 0; no < 3; no += 1) assert.ok(take(`2001:db8:1:2::${no}`), 'one /64')
  assert.not(take('2001:db8:1:2:ffff::1'))
  let taken = 3
  for (let no = 0x100; no < 0x200; no += 1) taken += Number(take(`2001:db8:1:${no.toString(16)}::1`))
  assert.is(taken, 3 * 16, 'the /48 as a whole')
  assert.ok(take('2001:db8:2::1'), 'its neighbour')
  for (let no = 0; no < 3; no += 1) assert.ok(take('192.0.2.1'))
  assert.not(take('::ffff:192.0.2.1'))
  assert.ok(take('192.0.2.2'))
})

limiting('A4 a stranger who uses up the limit of one IP address does not use up the mails, logins or registrations of others', async () => {
  const app = await startApp({ clock: createClock() })
  await app.signIn()
  const { mailFromAddress, mailToEmail, registrationFromAddress, registrationOfEmailFromNetwork } = SIGN_IN_LIMITS
  const from = '10.9.0.1'
  const ask = (email: string, address = from) => app.call(forgotPassword, { body: { email }, from: address })
  await Promise.all(Array.from({ length: mailFromAddress.calls }, (_, no) => ask(`n${no}@example.org`)))
  for (let no = 0; no <= mailToEmail.calls; no += 1) assert.is((await ask(ADMINISTRATOR.email)).status, 429)
  assert.is((await ask(ADMINISTRATOR.email, '10.9.0.2')).status, 204)

  const enter = (email: string, address = from) =>
    app.call(register, { body: { email, password: 'x' }, from: address }).then(({ status }) => status)
  await Promise.all(Array.from({ length: registrationFromAddress.calls }, (_, no) => enter(`n${no}@example.org`)))
  for (let no = 0; no <= registrationOfEmailFromNetwork.calls; no += 1) assert.is(await enter('new@example.org'), 429)
  assert.is(await enter('new@example.org', '10.9.0.2'), 400, 'a poor password, which was looked at')
})

limiting('A10 strangers at ten addresses do not lock the owner out where the owner has signed in before', async () => {
  const clock = createClock()
  const app = await startApp({ clock })
  const home = '198.51.100.7'
  await app.signIn()
  assert.is((await app.call(login, { body: ADMINISTRATOR, from: home })).status, 200)
  const guess = (from: string) => app.call(login, { body: { email: ADMINISTRATOR.email, password: 'guess' }, from })
  const attack = async () => {
    const replies = []
    for (let no = 0; no < 12; no += 1) for (let turn = 0; turn < 10; turn += 1) replies.push((await guess(`10.8.0.${no}`)).status)
    return replies
  }
  const statuses = await attack()
  assert.is(statuses.filter((status) => status === 400).length, SIGN_IN_LIMITS.loginOfEmail.calls)
  assert.is((await app.call(login, { body: ADMINISTRATOR, from: '198.51.100.8' })).status, 429, 'an address that is not known')
  assert.is((await app.call(login, { body: { ...ADMINISTRATOR, email: 'ANA@example.org' }, from: home })).status, 200)
  // Guesses from there are limited as before, and do not reveal the owner's other address.
  const own = []
  for (let no = 0; no < 12; no += 1) own.push((await guess(home)).status)
  assert.equal([own.filter((status) => status === 400).length, own.at(-1)], [SIGN_IN_LIMITS.loginOfEmailFromAddress.calls, 429])
  // Again and again, also after every session was ended.
  clock.advance(SIGN_IN_LIMITS.loginOfEmail.seconds * 1000)
  await app.backend.database.updateTable('session').set({ endedAt: clock.now() }).execute()
  await attack()
  assert.is((await app.call(login, { body: ADMINISTRATOR, from: home })).status, 200)
  // The address itself is not kept.
  const rows = await app.backend.database.selectFrom('session').selectAll().execute()
  assert.not.match(JSON.stringify(rows), home)
})

limiting('A10 strangers cannot use up the mails by which the owner sets a new password', async () => {
  const app = await startApp({ clock: createClock() })
  const home = '198.51.100.7'
  await app.signIn()
  assert.is((await app.call(login, { body: ADMINISTRATOR, from: home })).status, 200)
  const ask = (from: string) => app.call(forgotPassword, { body: { email: ADMINISTRATOR.email }, from })
  for (let no = 0; no < SIGN_IN_LIMITS.mailToEmail.calls; no += 1) assert.is((await ask(`10.7.0.${no}`)).status, 204)
  assert.is((await ask('10.7.1.1')).status, 429)
  const own = []
  for (let no = 0; no < 6; no += 1) own.push((await ask(home)).status)
  assert.equal(own, [204, 204, 204, 204, 204, 429])
})

limiting('A26 a stranger cannot use up the registrations of an email address, although their network has 65,536 addresses', async () => {
  const app = await startApp({ clock: createClock() })
  await app.signIn()
  const enter = (password: string, from: string) => app.call(register, { body: { ...NEW, password }, from }).then(({ status }) => status)
  const strangers = []
  for (let no = 0; no < 40; no += 1) strangers.push(await enter('x', `2001:db8:7:${no}::1`))
  assert.is(strangers.at(-1), 429)
  assert.is(await enter(NEW.password, '198.51.100.7'), 201)
})

limiting('A26 strangers without the code of an invitation cannot keep the invited person from registering with it', async () => {
  const app = await startApp({ clock: createClock() })
  const owner = await app.signIn()
  await app.call(inviteMember, { as: owner, body: { email: NEW.email } })
  const { id } = await app.backend.database.selectFrom('invitation').select('id').executeTakeFirstOrThrow()
  const { link } = (await app.call(linkInvitation, { as: owner, params: { id } })).body
  const code = new URL(link).searchParams.get('invitation_code')!
  const enter = (by: string, from: string) =>
    app.call(registerInvited, { params: { code: by }, body: NEW, from }).then(({ status }) => status)
  for (let no = 0; no < 120; no += 1) {
    assert.is(await enter('NO-SUCH-CODE', `10.6.0.${no}`), no < SIGN_IN_LIMITS.registrationOfInvitation.calls ? 404 : 429)
    await app.call(register, { body: { ...NEW, password: 'x' }, from: `10.6.1.${no}` })
  }
  assert.is(await enter(code, '198.51.100.7'), 201)
})

limiting('the code of an invitation, which stays valid after a refused call, is not among the keys of Redis', async () => {
  const redis = await startRedis()
  const app = await startApp({ config: { redisUrl: redis.url } })
  const reader = connectRedis({ url: redis.url, name: 'reader', warn: () => undefined })
  await until(() => reader.status === 'ready')
  const code = 'K7QX'.repeat(16)
  await app.call(registerInvited, { params: { code }, body: NEW, from: '198.51.100.7' })
  const keys = await reader.keys('*registrationOfInvitation*')
  assert.is(keys.length, 1)
  assert.not.match(keys[0]!, code)
  reader.disconnect()
  await app.close()
  await redis.close()
})

limiting('A4 the hasher serves callers in turn: a stranger with a hundred passwords delays another caller by one hash', async () => {
  const passwords = createPasswords({ cost: { memoryKiB: 8, passes: 1 }, atOnce: 1 })
  const done: string[] = []
  const work = [
    ...Array.from({ length: 100 }, () => passwords.hash('x', 'stranger').then(() => done.push('stranger'))),
    passwords.hash('y', 'ana').then(() => done.push('ana')),
    passwords.hash('y', 'ana').then(() => done.push('ana')),
    passwords.matches('y', null, 'ben').then(() => done.push('ben')),
  ]
  await Promise.all(work)
  // One comparison was running already; then the two take turns. A comparison without a stored hash makes a hash first.
  assert.ok(done.indexOf('ana') <= 4 && done.indexOf('ben') <= 8, done.slice(0, 12).join(' '))
  assert.is(done.length, 103)
})

limiting('A4 the queue of the hasher is bounded, and the caller who fills it is the one who is refused', async () => {
  const passwords = createPasswords({ cost: { memoryKiB: 8, passes: 1 }, atOnce: 1 })
  const flood = Array.from({ length: 1200 }, () =>
    passwords.hash('x', 'stranger').then(
      () => 'hashed',
      (error: AppError) => error.code,
    ),
  )
  const others = Array.from({ length: 50 }, (_, no) =>
    passwords.hash('y', `caller ${no}`).then(
      () => 'hashed',
      (error: AppError) => error.code,
    ),
  )
  const [refused, served] = [await Promise.all(flood), await Promise.all(others)]
  assert.is(
    served.every((outcome) => outcome === 'hashed'),
    true,
  )
  assert.is(refused.filter((outcome) => outcome === 'unavailable').length, 1200 + 50 - 1001)
})

limiting.run()
