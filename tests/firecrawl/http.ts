/** The Firecrawl API as callers without a client see it: errors, refusals, keys, paging, caches. */
import { Validator } from '@seriousme/openapi-schema-validator'
import * as assert from 'uvu/assert'
import { getFirecrawlSchema } from '#contract/reference.ts'
import { setRetention } from '#contract/teams.ts'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'

const http = suite('the Firecrawl API over HTTP')
const f = await startFirecrawl({ RATE_LIMIT_API: '1000' })
const url = (path: string) => f.site.url(path)
const { call } = f

http('errors have the shape that clients read', async () => {
  const cases: [path: string, body: unknown, status: number, words: RegExp, code?: string][] = [
    ['/v2/scrape', {}, 400, /^Bad Request: url: /, 'BAD_REQUEST'],
    ['/v2/scrape', { url: 'nope' }, 400, /Invalid URL/, 'BAD_REQUEST'],
    ['/v2/scrape', { url: 'https://example.org #part' }, 400, /Invalid URL/, 'BAD_REQUEST'],
    ['/v2/batch/scrape', { urls: ['example.org\u0000#part'] }, 400, /No valid URL/, 'BAD_REQUEST'],
    ['/v2/scrape', { url: url('/'), unheardOf: 1 }, 400, /unheardOf/, 'BAD_REQUEST'],
    ['/v2/scrape', { url: url('/'), formats: ['colour'] }, 400, /formats\.0: This must be one of markdown, /, 'BAD_REQUEST'],
    ['/v2/scrape', '{"url":', 400, /JSON/, 'BAD_REQUEST_INVALID_JSON'],
    [
      '/v2/scrape',
      { url: url('/'), formats: [{ type: 'screenshot', quality: 'high' }] },
      400,
      /formats\.0: quality: This must be of type number/,
      'BAD_REQUEST',
    ],
    [
      '/v2/scrape',
      { url: url('/'), formats: [{ type: 'colour' }] },
      400,
      /formats\.0: type: This must be one of markdown, /,
      'BAD_REQUEST',
    ],
    ['/v2/scrape', { url: url('/'), formats: [null] }, 400, /formats\.0: This must be one of markdown, /, 'BAD_REQUEST'],
    ['/v2/scrape', { url: url('/'), parsers: [['pdf']] }, 400, /parsers\.0: This must be one of pdf, image\./, 'BAD_REQUEST'],
    ['/v2/scrape', { url: url('/'), formats: 'markdown' }, 400, /formats: This must be of type array\./, 'BAD_REQUEST'],
    ['/v2/scrape', { url: url('/'), timeout: 1000, waitFor: 900 }, 400, /half of timeout/, 'BAD_REQUEST'],
    ['/v2/scrape', { url: url('/'), timeout: 1 }, 400, /timeout: This must be at least \d+\./, 'BAD_REQUEST'],
    ['/v2/scrape', { url: url('/'), timeout: 'soon' }, 400, /timeout: This must be of type \w+\./, 'BAD_REQUEST'],
    ['/v2/scrape', { url: url('/'), includeTags: ['main', 'a[['] }, 400, /includeTags: this is not a CSS selector: a\[\[/, 'BAD_REQUEST'],
    ['/v2/scrape', { url: url('/'), excludeTags: ['> p'] }, 400, /excludeTags: this is not a CSS selector: > p/, 'BAD_REQUEST'],
    ['/v2/scrape', { url: url('/'), includeTags: ['main', ' '] }, 400, /includeTags\.1: This field may not be blank\./, 'BAD_REQUEST'],
    ['/v1/scrape', { url: url('/'), excludeTags: ['a\u0000b'] }, 400, /excludeTags\.0: Null characters/, 'BAD_REQUEST'],
    [
      '/v1/crawl',
      { url: url('/'), scrapeOptions: { includeTags: [''] } },
      400,
      /includeTags\.0: This field may not be blank/,
      'BAD_REQUEST',
    ],
    ['/v2/scrape', { url: url('/'), actions: [{ type: 'click', selector: ' ' }] }, 400, /actions\.0\.selector: .* blank/, 'BAD_REQUEST'],
    ['/v2/scrape', { url: url('/'), actions: [{ type: 'wait', selector: '\u0000' }] }, 400, /actions\.0\.selector: Null/, 'BAD_REQUEST'],
    [
      '/v2/scrape',
      { url: url('/'), actions: [{ type: 'click', selector: 'a'.repeat(1025) }] },
      400,
      /actions\.0\.selector: .* 1024 characters/,
      'BAD_REQUEST',
    ],
    ['/v2/scrape', { url: url('/'), actions: [{ type: 'press', key: 'a'.repeat(51) }] }, 400, /actions\.0\.key: .* 50 /, 'BAD_REQUEST'],
    [
      '/v2/scrape',
      {
        url: url('/'),
        actions: [
          { type: 'click', selector: 'input' },
          { type: 'write', text: 'a\u0000' },
        ],
      },
      400,
      /actions\.1\.text: Null/,
      'BAD_REQUEST',
    ],
    ['/v2/scrape', { url: url('/secret/a') }, 403, /robots/, 'CRAWL_DENIAL'],
    ['/v2/scrape', { url: url('/hangs'), timeout: 1000 }, 408, /within 1 s/, 'SCRAPE_TIMEOUT'],
    ['/v2/scrape', { url: url('/'), minAge: 1000, location: { languages: ['fr'] } }, 404, /no stored page/, 'SCRAPE_NO_CACHED_DATA'],
    [
      '/v2/scrape',
      { url: url('/'), formats: [{ type: 'screenshot', quality: 0 }] },
      400,
      /formats\.0\.quality: This must be at least 1\./,
      'BAD_REQUEST',
    ],
    [
      '/v2/scrape',
      { url: url('/'), formats: [{ type: 'screenshot', viewport: { width: 5000, height: 1 } }] },
      400,
      /formats/,
      'BAD_REQUEST',
    ],
    ['/v2/crawl', { url: url('/'), prompt: 'its blog' }, 400, /language model/, 'BAD_REQUEST'],
    ['/v2/crawl', { url: url('/'), zeroDataRetention: true }, 400, /zeroDataRetention/, 'BAD_REQUEST'],
    ['/v2/crawl', { url: url('/'), includePaths: ['(?!draft)'] }, 400, /look-around/, 'BAD_REQUEST'],
    ['/v2/crawl/params-preview', { url: url('/'), prompt: 'its blog' }, 400, /language model/, 'BAD_REQUEST'],
    ['/v2/batch/scrape', { urls: [] }, 400, /urls/, 'BAD_REQUEST'],
    ['/v2/batch/scrape', { urls: ['nope'] }, 400, /No valid URL/, 'BAD_REQUEST'],
    ['/v2/batch/scrape', { urls: [url('/')], appendToId: 'x' }, 400, /Invalid job ID/, 'BAD_REQUEST'],
    ['/v2/batch/scrape', { urls: [url('/')], appendToId: '01890000-0000-7000-8000-000000000000' }, 404, /Job not found/],
    ['/v2/extract', {}, 400, /urls or prompt/, 'BAD_REQUEST'],
    ['/v2/extract', { urls: [url('/')] }, 400, /language model/, 'BAD_REQUEST'],
    ['/v2/search', { query: 'x', sources: ['web', 'maps'] }, 400, /sources: maps is not one of web, news, images/, 'BAD_REQUEST'],
    ['/v2/search', { query: 'x', includeDomains: ['a.example'], excludeDomains: ['b.example'] }, 400, /Only one of/, 'BAD_REQUEST'],
  ]
  for (const [path, body, status, words, code] of cases) {
    const { headers, json, status: got } = await call(path, { body })
    const told = `${path} ${JSON.stringify(body)}: ${JSON.stringify(json)}`
    assert.equal([got, json.success, json.code], [status, false, code], told)
    assert.match(json.error, words, told)
    assert.is(headers.get('content-type'), 'application/json')
  }
})

http('an unsupported path gets JSON that names it', async () => {
  for (const [path, words] of [
    ['/v2/agent', /The agent is not available/],
    ['/v2/browser/x', /^Browser sessions are not available on this server\.$/],
    ['/v1/deep-research', /Deep research/],
    ['/v1/llmstxt', /llms.txt/],
    ['/v2/team/activity', /^The activity log is not available on this server\.$/],
    ['/v2/search/research', /^The search for papers is not/],
    ['/v2/search/developer', /^The search for developers is not/],
    ['/v2/parse/upload-url', /^Uploading to a URL of its own is not/],
    ['/v1/nothing', /no POST \/v1\/nothing/],
    ['/v2/constructor', /no POST \/v2\/constructor/],
    ['/v2', /no POST/],
  ] as const) {
    const { json, status } = await call(path, { body: {} })
    assert.equal([status, json.success], [404, false])
    assert.match(json.error, words)
  }
  const page = await fetch(`${f.product.url}/v2/somewhere`, { headers: { accept: 'text/html' } })
  assert.equal([page.status, page.headers.get('content-type')], [404, 'application/json'])
})

http('only a key of the team has access, and ids of other teams are unknown', async () => {
  for (const headers of [{ authorization: '' }, { authorization: 'Bearer ' }, { authorization: 'Bearer sn-unknown' }]) {
    const { headers: got, json, status } = await call('/v2/crawl/active', { headers })
    assert.equal([status, json], [401, { success: false, error: 'Unauthorized: Invalid token' }])
    assert.is(got.get('www-authenticate'), 'Bearer realm="API key"')
  }
  for (const path of ['/v2/crawl/', '/v1/crawl/', '/v2/batch/scrape/', '/v2/scrape/', '/v2/extract/']) {
    assert.is((await call(`${path}${crypto.randomUUID()}`)).status, 404)
    if (path !== '/v2/extract/') assert.is((await call(`${path}nope`)).status, 400)
  }
})

http('both spellings of a path, `origin` and `integration` are accepted; a success answers 200', async () => {
  const { json, status } = await call('/v2/map/', { body: { url: url('/'), limit: 2, origin: 'x', integration: 'y' } })
  assert.equal([status, json.success, json.links.length], [200, true, 2])
})

http('a language that is no locale, or longer than one, asks for the default', async () => {
  for (const language of ['abcdefgh-'.repeat(12) + 'a', 'a\u0000', '']) {
    const { json, status } = await call('/v2/scrape', { body: { url: url('/parts'), location: { languages: [language] } } })
    assert.equal([status, json.success], [200, true], language)
  }
})

http('the same idempotency key returns the first job, and gets 409 with another body', async () => {
  const headers = { 'x-idempotency-key': crypto.randomUUID() }
  const body = { url: url('/boats'), limit: 1, sitemap: 'skip' }
  const first = await call('/v2/crawl', { body, headers })
  const second = await call('/v2/crawl', { body, headers })
  assert.equal([second.status, second.json.id], [200, first.json.id])
  const other = await call('/v2/crawl', { body: { ...body, limit: 2 }, headers })
  assert.equal([other.status, other.json.success], [409, false])
})

http('`next` is present while a job runs, keeps the limit, and is absent when the job has ended', async () => {
  const { json: job } = await call('/v1/crawl', { body: { url: url('/hangs'), limit: 3, ignoreSitemap: true } })
  const running = await call(`/v1/crawl/${job.id}?limit=2`)
  assert.equal([running.json.status, running.json.next], ['scraping', `${f.product.url}/v1/crawl/${job.id}?skip=0&limit=2`])
  // Clients follow it at once: after the last page it is absent.
  const behind = await call(new URL(running.json.next).pathname + new URL(running.json.next).search)
  assert.equal([behind.json.data, 'next' in behind.json], [[], false])
  await call(`/v1/crawl/${job.id}`, { method: 'DELETE' })
  const ended = await call(`/v1/crawl/${job.id}`)
  assert.equal([ended.json.success, ended.json.status, 'next' in ended.json], [true, 'cancelled', false])
  const done = await call('/v2/crawl', { body: { url: url('/'), limit: 3, sitemap: 'skip' } })
  await until(async () => (await call(`/v2/crawl/${done.json.id}`)).json.status === 'completed')
  const first = (await call(`/v2/crawl/${done.json.id}?limit=2`)).json
  const second = (await call(first.next.slice(f.product.url.length))).json
  assert.equal([first.data.length, second.data.length, 'next' in second], [2, 1, false])
})

http('unsupported options are named in a warning beside the document', async () => {
  const { json } = await call('/v2/scrape', {
    body: {
      url: url('/parts'),
      formats: ['markdown', { type: 'screenshot', fullPage: true }, 'branding', { type: 'changeTracking', modes: ['json'] }],
      waitFor: 100,
      mobile: true,
      actions: [{ type: 'click', selector: 'a' }],
      // Sent by the Python client with every request. A page with an invalid certificate is an error.
      skipTlsVerification: true,
    },
  })
  assert.match(json.data.markdown, /# Parts/)
  for (const words of [/screenshot/, /branding/, /changeTracking/, /waitFor/, /mobile/, /none of the actions/])
    assert.match(json.warning, words)
  assert.not.match(json.warning, /skipTls/)
  assert.is(json.data.screenshot, undefined)
})

http('changeTracking reports how a page has changed since the team last fetched it', async () => {
  const format = { type: 'changeTracking', modes: ['git-diff'] }
  const track = async (more: object = {}, tag?: string) =>
    (await call('/v2/scrape', { body: { url: url('/changing'), formats: ['markdown', { ...format, ...(tag && { tag }) }], ...more } })).json
      .data
  const first = await track()
  assert.equal(first.changeTracking, { previousScrapeAt: null, changeStatus: 'new', visibility: 'visible' })
  const second = (await track()).changeTracking
  assert.equal([second.changeStatus, 'diff' in second, second.previousScrapeAt > ''], ['same', false, true])
  f.change('Nets are repaired on Sundays too.')
  const { changeTracking: third, markdown } = await track()
  assert.is(third.changeStatus, 'changed')
  assert.match(third.diff.text, /^@@ [^\n]+ @@\n[^]*^\+Nets are repaired on Sundays too\.$/m)
  assert.not.match(third.diff.text, /^-Nets are repaired on Sundays too/m)
  const [chunk] = third.diff.json.files[0].chunks
  assert.ok(chunk.changes.some((change: { type: string; add?: boolean }) => change.type === 'add' && change.add === true))
  assert.match(markdown, /Sundays/)
  // A tag is a history of its own, and other options read another page.
  assert.is((await track({}, 'weekly')).changeTracking.changeStatus, 'new')
  assert.is((await track({}, 'weekly')).changeTracking.changeStatus, 'same')
  assert.is((await track({ onlyMainContent: false })).changeTracking.changeStatus, 'new')
  // A page with headers of its own may be another one for each caller.
  assert.is((await track({ headers: { 'x-own': 'a' } })).changeTracking, undefined)
  // The word alone asks for no difference; v1 has options beside the formats.
  f.change('Nets are repaired on Mondays.')
  const plain = (await call('/v2/scrape', { body: { url: url('/changing'), formats: ['markdown', 'changeTracking'] } })).json.data
  assert.equal([plain.changeTracking.changeStatus, 'diff' in plain.changeTracking], ['changed', false])
  f.change('Nets are repaired on Tuesdays.')
  const older = { formats: ['markdown', 'changeTracking'], changeTrackingOptions: { modes: ['git-diff'] } }
  const v1 = (await call('/v1/scrape', { body: { url: url('/changing'), ...older } })).json.data
  assert.match(v1.changeTracking.diff.text, /^-Nets are repaired on Mondays\.$/m)
  f.change(null)
  assert.is((await track()).changeTracking.changeStatus, 'removed')
  f.change('Nets are repaired on Tuesdays.')
  assert.is((await track()).changeTracking.changeStatus, 'same')
})

http('changeTracking works for pages that the site confirms as unchanged, and in crawls and batches', async () => {
  const formats = ['markdown', { type: 'changeTracking', modes: ['git-diff'] }]
  const scrape = async () => (await call('/v2/scrape', { body: { url: url('/tagged-changes'), formats } })).json.data
  assert.is((await scrape()).changeTracking.changeStatus, 'new')
  const confirmed = await scrape()
  assert.equal([confirmed.metadata.cacheState, confirmed.changeTracking.changeStatus], ['hit', 'same'])
  const run = async (path: string, body: object) => {
    const { id } = (await call(path, { body })).json
    await until(async () => (await call(`${path}/${id}`)).json.status === 'completed')
    const { data } = (await call(`${path}/${id}`)).json
    return data.map((page: { changeTracking: { changeStatus: string } }) => page.changeTracking.changeStatus).sort()
  }
  const batch = { urls: [url('/many/1'), url('/many/2')], formats }
  assert.equal(await run('/v2/batch/scrape', batch), ['new', 'new'])
  assert.equal(await run('/v2/batch/scrape', batch), ['same', 'same'])
  const crawl = { url: url('/many/1'), limit: 1, sitemap: 'skip', scrapeOptions: { formats } }
  assert.equal(await run('/v2/crawl', crawl), ['same'])
})

http('a page is served from the team’s stored pages if its copy is new enough', async () => {
  const asked = () => f.site.times('/blog/two')
  const options = { url: url('/blog/two'), formats: ['markdown', 'links'] }
  const first = (await call('/v2/scrape', { body: options })).json
  assert.equal([first.data.metadata.cacheState, asked()], ['miss', 1])
  const second = (await call('/v2/scrape', { body: { ...options, maxAge: 3_600_000 } })).json
  assert.equal([second.data.metadata.cacheState, second.data.markdown, asked()], ['hit', first.data.markdown, 1])
  assert.is(typeof second.data.metadata.cachedAt, 'string')
  assert.is((await call('/v1/scrape', { body: { ...options, maxAge: 3_600_000 } })).json.data.metadata.cacheState, 'hit')
  // Other options make another document; a caller's own headers another page.
  assert.is(
    (await call('/v2/scrape', { body: { ...options, formats: ['markdown'], maxAge: 3_600_000 } })).json.data.metadata.cacheState,
    'miss',
  )
  const own = { ...options, maxAge: 3_600_000, headers: { 'x-own': 'mine' } }
  assert.is((await call('/v2/scrape', { body: own })).json.data.metadata.cacheState, 'miss')
  assert.is((await call('/v2/scrape', { body: { ...options, minAge: 0 } })).json.data.metadata.cacheState, 'hit')
})

http('pages of crawls are served from stored pages too, and a page that must not be stored is not', async () => {
  const scrapeOptions = { formats: ['markdown', 'html'] }
  const { json: job } = await call('/v2/crawl', { body: { url: url('/'), limit: 2, sitemap: 'skip', scrapeOptions } })
  await until(async () => (await call(`/v2/crawl/${job.id}`)).json.status === 'completed')
  const { data } = (await call('/v2/scrape', { body: { url: url('/'), ...scrapeOptions, maxAge: 3_600_000 } })).json
  assert.is(data.metadata.cacheState, 'hit')
  const formats = ['markdown', 'images']
  await call('/v2/scrape', { body: { url: url('/boats'), formats, storeInCache: false } })
  assert.is((await call('/v2/scrape', { body: { url: url('/boats'), formats, maxAge: 3_600_000 } })).json.data.metadata.cacheState, 'miss')
  const secret = (await call('/v2/scrape', { body: { url: url('/boats'), formats: ['html'], zeroDataRetention: true } })).json
  assert.is((await call(`/v2/scrape/${secret.data.metadata.scrapeId}`)).status, 404)
})

http('jobs keep their pages from later scrapes if asked to, and refuse to read only stored pages', async () => {
  const formats = ['markdown', 'links', 'images']
  const { json: job } = await call('/v2/batch/scrape', { body: { urls: [url('/boats')], formats, storeInCache: false } })
  assert.equal(job.invalidURLs, [], 'as Firecrawl answers when all URLs are valid')
  await until(async () => (await call(`/v2/batch/scrape/${job.id}`)).json.status === 'completed')
  assert.is((await call('/v2/scrape', { body: { url: url('/boats'), formats, maxAge: 3_600_000 } })).json.data.metadata.cacheState, 'miss')
  for (const [name, value] of [
    ['lockdown', true],
    ['minAge', 0],
  ] as const)
    for (const [path, body] of [
      ['/v2/batch/scrape', { urls: [url('/boats')], [name]: value }],
      ['/v2/crawl', { url: url('/boats'), scrapeOptions: { [name]: value } }],
      ['/v2/search', { query: 'boats', scrapeOptions: { formats: ['markdown'], [name]: value } }],
    ] as const) {
      const { json, status } = await call(path, { body })
      assert.equal([path, status, json.error?.startsWith(`${name} is available for single scrapes only`)], [path, 400, true])
    }
  assert.is((await call('/v2/batch/scrape', { body: { urls: [url('/boats')], lockdown: false } })).status, 200)
})

http('a site gets a conditional request if the team has an older copy', async () => {
  const body = { url: url('/tagged'), formats: ['markdown'] }
  const first = (await call('/v2/scrape', { body })).json
  const second = (await call('/v2/scrape', { body })).json
  assert.equal(
    [first.data.metadata.cacheState, second.data.metadata.cacheState, second.data.markdown],
    ['miss', 'hit', first.data.markdown],
  )
  const asked = f.site.all.filter(({ path }) => path === '/tagged').map(({ headers }) => headers['if-none-match'])
  assert.equal(asked, [undefined, '"one"'])
})

http('a stored scrape is read by its id', async () => {
  const { data } = (await call('/v2/scrape', { body: { url: url('/boats') } })).json
  const { json } = await call(`/v2/scrape/${data.metadata.scrapeId}`)
  assert.is(json.data.markdown, data.markdown)
})

http('a URL without a scheme is read as https, then http', async () => {
  const { json } = await call('/v2/scrape', { body: { url: url('/boats').replace('http://', '') } })
  assert.match(json.data.markdown, /# Boats/)
})

http('polling is not rate limited, and starts of jobs are', async () => {
  const limited = await startFirecrawl({ RATE_LIMIT_API: '2' })
  try {
    const body = { urls: [limited.site.url('/')] }
    const { json } = await limited.call('/v2/batch/scrape', { body })
    await limited.call('/v2/batch/scrape', { body })
    const third = await limited.call('/v2/batch/scrape', { body })
    assert.equal([third.status, third.json.success], [429, false])
    assert.ok(Number(third.headers.get('retry-after')) > 0)
    for (let polls = 0; polls < 5; polls += 1) assert.is((await limited.call(`/v2/batch/scrape/${json.id}`)).status, 200)
  } finally {
    await limited.close()
  }
})

http('the delay of a crawl is kept between its requests', async () => {
  f.site.forget()
  const { json: job } = await call('/v2/crawl', { body: { url: url('/'), limit: 3, sitemap: 'skip', delay: 0.3 } })
  await until(async () => (await call(`/v2/crawl/${job.id}`)).json.status === 'completed')
  const at = f.site.hits.map((hit) => hit.at)
  assert.is(at.length >= 3, true)
  for (const [index, one] of at.entries()) if (index > 0) assert.ok(one - at[index - 1]! >= 250, `${at.join()}`)
})

http('the API has an OpenAPI document of its own, which is valid', async () => {
  const { json, status } = await call(getFirecrawlSchema.path)
  assert.is(status, 200)
  const { errors, valid } = await new Validator().validate(json)
  assert.ok(valid, JSON.stringify(errors))
  assert.ok('/v2/scrape' in json.paths && '/v1/batch/scrape/{job}' in json.paths)
  const { post } = json.paths['/v2/crawl']
  assert.is(typeof post.requestBody['x-limits'].bytes, 'number')
  assert.ok(['400', '401', '403', '413', '429'].every((code) => code in post.responses))
})

http('the document describes every field of a status, and each source of a search', async () => {
  const { json: document } = await call(getFirecrawlSchema.path)
  const answerTo = (method: string, path: string) => document.paths[path][method].responses['200'].content['application/json'].schema
  const { json: job } = await call('/v2/crawl', { body: { url: 'http://127.0.0.1:1/', limit: 1 } })
  await until(async () => (await call(`/v2/crawl/${job.id}`)).json.status === 'failed')
  const fields = answerTo('get', '/v2/crawl/{job}').properties
  for (const name of Object.keys((await call(`/v2/crawl/${job.id}`)).json)) assert.ok(name in fields, name)
  assert.equal(Object.keys(answerTo('post', '/v2/search').properties.data.properties), ['web', 'news', 'images'])
})

http('a job expires when the retention of its team ends, which may be shorter than that of the installation', async () => {
  const { json: job } = await call('/v2/crawl', { body: { url: url('/boats'), limit: 1 } })
  await until(async () => (await call(`/v2/crawl/${job.id}`)).json.status === 'completed')
  const setDays = (days: number | null) =>
    call(setRetention.path, { method: 'PATCH', body: { days }, headers: { authorization: `Bearer ${f.access}` } })
  const expiry = async () => (await call(`/v2/crawl/${job.id}`)).json
  assert.is((await expiry()).expiresAt, '9999-12-31T23:59:59.000Z')
  await setDays(3)
  const { completedAt, expiresAt } = await expiry()
  assert.is(Date.parse(expiresAt) - Date.parse(completedAt), 3 * 24 * 60 * 60 * 1000)
  await setDays(null)
})

http('a crawl leaves its host, matches whole URLs and fetches one page at a time only on request', async () => {
  const outcome = async (options: object) => {
    const { json } = await call('/v2/crawl', { body: { url: url('/'), limit: 20, sitemap: 'skip', ...options } })
    await until(async () => (await call(`/v2/crawl/${json.id}`)).json.status === 'completed')
    const [{ data }, { errors }] = [(await call(`/v2/crawl/${json.id}`)).json, (await call(`/v2/crawl/${json.id}/errors`)).json]
    return {
      pages: data.map(({ metadata }: { metadata: { url: string } }) => metadata.url).sort(),
      errors: errors.map((each: { url: string }) => each.url).sort(),
    }
  }
  const inside = await outcome({})
  assert.equal(inside.errors, [url('/gone')])
  const outside = await outcome({ allowExternalLinks: true })
  assert.equal([outside.pages, outside.errors], [inside.pages, ['http://other.invalid/', url('/gone')].sort()])
  const { host } = new URL(url('/'))
  const whole = { includePaths: [`^http://${host.replaceAll('.', '\\.')}/boats$`] }
  assert.equal((await outcome({ ...whole, regexOnFullURL: true })).pages, [url('/'), url('/boats')])
  assert.equal((await outcome(whole)).pages, [url('/')])
  f.site.forget()
  await outcome({ maxConcurrency: 1 })
  assert.is(f.site.mostAtOnce(), 1)
})

http('a map is filtered by paths, and lists URLs without their query', async () => {
  const paths = async (options: object) => {
    const { json } = await call('/v2/map', { body: { url: url('/'), sitemap: 'skip', ...options } })
    assert.is(json.success, true, JSON.stringify(json))
    return json.links.map((link: { url: string }) => link.url.slice(url('').length)).sort()
  }
  const all = await paths({})
  assert.ok(all.includes('/boats') && all.includes('/blog/two'), all.join())
  const blog = await paths({ includePaths: ['^/blog/'], excludePaths: ['draft'] })
  assert.ok(blog.length > 0 && blog.every((path: string) => path.startsWith('/blog/') && !path.includes('draft')), blog.join())
  const { json } = await call('/v2/map', { body: { url: url('/'), sitemap: 'skip', ignoreQueryParameters: false } })
  assert.match(json.warning, /without their query/)
  assert.not(all.some((path: string) => path.includes('?')))
})

http('historical usage covers the team, and names no key even if usage by key is requested', async () => {
  for (const kind of ['credit-usage', 'token-usage']) {
    const [whole, byKey] = await Promise.all(['', '?byApiKey=true'].map((query) => call(`/v2/team/${kind}/historical${query}`)))
    assert.equal([whole!.status, byKey!.status], [200, 200])
    assert.equal(byKey!.json, whole!.json)
    assert.not.match(JSON.stringify(byKey!.json), 'apiKey')
  }
})

http('a search returns the requested sources and no others', async () => {
  await call('/v2/scrape', { body: { url: url('/boats') } })
  const search = async (body: object) => (await call('/v2/search', { body: { query: 'boats', ...body } })).json
  await until(async () => ((await search({})).data.web ?? []).length > 0)
  assert.equal(Object.keys((await search({ sources: ['web', 'news'] })).data), ['web'])
  const news = await search({ sources: ['news', { type: 'images' }] })
  assert.equal([news.success, news.data, news.creditsUsed, typeof news.id], [true, {}, 0, 'string'])
  assert.match(news.warning, /No search provider of this server has answered for news and images/)
  const many = await search({ limit: 100, tbs: 'qdr:y', categories: ['pdf'] })
  assert.is(many.warning, 'categories have no effect, because this server does not search the web.')
})

http.run()
