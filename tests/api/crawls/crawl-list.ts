import * as assert from 'uvu/assert'
import fc from 'fast-check'
import { pageLinks, pageWindow } from '#backend/http/pagination.ts'
import { CRAWLS, OTHER_KEY, startCrawlApp } from '#tests/support/crawl-app.ts'
import { suite } from '#tests/support/suite.ts'

const list = suite('list crawls')

list('the list of a team without crawls is one empty page', async () => {
  const { call } = await startCrawlApp()
  const { status, json } = await call('GET', CRAWLS)
  assert.is(status, 200)
  assert.equal(json, { count: 0, next: null, previous: null, results: [] })
})

list("S-WRK-08 the list shows the team's own crawls, newest first, page by page", async () => {
  const { call, create } = await startCrawlApp()
  for (let at = 1; at <= 5; at += 1) await create(`https://shop.example/${at}`)
  await call('POST', CRAWLS, { body: { url: 'https://other.example/' }, key: OTHER_KEY })
  const { json } = await call('GET', `${CRAWLS}?page_size=2&unknown=x`, { headers: { host: 'seine.example' } })
  assert.is(json.count, 5)
  assert.equal(
    json.results.map(({ url }: { url: string }) => url),
    ['https://shop.example/5', 'https://shop.example/4'],
  )
  assert.equal([json.previous, json.next], [null, 'http://seine.example/api/v1/core/crawl-requests/?page_size=2&unknown=x&page=2'])
  const second = await call('GET', new URL(json.next).pathname + new URL(json.next).search, { headers: { host: 'seine.example' } })
  assert.is(second.json.results[0].url, 'https://shop.example/3')
  assert.is(second.json.previous, 'http://seine.example/api/v1/core/crawl-requests/?page_size=2&unknown=x')
  const last = await call('GET', `${CRAWLS}?page_size=2&page=last`)
  assert.equal([last.json.results.length, last.json.next], [1, null])
})

list('the list is ordered by the requested field in both directions; equal rows are newest first', async () => {
  const { call, create } = await startCrawlApp()
  for (const name of ['b', 'c', 'a']) await create(`https://${name}.example/`)
  const order = async (ordering: string) =>
    (await call('GET', `${CRAWLS}?ordering=${ordering}`)).json.results.map(({ url }: { url: string }) => url[8]).join('')
  assert.equal(await Promise.all(['label', '-label', 'created_at', '-created_at', 'status', '-duration'].map(order)), [
    'abc',
    'cba',
    'bca',
    'acb',
    'acb',
    'acb',
  ])
  const wrong = await call('GET', `${CRAWLS}?ordering=price`)
  assert.equal(
    [wrong.status, wrong.json.errors],
    [400, { ordering: ['Select a valid choice. price is not one of the available choices.'] }],
  )
})

const PAGES: [query: string, status: number, size: number, why: string][] = [
  ['page=0', 404, 0, 'pages count from 1'],
  ['page=3&page_size=2', 404, 0, 'a page past the end'],
  ['page=x', 404, 0, 'a page that is not a number'],
  ['page=-1', 404, 0, 'a negative page'],
  ['page_size=0', 200, 3, 'a page size of 0 means the default'],
  ['page_size=x', 200, 3, 'a page size that is not a number means the default'],
  ['page_size=1000', 200, 3, 'a page size above the maximum is clamped'],
  ['page=1&page=2&page_size=2', 200, 1, 'the last of repeated parameters counts'],
  ['params%5Bpage_size%5D=2', 200, 2, 'params[page_size] is an alias'],
  ['params%5Bpage%5D=9', 200, 0, 'params[page] past the end is an empty page'],
  ['params%5Bpage%5D=2&params%5Bpage_size%5D=2', 200, 1, 'params[page] and params[page_size]'],
]
for (const [query, status, size, why] of PAGES)
  list(`?${query} answers ${status} with ${size}: ${why}`, async () => {
    const { call, create } = await startCrawlApp()
    for (let at = 0; at < 3; at += 1) await create()
    const reply = await call('GET', `${CRAWLS}?${query}`)
    assert.is(reply.status, status)
    if (status === 200) assert.is(reply.json.results.length, size)
    else assert.equal(reply.json, { code: 404, errors: null, message: 'Invalid page.' })
  })

