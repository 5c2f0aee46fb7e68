import * as assert from 'uvu/assert'
import { sql } from 'kysely'
import { urlIdentity } from '#backend/crawler/url/canonical-url.ts'
import { urlKey } from '#backend/crawler/url/url-key.ts'
import { AppError } from '#backend/errors.ts'
import { CRAWLS, OTHER_KEY, startCrawlApp } from '#tests/support/crawl-app.ts'
import { suite } from '#tests/support/suite.ts'

const single = suite('start a crawl')

single('a start answers 201 with every default filled in', async () => {
  const { call } = await startCrawlApp()
  const { status, json } = await call('POST', CRAWLS, {
    body: { url: 'https://shop.example', options: { spider_options: {}, page_options: {}, plugin_options: {} } },
  })
  assert.is(status, 201)
  assert.match(json.uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  const { uuid: _, ...rest } = json
  assert.equal(rest, {
    url: 'https://shop.example',
    urls: ['https://shop.example'],
    crawl_type: 'single',
    status: 'new',
    options: {
      spider_options: {
        max_depth: 1,
        page_limit: 1,
        concurrent_requests: 16,
        allowed_domains: [],
        exclude_paths: [],
        include_paths: [],
        proxy_server: null,
      },
      page_options: {
        exclude_tags: [],
        include_tags: [],
        wait_time: 100,
        include_html: false,
        only_main_content: true,
        include_links: false,
        timeout: 15_000,
        accept_cookies_selector: null,
        locale: 'en-US',
        extra_headers: {},
        actions: [],
        ignore_rendering: false,
      },
      plugin_options: {},
    },
    created_at: '2026-03-04T09:12:30.100000Z',
    updated_at: '2026-03-04T09:12:30.100000Z',
    duration: null,
    number_of_documents: 0,
    sitemap: null,
    reason: null,
    counts: { known: 1, kept: 0, failed: 0, settled: 0, pending: 1 },
  })
})

single('a crawl can be started without options', async () => {
  const { call } = await startCrawlApp()
  for (const body of [
    { url: 'https://a.example/' },
    { url: ['https://a.example/'], options: {} },
    { url: 'https://a.example/', options: { page_options: {} } },
  ])
    assert.is((await call('POST', CRAWLS, { body })).status, 201)
})

single('the answer to a start says new, however fast an engine takes the crawl', async () => {
  const { create, database, wakes, close } = await startCrawlApp()
  wakes.listener = () => void database.updateTable('run').set({ status: 'running' }).execute()
  const { status } = await create('https://shop.example/')
  assert.is(status, 'new')
  await close()
})

single('a crawl that cannot be read after its start wakes the engine all the same', async () => {
  const { call, database, wakes } = await startCrawlApp()
  await sql`CREATE TRIGGER deleted AFTER INSERT ON job BEGIN UPDATE run SET deleted_at = 1; END`.execute(database)
  const { status } = await call('POST', CRAWLS, { body: { url: 'https://shop.example/', options: {} } })
  assert.equal([status, wakes.count], [404, 1])
})

single('a start writes run, options, seed, job, credits and usage in one commit, and wakes the engine after it', async () => {
  const { create, database, teams, wakes } = await startCrawlApp()
  const { uuid } = await create('https://shop.example/Tea/?utm_source=mail#top', { page_limit: 20 })
  const run = await database.selectFrom('run').selectAll().where('id', '=', uuid).executeTakeFirstOrThrow()
  assert.is(run.teamId, teams.one)
  assert.equal(
    [run.status, run.variant, run.label, run.pageLimit, run.seeds, run.known, run.eventSeq],
    ['new', 'single', 'https://shop.example/Tea/?utm_source=mail#top', 20, 1, 1, 0],
  )
  assert.is(run.urlSalt.length, 16)
  const [url, ...others] = await database.selectFrom('runUrl').selectAll().execute()
  assert.is(others.length, 0)
  // The submitted URL is fetched as it is, with its tracking parameters; the fragment never leaves a browser.
  assert.equal([url?.url, url?.seq, url?.depth, url?.state, url?.isSeed], ['https://shop.example/Tea/?utm_source=mail', 0, 0, 0, 1])
  assert.equal({ hi: url?.keyHi, lo: url?.keyLo }, urlKey(run.urlSalt, urlIdentity('https://shop.example/Tea/?utm_source=mail')))
  const host = await database.selectFrom('host').selectAll().executeTakeFirstOrThrow()
  assert.equal([host.hostKey, host.no], ['https://shop.example:443', url?.hostNo])
  const job = await database.selectFrom('job').selectAll().executeTakeFirstOrThrow()
  assert.equal(
    [job.key, job.kind, job.payload, job.teamId, job.priority],
    [`run:${run.no}:1`, 'crawl', JSON.stringify({ runNo: run.no }), teams.one, 1],
  )
  const credit = await database.selectFrom('creditEntry').selectAll().executeTakeFirstOrThrow()
  assert.equal([credit.requested, credit.used, credit.state], [20, 0, 'held'])
  assert.is(wakes.count, 1)
})

single('a crawl is queued after the crawls of its own team, not after those of other teams; a single page goes first', async () => {
  const { call, database } = await startCrawlApp()
  const options = { spider_options: { page_limit: 2 } }
  await call('POST', CRAWLS, { body: { url: 'https://shop.example/', options } })
  await call('POST', CRAWLS, { body: { url: 'https://shop.example/', options } })
  await call('POST', CRAWLS, { body: { url: 'https://other.example/', options }, key: OTHER_KEY })
  await call('POST', CRAWLS, { body: { url: 'https://shop.example/' } })
  // Within a team the older job comes first; jobs of other teams do not count.
  const jobs = await database.selectFrom('job').select(['priority', 'runAt', 'teamId']).orderBy('no').execute()
  assert.equal(
    jobs.map(({ priority, runAt }) => [priority, runAt]),
    [
      [1, 0],
      [1, 0],
      [1, 0],
      [-1, 0],
    ],
  )
  assert.is(new Set(jobs.map(({ teamId }) => teamId)).size, 2)
})

const REFUSED: [body: unknown, field: string[], message: string][] = [
  [{}, ['url'], 'This field is required.'],
  [{ url: null }, ['url'], 'This field may not be null.'],
  [{ url: '' }, ['url'], 'This field may not be blank.'],
  [{ url: 'shop.example' }, ['url'], 'Enter a valid URL.'],
  [{ url: 'ftp://shop.example/' }, ['url'], 'Enter a valid URL.'],
  [{ url: 'javascript:alert(1)' }, ['url'], 'Enter a valid URL.'],
  [{ url: ['https://a.example/', 'https://b.example/'] }, ['url'], 'Send several URLs as a batch.'],
  [
    { url: 'https://a.example/', options: { page_options: { include_tags: ['main > p', '*^h[1-3]$*', 'a[['] } } },
    ['options', 'page_options', 'include_tags', '2'],
    'Enter a valid CSS selector.',
  ],
  [
    { url: 'https://a.example/', options: { page_options: { exclude_tags: ['> p'] } } },
    ['options', 'page_options', 'exclude_tags', '0'],
    'Enter a valid CSS selector.',
  ],
  [
    { url: 'https://a.example/', options: { page_options: { exclude_tags: ['*(*'] } } },
    ['options', 'page_options', 'exclude_tags', '0'],
    'Enter a valid CSS selector.',
  ],
  [
    { url: 'https://a.example/', options: { spider_options: { page_limit: 0 } } },
    ['options', 'spider_options', 'page_limit'],
    'Ensure this value is greater than or equal to 1.',
  ],
  [
    { url: 'https://a.example/', options: { spider_options: { concurrent_requests: 17 } } },
    ['options', 'spider_options', 'concurrent_requests'],
    'Ensure this value is less than or equal to 16.',
  ],
  [
    { url: 'https://a.example/', options: { spider_options: { proxy_server: 'eu-pool' } } },
    ['options', 'spider_options', 'proxy_server'],
    'Unknown proxy server.',
  ],
  [
    { url: 'https://a.example/', options: { page_options: { actions: [{ type: 'video' }] } } },
    ['options', 'page_options', 'actions', '0', 'type'],
    '"video" is not a valid choice.',
  ],
  [
    { url: 'https://a.example/', options: { page_options: { actions: [{ type: 'screenshot' }, { type: 'click' }] } } },
    ['options', 'page_options', 'actions', '1', 'selector'],
    'This field is required.',
  ],
  [
    { url: 'https://a.example/', options: { page_options: { actions: [{ type: 'wait' }] } } },
    ['options', 'page_options', 'actions', '0', 'ms'],
    'This field is required.',
  ],
]

for (const [body, field, message] of REFUSED)
  single(`a start refuses ${JSON.stringify(body)}`, async () => {
    const { call, database } = await startCrawlApp()
    const { status, json } = await call('POST', CRAWLS, { body })
    assert.is(status, 400)
    assert.equal([json.code, json.message], [400, 'Invalid input data.'])
    assert.equal(
      field.reduce((errors, name) => errors?.[name], json.errors),
      [message],
    )
    assert.is((await database.selectFrom('run').select('no').execute()).length, 0)
  })

single('a URL that the egress guard forbids is refused; other unreachable URLs fail in the crawl', async () => {
  const asked: string[] = []
  const judgeUrl = async (url: string) => {
    asked.push(url)
    return url === 'http://10.0.0.1/' ? ('refused_address' as const) : null
  }
  const { call } = await startCrawlApp({ judgeUrl })
  const refused = await call('POST', CRAWLS, { body: { url: 'http://0xa.0.0.1' } })
  assert.equal([refused.status, refused.json.errors], [400, { url: ['This address is not allowed.'] }])
  assert.is((await call('POST', CRAWLS, { body: { url: 'http://nowhere.example/' } })).status, 201)
  // The check sees the address that would be connected to, not the text that was sent.
  assert.equal(asked, ['http://10.0.0.1/', 'http://nowhere.example/'])
})

single('T10 unknown options are dropped: none reaches flags, scripts or paths', async () => {
  const { create, database } = await startCrawlApp()
  const power = {
    args: ['--no-sandbox'],
    extra_args: ['--no-sandbox'],
    hooks: { before: 'process.exit()' },
    js_code: 'process.exit()',
    evaluate: 'process.exit()',
    output_path: '/etc/passwd',
    user_data_dir: '/root',
    proxy_config: { server: 'http://127.0.0.1' },
    file: 'file:///etc/passwd',
  }
  const { options } = await create('https://a.example/', power, power)
  const stored = JSON.stringify(await database.selectFrom('runOptions').selectAll().executeTakeFirstOrThrow())
  for (const name of Object.keys(power)) {
    assert.not.ok(name in options.spider_options || name in options.page_options, name)
    assert.not.ok(stored.includes(name), `${name} is stored`)
  }
  assert.not.match(stored, /no-sandbox|process\.exit|etc\/passwd/)
})

const BATCH = `${CRAWLS}batch/`

const idempotency = suite('start a crawl with an Idempotency-Key')

idempotency('the same key returns the same crawl for 24 hours, with one job', async () => {
  const { call, clock, database } = await startCrawlApp()
  const post = (key?: string) =>
    call('POST', CRAWLS, { body: { url: 'https://a.example/' }, headers: { 'idempotency-key': 'k-1' }, ...(key ? { key } : {}) })
  const first = await post()
  clock.at += 60_000
  const second = await post()
  assert.equal([second.status, second.json.uuid], [201, first.json.uuid])
  assert.is((await database.selectFrom('job').select('no').execute()).length, 1)
  assert.is.not((await post(OTHER_KEY)).json.uuid, first.json.uuid)
  clock.at += 24 * 3_600_000
  assert.is.not((await post()).json.uuid, first.json.uuid)
})

idempotency('C5: the same key with another body gets 409 and starts no second crawl', async () => {
  const { call, database } = await startCrawlApp()
  const headers = { 'idempotency-key': 'k-1' }
  const body = { url: 'https://a.example/', options: { page_options: { extra_headers: { 'x-a': '1' } } } }
  const first = await call('POST', CRAWLS, { body, headers })
  const others: [path: string, body: unknown][] = [
    [CRAWLS, { ...body, url: 'https://b.example/' }],
    [CRAWLS, { ...body, options: { page_options: { extra_headers: { 'x-a': '2' } } } }],
    [CRAWLS, { ...body, options: { ...body.options, spider_options: { page_limit: 2 } } }],
    [BATCH, { urls: ['https://a.example/'], options: body.options }],
  ]
  for (const [path, other] of others) {
    const { status, json } = await call('POST', path, { body: other, headers })
    assert.equal(
      [status, json],
      [409, { code: 409, errors: null, message: 'This Idempotency-Key was used with another body.' }],
      JSON.stringify(other),
    )
  }
  // The same request in another spelling: fields in another order, defaults written out, white space.
  const again = `{ "options": { "page_options": { "wait_time": 100, "extra_headers": { "x-a": "1" } }, "spider_options": null }, "url": "https://a.example/" }`
  const second = await call('POST', CRAWLS, { body: JSON.parse(again) as unknown, headers })
  assert.equal([second.status, second.json.uuid], [201, first.json.uuid])
  assert.is((await database.selectFrom('run').select('no').execute()).length, 1)
  assert.not.match(JSON.stringify(await database.selectFrom('run').select('idempotencyDigest').executeTakeFirst()), /x-a/)
})

idempotency('twenty concurrent calls with one key start one crawl', async () => {
  const { call, database } = await startCrawlApp()
  const post = () => call('POST', CRAWLS, { body: { url: 'https://a.example/' }, headers: { 'idempotency-key': 'race' } })
  const replies = await Promise.all(Array.from({ length: 20 }, post))
  assert.is(new Set(replies.map(({ json }) => json.uuid)).size, 1)
  assert.is((await database.selectFrom('run').select('no').execute()).length, 1)
})

idempotency('a key over 255 characters is refused', async () => {
  const { call } = await startCrawlApp()
  const { status } = await call('POST', CRAWLS, { body: { url: 'https://a.example/' }, headers: { 'idempotency-key': 'x'.repeat(256) } })
  assert.is(status, 400)
})

const batch = suite('start a batch')

batch('a batch returns every URL as sent and fetches each page once', async () => {
  const { call, database } = await startCrawlApp()
  const urls = ['https://a.example', 'https://b.example/x', 'https://a.example/', 'https://b.example/x/', 'https://b.example/x']
  const { status, json } = await call('POST', BATCH, {
    body: { urls, options: { spider_options: { max_depth: 9, page_limit: 1, concurrent_requests: 3 }, page_options: {} } },
  })
  assert.is(status, 201)
  assert.equal([json.url, json.urls, json.crawl_type], ['https://a.example', urls, 'batch'])
  assert.equal(json.options.spider_options, {
    max_depth: 0,
    page_limit: 5,
    concurrent_requests: 3,
    allowed_domains: ['a.example', 'b.example'],
    exclude_paths: [],
    include_paths: [],
    proxy_server: null,
  })
  const rows = await database.selectFrom('runUrl').select(['seq', 'url']).orderBy('seq').execute()
  assert.equal(rows, [
    { seq: 0, url: 'https://a.example/' },
    { seq: 1, url: 'https://b.example/x' },
  ])
  assert.equal(json.counts, { known: 2, kept: 0, failed: 0, settled: 0, pending: 2 })
})

batch('an error of a batch names the positions of the invalid URLs', async () => {
  const { call } = await startCrawlApp({ judgeUrl: async (url) => (url.includes('10.') ? 'refused_address' : null) })
  const bad = await call('POST', BATCH, { body: { urls: ['https://a.example/', 'nonsense'] } })
  assert.equal([bad.status, bad.json.errors], [400, { urls: { 1: ['Enter a valid URL.'] } }])
  const inside = await call('POST', BATCH, { body: { urls: ['https://a.example/', 'http://10.0.0.1/'] } })
  assert.equal([inside.status, inside.json.errors], [400, { urls: { 1: ['This address is not allowed.'] } }])
  const none = await call('POST', BATCH, { body: { urls: [] } })
  assert.equal([none.status, none.json.errors], [400, { urls: ['This list may not be empty.'] }])
})

batch('a batch may have a thousand URLs', async () => {
  const { call, database } = await startCrawlApp()
  const urls = Array.from({ length: 1000 }, (_, at) => `https://host-${at % 700}.example/${at}`)
  assert.is((await call('POST', BATCH, { body: { urls } })).status, 201)
  const { urls: stored } = await database
    .selectFrom('runUrl')
    .select(({ fn }) => fn.countAll<number>().as('urls'))
    .executeTakeFirstOrThrow()
  assert.is(stored, 1000)
  assert.is((await call('POST', BATCH, { body: { urls: [...urls, 'https://one.more/'] } })).status, 400)
})

single.run()
idempotency.run()
batch('a busy server answers with the usual shape of errors, and with the time to wait', async () => {
  const judgeUrl = () => Promise.reject(new AppError('unavailable'))
  const { call } = await startCrawlApp({ judgeUrl })
  const { headers, json, status } = await call('POST', BATCH, { body: { urls: ['https://a.example'] } })
  assert.equal([status, headers['retry-after'], json.code, json.errors], [503, '1', 503, null])
})

batch.run()
