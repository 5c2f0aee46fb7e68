/** Monitors of the Firecrawl API: the published client against the running product, and a site whose pages change. */
import * as assert from 'uvu/assert'
import { changeSchedule, createSchedule, getSchedule } from '#contract/schedules.ts'
import { setRetention } from '#contract/teams.ts'
import { OWNER } from '#tests/support/product.ts'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { pageOf } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const monitors = suite('Firecrawl monitors')
const f = await startFirecrawl({ RATE_LIMIT_API: '1000' })
const client = f.clients['4.42.0']
const url = (path: string) => f.site.url(path)
const { call } = f
const NIGHTLY = { cron: '0 3 * * *', timezone: 'Europe/Paris' }

const scrapes = (urls: string[], more: object = {}) => ({
  name: 'Boats',
  schedule: NIGHTLY,
  targets: [{ type: 'scrape' as const, urls, ...more }],
})

/** Starts a check, and resolves with it and its pages when it has ended. */
async function checked(monitorId: string, options: Parameters<typeof client.getMonitorCheck>[2] = {}) {
  const { id } = await client.runMonitor(monitorId)
  await until(async () => ['completed', 'failed'].includes((await client.getMonitorCheck(monitorId, id)).status))
  return client.getMonitorCheck(monitorId, id, options)
}

const seen = (pages: { url: string; status: string }[]) =>
  Object.fromEntries(pages.map((page) => [new URL(page.url).pathname, page.status]))

monitors('the client creates, reads, lists, changes and deletes a monitor', async () => {
  const made = await client.createMonitor({
    ...scrapes([url('/boats')], { scrapeOptions: { formats: ['markdown'], headers: { 'x-own': 'secret word' } } }),
    notification: { email: { enabled: true, recipients: [OWNER.email] } },
  })
  assert.equal(
    [made.name, made.status, made.schedule, made.lastRunAt, made.currentCheckId, made.lastCheckSummary],
    ['Boats', 'active', NIGHTLY, null, null, null],
  )
  assert.ok(Date.parse(made.nextRunAt!) > Date.now())
  assert.equal(made.targets, [
    { id: made.id, type: 'scrape', urls: [url('/boats')], scrapeOptions: { formats: ['markdown'], headers: { 'x-own': '***' } } },
  ])
  assert.equal(made.notification, { email: { enabled: true, recipients: [OWNER.email], includeDiffs: false } })
  assert.equal(made.emailRecipientSubscriptions, [{ email: OWNER.email, status: 'confirmed', source: 'team' }])
  assert.equal(await client.getMonitor(made.id), made)
  assert.equal(await client.listMonitors({ limit: 1 }), [made])

  const changed = await client.updateMonitor(made.id, { name: 'Nets', status: 'paused', schedule: { text: 'hourly' }, notification: null })
  assert.equal(
    [changed.name, changed.status, changed.nextRunAt, changed.schedule, changed.notification?.email?.enabled],
    ['Nets', 'paused', null, { cron: '0 * * * *', timezone: 'Europe/Paris' }, false],
  )
  assert.equal(changed.targets, made.targets, 'what was not sent stays')
  const moved = await client.updateMonitor(made.id, { targets: [{ type: 'crawl', url: url('/'), crawlOptions: { limit: 3 } }] })
  assert.equal(moved.targets, [{ id: made.id, type: 'crawl', url: url('/'), crawlOptions: { limit: 3 }, scrapeOptions: {} }])
  assert.is(await client.deleteMonitor(made.id), true)
  assert.is((await call(`/v2/monitor/${made.id}`)).status, 404)
})