list('the page links visit every row exactly once, whatever the page size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: -3, max: 140 }), fc.webQueryParameters(), (count, size, rest) => {
      const seen: number[] = []
      let href: string | null = `https://h.example/list/?${rest}&page_size=${size}`
      for (let steps = 0; href !== null && steps < 500; steps += 1) {
        const window = pageWindow(Object.fromEntries(new URL(href).searchParams), count)
        for (let row = window.offset; row < Math.min(count, window.offset + window.pageSize); row += 1) seen.push(row)
        const links = pageLinks(href, window)
        // And back again.
        if (links.next !== null)
          assert.is(pageLinks(links.next, pageWindow(Object.fromEntries(new URL(links.next).searchParams), count)).previous === null, false)
        href = links.next
      }
      assert.equal(
        seen,
        Array.from({ length: count }, (_, row) => row),
      )
    }),
    { numRuns: 60, examples: [] },
  )
})

const filters = suite('filter crawls')

const seeded = async () => {
  const app = await startCrawlApp()
  const { call, clock, create, engine } = app
  const first = await create('https://shop.example/a')
  clock.at += 1000
  const { json: second } = await call('POST', `${CRAWLS}batch/`, { body: { urls: ['https://b.example/', 'https://shop.example/Tea?x=1'] } })
  clock.at += 1000
  const third = await create('https://c.example/100%25_off')
  await engine.commit(await engine.take(third.uuid), { end: { status: 'finished' } })
  return { ...app, first, second, third }
}

const FILTERS: [query: string, found: ('first' | 'second' | 'third')[]][] = [
  ['status=', ['third', 'second', 'first']],
  ['status=new', ['second', 'first']],
  ['status=finished', ['third']],
  ['status__in=finished,failed', ['third']],
  ['status__in=new,finished', ['third', 'second', 'first']],
  ['status=new&status__in=finished', []],
  ['crawl_type=batch', ['second']],
  ['crawl_type=single', ['third', 'first']],
  ['url=https://shop.example/a', ['first']],
  ['url=https://shop.example/Tea?x=1', ['second']],
  ['url=https://shop.example/', []],
  // C5: any spelling of a URL finds it.
  ['url=HTTPS://Shop.example:443/a/', ['first']],
  ['url=https://b.example', ['second']],
  ['url=https://shop.example/Tea/%3Fx=1', ['second']],
  ['url=https://shop.example/tea?x=1', []],
  ['url__contains=shop.example', ['second', 'first']],
  ['url__contains=tea', []],
  ['url__contains=%2525_', ['third']],
  ['url__startswith=https://c.', ['third']],
  ['url__startswith=shop', []],
  ['created_at=2026-03-04T09:12:31.100000Z', ['second']],
  ['created_at__gt=2026-03-04T09:12:30.100Z', ['third', 'second']],
  ['created_at__gte=2026-03-04T09:12:31.100000Z', ['third', 'second']],
  ['created_at__lt=2026-03-04T09:12:31.1', ['first']],
  ['created_at__lte=2026-03-04T10:12:31.100000+01:00', ['second', 'first']],
  ['created_at__gte=2026-03-05', []],
  ['created_at__gte=2026-03-04&created_at__lt=2026-03-04T09:12:31Z', ['first']],
]
for (const [query, found] of FILTERS)
  filters(`?${query} finds ${found.length}`, async () => {
    const { call, ...crawls } = await seeded()
    const { status, json } = await call('GET', `${CRAWLS}?${query.replaceAll('+', '%2B')}`)
    assert.is(status, 200)
    assert.equal(
      json.results.map(({ uuid }: { uuid: string }) => uuid),
      found.map((name) => crawls[name].uuid),
    )
    assert.is(json.count, found.length)
  })

