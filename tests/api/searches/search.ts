import * as assert from 'uvu/assert'
import { createBatchCrawl } from '#contract/crawls.ts'
import { searchOwnPages } from '#contract/own-pages.ts'
import { createSearch, followSearch, getSearch, listSearches, stopSearch } from '#contract/searches.ts'
import type { SearchItem, SearchRequest } from '#contract/searches.ts'
import { fillPath } from '#contract/endpoint.ts'
import { getSettings } from '#contract/settings.ts'
import { usageHistory } from '#contract/usage.ts'
import { startApp } from '#tests/support/app.ts'
import type { App, Caller } from '#tests/support/app.ts'
import { openStream } from '#tests/support/read-stream.ts'
import { someHits, startSearchStubs } from '#tests/support/stubs/search-stubs.ts'
import type { SearchStubs } from '#tests/support/stubs/search-stubs.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { SitePage } from '#tests/support/sites/site.ts'
import { suite } from '#tests/support/suite.ts'

const search = suite('search')

type Stage = { app: App; owner: Caller; stubs: SearchStubs; url: string }

/** The whole API with the real engine; SearXNG is a stub, and Brave and Google too where `providers` says so. */
async function withSearch(
  test: (stage: Stage) => Promise<void>,
  { allow = ['127.0.0.1'], brave = false, google = false, providers, engine = true }: Wanted = {},
): Promise<void> {
  const stubs = await startSearchStubs({ hits: someHits(30) })
  const app = await startApp({
    engine,
    config: {
      egressAllow: allow,
      searxngUrl: stubs.url,
      ...(brave && { braveApiKey: stubs.braveKey, braveApiBase: stubs.url }),
      ...(google && { googleSearchKey: stubs.googleKey, googleSearchCx: stubs.googleCx, googleSearchApiBase: stubs.url }),
      ...(providers && { searchProviders: providers }),
    },
  })
  const owner = await app.signIn()
  await test({ app, owner, stubs, url: await app.listen() })
}

type Wanted = {
  allow?: string[]
  brave?: boolean
  google?: boolean
  providers?: ('searxng' | 'brave' | 'google' | 'own')[]
  engine?: boolean
}

async function start({ app, owner }: Stage, body: unknown) {
  const { status, body: started, text } = await app.call(createSearch, { as: owner, body })
  assert.is(status, 201, text)
  return started
}

/** Starts a search and follows it to its end. Returns the result and all events. */
async function run(stage: Stage, body: unknown, { prefetched = true } = {}) {
  const { uuid } = await start(stage, body)
  return { uuid, ...(await follow(stage, uuid, { prefetched })) }
}

async function follow({ owner, url }: Stage, uuid: string, { prefetched = true } = {}) {
  const stream = await openStream(`${url}${fillPath(followSearch.path, { id: uuid })}?prefetched=${prefetched}`, {
    'x-api-key': owner.apiKey,
  })
  assert.is(stream.reply.headers.get('content-type'), 'text/event-stream')
  const events = await stream.rest()
  const end = events.at(-1)!
  assert.is(end.type, 'state')
  const feed = events.filter(({ type }) => type === 'feed').map(({ data }) => `${data.type}: ${data.message}`)
  return { events, feed, end: end.data as SearchRequest, items: (Array.isArray(end.data.result) ? end.data.result : []) as SearchItem[] }
}

/** Crawls the URLs, and waits until the index has them. */
async function crawl({ app }: Stage, as: Caller, urls: string[]) {
  const { status } = await app.call(createBatchCrawl, { as, body: { urls, options: { page_options: { ignore_rendering: true } } } })
  assert.is(status, 201)
  for (const end = Date.now() + 20_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const { body } = await app.call(searchOwnPages, { as, query: { q: 'words' } })
    if (body.count === urls.length) return
    if (Date.now() > end) throw new Error(`not in the index in time: ${JSON.stringify(body)}`)
  }
}

async function creditsOf({ app, owner }: Stage, uuid: string) {
  const { body } = await app.call(usageHistory, { as: owner })
  const entry = body.results.find(({ object_id }) => object_id === uuid)
  return [entry?.requested_page_credit, entry?.used_page_credit]
}

