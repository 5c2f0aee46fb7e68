/** The frozen v1 client inside of the published packages, unmodified, against the running product. */
import * as assert from 'uvu/assert'
import { MANY, startFirecrawl } from '#tests/support/firecrawl.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'

const sdk = suite('the Firecrawl SDK, v1')
const f = await startFirecrawl()
const url = (path: string) => f.site.url(path)

/** An answer of v1, which is a success or throws. */
// oxlint-disable-next-line typescript/no-explicit-any
type Any = any

for (const [version, { v1: client }] of Object.entries(f.clients)) {
  const test = (title: string, run: () => Promise<void>) => sdk(`${version}: ${title}`, run)

  test('scrapeUrl answers the document', async () => {
    const page: Any = await client.scrapeUrl(url('/parts'), { formats: ['markdown', 'html', 'rawHtml', 'links'] })
    assert.is(page.success, true)
    assert.match(page.markdown, /^# Parts/)
    assert.match(page.rawHtml, /<nav>Menu words/)
    assert.equal([page.metadata.sourceURL, page.metadata.statusCode, page.links], [url('/parts'), 200, [url('/boats')]])
  })

  test('scrapeUrl throws the reason', async () => {
    await refuses(() => client.scrapeUrl(url('/secret/a'), {}), /robots/)
    await refuses(() => client.scrapeUrl(url('/'), { formats: ['json'], jsonOptions: { prompt: 'x' } }), /json needs a language model/)
    await refuses(() => client.scrapeUrl(url('/'), { formats: ['extract'], extract: { prompt: 'x' } }), /json needs a language model/)
    await refuses(() => client.scrapeUrl(url('/hangs'), { timeout: 1000 }), /not scraped within 1 s/)
  })

  test('crawlUrl waits for the end, limits the depth of paths, and returns all pages', async () => {
    const job: Any = await client.crawlUrl(url('/'), { limit: 50, maxDepth: 2, ignoreSitemap: true }, 1)
    assert.is(job.status, 'completed')
    assert.not('next' in job && job.next !== undefined)
    const paths = job.data.map(({ metadata }: Any) => new URL(metadata.sourceURL).pathname).toSorted()
    // The draft lies three segments deep.
    assert.equal(paths, ['/', '/blog/one', '/blog/two', '/blog/two', '/boats'])
    const many: Any = await client.crawlUrl(url('/many/'), { limit: 500, ignoreSitemap: true }, 1)
    assert.is(new Set(many.data.map(({ metadata }: Any) => metadata.sourceURL)).size, MANY + 1)
    assert.is(many.data.length, MANY + 1)
  })

  test('a crawl may leave its start path upwards on request', async () => {
    const below: Any = await client.crawlUrl(url('/blog/one'), { limit: 50, ignoreSitemap: true }, 1)
    assert.is(below.data.length, 1)
    const all: Any = await client.crawlUrl(url('/blog/one'), { limit: 50, ignoreSitemap: true, allowBackwardLinks: true }, 1)
    assert.ok(all.data.length > 3)
  })

  test('asyncCrawlUrl, checkCrawlStatus, checkCrawlErrors and cancelCrawl work', async () => {
    const started: Any = await client.asyncCrawlUrl(url('/hangs'), { limit: 5, ignoreSitemap: true })
    assert.is(started.url, `${f.product.url}/v1/crawl/${started.id}`)
    const running: Any = await client.checkCrawlStatus(started.id)
    assert.is(running.status, 'scraping')
    assert.match(running.next, /\/v1\/crawl\//)
    const canceled: Any = await client.cancelCrawl(started.id)
    assert.is(canceled.status, 'cancelled')
    const ended: Any = await client.asyncCrawlUrl(url('/'), { limit: 50 })
    await until(async () => ((await client.checkCrawlStatus(ended.id)) as Any).status === 'completed')
    const { errors, robotsBlocked }: Any = await client.checkCrawlErrors(ended.id)
    assert.equal(
      errors.map((one: Any) => one.url),
      [url('/gone')],
    )
    assert.equal(robotsBlocked, [url('/secret/a')])
  })

  test('a used idempotency key gets 409', async () => {
    const key = crypto.randomUUID()
    await client.asyncCrawlUrl(url('/boats'), { limit: 1, ignoreSitemap: true }, key)
    await refuses(() => client.asyncCrawlUrl(url('/boats'), { limit: 1, ignoreSitemap: true }, key), /409.*was used before: its job exists/)
  })

  test('batchScrapeUrls polls the status path of crawls', async () => {
    const job: Any = await client.batchScrapeUrls([url('/boats'), url('/blog/one')], { formats: ['markdown'] }, 1)
    assert.equal([job.status, job.data.length], ['completed', 2])
    const started: Any = await client.asyncBatchScrapeUrls([url('/boats'), url('/secret/a')], { formats: ['links'] })
    await until(async () => ((await client.checkBatchScrapeStatus(started.id)) as Any).status === 'completed')
    const { robotsBlocked }: Any = await client.checkBatchScrapeErrors(started.id)
    assert.equal(robotsBlocked, [url('/secret/a')])
    await refuses(() => client.asyncBatchScrapeUrls([url('/'), 'not a url'], {}), /Invalid URLs/)
  })

  test('mapUrl answers plain URLs', async () => {
    const { links }: Any = await client.mapUrl(url('/'), {})
    assert.equal(links.toSorted(), [url('/').slice(0, -1), ...['/blog/one', '/boats', '/gone', '/hidden', '/secret/a'].map(url)])
  })

  test('search answers a flat list', async () => {
    await until(async () => ((await client.search('boats', { limit: 3 })) as Any).data.length > 0)
    const { data }: Any = await client.search('boats', { limit: 2, scrapeOptions: { formats: ['markdown'] } })
    assert.ok(data.some((hit: Any) => typeof hit.markdown === 'string'))
  })

  test('extract says that no model is configured', async () => {
    // This client replaces our message with its own.
    await refuses(() => client.extract([url('/')], { prompt: 'the title' }), /status code 400/)
  })

  test('the watcher says that the crawl was canceled', async () => {
    const watcher = await client.crawlUrlAndWatch(url('/hangs'), { limit: 1 })
    const end = new Promise<{ error: string }>((resolve) => {
      watcher.addEventListener('error', (event: Any) => resolve(event.detail))
      watcher.addEventListener('done', () => resolve({ error: 'done' }))
    })
    await client.cancelCrawl(watcher.id)
    assert.is((await end).error, 'The job ended as cancelled.')
    watcher.close()
  })

  test('the watcher reports each document, and closes at the end', async () => {
    const watcher = await client.crawlUrlAndWatch(url('/'), { limit: 50, ignoreSitemap: true })
    const seen: string[] = []
    await new Promise<void>((resolve, reject) => {
      watcher.addEventListener('document', (event: Any) => void seen.push(event.detail.metadata.sourceURL))
      watcher.addEventListener('error', (event: Any) => reject(new Error(JSON.stringify(event.detail))))
      watcher.addEventListener('done', () => resolve())
    })
    watcher.close()
    assert.is(seen.length, 6)
    assert.is(new Set(seen).size, 6)
  })
}

sdk('4.42.0: usage calls answer numbers', async () => {
  const client: Any = f.clients['4.42.0'].v1
  assert.is((await client.getCreditUsage()).data.remaining_credits, 1_000_000_000)
  assert.is((await client.getTokenUsage()).data.remaining_tokens, 0)
  assert.ok((await client.getCreditUsageHistorical()).periods[0].creditsUsed > 0)
  assert.equal((await client.getTokenUsageHistorical()).periods, [])
  assert.is(typeof (await client.getQueueStatus()).jobsInQueue, 'number')
})

sdk.run()

async function refuses(call: () => Promise<unknown>, words: RegExp): Promise<void> {
  const message = await call().then(
    (answer) => `it was answered ${JSON.stringify(answer)}`,
    (error: Error) => error.message,
  )
  assert.match(message, words)
}