filters('the filter finds a crawl by its id in any letter case', async () => {
  const { call, second } = await seeded()
  const { json } = await call('GET', `${CRAWLS}?uuid=${second.uuid.toUpperCase()}`)
  assert.is(json.count, 1)
})

const BAD: [query: string, field: string, message: string][] = [
  ['status=paused', 'status', 'Select a valid choice. paused is not one of the available choices.'],
  ['status__in=new,paused', 'status__in', 'Select a valid choice. paused is not one of the available choices.'],
  ['crawl_type=double', 'crawl_type', 'Select a valid choice. double is not one of the available choices.'],
  ['uuid=1', 'uuid', 'Enter a valid UUID.'],
  ['created_at__gt=yesterday', 'created_at__gt', 'Enter a valid date/time.'],
  ['created_at=2026-13-01', 'created_at', 'Enter a valid date/time.'],
  ['created_at__gte=2026-02-30', 'created_at__gte', 'Enter a valid date/time.'],
  ['created_at__lt=2027-02-29T10:00:00Z', 'created_at__lt', 'Enter a valid date/time.'],
]
for (const [query, field, message] of BAD)
  filters(`?${query} gets 400`, async () => {
    const { call } = await startCrawlApp()
    const { status, json } = await call('GET', `${CRAWLS}?${query}`)
    assert.is(status, 400)
    assert.equal(json, { code: 400, errors: { [field]: [message] }, message: 'Invalid input data.' })
  })

const read = suite('read a crawl')

read('a crawl is read by its id in any letter case, with or without the last slash', async () => {
  const { call, create } = await startCrawlApp()
  const { uuid } = await create()
  for (const path of [uuid, `${uuid}/`, `${uuid.toUpperCase()}/`]) assert.is((await call('GET', CRAWLS + path)).json.uuid, uuid)
})

read('every endpoint answers 404 for an unknown id, a malformed id, and an id of another team', async () => {
  const { call, create, database } = await startCrawlApp()
  const { uuid } = await create()
  const unknown = '0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee'
  const paths = ['', 'status/', 'download/', 'results/', `results/${unknown}/`, 'sitemap/graph/', 'sitemap/markdown/', 'urls/', 'outcomes/']
  for (const [id, key] of [
    [unknown, undefined],
    ['1', undefined],
    ["x' OR 1=1", undefined],
    [uuid, OTHER_KEY],
  ] as const)
    for (const path of paths) {
      const reply = await call('GET', `${CRAWLS}${encodeURIComponent(id)}/${path}`, key ? { key } : {})
      assert.equal([reply.status, reply.json], [404, { code: 404, errors: null, message: 'Not found.' }], `${id} ${path}`)
    }
  assert.is((await call('DELETE', `${CRAWLS}${uuid}/`, { key: OTHER_KEY })).status, 404)
  const run = await database.selectFrom('run').select('status').executeTakeFirstOrThrow()
  assert.is(run.status, 'new')
})

read('the duration is the time from the creation to the end, including the time in the queue', async () => {
  const { call, clock, create, engine } = await startCrawlApp()
  const { uuid } = await create()
  clock.at += 5000
  const no = await engine.take(uuid)
  clock.at += 6812
  await engine.commit(no, {
    pages: [{ url: 'https://shop.example/' }],
    found: [{ url: 'https://shop.example/b', title: 'B' }],
    end: { status: 'finished' },
  })
  const { json } = await call('GET', `${CRAWLS}${uuid}/`)
  assert.is(json.duration, '00:00:11.812000')
  assert.is(json.reason, 'drained')
  assert.is(json.number_of_documents, 1)
  assert.equal(json.counts, { known: 2, kept: 1, failed: 0, settled: 2, pending: 0 })
  assert.match(json.sitemap, /^http:\/\/.+\/api\/v1\/files\/crawls\/.+\/sitemap\/json\?expires=\d+&signature=[\w-]+$/)
})

list.run()
filters.run()
read.run()
