import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { forgotPassword, login, register, resetPassword, updateProfile, verifyEmail } from '#contract/accounts.ts'
import { inviteMember, renameTeam } from '#contract/teams.ts'
import { createMails } from '#backend/mails/mails.ts'
import { logMailer, smtpMailer, RefusedMail } from '#backend/platform/mailer.ts'
import { afterCommits } from '#backend/platform/database/after-commits.ts'
import { createOutbox, mailJobs } from '#backend/platform/outbox.ts'
import type { QueuedMail } from '#backend/platform/outbox.ts'
import { createIds } from '#backend/platform/ids.ts'
import { createSealer } from '#backend/platform/secrets.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import type { App } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { startMailServer, tokenOf } from '#tests/support/stubs/mail-server.ts'
import { suite } from '#tests/support/suite.ts'

const mailing = suite('mails')

const NEW = { email: 'new@example.org', password: 'Correct-Horse-7!' }
const SMTP = 'smtp://127.0.0.1:9'

const jobsOf = ({ backend: { database } }: Pick<App, 'backend'>) =>
  database.selectFrom('job').selectAll().where('kind', '=', 'mail').execute()

/** Polls until `holds`, for changes that emit no event. */
async function until(holds: () => Promise<boolean> | boolean, what: string) {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`not in time: ${what}`)
}

