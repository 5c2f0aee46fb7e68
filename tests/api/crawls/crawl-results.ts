import * as assert from 'uvu/assert'
import { CRAWLS, OTHER_KEY, startCrawlApp } from '#tests/support/crawl-app.ts'
import { suite } from '#tests/support/suite.ts'

const results = suite('results of a crawl')
const SHOP = 'https://shop.example/'

const DOCUMENT = {
  metadata: { title: 'Tea', 'og:title': 'Tëa "green"' },
  markdown: '# Tea\n\nA line\u2028and </script> and \\ and \u0001.\n',
  links: [SHOP],
}

/** A running crawl with `count` pages, a second apart. */
async function withPages(count: number) {
  const app = await startCrawlApp()
  const { id, no } = await app.started()
  for (let at = 1; at <= count; at += 1)
    await app.engine.commit(no, {
      pages: [{ url: `${SHOP}${at}`, title: `Page ${at}`, document: { ...DOCUMENT, markdown: `${at}` }, isPlain: at % 2 === 0 }],
    })
  return { ...app, id, no, path: `${CRAWLS}${id}/results/` }
}

results('results are listed oldest first, page by page, while the crawl goes on', async () => {
  const { call, path } = await withPages(3)
  const { status, json } = await call('GET', `${path}?page_size=2`)
  assert.is(status, 200)
  assert.is(json.count, 3)
  assert.equal(
    json.results.map(({ url }: { url: string }) => url),
    [`${SHOP}1`, `${SHOP}2`],
  )
  const { result, uuid, created_at, ...rest } = json.results[0]
  assert.match(result, /^http:\/\/.+\/results\/.+\.json\?expires=/)
  assert.match(uuid, /^[0-9a-f-]{36}$/)
  assert.match(created_at, /^\d{4}-.+\.\d{6}Z$/)
  assert.equal(rest, { url: `${SHOP}1`, title: 'Page 1', attachments: [], updated_at: created_at })
  assert.match(json.next, /page=2/)
  assert.is((await call('GET', `${path}?page=last&page_size=2`)).json.results[0].url, `${SHOP}3`)
})

results('results embed the documents as stored on request', async () => {
  const { call, engine, no, path } = await withPages(0)
  await engine.commit(no, {
    pages: [
      { url: SHOP, title: null, document: DOCUMENT },
      { url: `${SHOP}b`, document: DOCUMENT, isPlain: true },
    ],
  })
  for (const flag of ['prefetched=true', 'prefetched=True', 'prefetched=1', 'prefetched=t', 'params%5Bprefetched%5D=true']) {
    const { json, type } = await call('GET', `${path}?${flag}`)
    assert.is(type, 'application/json')
    assert.equal(
      json.results.map(({ result }: { result: unknown }) => result),
      [DOCUMENT, DOCUMENT],
    )
    assert.is(json.results[0].title, null)
  }
  for (const flag of ['prefetched=false', 'prefetched=yes', ''])
    assert.type((await call('GET', `${path}?${flag}`)).json.results[0].result, 'string')
})

results('two statements read a hundred documents, whatever the number of pages', async () => {
  const { call, database, engine, no, path } = await withPages(0)
  await engine.commit(no, { pages: Array.from({ length: 250 }, (_, at) => ({ url: `${SHOP}${at}`, document: DOCUMENT })) })
  let bodies = 0
  const executor = database.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  executor.executeQuery = (query, ...rest) => {
    if (query.sql.includes('from "page_body"')) bodies += 1
    return execute(query, ...rest)
  }
  const { json } = await call('GET', `${path}?prefetched=true&page_size=100&page=2`)
  assert.is(json.results.length, 100)
  assert.is(json.results[99].url, `${SHOP}199`)
  assert.equal(json.results[99].result, DOCUMENT)
  // One for the sizes, one for the bodies.
  assert.is(bodies, 2)
})

