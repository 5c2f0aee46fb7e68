// What Prometheus reads, through the running product.
import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { scrapePage } from '#contract/scrape.ts'
import { backendMetrics } from '#backend/backend-metrics.ts'
import { openPostgres, postgresDatabase } from '#backend/platform/database/postgres/postgres.ts'
import { createApp } from '#gateway/app.ts'
import { createLog } from '#gateway/log.ts'
import { readConfig } from '#config/read-config.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const TOKEN = 'a-token-of-the-tests-alone'

const metrics = suite('metrics')
const site = await startSite({ '/': pageOf('Nets'), '/gone': { status: 404, body: pageOf('gone') } })
const product = await startProduct({ METRICS_TOKEN: TOKEN })

const ask = (authorization?: string) => fetch(`${product.url}/metrics`, authorization === undefined ? {} : { headers: { authorization } })
const read = async () => (await ask(`Bearer ${TOKEN}`)).text()
/** The value of a line with these labels; null where there is none. */
const valueOf = (text: string, name: string, ...labels: string[]) => {
  const line = text
    .split('\n')
    .find((each) => each.startsWith(name) && /[ {]/.test(each[name.length] ?? '') && labels.every((label) => each.includes(label)))
  return line === undefined ? null : Number(line.split(' ').at(-1))
}

metrics('metrics are returned only to callers with the token', async () => {
  for (const wrong of [undefined, '', 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, TOKEN]) {
    const answer = await ask(wrong)
    assert.is(answer.status, 401, wrong)
    assert.is(answer.headers.get('www-authenticate'), 'Bearer')
    const { message } = (await answer.json()) as { message: string }
    assert.is(message, 'Authentication credentials were not provided.')
  }
  const answer = await ask(`Bearer ${TOKEN}`)
  assert.equal([answer.status, answer.headers.get('cache-control')], [200, 'no-store'])
  assert.match(answer.headers.get('content-type') ?? '', 'text/plain; version=0.0.4')
})

metrics('metrics count fetches and answers, and name no path, URL or team', async () => {
  assert.is(valueOf(await read(), 'seine_engine_up'), 0, 'no engine before the first job')
  const { access } = (await (await call(login.path, OWNER)).json()) as { access: string }
  for (const path of ['/', '/gone']) await call(scrapePage.path, { url: site.url(path) }, access)
  let text = ''
  await until(async () => {
    text = await read()
    return valueOf(text, 'seine_pages_kept_total') === 1 && valueOf(text, 'seine_urls_settled_total', 'outcome="status"') === 1
  })
  assert.is(valueOf(text, 'seine_urls_settled_total', 'outcome="kept"'), 1)
  assert.ok((valueOf(text, 'seine_fetched_bytes_total') ?? 0) > 50)
  assert.ok((valueOf(text, 'seine_commit_duration_seconds_count') ?? 0) >= 2)
  assert.ok((valueOf(text, 'seine_http_request_duration_seconds_count', 'method="POST"', 'status="200"') ?? 0) >= 1)
  assert.is(valueOf(text, 'seine_engine_up'), 1)
  for (const process of ['api', 'engine'])
    assert.ok((valueOf(text, 'nodejs_eventloop_lag_p99_seconds', `process="${process}"`) ?? 0) > 0, process)
  assert.is(text.match(/^# TYPE nodejs_eventloop_lag_p99_seconds /gm)?.length, 1, 'one description of each')
  assert.not.match(text, site.url('/'))
  assert.not.match(text, OWNER.email)
})

metrics('metrics include all that the Grafana dashboard uses', async () => {
  const text = await read()
  const dashboard = readFileSync(new URL('../../docs/grafana-dashboard.json', import.meta.url), 'utf8')
  const named = new Set(dashboard.match(/\b(?:seine|nodejs|process)_[a-z0-9_]+/g))
  assert.ok(named.size > 15)
  for (const name of named) assert.match(text, new RegExp(`^# TYPE ${name.replace(/_(?:bucket|count)$/, '')} `, 'm'), name)
})

metrics('the Grafana dashboard does not add up what each process reports for the whole installation', () => {
  const dashboard = readFileSync(new URL('../../docs/grafana-dashboard.json', import.meta.url), 'utf8')
  const ofInstallation = [...dashboard.matchAll(/"expr": "(\w+) ?[^"]*\b(seine_runs_\w+|seine_jobs_waiting)\b/g)]
  assert.equal(
    ofInstallation.map(([, aggregation, name]) => [name, aggregation]),
    ['seine_runs_unfinished', 'seine_runs_oldest_new_seconds', 'seine_jobs_waiting'].map((name) => [name, 'max']),
  )
})

metrics('while the database does not answer, only the metrics that are read from it are missing', async () => {
  const database = postgresDatabase(openPostgres('postgres://u:p@127.0.0.1:1/x', { answerMs: 1000, connections: 1, name: 'test' }))
  const engine = { measure: async () => [], wake: () => undefined, cancel: () => undefined, close: async () => undefined }
  const readAll = backendMetrics({ database, engine, now: Date.now, progress: { readerCount: () => 3 } })
  const values = (await readAll()).map(({ name, values: [first] }) => [name, first?.value])
  assert.equal(values, [
    ['seine_streams_open', 3],
    ['seine_engine_up', 1],
  ])
  await database.destroy()
})

metrics('without a configured token there are no metrics', async () => {
  const app = await createApp({
    config: readConfig({ BACKEND_URL: 'http://127.0.0.1:9' }),
    log: createLog({ level: 'silent' }),
    publicDir: import.meta.dirname,
  })
  assert.is((await app.inject({ url: '/metrics', headers: { authorization: 'Bearer undefined' } })).statusCode, 404)
  await app.close()
})

metrics('a token that is too short is refused at start', () => {
  assert.throws(() => readConfig({ METRICS_TOKEN: 'short' }), /METRICS_TOKEN/)
})

metrics.run()

const call = (path: string, body: object, access?: string) =>
  fetch(`${product.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(access && { authorization: `Bearer ${access}` }) },
    body: JSON.stringify(body),
  })