search('a new search has every default filled in, and is read back the same', () =>
  withSearch(
    async (stage) => {
      const { app, owner } = stage
      const started = await start(stage, { query: 'green tea' })
      assert.match(started.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      const { uuid, created_at, updated_at, ...rest } = started
      assert.is(created_at, updated_at)
      assert.equal(rest, {
        query: 'green tea',
        search_options: { language: null, country: null, time_range: 'any', time_renge: 'any', search_type: 'web', depth: 'basic' },
        result_limit: 5,
        status: 'new',
        reason: null,
        duration: null,
        number_of_documents: 0,
        result: null,
      })
      assert.equal((await app.call(getSearch, { as: owner, params: { id: uuid } })).body, started)
      assert.equal((await app.call(listSearches, { key: owner.apiKey })).body, { count: 1, next: null, previous: null, results: [started] })
    },
    { engine: false },
  ),
)

search('a search accepts options as clients send them, and both spellings of the time range are returned', () =>
  withSearch(
    async (stage) => {
      const options = { language: '', country: null, time_range: '', search_type: 'web', depth: 'basic' }
      assert.is((await start(stage, { query: 'a', search_options: {} })).search_options.time_range, 'any')
      assert.equal((await start(stage, { query: 'a', search_options: options, result_limit: '7' })).search_options, {
        ...options,
        language: null,
        time_range: 'any',
        time_renge: 'any',
      })
      for (const [sent, range] of [
        [{ time_range: 'hour' }, 'hour'],
        [{ time_renge: 'week' }, 'week'],
        [{ time_range: 'day', time_renge: 'year' }, 'day'],
      ] as const) {
        const { search_options } = await start(stage, { query: 'a', search_options: sent })
        assert.equal([search_options.time_range, search_options.time_renge], [range, range])
      }
    },
    { engine: false },
  ),
)

const REFUSED: [body: unknown, errors: unknown][] = [
  [{}, { query: ['This field is required.'] }],
  [{ query: '' }, { query: ['This field may not be blank.'] }],
  [{ query: '   ' }, { query: ['This field may not be blank.'] }],
  [{ query: null }, { query: ['This field may not be null.'] }],
  [{ query: 7 }, { query: ['Not a valid string.'] }],
  [{ query: 'x'.repeat(256) }, { query: ['Ensure this field has no more than 255 characters.'] }],
  [{ query: 'a', result_limit: 21 }, { result_limit: ['Ensure this value is less than or equal to 20.'] }],
  [{ query: 'a', result_limit: 0 }, { result_limit: ['Ensure this value is greater than or equal to 1.'] }],
  [{ query: 'a', result_limit: 'x' }, { result_limit: ['A valid integer is required.'] }],
  [{ query: 'a', search_options: [] }, { search_options: { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] } }],
  [{ query: 'a', search_options: { time_range: 'decade' } }, { search_options: { time_range: ['"decade" is not a valid choice.'] } }],
  [{ query: 'a', search_options: { depth: 'deep' } }, { search_options: { depth: ['"deep" is not a valid choice.'] } }],
  [{ query: 'a', search_options: { search_type: 'images' } }, { search_options: { search_type: ['"images" is not a valid choice.'] } }],
  [
    { query: 'a', search_options: { language: 'abcdefghi' } },
    { search_options: { language: ['Ensure this field has no more than 8 characters.'] } },
  ],
]
search('invalid searches are refused with the contract’s messages, and start nothing', () =>
  withSearch(
    async ({ app, owner }) => {
      for (const [body, errors] of REFUSED) {
        const { status, body: reply } = await app.call(createSearch, { as: owner, body })
        assert.is(status, 400, JSON.stringify(body))
        assert.equal((reply as unknown as { errors: unknown }).errors, errors)
      }
      assert.is((await app.call(listSearches, { as: owner })).body.count, 0)
    },
    { engine: false },
  ),
)

