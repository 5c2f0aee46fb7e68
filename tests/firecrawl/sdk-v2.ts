/** The published clients of Firecrawl v2, unmodified, against the running product. */
import * as assert from 'uvu/assert'
import { MANY, startFirecrawl } from '#tests/support/firecrawl.ts'
import { suite } from '#tests/support/suite.ts'
import { until } from '#tests/support/until.ts'

const sdk = suite('the Firecrawl SDK, v2')
const f = await startFirecrawl()
const url = (path: string) => f.site.url(path)

for (const [version, client] of Object.entries(f.clients)) {
  const test = (title: string, run: () => Promise<void>) => sdk(`${version}: ${title}`, run)

  test('scrape answers the document with its metadata', async () => {
    const page = await client.scrape(url('/parts'), {
      formats: ['markdown', 'html', 'rawHtml', 'links', 'images'],
    })
    assert.match(page.markdown ?? '', /^# Parts\n\nWords that stand/)
    assert.not.match(page.markdown ?? '', /Menu words/)
    assert.match(page.html ?? '', /<h1>Parts<\/h1>/)
    assert.match(page.rawHtml ?? '', /^<html><head><title>Parts/)
    assert.equal(page.links, [url('/boats')])
    assert.equal(page.images, [url('/net.png')])
    const { metadata = {} } = page
    assert.equal(
      [metadata.title, metadata.ogTitle, metadata.sourceURL, metadata.statusCode],
      ['Parts', 'Parts of a page', url('/parts'), 200],
    )
    assert.is(typeof metadata['scrapeId'], 'string')
  })

  test('scrape honours tags, main content, headers and languages', async () => {
    const whole = await client.scrape(url('/parts'), { onlyMainContent: false, excludeTags: ['.ad'] })
    assert.match(whole.markdown ?? '', /Menu words/)
    assert.not.match(whole.markdown ?? '', /Buy more/)
    const part = await client.scrape(url('/parts'), { includeTags: ['main'], excludeTags: ['.ad', 'h1'] })
    assert.match(part.markdown ?? '', /Words that stand/)
    assert.not.match(part.markdown ?? '', /Buy more|# Parts|Menu/)
    const asked = await client.scrape(url('/headers'), { headers: { 'x-own': 'mine' }, location: { languages: ['de'] } })
    assert.is(asked.metadata?.title, 'Asked with mine in de')
  })

  test('scrape returns attributes by selector', async () => {
    const { call } = f
    const formats = [{ type: 'attributes', selectors: [{ selector: 'a', attribute: 'data-id' }] }]
    const { json } = await call('/v2/scrape', { body: { url: url('/parts'), formats } })
    assert.equal(json.data.attributes, [{ selector: 'a', attribute: 'data-id', values: ['7'] }])
    assert.is(json.data.markdown, undefined)
  })

  test('scrape returns the error page of a site as a document', async () => {
    const page = await client.scrape(url('/gone'))
    assert.equal([page.metadata?.statusCode, page.metadata?.error], [404, 'The site answered 404'])
    assert.match(page.markdown ?? '', /# gone/)
  })

  test('scrape throws the reason', async () => {
    await refuses(() => client.scrape(url('/secret/a')), /robots/)
    await refuses(() => client.scrape('http://10.0.0.1/'), /not allowed/)
    await refuses(() => client.scrape(url('/hangs'), { timeout: 1000 }), /not scraped within 1 s/)
    await refuses(() => client.scrape(url('/'), { formats: [{ type: 'json', prompt: 'the title' }] }), /json needs a language model/)
  })

  test('crawl waits for every page, sitemap included', async () => {
    const job = await client.crawl(url('/'), { limit: 50, pollInterval: 1 })
    assert.is(job.status, 'completed')
    const found = job.data.map(({ metadata }) => new URL(String(metadata?.sourceURL)).pathname).toSorted()
    assert.equal(found, ['/', '/blog/draft/three', '/blog/one', '/blog/two', '/blog/two', '/boats', '/hidden'])
    assert.is(job.completed, 7)
    assert.ok(job.data.every(({ markdown }) => (markdown ?? '').length > 20))
  })

  test('crawl obeys its options for paths, depth, sitemap and queries', async () => {
    const paths = async (options: Parameters<typeof client.crawl>[1]) => {
      const { data } = await client.crawl(url('/'), { limit: 50, pollInterval: 1, ...options })
      return data
        .map(({ metadata }) => new URL(String(metadata?.sourceURL)))
        .map(({ pathname, search }) => pathname + search)
        .toSorted()
    }
    assert.equal(await paths({ sitemap: 'skip', includePaths: ['^/blog/'], excludePaths: ['draft'] }), ['/', '/blog/one', '/blog/two'])
    assert.equal(await paths({ sitemap: 'skip', maxDiscoveryDepth: 0 }), ['/'])
    assert.equal(await paths({ sitemap: 'only' }), ['/', '/blog/one', '/boats', '/hidden'])
    const single = await paths({ sitemap: 'skip', ignoreQueryParameters: true, excludePaths: ['draft'] })
    assert.equal(single, ['/', '/blog/one', '/blog/two', '/boats'])
  })

  test('a crawl stays below its start path unless the whole domain is asked for', async () => {
    const paths = async (crawlEntireDomain: boolean) => {
      const { data } = await client.crawl(url('/blog/one'), { limit: 50, pollInterval: 1, sitemap: 'skip', crawlEntireDomain })
      return data.map(({ metadata }) => new URL(String(metadata?.sourceURL)).pathname)
    }
    assert.equal(await paths(false), ['/blog/one'])
    assert.ok((await paths(true)).includes('/boats'))
  })

  test('a crawl of more than a hundred pages returns each once, over several answers', async () => {
    const job = await client.crawl(url('/many/'), { limit: 500, sitemap: 'skip', pollInterval: 1 })
    const documents = [...job.data]
    // The older client returns only the first page.
    for (let { next } = job; next;) {
      const { json } = await f.call(next.slice(f.product.url.length))
      documents.push(...json.data)
      next = json.next
    }
    const urls = new Set(documents.map(({ metadata }) => metadata?.sourceURL))
    assert.equal([job.status, documents.length, urls.size, job.total], ['completed', MANY + 1, MANY + 1, MANY + 1])
  })

  test('startCrawl, getCrawlStatus, getActiveCrawls, cancelCrawl and getCrawlErrors work', async () => {
    const started = await client.startCrawl(url('/hangs'), { limit: 5, sitemap: 'skip' })
    assert.match(started.url, new RegExp(`^${f.product.url}/v2/crawl/${started.id}$`))
    const running = await client.getCrawlStatus(started.id)
    assert.equal([running.status, running.data], ['scraping', []])
    const { crawls } = await client.getActiveCrawls()
    assert.ok(crawls.some(({ id }) => id === started.id))
    assert.is(await client.cancelCrawl(started.id), true)
    assert.is((await client.getCrawlStatus(started.id)).status, 'cancelled')
    const ended = await client.crawl(url('/'), { limit: 50, pollInterval: 1 })
    const { errors, robotsBlocked } = await client.getCrawlErrors(String(ended.id ?? (await newestCrawl())))
    assert.equal(
      errors.map((one) => [one.url, typeof one.id, typeof one.timestamp, /404/.test(one.error)]),
      [[url('/gone'), 'string', 'string', true]],
    )
    assert.equal(robotsBlocked, [url('/secret/a')])
  })

  test('a crawl whose start cannot be fetched ends as failed within one poll', async () => {
    const job = await client.crawl(url('/secret/a'), { limit: 5, sitemap: 'skip', pollInterval: 1 })
    assert.equal([job.status, job.data], ['failed', []])
  })

  test('batchScrape waits, and matches documents to the requested URLs', async () => {
    const job = await client.batchScrape([url('/blog/one'), url('/moved'), url('/gone')], {
      pollInterval: 1,
      options: { formats: ['markdown'] },
    })
    assert.is(job.status, 'completed')
    assert.equal(job.data.map(({ metadata }) => String(metadata?.sourceURL)).toSorted(), [url('/blog/one'), url('/gone'), url('/moved')])
    assert.equal(job.data.find(({ metadata }) => metadata?.sourceURL === url('/moved'))?.metadata?.['url'], url('/boats'))
  })

  test('startBatchScrape and the calls for status, errors and cancel work', async () => {
    const started = await client.startBatchScrape([url('/boats'), url('/secret/a'), 'not a url'], { ignoreInvalidURLs: true })
    assert.equal(started.invalidURLs, ['not a url'])
    await until(async () => (await client.getBatchScrapeStatus(started.id)).status === 'completed')
    const { robotsBlocked } = await client.getBatchScrapeErrors(started.id)
    assert.equal(robotsBlocked, [url('/secret/a')])
    const hanging = await client.startBatchScrape([url('/hangs')])
    assert.is(await client.cancelBatchScrape(hanging.id), true)
    assert.is((await client.getBatchScrapeStatus(hanging.id)).status, 'cancelled')
  })

  test('map lists the URLs of a site', async () => {
    const { links } = await client.map(url('/'))
    assert.equal(links.map((link) => (typeof link === 'string' ? link : link.url)).toSorted(), [
      url('/').slice(0, -1),
      ...['/blog/one', '/boats', '/gone', '/hidden', '/secret/a'].map(url),
    ])
    const searched = await client.map(url('/'), { search: 'boats', sitemap: 'only' })
    assert.equal(
      searched.links.map((link) => (typeof link === 'string' ? link : link.url)),
      [url('/boats')],
    )
    const limited = await client.map(url('/'), { limit: 1 })
    assert.is(limited.links.length, 1)
  })

  test('search finds pages of the team if no provider is configured', async () => {
    await until(async () => ((await client.search('boats', { limit: 5 })).web ?? []).length > 0)
    const found = await client.search('boats', { limit: 5 })
    assert.ok((found.web ?? []).every((hit) => 'url' in hit && 'title' in hit))
    assert.is(found.news, undefined)
    const scraped = await client.search('boats', { limit: 2, scrapeOptions: { formats: ['markdown'] } })
    assert.ok((scraped.web ?? []).some((hit) => 'markdown' in hit && String(hit.markdown).length > 20))
  })

  test('extract says that no model is configured', async () => {
    await refuses(() => client.startExtract({ urls: [url('/')], prompt: 'the title' }), /needs a language model/)
  })

  test('usage calls answer numbers', async () => {
    assert.is((await client.getConcurrency()).maxConcurrency, 16)
    const credits = await client.getCreditUsage()
    assert.is(credits.remainingCredits, 1_000_000_000)
    assert.is((await client.getTokenUsage()).remainingTokens, 0)
    if (version === '3.2.0') return
    const { periods } = await client.getCreditUsageHistorical()
    assert.ok((periods[0]?.creditsUsed ?? 0) > 0)
    assert.equal((await client.getTokenUsageHistorical()).periods, [])
    assert.is(typeof (await client.getQueueStatus()).activeJobsInQueue, 'number')
  })

  test('the watcher of a crawl and of a batch says that the job was canceled', async () => {
    for (const kind of ['crawl', 'batch'] as const) {
      const { id } = kind === 'crawl' ? await client.startCrawl(url('/hangs')) : await client.startBatchScrape([url('/hangs')])
      const watcher = client.watcher(id, { kind, pollInterval: 60, timeout: 60 })
      const done = new Promise<{ status: string }>((resolve) => watcher.on('done', resolve))
      const following = new Promise((resolve) => watcher.once('snapshot', resolve))
      // In the newest version it resolves at the end.
      void watcher.start()
      await following
      await (kind === 'crawl' ? client.cancelCrawl(id) : client.cancelBatchScrape(id))
      assert.is((await done).status, 'cancelled')
      watcher.close()
    }
  })

  test('the watcher of a crawl and of a batch reports each document once', async () => {
    for (const kind of ['crawl', 'batch'] as const) {
      const { id } =
        kind === 'crawl'
          ? await client.startCrawl(url('/'), { limit: 50, sitemap: 'skip' })
          : await client.startBatchScrape([url('/boats'), url('/'), url('/blog/one')])
      const watcher = client.watcher(id, { kind, pollInterval: 1, timeout: 60 })
      const documents: string[] = []
      const errors: unknown[] = []
      watcher.on('document', (document) => documents.push(String(document.metadata?.sourceURL)))
      watcher.on('error', (error) => errors.push(error))
      const done = new Promise<{ status: string }>((resolve) => watcher.on('done', resolve))
      await watcher.start()
      assert.is((await done).status, 'completed')
      watcher.close()
      assert.equal(errors, [])
      assert.is(new Set(documents).size, documents.length)
      assert.is(documents.length, kind === 'crawl' ? 6 : 3)
    }
  })
}

sdk.run()

async function newestCrawl(): Promise<string> {
  const { json } = await f.call('/api/v1/core/crawl-requests/')
  return json.results[0].uuid as string
}

async function refuses(call: () => Promise<unknown>, words: RegExp): Promise<void> {
  const message = await call().then(
    () => 'it was taken',
    (error: Error) => error.message,
  )
  assert.match(message, words)
}