results('results that are too large for one read are streamed, with the same content', async () => {
  const { call, engine, no, path } = await withPages(0)
  const markdown = 'x'.repeat(3 * 1024 * 1024)
  await engine.commit(no, { pages: Array.from({ length: 8 }, (_, at) => ({ url: `${SHOP}${at}`, document: { metadata: {}, markdown } })) })
  const { json, type, headers } = await call('GET', `${path}?prefetched=true`)
  assert.is(type, 'application/json')
  assert.is(headers['content-length'], undefined)
  assert.equal([json.count, json.results.length, json.results[7].url], [8, 8, `${SHOP}7`])
  assert.ok(json.results.every(({ result }: { result: { markdown: string } }) => result.markdown === markdown))
})

const FILTERS: [query: string, found: number[]][] = [
  [`url=${SHOP}2`, [2]],
  [`url=${SHOP}`, []],
  // C5: any spelling of a page finds it.
  [`url=HTTPS://SHOP.example:443/2`, [2]],
  [`url=${SHOP}2/`, [2]],
  [`url=${SHOP}./x/../2`, [2]],
  [`url=${SHOP}2%23part`, [2]],
  [`url=${SHOP}2?`, [2]],
  [`url__contains=example/1`, [1]],
  [`url__contains=EXAMPLE`, []],
  [`url__startswith=${SHOP}`, [1, 2, 3]],
  ['created_at__gt=2999-01-01', []],
  ['created_at__gte=2020-01-01', [1, 2, 3]],
]
for (const [query, found] of FILTERS)
  results(`?${query} finds ${found.length}`, async () => {
    const { call, path } = await withPages(3)
    const { json } = await call('GET', `${path}?${query}`)
    assert.is(json.count, found.length)
    assert.equal(
      json.results.map(({ url }: { url: string }) => url),
      found.map((at) => `${SHOP}${at}`),
    )
  })

results('an invalid instant is refused', async () => {
  const { call, path } = await withPages(0)
  assert.is((await call('GET', `${path}?created_at__lt=soon`)).status, 400)
})

results('the results of a crawl contain no pages of another crawl', async () => {
  const { call, engine, started, id } = await withPages(2)
  const other = await started('https://other.example/')
  await engine.commit(other.no, { pages: [{ url: 'https://other.example/' }] })
  assert.is((await call('GET', `${CRAWLS}${other.id}/results/`)).json.count, 1)
  const [first] = (await call('GET', `${CRAWLS}${id}/results/`)).json.results
  assert.is((await call('GET', `${CRAWLS}${other.id}/results/${first.uuid}/`)).status, 404)
})

results('a single result links its document, or embeds it on request', async () => {
  const { call, path } = await withPages(1)
  const [{ uuid }] = (await call('GET', path)).json.results
  const linked = await call('GET', `${path}${uuid.toUpperCase()}`)
  assert.equal([linked.status, linked.type, typeof linked.json.result], [200, 'application/json', 'string'])
  assert.equal((await call('GET', `${path}${uuid}/?prefetched=True`)).json.result, { ...DOCUMENT, markdown: '1' })
  assert.is((await call('GET', `${path}${uuid}/`, { key: OTHER_KEY })).status, 404)
  assert.is((await call('GET', `${path}nonsense/`)).status, 404)
})

const outcomes = suite('outcomes of a crawl')

/** A crawl that has seen a URL of each sort. */
async function withOutcomes() {
  const app = await startCrawlApp()
  const { id, no } = await app.started()
  await app.engine.commit(no, {
    pages: [{ url: SHOP }],
    found: [
      { url: `${SHOP}a`, title: 'A', outcome: 'robots', detail: 'Disallow: /a' },
      { url: `${SHOP}b`, title: 'B', outcome: 'status', httpStatus: 404 },
      { url: 'https://away.example/', title: 'Away', outcome: 'out_of_scope', detail: 'domain: away.example' },
      { url: `${SHOP}c`, depth: 2 + 2 ** 24 },
      { url: `${SHOP}d`, outcome: 'status', httpStatus: 500 },
    ],
  })
  return { ...app, id }
}

