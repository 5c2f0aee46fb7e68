import { createServer } from 'node:http'
import * as assert from 'uvu/assert'
import { install } from '#contract/accounts.ts'
import { ADMINISTRATOR, startApp } from '#tests/support/app.ts'
import { serve } from '#tests/support/stubs/serve.ts'
import { suite } from '#tests/support/suite.ts'

const reporting = suite('installation report')

/** Takes reports; `answers` are the statuses of the first ones, then 204. */
async function startReceiver(answers: number[] = []) {
  const reports: Record<string, string>[] = []
  const types: (string | undefined)[] = []
  let heard = () => undefined as void
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => void (body += text))
    request.on('end', () => {
      reports.push(JSON.parse(body) as Record<string, string>)
      types.push(request.headers['content-type'])
      response.writeHead(answers.shift() ?? 204).end()
      heard()
    })
  })
  const { url } = await serve(server)
  return {
    reports,
    types,
    url: `${url}/reports`,
    /** Resolves when this many have arrived. */
    count: (wanted: number) =>
      new Promise<void>((resolve) => {
        heard = () => (reports.length >= wanted ? resolve() : undefined)
        heard()
      }),
  }
}

/** Collects the periodic work of an app, so that the test can run it. */
function collectedTimers() {
  const calls = new Map<number, (() => void)[]>()
  return {
    every: (ms: number, call: () => void) => {
      calls.set(ms, [...(calls.get(ms) ?? []), call])
      return () => undefined
    },
    hour: () => calls.get(60 * 60_000)?.forEach((call) => call()),
  }
}

reporting('S-INS-07 after consent the receiver gets, once, the data that the install screen lists, and no personal data', async () => {
  const receiver = await startReceiver()
  const clock = collectedTimers()
  const app = await startApp({ config: { installReportUrl: receiver.url }, every: clock.every })
  clock.hour()
  assert.is((await app.call(install, { body: { ...ADMINISTRATOR, analytics_confirmed: true } })).status, 204)
  await receiver.count(1)
  const [report] = receiver.reports
  assert.equal(Object.keys(report!).sort(), [
    'architecture',
    'cpu_model',
    'installation_id',
    'kernel_version',
    'os_name',
    'os_version',
    'version',
  ])
  assert.match(report!['installation_id']!, /^[0-9a-f-]{36}$/)
  assert.is(report!['os_name'], 'Linux')
  assert.is(receiver.types[0], 'application/json')
  assert.not.match(JSON.stringify(report), /example\.org|Horse/)
  await app.close()
  assert.is(receiver.reports.length, 1, 'and no second time')
})

reporting('S-INS-06 without consent nothing is sent, nor before the installation', async () => {
  const receiver = await startReceiver()
  const clock = collectedTimers()
  const app = await startApp({ config: { installReportUrl: receiver.url }, every: clock.every })
  clock.hour()
  await app.call(install, { body: ADMINISTRATOR })
  clock.hour()
  await app.close()
  assert.is(receiver.reports.length, 0)
})

reporting('the report is sent again with the same id, also by the next process, until the receiver accepts it', async () => {
  const receiver = await startReceiver([503, 500])
  const clock = collectedTimers()
  const app = await startApp({ config: { installReportUrl: receiver.url }, every: clock.every })
  await app.call(install, { body: { ...ADMINISTRATOR, analytics_confirmed: true } })
  await receiver.count(1)
  await app.backend.close()
  const next = await startApp({ config: { installReportUrl: receiver.url, dataDir: app.dataDir }, every: clock.every })
  await receiver.count(2)
  await next.backend.close()
  const last = await startApp({ config: { installReportUrl: receiver.url, dataDir: app.dataDir }, every: clock.every })
  await receiver.count(3)
  await last.backend.close()
  const silent = await startApp({ config: { installReportUrl: receiver.url, dataDir: app.dataDir }, every: clock.every })
  await silent.backend.close()
  assert.is(receiver.reports.length, 3)
  assert.is(new Set(receiver.reports.map(({ installation_id: id }) => id)).size, 1)
})

reporting.run()
