/** Formats and extractions that need a language model, by the published clients of Firecrawl; a stub stands in the place of the model. */
import * as assert from 'uvu/assert'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { startModelStub } from '#tests/support/stubs/model-stub.ts'
import type { ModelReply } from '#tests/support/stubs/model-stub.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'

const PRODUCT = { name: 'Net', price: 4.5 }
const SCHEMA = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } }, required: ['name'] }

const sdk = suite('the Firecrawl SDK, with a language model')
let chosen: unknown
const model = await startModelStub(({ asked, body }) => {
  if (body.messages[0]?.content.startsWith('You choose the options')) return chosen as ModelReply
  // An invalid answer is requested once more: the first request contains the page.
  const page = body.messages.map(({ content }) => content).join('\n')
  if (page.includes('Nothing fits.')) return { content: { other: 1 } }
  if (asked.includes('"tracked"'))
    return {
      content: { tracked: { name: 'Net', price: page.includes('for five') ? 5 : 4, ...(page.includes('and new') && { valueOf: true }) } },
    }
  if (asked.includes('"summary"')) return { content: { summary: 'Nets and boats.', json: PRODUCT, answer: '4.5', highlights: 'A net.' } }
  return { content: /Address of the page: \S+\/boats\n/.test(page) ? { name: 'Boat', parts: ['oar'] } : { ...PRODUCT, parts: ['rope'] } }
})
const f = await startFirecrawl({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-operator', OPENAI_MODELS: 'small' })
const url = (path: string) => f.site.url(path)

sdk('changeTracking by json names the changed fields', async () => {
  const tracking = { modes: ['json'], schema: { type: 'object' }, prompt: 'name and price' }
  const asV2 = { formats: ['markdown', { type: 'changeTracking', ...tracking, tag: 'v2' }] }
  const asV1 = { formats: ['markdown', 'changeTracking'], changeTrackingOptions: { ...tracking, tag: 'v1' } }
  for (const [path, body] of [
    ['/v2/scrape', asV2],
    ['/v1/scrape', asV1],
  ] as const) {
    const track = async () => (await f.call(path, { body: { ...body, url: url('/changing') } })).json
    f.change('A net for four.')
    const first = await track()
    assert.equal([first.data.changeTracking.changeStatus, first.warning, first.data.json], ['new', undefined, undefined])
    f.change('A net for five, and new.')
    const { diff, json } = (await track()).data.changeTracking
    assert.equal(json, { price: { previous: 4, current: 5 }, valueOf: { previous: null, current: true } })
    assert.is(diff, undefined)
    const same = (await track()).data.changeTracking
    assert.equal([same.changeStatus, same.json], ['same', undefined])
  }
  const { json } = await f.call('/v2/scrape', { body: { url: url('/changing'), formats: [{ type: 'changeTracking', modes: ['json'] }] } })
  assert.match(json.warning, /needs a schema or a prompt/)
})

sdk('a check of a monitor has the data that the model read, and the fields that differ', async () => {
  const tracking = { type: 'changeTracking' as const, modes: ['json'], schema: { type: 'object' }, prompt: 'name and price' }
  const client = f.clients['4.42.0']
  for (const [format, values] of [
    [tracking, [{ name: 'Net', price: 4 }, { name: 'Net', price: 5 }, { price: { previous: 4, current: 5 } }]],
    [{ type: 'json' as const, schema: SCHEMA }, [PRODUCT, PRODUCT, {}]],
  ] as const) {
    const target = { type: 'scrape' as const, urls: [url('/changing')], scrapeOptions: { formats: ['markdown' as const, format] } }
    const { id } = await client.createMonitor({ name: 'Net', schedule: { text: 'daily' }, targets: [target as never] })
    const pageOfCheck = async () => {
      const check = await client.runMonitor(id)
      await until(async () => (await client.getMonitorCheck(id, check.id)).status === 'completed')
      return (await client.getMonitorCheck(id, check.id)).pages[0]!
    }
    f.change('A net for four.')
    const first = await pageOfCheck()
    assert.equal([first.status, first.diff, first.snapshot?.json], ['new', null, values[0]])
    f.change('A net for five.')
    const second = await pageOfCheck()
    assert.equal([second.status, second.snapshot?.json, second.diff?.json], ['changed', values[1], values[2]])
    assert.match(second.diff?.text ?? '', /^\+A net for five\.$/m)
    await client.deleteMonitor(id)
  }
})

const BLOG = { includePaths: ['^/blog/'], excludePaths: ['/draft/'], limit: 20, crawlEntireDomain: true }

sdk('a prompt chooses the options of a crawl, those that are sent take precedence, and a warning names the chosen ones', async () => {
  chosen = { content: BLOG }
  model.requests.length = 0
  const { json } = await f.call('/v2/crawl', { body: { url: url('/'), prompt: 'the posts, no drafts', sitemap: 'skip', excludePaths: [] } })
  const [request] = model.requests
  assert.equal(
    [model.requests.length, request!.authorization, request!.asked],
    [1, 'Bearer sk-operator', `Start URL: ${url('/')}\n\nRequest:\nthe posts, no drafts`],
  )
  const read = async () => (await f.call(`/v2/crawl/${json.id}`)).json
  await until(async () => (await read()).status === 'completed')
  const { data, warning } = await read()
  assert.equal(data.map((page: { metadata: { sourceURL: string } }) => new URL(page.metadata.sourceURL).pathname).toSorted(), [
    '/',
    '/blog/draft/three',
    '/blog/one',
    '/blog/two',
  ])
  assert.match(warning, `from the prompt: ${JSON.stringify(BLOG)}`)
})

sdk('the options that a prompt would choose can be previewed without a crawl', async () => {
  chosen = { content: { ...BLOG, delay: 5, sitemap: 'skip' } }
  const body = { url: url('/'), prompt: 'the posts, no drafts' }
  for (const version of ['v1', 'v2']) {
    const { json, status } = await f.call(`/${version}/crawl/params-preview`, { body })
    assert.equal([status, json], [200, { success: true, data: { url: url('/'), ...BLOG, sitemap: 'skip' } }])
  }
  for (const client of Object.values(f.clients))
    assert.equal(await client.crawlParamsPreview(body.url, body.prompt), { url: url('/'), ...BLOG, sitemap: 'skip' })
})

sdk('T13 credentials in the URL of a crawl are not sent to the model that chooses its options', async () => {
  chosen = { content: BLOG }
  model.requests.length = 0
  const body = { url: url('/').replace('://', '://reader:s3cret-of-the-site@'), prompt: 'the posts, no drafts' }
  for (const path of ['/v1/crawl/params-preview', '/v2/crawl/params-preview', '/v2/crawl']) {
    const { json, status } = await f.call(path, { body })
    assert.is(status, 200, path)
    if (path === '/v2/crawl') await until(async () => (await f.call(`/v2/crawl/${json.id}`)).json.status === 'completed')
  }
  const expected = `Start URL: ${url('/').replace('://', '://reader:***@')}\n\nRequest:\nthe posts, no drafts`
  assert.equal(
    model.requests.map(({ asked }) => asked),
    [expected, expected, expected],
  )
})

sdk('a model that fails or chooses nonsense is named, and no crawl starts', async () => {
  const before = (await f.call('/v2/crawl/active')).json.crawls.length
  const cases: [ModelReply, number, RegExp][] = [
    [{ content: { limit: 0 } }, 400, /no valid options: limit/],
    [{ content: 'Sure! Here they are.' }, 400, /no valid options: it is not JSON/],
    [{ content: { includePaths: ['(?!draft)'] } }, 400, /the pattern "\(\?!draft\)", which cannot be used/],
    [{ status: 401 }, 400, /does not accept the key/],
    [{ status: 503 }, 500, /did not answer: it answered HTTP 503/],
  ]
  for (const [reply, status, words] of cases) {
    chosen = reply
    for (const path of ['/v2/crawl', '/v2/crawl/params-preview']) {
      const { json, status: got } = await f.call(path, { body: { url: url('/'), prompt: 'the posts' } })
      assert.is(got, status, json.error)
      assert.match(json.error, words)
    }
  }
  for (const prompt of ['', 'x'.repeat(10_001)])
    assert.is((await f.call('/v2/crawl/params-preview', { body: { url: url('/'), prompt } })).status, 400)
  assert.is((await f.call('/v2/crawl/active')).json.crawls.length, before)
})

for (const [version, client] of Object.entries(f.clients)) {
  const test = (title: string, run: () => Promise<void>) => sdk(`${version}: ${title}`, run)

  test('json with a schema returns the model’s values, and only fields of the schema', async () => {
    model.requests.length = 0
    const page = await client.scrape(url('/parts'), { formats: ['markdown', { type: 'json', schema: SCHEMA, prompt: 'The price.' }] })
    assert.equal(page.json, PRODUCT)
    assert.match(page.markdown ?? '', /^# Parts/)
    assert.is(page.warning, undefined)
    assert.match(model.requests[0]?.asked ?? '', 'The price.')
  })

  test('json with a prompt alone accepts any object', async () => {
    const page = await client.scrape(url('/'), { formats: [{ type: 'json', prompt: 'name, price and parts' }] })
    assert.equal(page.json, { ...PRODUCT, parts: ['rope'] })
  })

  test('several formats that need a model cause one call of the model', async () => {
    model.requests.length = 0
    const formats = ['summary' as const, { type: 'json' as const, schema: { $ref: '#/$defs/net', $defs: { net: SCHEMA } } }]
    const page = await client.scrape(url('/parts'), { formats })
    assert.equal([page.summary, page.json, page.markdown], ['Nets and boats.', PRODUCT, undefined])
    assert.is(model.requests.length, 1)
  })

  test('a page that the model cannot read becomes a document with a warning', async () => {
    const formats = ['markdown' as const, { type: 'json' as const, schema: SCHEMA, prompt: 'Nothing fits.' }]
    const { json } = await f.call('/v2/scrape', { body: { url: url('/parts'), formats } })
    assert.match(json.data.markdown, /^# Parts/)
    assert.is(json.data.json, undefined)
    assert.match(json.warning, /no usable answer/)
  })

  test('a crawl and a batch send each page to the model', async () => {
    const scrapeOptions = { formats: [{ type: 'json' as const, schema: SCHEMA }] }
    const crawl = await client.crawl(url('/'), { limit: 2, sitemap: 'skip', pollInterval: 1, scrapeOptions })
    assert.ok(crawl.data.length > 0 && crawl.data.every(({ json }) => typeof (json as { name: unknown }).name === 'string'))
    const batch = await client.batchScrape([url('/boats')], { pollInterval: 1, options: scrapeOptions })
    assert.equal(
      batch.data.map(({ json }) => json),
      [{ name: 'Boat' }],
    )
  })

  test('extract merges the data of several pages', async () => {
    const schema = { type: 'object', properties: { ...SCHEMA.properties, parts: { type: 'array', items: { type: 'string' } } } }
    const done = await client.extract({ urls: [url('/'), url('/boats')], schema, prompt: 'All of it.', showSources: true, pollInterval: 1 })
    assert.is(done.status, 'completed')
    const data = done.data as { name: string; price: number; parts: string[] }
    assert.equal([data.price, data.parts.toSorted()], [4.5, ['oar', 'rope']])
    assert.equal((done.sources as Record<string, string[]>)['price'], [url('/')])
  })

  test('extract of a site sends its pages to the model, up to the limit', async () => {
    const started = await client.startExtract({ urls: [url('/blog/*')], schema: SCHEMA })
    await until(async () => (await client.getExtractStatus(String(started.id))).status === 'completed')
    const { json } = await f.call(`/v2/extract/${started.id}`)
    assert.equal([json.data, json.error], [PRODUCT, undefined])
    assert.ok(json.tokensUsed > 0)
  })

  test('v1 returns structured data under the requested name', async () => {
    const { v1 } = client
    const one = await v1.scrapeUrl(url('/parts'), { formats: ['extract'], extract: { schema: SCHEMA as never, systemPrompt: 'Be brief.' } })
    assert.equal(one.success && one.extract, PRODUCT)
    const other = await v1.scrapeUrl(url('/parts'), { formats: ['json'], jsonOptions: { schema: SCHEMA as never } })
    assert.equal(other.success && other.json, PRODUCT)
    const extracted = await v1.extract([url('/')], { schema: SCHEMA as never })
    assert.equal(extracted.success && extracted.data, PRODUCT)
  })
}

sdk('questions and highlights are answered as text', async () => {
  const formats = ['summary', { type: 'question', question: 'The price?' }, { type: 'highlights', query: 'nets' }]
  const { json } = await f.call('/v2/scrape', { body: { url: url('/parts'), formats } })
  assert.equal([json.data.answer, json.data.highlights], ['4.5', 'A net.'])
})

sdk('a query asks the model for a quotation if its mode says so', async () => {
  const asked = async (mode?: string) => {
    model.requests.length = 0
    const formats = ['summary', { type: 'query', prompt: 'The price?', ...(mode && { mode }) }]
    const { json } = await f.call('/v2/scrape', { body: { url: f.site.url('/boats'), formats } })
    assert.is(json.data.answer, '4.5')
    return /word for word, that answer this question: The price\?/.test(model.requests[0]!.asked)
  }
  assert.equal([await asked(), await asked('freeform'), await asked('directQuote')], [false, false, true])
})

sdk('an invalid question is refused with 400 before anything is fetched', async () => {
  const before = f.site.hits.length
  const refused = async (path: string, body: object) => {
    const { json, status } = await f.call(path, { body })
    assert.is(status, 400)
    return json.error as string
  }
  const scrape = (format: object) => refused('/v2/scrape', { url: url('/'), formats: [format] })
  assert.match(await scrape({ type: 'json', schema: { type: 'thing' } }), /"thing" is not a type/)
  assert.match(await scrape({ type: 'json' }), /needs a schema or a prompt/)
  assert.match(await scrape({ type: 'question' }), /needs a question/)
  assert.match(await refused('/v2/extract', { prompt: 'prices' }), /name them in urls/)
  assert.match(await refused('/v2/extract', { urls: [url('/*'), url('/boats')], prompt: 'prices' }), /only entry of urls/)
  assert.match(await refused('/v2/extract', { urls: [url('/')] }), /needs a schema or a prompt/)
  assert.is(f.site.hits.length, before)
})

sdk('the status of an extraction is read by its id alone', async () => {
  const { json } = await f.call('/v2/crawl', { body: { url: url('/'), limit: 1 } })
  assert.is((await f.call(`/v2/extract/${json.id}`)).status, 404)
  assert.is((await f.call('/v2/extract/00000000-0000-4000-8000-000000000000')).status, 404)
})

sdk.run()