mailing('the links of delivered mails work: verify, set a password', async () => {
  const mailServer = await startMailServer()
  const app = await startApp({
    config: { smtpUrl: mailServer.url, mailFrom: 'Seine <seine@example.org>', linkBase: () => 'https://crawl.example.org' },
  })
  await app.signIn()
  await app.call(register, { body: NEW })
  const welcome = await mailServer.next()
  assert.equal([welcome.subject, welcome.from], ['Verify your email – Seine', 'seine@example.org'])
  assert.match(welcome.link, /^https:\/\/crawl\.example\.org\/verify-email\//)
  assert.is((await app.call(verifyEmail, { params: { token: tokenOf(welcome) } })).status, 200)
  await app.call(forgotPassword, { body: NEW })
  const reset = await mailServer.next()
  assert.is(reset.subject, 'Reset your password – Seine')
  assert.is((await app.call(resetPassword, { params: { token: tokenOf(reset) }, body: { password: 'Quite-Another-9!' } })).status, 204)
  assert.is((await app.call(login, { body: { ...NEW, password: 'Quite-Another-9!' } })).status, 200)
  await until(async () => (await jobsOf(app)).length === 0, 'an empty queue')
})

mailing('a mail is in the language that its reader chose, else in that of the browser', async () => {
  const mailServer = await startMailServer()
  const app = await startApp({ config: { smtpUrl: mailServer.url } })
  const owner = await app.signIn()
  const german = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' }
  const told = async (path: string, body: object, headers: Record<string, string> = {}) => {
    assert.ok((await app.request('POST', path, { body, headers })).status < 300, path)
    return mailServer.next()
  }
  const welcome = await told(register.path, NEW, german)
  assert.is(welcome.subject, 'Bestätige deine E-Mail-Adresse – Seine')
  assert.match(welcome.html, '<html lang="de">')
  assert.match(welcome.text, 'Der Link gilt 7 Tage lang und nur einmal')
  assert.not.match(welcome.html + welcome.text, /The link|If the button|Verify/)
  assert.is((await app.call(verifyEmail, { params: { token: tokenOf(welcome) } })).status, 200)
  assert.is((await told(forgotPassword.path, NEW)).subject, 'Reset your password – Seine', 'nothing is known')
  assert.is((await told(forgotPassword.path, NEW, german)).subject, 'Passwort zurücksetzen – Seine')
  await app.call(updateProfile, { as: owner, body: { language: 'de' } })
  const reset = await told(forgotPassword.path, ADMINISTRATOR, { 'accept-language': 'en' })
  assert.is(reset.subject, 'Passwort zurücksetzen – Seine', 'the choice goes before the browser')
  await app.call(inviteMember, { as: owner, body: { email: 'guest@example.org' } })
  assert.match((await mailServer.next()).subject, 'Einladung in das Team', 'a stranger is invited in the language of the inviter')
  await app.call(updateProfile, { as: await app.logIn(NEW), body: { language: 'en' } })
  await app.call(inviteMember, { as: owner, body: { email: NEW.email } })
  assert.match((await mailServer.next()).subject, 'Join our team', 'and who has chosen another, in that')
})

mailing('a mail is HTML in both themes and has the same words as text; it has no pictures, no scripts and loads nothing', async () => {
  const mailServer = await startMailServer()
  const app = await startApp({ config: { smtpUrl: mailServer.url, productName: 'Dragnet' } })
  await app.signIn()
  await app.call(forgotPassword, { body: ADMINISTRATOR })
  const { html, link, raw, subject, text } = await mailServer.next()
  assert.is(subject, 'Reset your password – Dragnet')
  assert.match(raw, /multipart\/alternative/)
  assert.match(raw, /^Auto-Submitted: auto-generated/m)
  assert.ok(html.includes(`href="${link}"`))
  assert.match(html, 'prefers-color-scheme: dark')
  assert.match(html, '<meta name="color-scheme" content="light dark">')
  assert.match(html, '#0b7a75')
  for (const both of [html, text]) assert.match(both, /Dragnet account/)
  assert.not.match(html, /<img|<script|<link|url\(|@import|Seine/)
})

mailing('a mail shows the name of the team as text: no name becomes markup, a link or a header', async () => {
  const mailServer = await startMailServer()
  const app = await startApp({ config: { smtpUrl: mailServer.url } })
  const owner = await app.signIn()
  const names: [name: string, shown: string][] = [
    ['Docs & Ops', 'Docs & Ops'],
    ['<a href="https://evil.test">"win"</a>', '<a href="https:// evil. test">"win"</ a>'],
    ['x\r\nBcc: victim@example.org', 'x Bcc: victim@ example. org'],
    ['Release 1.2, section 3:4', 'Release 1.2, section 3:4'],
    ['\u202Eesrever', 'esrever'],
    ['long '.repeat(40), `${'long '.repeat(40).slice(0, 79)}…`],
  ]
  for (const [no, [name, shown]] of names.entries()) {
    assert.is((await app.call(renameTeam, { as: owner, body: { name } })).status, 200)
    await app.call(inviteMember, { as: owner, body: { email: `guest${no}@example.org` } })
    const mail = await mailServer.next()
    assert.is(mail.subject, `Join our team “${shown}” – Seine`)
    assert.equal(mail.to, [`guest${no}@example.org`])
    assert.match(mail.text, `“${shown}”`)
    assert.not.match(mail.html, '<a href="https://evil.test">')
    assert.not.match(mail.raw, /^Bcc:/m)
  }
})

mailing('A15 no mail program turns a team name into a link', async () => {
  const mailServer = await startMailServer()
  const app = await startApp({ config: { smtpUrl: mailServer.url } })
  const owner = await app.signIn()
  const names = [
    'https://evil.test/win',
    'evil.test/login',
    'www.evil.test',
    'pay at evil.test now',
    'mailto:thief@evil.test',
    'thief@evil.test',
    'ftp:\\\\evil.test\\share',
    'http://3232235777/evil',
    'evil。test/evil',
    'evil\u00ad.test',
    'evil.test.'.repeat(20),
  ]
  for (const [no, name] of names.entries()) {
    assert.is((await app.call(renameTeam, { as: owner, body: { name } })).status, 200)
    await app.call(inviteMember, { as: owner, body: { email: `guest${no}@example.org` } })
    const { html, link, subject, text } = await mailServer.next()
    for (const said of [
      subject,
      text.replaceAll(link, ''),
      html
        .replace(/<style>.*<\/style>/s, '')
        .replaceAll(link, '')
        .replace(/<[^>]*>/g, ''),
    ])
      for (const linked of [/[a-z]+:[/\\]+[^\s/\\]/i, /[\p{L}\d-][.。．｡]\p{L}{2}/u, /\S@\S/, /mailto:\S/i])
        assert.not.match(said, linked, `${name}: ${said.match(linked)?.[0]}`)
    assert.match(text, 'evil')
  }
})

mailing('without a mail server the link is logged as a warning', async () => {
  const warned: { facts: object; message: string }[] = []
  const log = {
    info: () => undefined,
    error: () => undefined,
    warn: (facts: object, message: string) => void warned.push({ facts, message }),
  }
  const app = await startApp({ log })
  await app.signIn()
  await app.call(forgotPassword, { body: { email: 'nobody@example.org' } })
  await app.call(forgotPassword, { body: ADMINISTRATOR })
  await until(() => warned.length > 0, 'a warning')
  assert.is(warned.length, 1)
  const { to, link } = (warned[0]?.facts ?? {}) as { to: string; link: string }
  assert.is(to, ADMINISTRATOR.email)
  assert.match(link, /^http:\/\/127\.0\.0\.1:3000\/reset-password\/[A-Za-z0-9]{64}$/)
})

mailing('F42 while the mail server is down, calls succeed as quickly as before and the mails stay queued', async () => {
  const app = await startApp({ config: { smtpUrl: SMTP } })
  const owner = await app.signIn()
  assert.is((await app.call(register, { body: NEW })).status, 201)
  assert.is((await app.call(forgotPassword, { body: ADMINISTRATOR })).status, 204)
  assert.is((await app.call(inviteMember, { as: owner, body: { email: 'guest@example.org' } })).status, 200)
  await until(async () => (await jobsOf(app)).every(({ attempts, owner: by }) => attempts === 1 && by === null), 'a first try of each')
  assert.is((await jobsOf(app)).length, 3)
})

mailing('F42 a mail server that does not answer delays neither calls nor the shutdown', async () => {
  const connections: Socket[] = []
  const silent = createServer((connection) => void connections.push(connection))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const connected = new Promise((resolve) => silent.once('connection', resolve))
  const app = await startApp({ config: { smtpUrl: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}` } })
  await app.signIn()
  assert.is((await app.call(register, { body: NEW })).status, 201)
  await connected
  assert.is((await app.call(forgotPassword, { body: ADMINISTRATOR })).status, 204)
  await app.close()
  silent.close()
  // The mailer's side would stay open for fifteen seconds.
  for (const connection of connections) connection.destroy()
})

mailing('F42 queued mails are sent when the server is back, also after a restart', async () => {
  const clock = createClock()
  let isDown = true
  const mailServer = await startMailServer({ refuse: () => (isDown ? 451 : null) })
  const config = { smtpUrl: mailServer.url }
  const app = await startApp({ clock, config })
  await app.signIn()
  await app.call(register, { body: NEW })
  await until(async () => (await jobsOf(app)).some(({ attempts, owner }) => attempts === 1 && owner === null), 'a failed try')
  await app.http.close()
  await app.backend.close()
  isDown = false
  clock.advance(60_000)
  const again = await startApp({ clock, config: { ...config, dataDir: app.dataDir } })
  const mail = await mailServer.next()
  assert.is((await again.call(verifyEmail, { params: { token: tokenOf(mail) } })).status, 200)
})

const TWENTY_YEARS_MS = 20 * 365 * 24 * 3_600_000

/**
 * An outbox over an app's tables, with a mailer of the test's. Its clock is an hour ahead, so that the outbox of the app, which looks for
 * mails at its start, claims none of them.
 */
function outboxOf(app: App, clock: ReturnType<typeof createClock>, send: (to: string) => Promise<void>) {
  const said: string[] = []
  const { database } = app.backend
  const now = () => clock.now() + 3_600_000
  const log = {
    warn: (_: object, message: string) => void said.push(message),
    error: (_: object, message: string) => void said.push(message),
  }
  const jobs = mailJobs({ database, claimMs: 60_000, now, owner: 'test' })
  const mailer = { send: ({ to }: { to: string }) => send(to), close: () => undefined }
  const outbox = createOutbox({
    committed: () => afterCommits(database),
    jobs,
    log,
    mailer,
    newId: createIds(now),
    now,
    sealer: createSealer(Buffer.alloc(32, 7)),
  })
  const queue = (mail: Omit<QueuedMail, 'mail'>) =>
    database
      .transaction()
      .execute((transaction) => outbox.queue(transaction, { mail: { subject: '', html: '', text: '', link: '' }, ...mail }))
  return { jobs, now, outbox, queue, said }
}

mailing('a failed mail is sent again after longer and longer waits, and given up after a day', async () => {
  const clock = createClock()
  const app = await startApp({ clock })
  let tries = 0
  const { now, outbox, queue, said } = outboxOf(app, clock, () => {
    tries += 1
    return Promise.reject(new Error('not now'))
  })
  await queue({ to: 'a@example.org' })
  const waits = []
  for (;;) {
    const isSettled = async () => (await jobsOf(app)).every(({ owner, runAt }) => owner === null && runAt > now())
    await until(async () => (await outbox.deliver(), isSettled()), 'a try')
    const [job] = await jobsOf(app)
    if (job === undefined) break
    waits.push((job.runAt - now()) / 1000)
    clock.advance(job.runAt - now())
  }
  assert.equal(waits, [10, 60, 300, 900, 3600, 10_800, 21_600, 43_200])
  assert.is(tries, 9)
  assert.is(said.at(-1), 'a mail could not be sent and was given up')
  await outbox.close()
})

mailing('a mail that failed while the clock was years ahead is sent when the clock is right', async () => {
  const clock = createClock()
  const app = await startApp({ clock })
  const sent: string[] = []
  let isWell = false
  const { jobs, now, outbox, queue } = outboxOf(app, clock, async (to) => {
    if (!isWell) throw new Error('not now')
    sent.push(to)
  })
  clock.advance(TWENTY_YEARS_MS)
  await queue({ to: 'a@example.org' })
  const hasFailed = async () => (await jobsOf(app)).some(({ owner, runAt }) => owner === null && runAt > now())
  await until(async () => (await outbox.deliver(), await hasFailed()), 'a failed try')
  isWell = true
  clock.advance(-TWENTY_YEARS_MS)
  assert.ok((await jobs.nextAt())! <= now())
  await until(async () => (await outbox.deliver(), sent.length > 0), 'the mail')
  assert.equal(sent, ['a@example.org'])
  await outbox.close()
})

mailing('a mail is given up at once when the server refuses it for good, and when its link has expired', async () => {
  const clock = createClock()
  const app = await startApp({ clock })
  const sent: string[] = []
  const { now, outbox, queue } = outboxOf(app, clock, async (to) => {
    if (to.startsWith('refused')) throw new RefusedMail('no such mailbox')
    sent.push(to)
  })
  await queue({ to: 'refused@example.org' })
  await queue({ to: 'late@example.org', until: now() })
  await queue({ to: 'decoy@example.org', isDecoy: true })
  await queue({ to: 'fine@example.org', until: now() + 1 })
  await until(async () => (await outbox.deliver(), (await jobsOf(app)).length === 0), 'an empty queue')
  assert.equal(sent, ['fine@example.org'])
  await outbox.close()
})

mailing('a mail is not sent when the transaction that queued it fails', async () => {
  const clock = createClock()
  const app = await startApp({ clock })
  const { outbox } = outboxOf(app, clock, () => Promise.reject(new Error('it was sent')))
  const mail = createMails({ baseUrl: () => 'https://x.example', productName: 'Seine' }).verifyEmail('x', null)
  const failing = app.backend.database.transaction().execute(async (transaction) => {
    await outbox.queue(transaction, { to: 'a@example.org', mail })
    throw new Error('rolled back')
  })
  await failing.then(
    () => assert.unreachable(),
    () => undefined,
  )
  await outbox.deliver()
  assert.equal(await jobsOf(app), [])
  await outbox.close()
})

mailing('a mail whose process died while sending is sent again after its lease ends', async () => {
  const clock = createClock()
  const app = await startApp({ clock })
  const { database } = app.backend
  // The queue's clock is an hour ahead, so that the product's own mail job, which runs at its start, takes no mail.
  const now = () => clock.now() + 3_600_000
  const [dead, living] = ['dead', 'living'].map((owner) => mailJobs({ database, claimMs: 60_000, now, owner }))
  await database
    .transaction()
    .execute((transaction) => (dead as NonNullable<typeof dead>).add(transaction, { key: 'mail:1', payload: 'x' }))
  const first = await dead?.claim()
  assert.is(first?.attempts, 1)
  assert.is(await living?.claim(), null)
  assert.is(await living?.nextAt(), now() + 60_000)
  clock.advance(60_000)
  assert.is((await living?.claim())?.attempts, 2)
  // A worker that lost the lease settles nothing.
  if (first) await dead?.remove(first)
  assert.is((await jobsOf(app)).length, 1)
})

mailing(
  'a mail that is being sent is not sent again by a process whose clock is a little behind, or after a small correction of the clock',
  async () => {
    const clock = createClock()
    const app = await startApp({ clock })
    const { database } = app.backend
    // An hour ahead, so that the product's own outbox takes no mail.
    const now = () => clock.now() + 3_600_000
    const [first, second] = ['first', 'second'].map((owner) => mailJobs({ database, claimMs: 60_000, now, owner }))
    await database.transaction().execute((transaction) => first!.add(transaction, { key: 'mail:1', payload: 'x' }))
    clock.advance(1000)
    assert.is((await first!.claim())?.attempts, 1)
    clock.advance(-50)
    assert.is(await second!.claim(), null)
  },
)

// All adapters of the port pass the same test.
mailing('each mailer accepts a mail, and the SMTP mailer distinguishes "later" from "never"', async () => {
  const mail = {
    to: 'a@example.org',
    ...createMails({ baseUrl: () => 'https://x.example', productName: 'Seine' }).verifyEmail('abc', null),
  }
  const mailServer = await startMailServer({
    refuse: (address) => ({ 'later@example.org': 451, 'never@example.org': 550 })[address] ?? null,
  })
  const overSmtp = smtpMailer({ from: 'seine@example.org', url: mailServer.url })
  const warned: object[] = []
  for (const mailer of [overSmtp, logMailer({ warn: (facts) => void warned.push(facts) })]) await mailer.send(mail)
  assert.is((await mailServer.next()).link, mail.link)
  assert.equal(warned, [{ to: mail.to, subject: mail.subject, link: mail.link }])
  const faultOf = (to: string) =>
    overSmtp.send({ ...mail, to }).then(
      () => null,
      (error: unknown) => error instanceof RefusedMail,
    )
  assert.equal([await faultOf('later@example.org'), await faultOf('never@example.org')], [false, true])
  overSmtp.close()
})

mailing.run()