monitors('pages of a check are new, the same, changed with the difference, removed, or errors', async () => {
  const { pages } = f.site
  Object.assign(pages, { '/m/same': pageOf('Same'), '/m/ends': pageOf('Ends'), '/m/falls': pageOf('Falls') })
  pages['/m/changes'] = pageOf('Changes')
  const paths = ['/m/same', '/m/ends', '/m/falls', '/m/changes', '/secret/a']
  const { id } = await client.createMonitor(scrapes(paths.map(url)))
  const first = await checked(id)
  assert.equal([first.status, first.trigger, first.monitorId, first.error], ['completed', 'manual', id, null])
  assert.equal(seen(first.pages), { '/m/same': 'new', '/m/ends': 'new', '/m/falls': 'new', '/m/changes': 'new', '/secret/a': 'error' })
  assert.equal(first.summary, { totalPages: 5, same: 0, changed: 0, new: 4, removed: 0, error: 1 })
  assert.equal(first.targetResults, [{ targetId: id, type: 'scrape', expectedJobs: [first.id] }])

  pages['/m/changes'] = pageOf('Changes').replace('</main>', '<p>A line that was added.</p></main>')
  pages['/m/ends'] = { status: 404, body: 'none' }
  pages['/m/falls'] = { status: 403, body: 'none' }
  const second = await checked(id)
  assert.equal(second.summary, { totalPages: 5, same: 1, changed: 1, new: 0, removed: 1, error: 2 })
  assert.equal(seen(second.pages), {
    '/m/same': 'same',
    '/m/changes': 'changed',
    '/m/ends': 'removed',
    '/m/falls': 'error',
    '/secret/a': 'error',
  })
  const page = (path: string) => second.pages.find((one) => one.url === url(path))!
  const before = (path: string) => first.pages.find((one) => one.url === url(path))!
  assert.match(page('/m/changes').diff?.text ?? '', /^\+A line that was added\.$/m)
  assert.ok((page('/m/changes').diff!.json as { files: unknown[] }).files.length > 0)
  assert.equal(
    [page('/m/changes').previousScrapeId, page('/m/changes').statusCode, page('/m/changes').targetId],
    [before('/m/changes').currentScrapeId, 200, id],
  )
  assert.equal([page('/m/same').diff, page('/m/same').statusCode], [null, 200])
  assert.equal([page('/m/ends').currentScrapeId, page('/m/ends').previousScrapeId], [null, before('/m/ends').currentScrapeId])
  assert.equal([page('/m/falls').statusCode, page('/m/falls').error?.startsWith('status')], [403, true])
  assert.match(page('/secret/a').error ?? '', /^robots/)
  assert.is(new Set(second.pages.map((one) => one.id)).size, 5)

  assert.equal(
    (await client.listMonitorChecks(id)).map((one) => [one.id, one.summary]),
    [
      [second.id, second.summary],
      [first.id, first.summary],
    ],
  )
  assert.equal((await client.listMonitorChecks(id, { limit: 1, offset: 1 }))[0]?.id, first.id)
  const monitor = await client.getMonitor(id)
  assert.equal([monitor.lastCheckSummary, monitor.lastRunAt], [second.summary, second.createdAt])
})

monitors('a page that some checks could not fetch is compared with its copy before them', async () => {
  const { pages } = f.site
  Object.assign(pages, { '/b/one': pageOf('One'), '/b/two': pageOf('Two'), '/b/three': pageOf('Three') })
  const { id } = await client.createMonitor(scrapes(['/b/one', '/b/two', '/b/three'].map(url)))
  const first = await checked(id)
  const before = first.pages.find((one) => one.url === url('/b/two'))!
  for (const path of ['/b/one', '/b/two']) pages[path] = { status: 403, body: 'not now' }
  await checked(id)
  assert.equal((await checked(id)).summary, { totalPages: 3, same: 1, changed: 0, new: 0, removed: 0, error: 2 })
  pages['/b/one'] = pageOf('One')
  pages['/b/two'] = pageOf('Two').replace('</main>', '<p>A line that was added.</p></main>')
  const back = await checked(id)
  assert.equal(seen(back.pages), { '/b/two': 'changed', '/b/one': 'same', '/b/three': 'same' })
  const [changed] = back.pages
  assert.is(changed?.previousScrapeId, before.currentScrapeId)
  assert.match(changed?.diff?.text ?? '', /^\+A line that was added\.$/m)
})