search('the last state of the stream has the hits; link, list and search have the same hits', () =>
  withSearch(async (stage) => {
    const { app, owner, stubs, url } = stage
    const { uuid, end, items, events, feed } = await run(stage, { query: 'green tea', result_limit: 3 })
    const hits = stubs.hits.slice(0, 3).map((hit, order) => ({ ...hit, order, depth: 'basic' }))
    assert.equal(items, hits)
    assert.is(events[0]?.type, 'state')
    assert.equal([events.at(-1)?.status, end.status, end.reason, end.number_of_documents], ['finished', 'finished', 'result_limit', 3])
    assert.match(end.duration ?? '', /^\d{2}:\d{2}:\d{2}\.\d{6}$/)
    assert.match(feed[0] ?? '', /^info: Asking SearXNG for "green tea"/)
    assert.match(feed.at(-1) ?? '', /^success: Finished with 3 results/)

    for (const endpoint of [getSearch, listSearches]) {
      const embedded = await app.call(endpoint, { as: owner, params: { id: uuid }, query: { prefetched: 'True' } })
      const one = 'results' in embedded.body ? embedded.body.results[0] : embedded.body
      assert.equal(one?.result, hits)
    }
    const { body } = await app.call(getSearch, { as: owner, params: { id: uuid } })
    assert.type(body.result, 'string')
    const signed = (body.result as string).replace(/^https?:\/\/[^/]+/, url)
    const link = await fetch(signed)
    assert.equal([link.status, link.headers.get('content-type')], [200, 'application/json'])
    assert.is(link.headers.get('access-control-allow-origin'), '*')
    assert.equal(await link.json(), hits)
    const forged = await fetch(signed.replace(/signature=./, 'signature='))
    assert.is(forged.status, 403)

    // The stream of an ended search: replay, the final state, the end.
    const again = await follow(stage, uuid, { prefetched: false })
    assert.type(again.end.result, 'string')
    assert.equal(again.feed, feed)
  }),
)

search('a search requests further pages until it has enough different hits, in the order of the provider', () =>
  withSearch(async (stage) => {
    const { stubs } = stage
    const [first, second] = someHits(2)
    const same = ['https://hits.example/page/0/', 'https://hits.example/page/0#part', 'https://HITS.example:443/page/0?utm_source=x']
    stubs.pageSize = 4
    stubs.hits = [
      first!,
      ...same.map((url) => ({ ...first!, url })),
      second!,
      { ...first!, url: 'javascript:alert(1)' },
      ...someHits(9, 'more.example'),
    ]
    const { items, feed } = await run(stage, { query: 'a', result_limit: 6 })
    assert.equal(
      items.map(({ url, order }) => [url, order]),
      [first!.url, second!.url, ...someHits(4, 'more.example').map(({ url }) => url)].map((url, order) => [url, order]),
    )
    assert.equal(
      stubs.asked.map(({ parameters }) => parameters['pageno']),
      ['1', '2', '3'],
    )
    assert.ok(feed.some((line) => line.includes('Asking SearXNG for page 2')))
  }),
)

search('a search ends when the provider has no more hits; a search without any hit is finished too', () =>
  withSearch(async (stage) => {
    stage.stubs.hits = someHits(3)
    const few = await run(stage, { query: 'a', result_limit: 20 })
    assert.equal([few.items.length, few.end.status, few.end.reason], [3, 'finished', 'drained'])
    assert.equal(await creditsOf(stage, few.uuid), [4, 1])
    stage.stubs.hits = []
    const none = await run(stage, { query: 'a' })
    assert.equal([none.end.status, none.end.result, none.end.number_of_documents], ['finished', [], 0])
    assert.equal(await creditsOf(stage, none.uuid), [1, 0])
  }),
)

search('texts of a provider become one line each, and are cut where they are too long', () =>
  withSearch(async (stage) => {
    const [hit] = someHits(1)
    stage.stubs.hits = [
      { ...hit!, title: 'long '.repeat(100), description: 'two\n lines\u0000\u200b and\ttabs' },
      { ...hit!, url: 'https://hits.example/untitled', title: '  ' },
      { ...hit!, url: 'https://hits.example/emoji', title: '😀'.repeat(300) },
    ]
    const { items } = await run(stage, { query: 'a' })
    assert.is(items[0]?.title.length, 255)
    assert.is(items[0]?.description, 'two lines and tabs')
    assert.is(items[1]?.title, 'https://hits.example/untitled')
    assert.ok(items[2]!.title.length <= 255 && items[2]!.title.isWellFormed())
  }),
)

search('language, country and time range reach the provider', () =>
  withSearch(async (stage) => {
    await run(stage, { query: 'tee', search_options: { language: 'de', country: 'at', time_renge: 'week' } })
    const { language, time_range } = stage.stubs.asked[0]!.parameters
    assert.equal([language, time_range], ['de-AT', 'week'])
  }),
)

search('after a provider fails the next provider is asked, with a log line; a third one is not asked', () =>
  withSearch(
    async (stage) => {
      const { stubs } = stage
      stubs.onRequest = async ({ path }) => void (stubs.trouble = path === '/search' ? { status: 502, body: 'Bad Gateway' } : null)
      const { end, items, feed } = await run(stage, { query: 'a' })
      assert.equal([end.status, items.length], ['finished', 5])
      assert.equal(
        stubs.asked.map(({ path }) => path),
        ['/search', '/res/v1/web/search'],
      )
      assert.match(feed[1] ?? '', /^warning: SearXNG has failed: .*502.*; asking Brave Search instead/)
    },
    { brave: true, google: true },
  ),
)

