// What answers reveal to a stranger, and a copy of the database to a thief.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { forgotPassword, login, register, resetPassword, verifyEmail } from '#contract/accounts.ts'
import { createApiKey, inviteMember } from '#contract/teams.ts'
import { createMails } from '#backend/mails/mails.ts'
import { createMailedLinks } from '#backend/accounts/mailed-links.ts'
import { createOneTimeLinks } from '#backend/accounts/one-time-links.ts'
import { createPasswordWords } from '#backend/accounts/password-words.ts'
import { createPasswords } from '#backend/accounts/passwords.ts'
import { SIGN_IN_LIMITS } from '#backend/http/rate-limits.ts'
import { createIds } from '#backend/platform/ids.ts'
import { mailJobs } from '#backend/platform/outbox.ts'
import { createSealer, keyedHash } from '#backend/platform/secrets.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import type { App } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { makeUser } from '#tests/support/make.ts'
import { startMailServer, tokenOf } from '#tests/support/stubs/mail-server.ts'
import { aboutFiles, isOverPostgres } from '#tests/support/test-state.ts'
import { suite } from '#tests/support/suite.ts'

const security = suite('accounts keep their secrets')

const NEW = { email: 'new@example.org', password: 'Stolen-Horse-31!' }

security('T29 of ten thousand password guesses, only as many as the limit reach the hasher', async () => {
  const app = await startApp({ clock: createClock() })
  await app.signIn()
  const { calls } = SIGN_IN_LIMITS.loginOfEmailFromAddress
  let compared = 0
  for (let batch = 0; batch < 100; batch += 1) {
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, no) =>
        app.call(login, { body: { email: ADMINISTRATOR.email, password: `guess ${batch} ${no}` }, from: '10.1.0.1' }),
      ),
    )
    // A 400 means that a password was compared: throttled calls never get that far.
    compared += replies.filter(({ status }) => status === 400).length
    assert.ok(replies.every(({ status }) => status === 400 || status === 429))
  }
  assert.is(compared, calls)
})

const SAMPLES = 200
const ROUNDS = 5

/** The ratio of the medians of two calls. The calls alternate, so that other work on the machine slows both equally. */
async function ratioOfMedians(first: (no: number) => Promise<unknown>, second: (no: number) => Promise<unknown>): Promise<number> {
  const taken: [number[], number[]] = [[], []]
  for (let no = 0; no < SAMPLES; no += 1)
    for (const which of no % 2 ? ([0, 1] as const) : ([1, 0] as const)) {
      const from = performance.now()
      await (which === 0 ? first : second)(no)
      taken[which].push(performance.now() - from)
    }
  const [a, b] = taken.map((times) => times.toSorted((x, y) => x - y)[SAMPLES / 2] ?? 0) as [number, number]
  return Math.max(a, b) / Math.min(a, b)
}

security('T29 sign-in and mail requests take the same time for known and unknown addresses', async () => {
  const clock = createClock()
  const app = await startApp({ clock })
  await app.signIn()
  await makeUser(app.backend, { ...NEW, emailVerified: false })
  const { database } = app.backend
  // Waiting for the disk takes equally long in both calls and would hide a difference.
  if (!isOverPostgres) await sql`PRAGMA synchronous = OFF`.execute(database)
  const sessions = {
    openIn: () => Promise.reject(new Error('no sign-in in this test')),
    endAllOf: () => Promise.reject(new Error('no sign-in in this test')),
  }
  // The jobs that the calls wait for. No mails are sent meanwhile: that would slow down the next call.
  const jobs = mailJobs({ database, claimMs: 1, now: clock.now, owner: 'nobody' })
  const [newKey, sealer] = [createIds(clock.now), createSealer(Buffer.alloc(32, 7))]
  const mailed = createMailedLinks({
    claim: () => Promise.reject(new Error('no claim in this test')),
    database,
    links: createOneTimeLinks({ database, hash: (text) => keyedHash(Buffer.alloc(32, 8), text), now: clock.now }),
    mails: createMails({ baseUrl: () => 'https://crawl.example.org', productName: 'Seine' }),
    now: clock.now,
    passwords: createPasswords(),
    passwordWords: createPasswordWords({ productName: 'Seine' }),
    queueMail: (transaction, mail) => jobs.add(transaction, { key: newKey(), payload: sealer.seal(JSON.stringify(mail), '') }),
    sessions,
  })
  const asked: [name: string, ask: (email: string) => Promise<unknown>][] = [
    ['login', (email) => app.call(login, { body: { email, password: 'wrong' } })],
    ['resending the verification mail', (email) => mailed.resendVerification(email, null)],
  ]
  for (const [name, ask] of asked) {
    // An hour between two calls, so that no rate limit applies.
    const asking = (email: string) => () => (clock.advance(60 * 60_000), ask(email))
    let ratio = Infinity
    // On a busy machine chance can make two equal things differ, but not in every round.
    for (let round = 0; round < ROUNDS && ratio >= 1.1; round += 1)
      ratio = Math.min(ratio, await ratioOfMedians(asking(NEW.email), asking('nobody@example.org')))
    assert.ok(ratio < 1.1, `${name}: ${ratio.toFixed(3)}`)
  }
})