monitors('a check is paged by limit, skip and status, and the client follows the pages', async () => {
  const { id } = await client.createMonitor({
    name: 'Site',
    schedule: { text: 'daily at 9:30' },
    targets: [{ type: 'crawl', url: url('/'), crawlOptions: { limit: 50, sitemap: 'skip' } }],
  })
  const all = await checked(id)
  assert.equal(all.targetResults, [{ targetId: id, type: 'crawl', crawlId: all.id }])
  assert.ok(all.pages.length > 4)
  const followed = await client.getMonitorCheck(id, all.id, { limit: 2 })
  assert.equal(followed.pages, all.pages)
  assert.is(followed.next, null)
  const part = await client.getMonitorCheck(id, all.id, { limit: 2, skip: 1, autoPaginate: false })
  assert.equal(part.pages, all.pages.slice(1, 3))
  assert.match(part.next ?? '', /\/v2\/monitor\/.*\?skip=3&limit=2$/)
  const failed = await client.getMonitorCheck(id, all.id, { status: 'error' })
  assert.equal(seen(failed.pages), { '/gone': 'error' })
  assert.equal((await client.getMonitorCheck(id, all.id, { status: 'removed' })).pages, [])
  assert.equal(
    (await client.getMonitorCheck(id, all.id, { status: 'new', limit: 1 })).pages,
    all.pages.filter(({ status }) => status === 'new'),
  )
  const job = await client.getCrawlStatus(all.id)
  assert.equal([job.status, job.completed], ['completed', all.summary.new], 'a check is a crawl of this API, too')
  const wrong = await call(`/v2/monitor/${id}/checks/${all.id}?status=odd`)
  assert.equal([wrong.status, wrong.json.error], [400, 'status may be same, new, changed, removed, error.'])
})

monitors('a page that a check knows but does not reach, because of its limit, is not removed', async () => {
  const { pages } = f.site
  Object.assign(pages, { '/l/': pageOf('Start', ['/l/one', '/l/two']), '/l/one': pageOf('One'), '/l/two': pageOf('Two') })
  const target = { type: 'crawl' as const, url: url('/l/'), crawlOptions: { limit: 3, sitemap: 'skip' as const } }
  const { id } = await client.createMonitor({ name: 'Site', schedule: NIGHTLY, targets: [target] })
  assert.is((await checked(id)).summary.new, 3)
  await client.updateMonitor(id, { targets: [{ ...target, crawlOptions: { ...target.crawlOptions, limit: 2 } }] })
  assert.equal((await checked(id)).summary, { totalPages: 2, same: 2, changed: 0, new: 0, removed: 0, error: 0 })
})

monitors('a page that was the only one, and is not there any more, is removed; the check has not failed', async () => {
  f.change('Words.')
  const { id } = await client.createMonitor(scrapes([url('/changing')]))
  await checked(id)
  f.change(null)
  const check = await checked(id)
  assert.equal([check.status, check.error, seen(check.pages)], ['completed', null, { '/changing': 'removed' }])
  const next = await checked(id)
  assert.equal([next.status, seen(next.pages)], ['completed', { '/changing': 'error' }], 'it was removed before, so it is once')
  f.change('Words.')
  assert.equal(seen((await checked(id)).pages), { '/changing': 'new' })
  f.change('')
})

monitors('a monitor shows the numbers of the newest check that has ended, also while others run', async () => {
  const { id } = await client.createMonitor(scrapes([url('/boats')]))
  const { summary } = await checked(id)
  await client.updateMonitor(id, { targets: [{ type: 'scrape', urls: [url('/hangs')] }] })
  const running = [await client.runMonitor(id), await client.runMonitor(id)]
  const { currentCheckId, lastCheckSummary } = await client.getMonitor(id)
  assert.equal([currentCheckId, lastCheckSummary], [running[1]!.id, summary])
  for (const check of running) await call(`/v2/batch/scrape/${check.id}`, { method: 'DELETE' })
})