search('providers are asked in the order that the operator sets', () =>
  withSearch(
    async (stage) => {
      const { items } = await run(stage, { query: 'a' })
      assert.is(items.length, 5)
      assert.equal(
        stage.stubs.asked.map(({ path }) => path),
        ['/customsearch/v1'],
      )
    },
    { google: true, providers: ['google', 'searxng'] },
  ),
)

search('a search fails with an error line when no provider is left; it costs nothing and has no result', () =>
  withSearch(
    async (stage) => {
      stage.stubs.trouble = { does: 'close' }
      const { uuid, end, feed } = await run(stage, { query: 'a' })
      assert.equal([end.status, end.reason, end.result], ['failed', 'no_provider', null])
      assert.ok(feed.some((line) => line.startsWith('error: SearXNG has failed')))
      assert.match(feed.at(-1) ?? '', /^error: No search provider has answered/)
      assert.not.match(feed.join('\n'), /127\.0\.0\.1/)
      assert.equal(await creditsOf(stage, uuid), [1, 0])
    },
    { providers: ['searxng'] },
  ),
)

search('a provider that fails after its first page keeps the hits of that page', () =>
  withSearch(async (stage) => {
    const { stubs } = stage
    stubs.onRequest = async ({ parameters }) => void (stubs.trouble = parameters['pageno'] === '2' ? { status: 500 } : null)
    const { end, items, feed } = await run(stage, { query: 'a', result_limit: 15 })
    assert.equal([end.status, items.length], ['finished', 10])
    assert.ok(feed.some((line) => line.startsWith('warning: SearXNG has no further page')))
  }),
)

search('T7 T21 a redirect of a provider is not followed', () =>
  withSearch(
    async (stage) => {
      const other = await startSite({ '/': 'the inside' })
      stage.stubs.trouble = { status: 302, headers: { location: other.url('/') } }
      const { end } = await run(stage, { query: 'a' })
      assert.is(end.status, 'failed')
      assert.equal(other.all, [])
    },
    { providers: ['searxng'] },
  ),
)

const page = (title: string, description?: string) =>
  `<!doctype html><title>${title}</title>${description === undefined ? '' : `<meta name="description" content="${description}">`}<p>Text.</p>`

search(
  'advanced: title and description come from the page itself; a hit whose page cannot be read stays basic; the price is that of the depth',
  () =>
    withSearch(async (stage) => {
      const pages: Record<string, SitePage> = {
        '/full': page('Its own &amp; title', 'Its own description'),
        '/bare': page(''),
        '/gone': { status: 404, body: page('Not here', 'Nothing') },
        '/moved': { status: 302, headers: { location: '/full' } },
        '/picture': { headers: { 'content-type': 'image/png' }, body: 'png' },
        '/broken': { cut: true },
      }
      const site = await startSite(pages)
      const paths = Object.keys(pages)
      stage.stubs.hits = [...paths.map((path) => site.url(path)), 'http://10.1.2.3/inside'].map((url, at) => ({ ...someHits(9)[at]!, url }))
      const { uuid, items, end, feed } = await run(stage, { query: 'a', result_limit: 7, search_options: { depth: 'advanced' } })
      assert.is(end.status, 'finished')
      const said = (at: number) => [`Hit number ${at}`, `What the provider says of ${at}`]
      assert.equal(
        items.map(({ title, description, depth }) => [title, description, depth]),
        [
          ['Its own & title', 'Its own description', 'advanced'],
          [...said(1), 'advanced'],
          [...said(2), 'basic'],
          ['Its own & title', 'Its own description', 'advanced'],
          [...said(4), 'basic'],
          [...said(5), 'basic'],
          [...said(6), 'basic'],
        ],
      )
      assert.equal(
        items.map(({ url, order }) => [url, order]),
        stage.stubs.hits.map(({ url }, order) => [url, order]),
      )
      assert.is(feed.filter((line) => line.startsWith('info: Read ')).length, 3)
      assert.is(feed.filter((line) => line.startsWith('warning: Could not read ')).length, 4)
      assert.equal(await creditsOf(stage, uuid), [4, 4])
      // Searches ask no robots rules.
      assert.is(site.all.filter((hit) => hit.path === '/robots.txt').length, 0)
    }),
)

