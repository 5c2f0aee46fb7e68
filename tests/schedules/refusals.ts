/** Scheduled crawls that are refused: why, in the reader's language, and how often it is mailed. */
import * as assert from 'uvu/assert'
import { updateProfile } from '#contract/accounts.ts'
import { createCrawl } from '#contract/crawls.ts'
import { createProxy, deleteProxy } from '#contract/proxies.ts'
import { createSchedule } from '#contract/schedules.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import { refusedBecause } from '#backend/schedules/refused-because.ts'
import { HIDDEN_PASSWORD } from '#backend/runs/run-secrets.ts'
import { startApp } from '#tests/support/app.ts'
import { createClock } from '#tests/support/clock.ts'
import { startMailServer } from '#tests/support/stubs/mail-server.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const refusals = suite('refused crawls of schedules')

const DAY = 24 * 3_600_000
const NOON = Date.parse('2026-11-27T12:00:00Z')

refusals('a week of refused crawls is one mail, which says why in the language of its reader', async () => {
  const clock = createClock(NOON)
  const beats = new Set<() => void>()
  const mailServer = await startMailServer()
  const app = await startApp({
    clock,
    config: { smtpUrl: mailServer.url },
    every: (_ms, call) => {
      beats.add(call)
      return () => void beats.delete(call)
    },
  })
  try {
    const me = await app.signIn()
    const { apiKey: key } = me
    await app.call(updateProfile, { as: me, body: { language: 'de' } })
    await app.call(createProxy, { as: me, body: { name: 'Pool', slug: 'pool', host: '127.0.0.1', port: 8080 } })
    const options = { spider_options: { proxy_server: 'pool' } }
    const { uuid: crawl } = (await app.call(createCrawl, { key, body: { url: 'http://127.0.0.1:8080/', options } })).body
    await app.call(createSchedule, { as: me, body: { crawl, name: 'Nightly', cron: '0 3 * * *', mail_changes: true } })
    await app.call(deleteProxy, { as: me, params: { slug: 'pool' } })
    const { database } = app.backend
    for (let day = 1; day <= 7; day += 1) {
      clock.advance(DAY)
      beats.forEach((beat) => beat())
      await until(async () => {
        const row = await database.selectFrom('crawlSchedule').select(['problem', 'nextAt']).executeTakeFirstOrThrow()
        return row.problem === 'refused' && row.nextAt! > clock.now()
      })
      // A mail that is being sent when the clock jumps would be sent again.
      await until(async () => (await database.selectFrom('job').select('no').where('kind', '=', 'mail').execute()).length === 0)
    }
    const [mail, ...others] = mailServer.mails
    assert.equal([mail?.subject, others.length], ['Nightly: Der Crawl wurde nicht gestartet – Seine', 0])
    assert.match(mail!.text, 'wurde nicht gestartet. Seinen Proxy-Server gibt es nicht mehr.')
    assert.not.match(mail!.text, /proxy_server|Unknown/)
  } finally {
  }
})

refusals('each refusal has a reason', () => {
  const options = (fields: object) => new AppError('invalid_input', { fields: { options: fields } as never })
  const cases: [AppError, string][] = [
    [new AppError('plan_limit', { message: "Today's page credits are used up." }), 'plan'],
    [new AppError('no_active_plan'), 'plan'],
    [options({ spider_options: { proxy_server: ['Unknown proxy server.'] } }), 'proxy'],
    [options({ spider_options: { max_depth: ['Too large.'], proxy_server: ['Unknown proxy server.'] } }), 'proxy'],
    [options({ page_options: { extra_headers: { 'x-token': ['The value is not shown: enter it again.'] } } }), 'secrets'],
    [new AppError('invalid_input', { fields: { urls: { '0': [HIDDEN_PASSWORD] } } as never }), 'secrets'],
    [new AppError('invalid_input', { fields: { urls: { '0': ['This address is not allowed.'] } } as never }), 'url'],
    [options({ plugin_options: { old: ['Unknown plugin.'] } }), 'options'],
    [fieldError('page_limit', 'Too large.'), 'options'],
  ]
  for (const [error, reason] of cases) assert.is(refusedBecause(error), reason, JSON.stringify(error.fields))
})

refusals.run()
