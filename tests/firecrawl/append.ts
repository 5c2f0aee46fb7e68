/** Batches with appended URLs: one job for clients of both APIs. */
import * as assert from 'uvu/assert'
import { startFirecrawl } from '#tests/support/firecrawl.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'

const append = suite('appending to a Firecrawl batch')
const f = await startFirecrawl({ RATE_LIMIT_API: '1000' })
const url = (path: string) => f.site.url(path)
const { call } = f

const batch = async (body: object) => (await call('/v2/batch/scrape', { body })).json
const statusOf = async (id: string, query = '') => (await call(`/v2/batch/scrape/${id}${query}`)).json
const completed = (id: string) => until(async () => (await statusOf(id)).status === 'completed')
type Document = { markdown?: string; html?: string; metadata: { sourceURL: string } }
const paths = (documents: Document[]) => documents.map(({ metadata }) => new URL(metadata.sourceURL).pathname)

/** The job as a client reads it that follows `next` with pages of one document. */
async function followed(id: string): Promise<Document[]> {
  const documents: Document[] = []
  let next: string | undefined = `/v2/batch/scrape/${id}?limit=1`
  while (next !== undefined) {
    const { json }: { json: { next?: string; data: Document[] } } = await call(next)
    documents.push(...json.data)
    next = json.next === undefined ? undefined : new URL(json.next).pathname + new URL(json.next).search
  }
  return documents
}

for (const [version, client] of Object.entries(f.clients))
  append(`SDK ${version} appends to a batch, and reads one job with the documents of both parts`, async () => {
    const first = await client.startBatchScrape([url('/'), url('/gone')], { options: { formats: ['markdown'] } })
    await completed(first.id)
    const second = await client.startBatchScrape([url('/boats'), url('/secret/a')], {
      appendToId: first.id,
      options: { formats: ['html'] },
    })
    assert.equal([second.id, second.url], [first.id, first.url])
    await completed(first.id)
    const job = await client.getBatchScrapeStatus(first.id)
    assert.equal([job.status, job.completed, job.total, job.creditsUsed], ['completed', 3, 3, 3])
    assert.equal(paths(job.data as Document[]).sort(), ['/', '/boats', '/gone'])
    const [boats] = (job.data as Document[]).filter(({ metadata }) => metadata.sourceURL === url('/boats'))
    assert.match(boats?.html ?? '', /Boats/, 'the formats are those of the call that named the URL')
    assert.is(boats?.markdown, undefined)
    assert.equal((await client.getBatchScrapeErrors(first.id)).robotsBlocked, [url('/secret/a')])
    assert.equal(paths(await followed(first.id)).sort(), ['/', '/boats', '/gone'])
  })

append('documents keep their place while the first part still runs, and canceling stops every part', async () => {
  const { id } = await batch({ urls: [url('/gated'), url('/blog/one')] })
  await until(async () => (await statusOf(id)).completed === 1)
  await batch({ urls: [url('/blog/two'), url('/hidden')], appendToId: id })
  await until(async () => (await statusOf(id)).completed === 3)
  const running = await statusOf(id)
  assert.equal([running.status, running.total, paths(running.data)], ['scraping', 4, ['/blog/one']])
  assert.match(running.next, /skip=1/)
  f.open()
  await completed(id)
  const { pathname, search } = new URL(running.next)
  assert.equal(paths([...running.data, ...(await call(pathname + search)).json.data]).sort(), [
    '/blog/one',
    '/blog/two',
    '/gated',
    '/hidden',
  ])

  const held = await batch({ urls: [url('/hangs')] })
  await batch({ urls: [url('/hangs?2')], appendToId: held.id })
  assert.is((await call(`/v2/batch/scrape/${held.id}`, { method: 'DELETE' })).json.status, 'cancelled')
  await until(async () => (await statusOf(held.id)).status === 'cancelled')
  const late = await call('/v2/batch/scrape', { body: { urls: [url('/')], appendToId: held.id } })
  assert.equal([late.status, late.json.error], [400, 'appendToId: the batch was canceled.'])
})

append('a batch that was canceled while only an appended part was running takes no further URLs', async () => {
  const { id } = await batch({ urls: [url('/')] })
  await completed(id)
  await batch({ urls: [url('/hangs')], appendToId: id })
  assert.is((await call(`/v2/batch/scrape/${id}`, { method: 'DELETE' })).json.status, 'cancelled')
  await until(async () => (await statusOf(id)).status === 'cancelled')
  const late = await call('/v2/batch/scrape', { body: { urls: [url('/boats')], appendToId: id } })
  assert.equal([late.status, late.json.error], [400, 'appendToId: the batch was canceled.'])
  assert.is((await statusOf(id)).status, 'cancelled')
})

append('the watcher reports each document of both parts once', async () => {
  const client = f.clients['4.42.0']
  const { id } = await batch({ urls: [url('/')] })
  await batch({ urls: [url('/boats')], appendToId: id })
  const told: string[] = []
  const watcher = client.watcher(id, { kind: 'batch', pollInterval: 1 })
  const done = new Promise<void>((resolve) => watcher.on('done', () => resolve()))
  watcher.on('document', (document) => told.push(...paths([document as Document])))
  await watcher.start()
  await done
  assert.equal(told.sort(), ['/', '/boats'])
})

append('the same key appends once; only the first batch may have a webhook; nothing can be appended to a crawl', async () => {
  const { id } = await batch({ urls: [url('/')] })
  const body = { urls: [url('/boats')], appendToId: id }
  const headers = { 'x-idempotency-key': 'once' }
  const answers = [await call('/v2/batch/scrape', { body, headers }), await call('/v2/batch/scrape', { body, headers })]
  assert.equal(
    answers.map(({ json, status }) => [status, json.id]),
    [
      [200, id],
      [200, id],
    ],
  )
  await completed(id)
  assert.is((await statusOf(id)).total, 2)
  const hooked = await call('/v2/batch/scrape', { body: { ...body, webhook: 'https://example.org/' } })
  assert.equal([hooked.status, /webhook is a part of the first batch/.test(hooked.json.error)], [400, true])
  const crawl = (await call('/v2/crawl', { body: { url: url('/blog/two'), limit: 1 } })).json
  assert.is((await call('/v2/batch/scrape', { body: { urls: [url('/')], appendToId: crawl.id } })).status, 404)
  const invalid = await batch({ urls: ['http://', url('/hidden')], appendToId: id })
  assert.equal([invalid.id, invalid.invalidURLs], [id, ['http://']])
})

append.run()