monitors('a check has the headers and the formats of its target; shown headers and passwords cannot be sent back', async () => {
  const { id, targets } = await client.createMonitor(
    scrapes([url('/headers')], { scrapeOptions: { formats: ['markdown', 'html'], headers: { 'x-own': 'secret word' } } }),
  )
  const { id: checkId } = await checked(id)
  const { data } = await client.getBatchScrapeStatus(checkId)
  assert.match(data[0]?.markdown ?? '', /Asked with secret word/)
  assert.match(data[0]?.html ?? '', /Asked with secret word/, 'with the formats of the target')
  await refuses({ targets }, /The value is not shown: enter it again\./, id)
  const { host } = new URL(url('/'))
  const secret = await client.createMonitor(scrapes([`http://ana:pass-word@${host}/boats`]))
  assert.equal((secret.targets[0] as { urls: string[] }).urls, [`http://ana:***@${host}/boats`])
  await refuses({ targets: secret.targets }, /The password is not shown: enter it again\./, secret.id)
})

const CRAWL = { type: 'crawl', url: url('/') }
const REFUSED: [what: string, body: object, message: RegExp][] = [
  ['a search', { targets: [{ type: 'search', queries: ['nets'] }] }, /searches cannot be monitored. The type may be scrape or crawl/],
  ['two targets', { targets: [CRAWL, CRAWL] }, /exactly one target/],
  ['no target', { targets: [] }, /exactly one target/],
  ['an unknown type', { targets: [{ type: 'map', url: url('/') }] }, /targets/],
  ['an unknown option', { targets: [{ ...CRAWL, crawlOptions: { speed: 1 } }] }, /Unknown field: speed/],
  ['an invalid URL', { targets: [{ type: 'scrape', urls: ['nets'] }] }, /Invalid URLs: nets/],
  ['an address that may not be fetched', { targets: [{ type: 'scrape', urls: ['http://10.0.0.1/'] }] }, /This address is not allowed/],
  ['a pattern that cannot be used', { targets: [{ ...CRAWL, crawlOptions: { includePaths: ['(?=a)'] } }] }, /cannot be used/],
  ['zeroDataRetention', { targets: [{ ...CRAWL, scrapeOptions: { zeroDataRetention: true } }] }, /zeroDataRetention/],
  ['a goal', { goal: 'prices' }, /goal: a monitor reports every change/],
  ['a judge', { judgeEnabled: true }, /judgeEnabled: a monitor reports every change/],
  ['a webhook', { webhook: { url: 'https://example.org/' } }, /webhook: a monitor has no webhook of its own/],
  ['a webhook of the crawl', { targets: [{ ...CRAWL, crawlOptions: { webhook: 'https://example.org/' } }] }, /crawlOptions\.webhook: /],
  ['another retention', { retentionDays: 30 }, /retentionDays: your team keeps its crawls until they are deleted by hand/],
  ['a stranger', { notification: { email: { recipients: ['eve@example.org'] } } }, /Not a member: eve@example\.org/],
  ['unknown words', { schedule: { text: 'when it rains' } }, /"every 15 minutes".*"monthly"; otherwise send cron/],
  ['short intervals', { schedule: { cron: '*/5 * * * *' } }, /at least 15 minutes/],
  ['short intervals in words', { schedule: { text: 'every 5 minutes' } }, /at least 15 minutes/],
  ['two times', { schedule: { cron: '0 3 * * *', text: 'daily' } }, /either cron or text/],
  ['no times', { schedule: {} }, /send cron or text/],
  ['a time zone that is none', { schedule: { cron: '0 3 * * *', timezone: 'Mars' } }, /time zone/],
]
for (const [what, body, message] of REFUSED)
  monitors(`${what}: refused, with the reason, when a monitor is created and when it is changed`, async () => {
    await refuses({ ...scrapes([url('/')]), ...body }, message)
    const { id } = await client.createMonitor(scrapes([url('/')]))
    await refuses(body, message, id)
    await client.deleteMonitor(id)
  })