/** The contents of the database files. The key, which is in a file of its own, is not among them. */
function databaseFiles({ dataDir }: App): Buffer {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('seine.db'))
  assert.ok(files.length > 0)
  return Buffer.concat(files.map((name) => readFileSync(join(dataDir, name))))
}

aboutFiles(security)('T38 the files of the database contain no usable secret: neither the queue nor the write-ahead log', async () => {
  // While the mail server refuses, the first mails wait in the queue.
  let isDown = true
  const clock = createClock()
  const arriving = await startMailServer({ refuse: () => (isDown ? 451 : null) })
  const app = await startApp({ clock, config: { smtpUrl: arriving.url } })
  const owner = await app.signIn()
  await app.call(register, { body: NEW })
  await app.call(forgotPassword, { body: ADMINISTRATOR })
  await app.call(inviteMember, { as: owner, body: { email: 'guest@example.org' } })
  const { body: key } = await app.call(createApiKey, { as: owner, body: { name: 'secret' } })
  const { database } = app.backend
  const waiting = await database.selectFrom('job').selectAll().where('kind', '=', 'mail').execute()
  assert.is(waiting.length, 3)
  const whileWaiting = databaseFiles(app)

  isDown = false
  clock.advance(60 * 60_000 - 1)
  await app.http.close()
  await app.backend.close()
  const again = await startApp({ clock, config: { smtpUrl: arriving.url, dataDir: app.dataDir } })
  const mails = [await arriving.next(), await arriving.next(), await arriving.next()]
  const tokens = mails.map(tokenOf)
  const tokenBy = (word: string) => tokenOf(mails.find(({ link }) => link.includes(word)) as (typeof mails)[number])
  assert.is((await again.call(verifyEmail, { params: { token: tokenBy('verify-email') } })).status, 200)
  const password = 'Fresh-Secret-Horse-9!'
  assert.is((await again.call(resetPassword, { params: { token: tokenBy('reset-password') }, body: { password } })).status, 204)
  const me = await again.logIn({ email: ADMINISTRATOR.email, password })
  const afterwards = databaseFiles(again)

  const idOf = (token: string) => (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }).jti
  const secrets = [
    ...tokens,
    NEW.password,
    ADMINISTRATOR.password,
    password,
    owner.access,
    owner.refresh,
    me.refresh,
    idOf(owner.refresh),
    idOf(me.refresh),
    key.key,
    owner.apiKey,
    key.key.slice(3),
  ]
  assert.ok(secrets.every((secret) => secret.length > 12))
  for (const dump of [whileWaiting, afterwards])
    for (const secret of secrets)
      for (const spelled of [secret, Buffer.from(secret).toString('base64url'), Buffer.from(secret).toString('hex')])
        assert.is(dump.indexOf(spelled), -1, secret)
  // Proves that the search works: it finds what is not secret.
  for (const known of [ADMINISTRATOR.email, '$argon2id$', 'guest@example.org']) assert.ok(whileWaiting.indexOf(known) >= 0, known)
})

security.run()
