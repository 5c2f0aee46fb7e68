/** One page in one request, through the running product. */
import * as assert from 'uvu/assert'
import { login } from '#contract/accounts.ts'
import { listCrawls } from '#contract/crawls.ts'
import { scrapePage } from '#contract/scrape.ts'
import { createApiKey, currentTeam } from '#contract/teams.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { asianFont, pdf } from '#tests/support/pdf-files.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import { until } from '#tests/support/until.ts'
import { suite } from '#tests/support/suite.ts'

const scrape = suite('scrape one page')

type Answer = { status: number; headers: Headers; text: string; json: Record<string, unknown> }
type Product = Awaited<ReturnType<typeof startProduct>>

const site = await startSite({
  '/': pageOf('Nets', ['/more']),
  '/gone': { status: 404, body: pageOf('gone') },
  '/tagged': (request) =>
    request.headers['if-none-match'] === '"one"' ? { status: 304 } : { headers: { etag: '"one"' }, body: pageOf('Tagged') },
  '/shell': (request) =>
    request.headers['if-none-match'] === '"one"'
      ? { status: 304 }
      : { headers: { etag: '"one"' }, body: '<title>App</title><div id="root"></div><script src="/app.js"></script>' },
  '/moved': { status: 302, headers: { location: '/' } },
  '/picture': { headers: { 'content-type': 'image/png' }, body: Buffer.from('89504e470d0a1a0a', 'hex') },
  '/japanese.pdf': { headers: { 'content-type': 'application/pdf' }, body: pdf('<93fa967b8cea> Tj', asianFont('90ms-RKSJ-H', 'Japan1')) },
  '/hangs': { body: pageOf('never'), until: new Promise(() => undefined) },
  '/private/': pageOf('private'),
  '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /private/\n' },
})
const product: Product = await startProduct({ CHROMIUM_PATH: 'none' })
const { access } = (await ask('POST', login.path, { body: OWNER })).json as { access: string }
var bearer: Record<string, string> = { authorization: `Bearer ${access}` }

scrape.after(async () => {
  await product.close()
})

scrape('a scrape answers the page, stored like any other, and follows no link', async () => {
  const answer = await ask('POST', scrapePage.path, { body: { url: site.url('/'), options: { page_options: { include_links: true } } } })
  assert.equal([answer.status, answer.headers.get('content-type')], [200, 'application/json'])
  const { result, title, url, crawl_request, attachments } = answer.json as Record<string, never> & { result: Record<string, unknown> }
  assert.equal([title, url, attachments], ['Nets', site.url('/'), []])
  assert.match(result['markdown'] as string, /^# Nets\n\nWords about Nets/)
  assert.equal(result['links'], [site.url('/more')])
  assert.is((result['metadata'] as Record<string, string>)['status_code'], '200')
  const crawl = await ask('GET', `${listCrawls.path}${crawl_request}/`)
  assert.is(crawl.status, 200)
  assert.is(crawl.json['crawl_type'], 'batch')
  assert.is(site.times('/more'), 0)
})

scrape('the built product has the character maps of Chinese, Japanese and Korean PDFs', async () => {
  const answer = await ask('POST', scrapePage.path, { body: { url: site.url('/japanese.pdf') } })
  assert.is((answer.json['result'] as Record<string, unknown>)['markdown'], '日本語\n')
})

scrape('a scrape accepts an API key, and refuses an unknown caller', async () => {
  const team = (await ask('GET', currentTeam.path)).json as { uuid: string }
  const made = await ask('POST', createApiKey.path, { body: { name: 'scrape' }, headers: { 'x-team-id': team.uuid } })
  const { key } = made.json as { key: string }
  assert.is(
    (await ask('POST', scrapePage.path, { body: { url: site.url('/') }, headers: { authorization: '', 'x-api-key': key } })).status,
    200,
  )
  assert.is((await ask('POST', scrapePage.path, { body: { url: site.url('/') }, headers: { authorization: '' } })).status, 401)
})

scrape('a scrape says why a page cannot be read', async () => {
  const cases: [path: string, reason: RegExp][] = [
    ['/gone', /^status: .*404/],
    ['/picture', /^unsupported_type: image\/png/],
    ['/private/', /^robots: /],
  ]
  for (const [path, reason] of cases) {
    const { status, json } = await ask('POST', scrapePage.path, { body: { url: site.url(path) } })
    assert.equal([status, json['code'], json['message']], [422, 422, 'The page could not be read.'])
    assert.match((json['errors'] as { url: string[] }).url[0]!, reason)
  }
})

scrape('a scrape follows a redirect and answers the target page', async () => {
  const { status, json } = await ask('POST', scrapePage.path, { body: { url: site.url('/moved') } })
  assert.equal([status, json['url']], [200, site.url('/')])
})

scrape('a scrape that takes too long answers 504 and stops its crawl', async () => {
  const { status, json } = await ask('POST', scrapePage.path, { body: { url: site.url('/hangs'), timeout: 1000 } })
  assert.equal([status, json['message']], [504, 'The page was not read within 1 s.'])
  await until(async () => (await newestCrawl())['status'] === 'canceled')
})

scrape('a scrape stops its crawl when the caller disconnects', async () => {
  const leaving = new AbortController()
  const before = site.times('/hangs')
  const call = fetch(product.url + scrapePage.path, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ url: site.url('/hangs') }),
    signal: leaving.signal,
  }).catch(() => null)
  await until(async () => site.times('/hangs') > before)
  leaving.abort()
  await call
  await until(async () => (await newestCrawl())['status'] === 'canceled')
})