monitors('another retention than that of the team is refused with its days', async () => {
  const setDays = (days: number | null) =>
    call(setRetention.path, { method: 'PATCH', body: { days }, headers: { authorization: `Bearer ${f.access}` } })
  for (const [days, words] of [
    [1, /keeps its crawls for 1 day, and/],
    [3, /keeps its crawls for 3 days, and/],
  ] as const) {
    await setDays(days)
    await refuses({ ...scrapes([url('/')]), retentionDays: 30 }, words)
  }
  await setDays(null)
})

monitors('what has no effect gets a warning; what is absent or off is accepted', async () => {
  const body = {
    ...scrapes([url('/')]),
    goal: '',
    judgeEnabled: false,
    retentionDays: 36_500,
    notification: { email: { includeDiffs: true } },
  }
  const { json, status } = await call('/v2/monitor', { body })
  assert.is(status, 200)
  assert.equal([json.data.notification.email.includeDiffs, json.data.retentionDays], [false, 36_500])
  assert.match(json.warning, /includeDiffs has no effect/)
  const { json: other } = await call('/v2/monitor', { body: scrapes([url('/')], { scrapeOptions: { location: { country: 'FR' } } }) })
  assert.match(other.warning, /location\.country does not change where/)
})

monitors('malformed and unknown ids, a check of another monitor, and /v1', async () => {
  const unknown = '00000000-0000-4000-8000-000000000000'
  const one = await client.createMonitor(scrapes([url('/boats')]))
  const other = await client.createMonitor(scrapes([url('/boats')]))
  const { id: check } = await client.runMonitor(one.id)
  const answers: [path: string, status: number, error: RegExp][] = [
    ['/v2/monitor/x', 400, /^Invalid monitor ID\.$/],
    [`/v2/monitor/${unknown}`, 404, /^Monitor not found\.$/],
    [`/v2/monitor/${one.id}/checks/x`, 400, /^Invalid check ID\.$/],
    [`/v2/monitor/${one.id}/checks/${unknown}`, 404, /^Check not found\.$/],
    [`/v2/monitor/${other.id}/checks/${check}`, 404, /^Check not found\.$/],
    ['/v1/monitor', 404, /^There is no GET \/v1\/monitor here\.$/],
  ]
  for (const [path, status, error] of answers) {
    const { json, status: given } = await call(path)
    assert.is(given, status, path)
    assert.match(json.error, error)
  }
})

monitors('a monitor is a schedule of the dashboard, but other schedules are no monitors', async () => {
  const ours = async <T>(method: string, path: string, body?: object) => {
    const { json } = await call(path, { method, body })
    return json as T
  }
  const { id } = await client.createMonitor(scrapes([url('/boats'), url('/')]))
  const path = getSchedule.path.replace('{id}', id)
  const shown = await ours<{ name: string; number_of_urls: number }>('GET', path)
  assert.equal([shown.name, shown.number_of_urls], ['Boats', 2])
  const { id: crawl } = await client.startCrawl(url('/blog/two'), { limit: 1 })
  const made = await ours<{ uuid: string }>('POST', createSchedule.path, { crawl, name: 'Own', cron: '0 3 * * *' })
  assert.is((await call(`/v2/monitor/${made.uuid}`)).status, 404)
  const listed = async () => (await client.listMonitors({ limit: 100 })).map((monitor) => monitor.id)
  assert.equal([(await listed()).includes(id), (await listed()).includes(made.uuid)], [true, false])
  await ours('PATCH', changeSchedule.path.replace('{id}', id), { crawl })
  assert.not.ok((await listed()).includes(id), 'a schedule of another crawl is no longer what the client asked for')
})

monitors.run()

/** Refused with 400: a new monitor, or with `id` a change of it. */
async function refuses(body: object, message: RegExp, id?: string): Promise<void> {
  const reply = await call(id === undefined ? '/v2/monitor' : `/v2/monitor/${id}`, { body, method: id === undefined ? 'POST' : 'PATCH' })
  assert.is(reply.status, 400, reply.text)
  assert.match(reply.json.error, message)
}