search('ultimate without a browser warns that pages are fetched plainly, and costs as much as advanced', () =>
  withSearch(async (stage) => {
    const site = await startSite({ '/': page('Own title') })
    stage.stubs.hits = [{ ...someHits(1)[0]!, url: site.url('/') }]
    const { uuid, items, feed } = await run(stage, { query: 'a', result_limit: 10, search_options: { depth: 'ultimate' } })
    assert.equal([items[0]?.title, items[0]?.depth], ['Own title', 'advanced'])
    assert.ok(feed.some((line) => line.startsWith('warning: Pages are read without a browser')))
    assert.equal(await creditsOf(stage, uuid), [10, 2])
  }),
)

search('an advanced search requests pages of one host no faster than a crawl would', () =>
  withSearch(async (stage) => {
    const pages = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`/${at}`, { body: page(`Page ${at}`), afterMs: 20 }]))
    const site = await startSite(pages)
    stage.stubs.hits = Object.keys(pages).map((path, at) => ({ ...someHits(12)[at]!, url: site.url(path) }))
    const { items } = await run(stage, { query: 'a', result_limit: 12, search_options: { depth: 'advanced' } })
    assert.is(items.filter(({ depth }) => depth === 'advanced').length, 12)
    assert.ok(site.mostAtOnce() <= 4, `${site.mostAtOnce()} at once`)
  }),
)

search('a stop ends a search at once, also while a provider does not answer; a second stop changes nothing', () =>
  withSearch(async (stage) => {
    const { app, owner, stubs } = stage
    const asked = Promise.withResolvers<void>()
    stubs.onRequest = async () => asked.resolve()
    stubs.trouble = { does: 'nothing' }
    const { uuid } = await start(stage, { query: 'a' })
    await asked.promise
    const stop = { as: owner, params: { id: uuid }, headers: { 'content-type': 'application/json' } }
    assert.is((await app.call(stopSearch, stop)).status, 204)
    const { end } = await follow(stage, uuid)
    assert.equal([end.status, end.result, end.number_of_documents], ['canceled', null, 0])
    assert.is((await app.call(stopSearch, stop)).status, 204)
    assert.is((await app.call(getSearch, { as: owner, params: { id: uuid } })).body.status, 'canceled')
    assert.equal(await creditsOf(stage, uuid), [1, 0])
    assert.is(stubs.asked.length, 1)
  }),
)

search('a search that is stopped while it reads pages keeps the hits of the provider', () =>
  withSearch(async (stage) => {
    const asked = Promise.withResolvers<void>()
    const never = new Promise<never>(() => undefined)
    const site = await startSite({
      '/': () => {
        asked.resolve()
        return { until: never }
      },
    })
    stage.stubs.hits = [{ ...someHits(1)[0]!, url: site.url('/') }]
    const { uuid } = await start(stage, { query: 'a', search_options: { depth: 'advanced' } })
    await asked.promise
    assert.is((await stage.app.call(stopSearch, { as: stage.owner, params: { id: uuid } })).status, 204)
    const { end, items } = await follow(stage, uuid)
    assert.equal([end.status, items.length, items[0]?.depth], ['canceled', 1, 'basic'])
    assert.equal(await creditsOf(stage, uuid), [2, 1])
  }),
)

search('a search that has not started is stopped at once', () =>
  withSearch(
    async (stage) => {
      const { uuid } = await start(stage, { query: 'a' })
      assert.is((await stage.app.call(stopSearch, { key: stage.owner.apiKey, params: { id: uuid } })).status, 204)
      const { end } = await follow(stage, uuid)
      assert.equal([end.status, end.result], ['canceled', null])
    },
    { engine: false },
  ),
)

search('without a web provider the team’s own pages are searched, and never another team’s', () =>
  withSearch(
    async (stage) => {
      const { app, owner, stubs } = stage
      const site = await startSite({ '/': pageOf('Oolong from the hills'), '/other': pageOf('Kettles') })
      await crawl(stage, owner, [site.url('/'), site.url('/other')])
      const { items, feed, end } = await run(stage, { query: 'oolong', result_limit: 20 })
      assert.equal(
        items.map(({ url, title, depth }) => [url, title, depth]),
        [[site.url('/'), 'Oolong from the hills', 'basic']],
      )
      assert.ok(items[0]!.description.length > 0)
      assert.equal([end.status, end.reason], ['finished', 'drained'])
      assert.is(feed[0], 'info: Asking your own pages for "oolong"')
      assert.equal((await run(stage, { query: 'oolong', search_options: { language: 'fr' } })).items, [])

      const stranger = await app.secondUser()
      const { end: theirs } = await run({ ...stage, owner: stranger }, { query: 'oolong' })
      assert.equal([theirs.status, theirs.result], ['finished', []])
      assert.equal(stubs.asked, [])
    },
    { providers: ['own'] },
  ),
)