scrape('a scrape streams the crawl with its document to callers that accept events', async () => {
  const { status, headers, text } = await ask('POST', scrapePage.path, {
    body: { url: site.url('/') },
    headers: { accept: 'text/event-stream' },
  })
  assert.equal([status, headers.get('content-type')], [200, 'text/event-stream'])
  const events = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as { type: string; data: Record<string, never> }] : []))
  const result = events.find(({ type }) => type === 'result')!
  assert.match((result.data as unknown as { result: { markdown: string } }).result.markdown, /^# Nets/)
  const last = events.findLast(({ type }) => type === 'state')
  assert.is((last as unknown as { data: { status: string } }).data.status, 'finished')
})

scrape('a scrape answers the team’s stored copy if it is new enough, and else sends a conditional request', async () => {
  const first = (await ask('POST', scrapePage.path, { body: { url: site.url('/tagged') } })).json
  const hit = (await ask('POST', scrapePage.path, { body: { url: site.url('/tagged'), max_age: 3600 } })).json
  assert.match((first['result'] as { validators: { rules: string } }).validators.rules, /^[0-9a-f]{16}$/, 'the build names its rules')
  assert.equal([first['cache'], hit['cache'], hit['uuid'], site.times('/tagged')], ['miss', 'hit', first['uuid'], 1])
  const confirmed = (await ask('POST', scrapePage.path, { body: { url: site.url('/tagged') } })).json
  assert.equal([confirmed['cache'], confirmed['result']], ['confirmed', first['result']])
  assert.equal(
    site.all.filter(({ path }) => path === '/tagged').map(({ headers }) => headers['if-none-match']),
    [undefined, '"one"'],
  )
  const other = { url: site.url('/tagged'), max_age: 3600, options: { page_options: { include_links: true } } }
  assert.is((await ask('POST', scrapePage.path, { body: other })).json['cache'], 'miss')
  const own = { url: site.url('/tagged'), max_age: 3600, options: { page_options: { extra_headers: { 'x-own': 'mine' } } } }
  assert.is((await ask('POST', scrapePage.path, { body: own })).json['cache'], 'miss')
})

scrape('a page whose text its scripts have yet to make, read without a browser, is fetched anew each time', async () => {
  const shell = { url: site.url('/shell') }
  const caches = [await ask('POST', scrapePage.path, { body: shell }), await ask('POST', scrapePage.path, { body: shell })]
  assert.equal(
    caches.map(({ json }) => json['cache']),
    ['miss', 'miss'],
  )
  assert.equal(
    site.all.filter(({ path }) => path === '/shell').map(({ headers }) => headers['if-none-match']),
    [undefined, undefined],
  )
})

scrape('a scrape with invalid input is refused at its fields, and starts nothing', async () => {
  const count = async () => (await ask('GET', listCrawls.path)).json['count']
  const before = await count()
  const cases: [body: object, field: string][] = [
    [{}, 'url'],
    [{ url: 'nope' }, 'url'],
    [{ url: 'http://10.0.0.1/' }, 'url'],
    [{ url: site.url('/'), timeout: 999 }, 'timeout'],
    [{ url: site.url('/'), timeout: 120_001 }, 'timeout'],
    [{ url: site.url('/'), options: { page_options: { include_html: 'maybe' } } }, 'options'],
  ]
  for (const [body, field] of cases) {
    const { status, json } = await ask('POST', scrapePage.path, { body })
    assert.equal([status, Object.keys(json['errors'] as object)], [400, [field]], JSON.stringify(body))
  }
  assert.is(await count(), before)
})

scrape.run()

async function newestCrawl(): Promise<Record<string, unknown>> {
  const { results } = (await ask('GET', listCrawls.path)).json as { results: Record<string, unknown>[] }
  return results[0] ?? {}
}

async function ask(
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const reply = await fetch(product.url + path, {
    method,
    headers: { ...(path === login.path ? {} : bearer), ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  const isJson = reply.headers.get('content-type') === 'application/json'
  return { status: reply.status, headers: reply.headers, text, json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} }
}
