// What a collector of OpenTelemetry gets, through the running product.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { scrapePage } from '#contract/scrape.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'

type Value = { stringValue?: string; intValue?: number }
type OtlpSpan = {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: Value }[]
  status: { code: number }
}
type OtlpBody = {
  resourceSpans: { resource: { attributes: { key: string; value: Value }[] }; scopeSpans: { spans: OtlpSpan[] }[] }[]
}

/** By OTLP over HTTP in JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
async function startCollector() {
  const spans: (OtlpSpan & { of: Record<string, string | undefined> })[] = []
  const keys = new Set<string | string[] | undefined>()
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      keys.add(request.headers['x-collector-key'])
      if (request.url === '/v1/traces')
        for (const { resource, scopeSpans } of (JSON.parse(text) as OtlpBody).resourceSpans) {
          const of = Object.fromEntries(resource.attributes.map(({ key, value }) => [key, value.stringValue]))
          for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, of })))
        }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    spans,
    keys,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const valueOf = (span: OtlpSpan, name: string): string | number | undefined => {
  const value = span.attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

const traces = suite('traces')
const collector = await startCollector()
const held = Promise.withResolvers<void>()
const site = await startSite({
  '/': pageOf('Nets'),
  '/held': { until: held.promise, body: pageOf('held') },
  '/gone': { status: 404, body: pageOf('gone') },
})
const environment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=secret-of-the-collector',
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=tests',
  OTEL_BSP_SCHEDULE_DELAY: '50',
}
const product = await startProduct(environment)
traces.after(async () => {
  await product.close()
  await Promise.all([site.close(), collector.close()])
})

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const call = (base: string, path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
async function tokenAt(base: string) {
  const { access } = (await (await call(base, login.path, OWNER)).json()) as { access: string }
  return { authorization: `Bearer ${access}` }
}

traces('a call belongs to the trace of its caller, and its span has the name of its route only', async () => {
  const authorization = await tokenAt(product.url)
  const traceparent = `00-${TRACE}-${CALLER}-01`
  const answer = await call(product.url, scrapePage.path, { url: site.url('/'), secret: 1 }, { ...authorization, traceparent })
  const requestId = answer.headers.get('x-request-id')
  await until(() => collector.spans.some(({ traceId }) => traceId === TRACE))
  const [span, ...more] = collector.spans.filter(({ traceId }) => traceId === TRACE)
  assert.is(more.length, 0)
  assert.is(span!.parentSpanId, CALLER)
  assert.is(span!.name, `POST ${scrapePage.path}`)
  assert.is(valueOf(span!, 'http.response.status_code'), answer.status)
  assert.is(valueOf(span!, 'seine.request.id'), requestId ?? 'none')
  const { 'service.name': name, 'seine.process': process, 'deployment.environment': deployment } = span!.of
  assert.equal([name, process, deployment], ['seine', 'api', 'tests'])
  assert.equal([...collector.keys], ['secret-of-the-collector'])
})

traces('a call whose caller gives up has a span, too: it is the slow one', async () => {
  const authorization = await tokenAt(product.url)
  const traceId = `2${TRACE.slice(1)}`
  const patience = new AbortController()
  const answer = fetch(product.url + scrapePage.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-${CALLER}-01`, ...authorization },
    body: JSON.stringify({ url: site.url('/held') }),
    signal: patience.signal,
  })
  await site.asked('/held')
  patience.abort()
  await answer.catch(() => undefined)
  await until(() => collector.spans.some((span) => span.traceId === traceId))
  const span = collector.spans.find((one) => one.traceId === traceId)!
  assert.equal([valueOf(span, 'error.type'), valueOf(span, 'http.response.status_code')], ['disconnected', undefined])
  held.resolve()
})

traces('the span of a URL contains the span of its request, with the status; commits have spans', async () => {
  const authorization = await tokenAt(product.url)
  const gone = site.url('/gone')
  await call(product.url, scrapePage.path, { url: gone }, authorization)
  const of = (name: string, url?: string) =>
    collector.spans.find((span) => span.name === name && (url === undefined || valueOf(span, 'url.full') === url))
  await until(() => of('GET', gone) !== undefined && of('url', gone) !== undefined && of('commit') !== undefined)
  const [fetched, worked] = [of('GET', gone)!, of('url', gone)!]
  assert.is(fetched.parentSpanId, worked.spanId)
  assert.is(fetched.traceId, worked.traceId)
  assert.is(valueOf(fetched, 'http.response.status_code'), 404)
  assert.is(worked.parentSpanId ?? '', '')
  assert.match(String(valueOf(worked, 'seine.run.id')), /^[0-9a-f-]{36}$/)
  assert.is(worked.of['seine.process'], 'engine')
})

traces('health checks and files have no spans, and no span contains a secret', async () => {
  await fetch(`${product.url}/health/live`)
  await fetch(`${product.url}/api/v1/core/crawl-requests/?token=a-signed-token`)
  await until(() => collector.spans.some((span) => valueOf(span, 'http.response.status_code') === 401))
  assert.not.ok(collector.spans.some(({ name }) => name.includes('health')))
  const text = JSON.stringify(collector.spans)
  for (const secret of ['a-signed-token', OWNER.password, 'secret-of-the-collector']) assert.not.ok(text.includes(secret), secret)
})

traces('a gateway passes its span on, and the backend’s span is inside it', async () => {
  const gateway = await startProduct({ ...environment, BACKEND_URL: product.url }, { installed: false })
  try {
    const traceparent = `00-${TRACE.replace('0', '1')}-${CALLER}-01`
    await fetch(`${gateway.url}/api/v1/core/crawl-requests/`, { headers: { traceparent } })
    const spans = () => collector.spans.filter(({ traceId }) => traceId === TRACE.replace('0', '1'))
    await until(() => spans().length === 2)
    const [outer, inner] = ['gateway', 'api'].map((name) => spans().find((span) => span.of['seine.process'] === name)!)
    assert.is(outer!.parentSpanId, CALLER)
    assert.is(inner!.parentSpanId, outer!.spanId)
  } finally {
    await gateway.close()
  }
})

traces('if the collector cannot be reached, only spans are lost', async () => {
  const alone = await startProduct({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' })
  const { length } = collector.spans
  const answer = await call(alone.url, scrapePage.path, { url: site.url('/') }, await tokenAt(alone.url))
  assert.is(answer.status, 200)
  await alone.close()
  assert.is(collector.spans.length, length)
})

traces.run()