search('T7 hits in the operator’s network are not read, although a provider may run there', () =>
  withSearch(
    async (stage) => {
      const site = await startSite({ '/': pageOf('The inside') })
      stage.stubs.hits = [{ ...someHits(1)[0]!, url: site.url('/') }]
      const { items, feed } = await run(stage, { query: 'a', search_options: { depth: 'advanced' } })
      assert.equal([items[0]?.title, items[0]?.depth], ['Hit number 0', 'basic'])
      assert.ok(feed.some((line) => line.startsWith('warning: Could not read ')))
      assert.equal(site.all, [])
    },
    { allow: [] },
  ),
)

search('the list of searches is newest first, in pages, and is filtered by status, query and time', () =>
  withSearch(
    async (stage) => {
      const { app, owner } = stage
      for (const query of ['green tea', 'Green kettle', 'black tea']) await start(stage, { query })
      const queries = async (filter: Record<string, string>) =>
        (await app.call(listSearches, { as: owner, query: filter })).body.results.map(({ query }) => query)
      assert.equal(await queries({}), ['black tea', 'Green kettle', 'green tea'])
      assert.equal(await queries({ page: '2', page_size: '2' }), ['green tea'])
      assert.equal(await queries({ query__contains: 'tea' }), ['black tea', 'green tea'])
      assert.equal(await queries({ query__startswith: 'green' }), ['green tea'])
      assert.equal(await queries({ query: 'black tea' }), ['black tea'])
      assert.equal(await queries({ query__contains: '%' }), [])
      assert.equal(await queries({ status: 'finished' }), [])
      assert.equal(await queries({ status__in: 'new,running' }), ['black tea', 'Green kettle', 'green tea'])
      assert.equal(await queries({ created_at__gt: '2100-01-01' }), [])
      assert.equal(await queries({ url: 'https://nowhere.example' }), ['black tea', 'Green kettle', 'green tea'])
      assert.is((await app.call(listSearches, { as: owner, query: { status: 'done' } })).status, 400)
    },
    { engine: false },
  ),
)

search('T24 another team cannot see, follow or stop a search', () =>
  withSearch(
    async (stage) => {
      const { app, url } = stage
      const { uuid } = await start(stage, { query: 'secret plans' })
      const stranger = await app.secondUser()
      assert.is((await app.call(getSearch, { as: stranger, params: { id: uuid } })).status, 404)
      assert.is((await app.call(stopSearch, { as: stranger, params: { id: uuid } })).status, 404)
      assert.is((await app.call(listSearches, { as: stranger })).body.count, 0)
      const stream = await fetch(url + fillPath(followSearch.path, { id: uuid }), { headers: { 'x-api-key': stranger.apiKey } })
      assert.is(stream.status, 404)
      assert.is((await app.call(getSearch, { as: stage.owner, params: { id: uuid } })).body.status, 'new')
    },
    { engine: false },
  ),
)

search('the same idempotency key returns the same search', () =>
  withSearch(
    async ({ app, owner }) => {
      const again = () => app.call(createSearch, { as: owner, body: { query: 'a' }, headers: { 'idempotency-key': 'one' } })
      const [first, second] = [await again(), await again()]
      assert.equal([first.status, second.status], [201, 201])
      assert.is(first.body.uuid, second.body.uuid)
    },
    { engine: false },
  ),
)

search('the settings say whether the web is searched; the team’s own pages do not count as the web', async () => {
  for (const [config, isConfigured] of [
    [{}, false],
    [{ searxngUrl: 'http://search.example' }, true],
    [{ braveApiKey: 'k' }, true],
    [{ googleSearchKey: 'k', googleSearchCx: 'c' }, true],
    [{ searxngUrl: 'http://search.example', searchProviders: ['own' as const] }, false],
  ] as const) {
    const app = await startApp({ config })
    assert.is((await app.call(getSettings)).body.is_search_configured, isConfigured, JSON.stringify(config))
  }
})

search.run()