outcomes('the outcomes list every URL once, in the order of discovery', async () => {
  const { call, id } = await withOutcomes()
  const { json } = await call('GET', `${CRAWLS}${id}/urls/`)
  assert.is(json.count, 6)
  assert.equal(json.results[0], {
    url: SHOP,
    title: null,
    depth: 0,
    outcome: 'kept',
    detail: null,
    http_status: 200,
    tries: 1,
    bytes: json.results[0].bytes,
    took_ms: 12,
  })
  assert.equal(json.results[1], {
    url: `${SHOP}a`,
    title: 'A',
    depth: 1,
    outcome: 'robots',
    detail: 'Disallow: /a',
    http_status: null,
    tries: 0,
    bytes: null,
    took_ms: null,
  })
  assert.equal([json.results[4].outcome, json.results[4].depth], [null, 2])
})

const OUTCOMES: [query: string, urls: string[]][] = [
  ['outcome=kept', ['']],
  ['outcome=status', ['b', 'd']],
  ['outcome=pending', ['c']],
  ['outcome__in=robots,pending', ['a', 'c']],
  ['outcome=nothing', []],
  ['url__contains=/b', ['b']],
  ['outcome=status&url__contains=/d', ['d']],
  ['page_size=2&page=2&outcome__in=robots,status,kept', ['b', 'd']],
]
for (const [query, urls] of OUTCOMES)
  outcomes(`?${query} finds ${urls.length}`, async () => {
    const { call, id } = await withOutcomes()
    const { json } = await call('GET', `${CRAWLS}${id}/urls/?${query}`)
    assert.equal(
      json.results.map(({ url }: { url: string }) => url),
      urls.map((path) => SHOP + path),
    )
  })

outcomes('outcomes are counted, the most frequent first', async () => {
  const { call, id, started } = await withOutcomes()
  const { json } = await call('GET', `${CRAWLS}${id}/outcomes/`)
  assert.equal(json[0], { outcome: 'status', count: 2 })
  assert.equal(
    new Set(json.map(({ outcome }: { outcome: string | null }) => outcome)),
    new Set(['status', 'kept', 'robots', 'out_of_scope', null]),
  )
  const other = await started()
  assert.equal((await call('GET', `${CRAWLS}${other.id}/outcomes/`)).json, [{ outcome: null, count: 1 }])
})

for (const [status, end] of [
  ['finished', 'limit'],
  ['failed', 'limit'],
  ['canceled', 'canceled'],
] as const)
  outcomes(`H8: when a crawl has ${status}, so have all its URLs, also those that the engine has not marked yet`, async () => {
    const { call, database, engine, started } = await startCrawlApp()
    const { id, no } = await started()
    const waiting = Array.from({ length: 30 }, (_, at) => ({ url: `${SHOP}w${at}` }))
    await engine.commit(no, { pages: [{ url: SHOP }], found: [{ url: `${SHOP}a`, outcome: 'robots' }, ...waiting] })
    assert.equal((await call('GET', `${CRAWLS}${id}/`)).json.counts.pending, 30)
    await engine.commit(no, { end: { status } })
    // As the engine leaves it: the counter is right before all URLs are marked.
    await database.updateTable('run').set({ settled: 2 }).where('no', '=', no).execute()
    assert.equal((await call('GET', `${CRAWLS}${id}/outcomes/`)).json, [
      { outcome: end, count: 30 },
      { outcome: 'kept', count: 1 },
      { outcome: 'robots', count: 1 },
    ])
    const found = async (query: string) => (await call('GET', `${CRAWLS}${id}/urls/?page_size=100&${query}`)).json
    assert.ok((await found('')).results.every(({ outcome }: { outcome: string | null }) => outcome !== null))
    assert.is((await found('outcome=pending')).count, 0)
    assert.is((await found(`outcome=${end}`)).count, 30)
    assert.is((await found(`outcome__in=pending,robots,${end}`)).count, 31)
    assert.is((await found(`outcome=${end === 'limit' ? 'canceled' : 'limit'}`)).count, 0)
    const { counts } = (await call('GET', `${CRAWLS}${id}/`)).json
    assert.equal([counts.pending, counts.settled], [0, counts.known])
  })

results.run()
outcomes.run()
