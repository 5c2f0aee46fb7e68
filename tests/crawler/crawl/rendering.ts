/** Which pages a crawl has rendered, and what follows; the browser is a stub, so the test chooses every order. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RenderJob, RenderOutcome, Renderer } from '#backend/crawler/crawl/renderer.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'

const rendering = suite('pages that a browser renders')

const SHELL = '<!doctype html><title>Shop</title><body><div id="root"></div><script src="/app.js"></script>'

type Rendered = Partial<Omit<Extract<RenderOutcome, { kind: 'rendered' }>, 'kind'>>

/** When a page was requested, and when it had arrived; milliseconds of `performance.now()`. */
type Span = { at: number; until: number }

/** Renders a path as `pages` defines; records its jobs and their times. */
function fakeRenderer(pages: (path: string, job: RenderJob) => Rendered | Exclude<RenderOutcome, { kind: 'rendered' }>, slots = 2) {
  const jobs: RenderJob[] = []
  const spans: Span[] = []
  let atOnce = 0
  let most = 0
  const renderer: Renderer = {
    slots,
    async render(job) {
      jobs.push(job)
      const span = { at: performance.now(), until: Infinity }
      spans.push(span)
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      span.until = performance.now()
      const page = pages(new URL(job.url).pathname, job)
      if ('kind' in page) return page
      return {
        kind: 'rendered',
        url: job.url,
        status: 200,
        contentType: 'text/html',
        retryAfter: null,
        html: new Uint8Array(),
        captures: [],
        actions: [],
        notes: [],
        hops: [],
        firstByteMs: 1,
        tookMs: 2,
        ...page,
      }
    },
    close: async () => undefined,
  }
  return { renderer, jobs, spans, paths: () => jobs.map(({ url }) => new URL(url).pathname), most: () => most }
}
const html = (text: string) => ({ html: new TextEncoder().encode(text) })

type Row = { url: string; outcome: string; detail: string | null }

async function crawled(
  pages: Parameters<typeof startSite>[0],
  fake: ReturnType<typeof fakeRenderer> | null,
  {
    page = {},
    settings = {},
    spider = {},
  }: Parameters<ReturnType<typeof startEngineHarness>['crawl']>[1] & { settings?: { hostConcurrency?: number } } = {},
) {
  const site = await startSite(pages, { hosts: ['127.0.0.1', '127.0.0.2'] })
  const harness = startEngineHarness({ settings, ...(fake !== null && { renderer: fake.renderer }) })
  try {
    const runNo = await harness.crawl(site.url('/'), {
      spider: { max_depth: 5, page_limit: 50, ...spider },
      page: { ignore_rendering: false, ...page },
    })
    const run = await harness.ended(runNo)
    const rows = harness.rows<Row>('SELECT url, outcome, detail FROM run_url WHERE run_no = ? ORDER BY seq', runNo)
    return {
      run,
      faults: harness.faults(runNo),
      outcomes: Object.fromEntries(rows.map(({ detail, outcome, url }) => [new URL(url).pathname, { outcome, detail }])),
      feed: harness
        .rows<{ messages: string }>('SELECT messages FROM run_feed WHERE run_no = ? ORDER BY first_seq', runNo)
        .flatMap(({ messages }) => JSON.parse(messages) as { type: string; message: string }[]),
      files: harness.rows<{ page_no: number; type: string; filename: string }>(
        'SELECT page_no, type, filename FROM run_blob WHERE run_no = ?',
        runNo,
      ),
      paths: site.paths(),
      plain: site.all.map(({ at, until }) => ({ at, until })),
      port: site.port,
    }
  } finally {
    await harness.close()
    await site.close()
  }
}

rendering('a page with text is stored as it was sent, without a browser', async () => {
  const fake = fakeRenderer(() => html('never'))
  const { faults, outcomes, paths } = await crawled({ '/': pageOf('home', ['/a']), '/a': pageOf('a') }, fake)
  assert.equal(faults, [])
  assert.equal(outcomes, { '/': { outcome: 'kept', detail: null }, '/a': { outcome: 'kept', detail: null } })
  assert.equal(fake.jobs.length, 0)
  assert.equal(paths.length, 2)
})

rendering('a shell is rendered; the links of the rendered page are followed, and its outcome names the reason', async () => {
  const fake = fakeRenderer((path) => html(path === '/' ? pageOf('rendered home', ['/a']) : pageOf('rendered a')))
  const { faults, feed, outcomes, run } = await crawled({ '/': SHELL, '/a': pageOf('a text of its own') }, fake)
  assert.equal(faults, [])
  assert.is(run.kept, 2)
  assert.equal(outcomes['/'], { outcome: 'kept', detail: 'rendered: <div id="root"> is empty' })
  assert.equal(outcomes['/a'], { outcome: 'kept', detail: null })
  assert.equal(fake.paths(), ['/'])
  assert.ok(feed.some(({ message }) => message.startsWith('Rendered http')))
})

rendering('pages of a host whose pages were all shells go straight to the browser, with one request each', async () => {
  // Each page links only to the next, so that none is fetched before the kind of the last one is known.
  const chain = ['/', '/1', '/2', '/3', '/4', '/5', '/6']
  const fake = fakeRenderer((path) => html(pageOf(`rendered ${path}`, chain.slice(chain.indexOf(path) + 1).slice(0, 1))))
  const pages = Object.fromEntries(chain.map((path) => [path, SHELL]))
  const { faults, outcomes, paths } = await crawled(pages, fake, { spider: { concurrent_requests: 1, max_depth: chain.length } })
  assert.equal(faults, [])
  assert.is(fake.jobs.length, 7)
  assert.is(paths.length, 2)
  assert.is(outcomes['/6']?.detail, 'rendered: all pages of its host so far were made by scripts')
})

rendering('on a host with both kinds of pages, each page is decided by itself', async () => {
  const links = ['/1', '/2', '/3']
  const fake = fakeRenderer(() => html(pageOf('rendered')))
  const { outcomes, paths } = await crawled({ '/': pageOf('home', links), '/1': SHELL, '/2': SHELL, '/3': pageOf('three') }, fake)
  assert.is(paths.length, 4)
  assert.is(fake.jobs.length, 2)
  assert.is(outcomes['/3']?.detail, null)
})

rendering('without a browser a shell is stored as it was sent, and the feed has no warning', async () => {
  const { feed, outcomes, run } = await crawled({ '/': SHELL }, null)
  assert.is(run.status, 'finished')
  assert.equal(outcomes['/'], { outcome: 'kept', detail: null })
  assert.equal(
    feed.filter(({ type }) => type === 'warning'),
    [],
  )
})

rendering('a crawl that ignores rendering uses no browser', async () => {
  const fake = fakeRenderer(() => html('never'))
  const { outcomes } = await crawled({ '/': SHELL }, fake, { page: { ignore_rendering: true, actions: [{ type: 'pdf' }] } })
  assert.is(outcomes['/']?.detail, null)
  assert.is(fake.jobs.length, 0)
})

rendering('actions run on every page, without a plain fetch; captured files are stored in the commit of their page', async () => {
  const fake = fakeRenderer((path) => ({
    ...html(pageOf(`rendered ${path}`, ['/a'])),
    captures: [{ type: 'screenshot' as const, path: '/nowhere', bytes: 7 }],
    actions: ['done'],
  }))
  const { faults, files, paths, run } = await crawled({ '/': pageOf('home', ['/a']), '/a': pageOf('a') }, fake, {
    page: { actions: [{ type: 'screenshot' }], wait_time: 700, locale: 'de-DE', accept_cookies_selector: '#yes' },
  })
  assert.equal(faults, [])
  assert.is(run.kept, 2)
  assert.equal(paths, [])
  assert.equal(
    files.map(({ page_no, type }) => [page_no % 2 ** 24, type]),
    [
      [1, 'screenshot'],
      [2, 'screenshot'],
    ],
  )
  const { actions, consentSelector, locale, waitMs } = fake.jobs[0]!
  assert.equal([actions, consentSelector, locale, waitMs], [[{ type: 'screenshot' }], '#yes', 'de-DE', 700])
})

rendering('T13 headers of the crawl go to the browser for its own origin only', async () => {
  const fake = fakeRenderer((path, { url }) => html(pageOf('rendered', path === '/' ? [url.replace('127.0.0.1', '127.0.0.2') + 'b'] : [])))
  await crawled({ '/': pageOf('home') }, fake, {
    page: { extra_headers: { 'X-Own': 'secret' }, actions: [{ type: 'pdf' }] },
    spider: { allowed_domains: ['*'] },
  })
  assert.equal(
    fake.jobs.map(({ headers, url }) => [new URL(url).pathname, headers]),
    [
      ['/', { 'x-own': 'secret' }],
      ['/b', {}],
    ],
  )
})

rendering('a redirect to another host is handled like a redirect of a plain fetch', async () => {
  const to = 'http://elsewhere.test/there'
  const fake = fakeRenderer((path): RenderOutcome =>
    path === '/' ? { kind: 'redirected', to, status: 301, hops: [], tookMs: 1 } : { kind: 'failure', reason: 'dns', detail: '', tookMs: 1 },
  )
  const { outcomes } = await crawled({ '/': pageOf('home') }, fake, { page: { actions: [{ type: 'pdf' }] } })
  assert.equal(outcomes['/'], { outcome: 'redirected', detail: to })
})

rendering('the URL on another host to which scripts wanted to navigate is a link of the page', async () => {
  const fake = fakeRenderer((path, { url }) => ({
    ...html(pageOf(path)),
    ...(path === '/' && { leadsTo: new URL(url.replace('127.0.0.1', '127.0.0.2') + 'there').href }),
  }))
  const spider = { allowed_domains: ['*'] }
  const { outcomes } = await crawled({ '/': pageOf('home'), '//127.0.0.2/there': pageOf('there') }, fake, {
    page: { actions: [{ type: 'pdf' }] },
    spider,
  })
  assert.equal([outcomes['/']?.outcome, outcomes['/there']?.outcome], ['kept', 'kept'])
})

rendering('a URL that a browser cannot render is fetched without a browser', async () => {
  const fake = fakeRenderer((): RenderOutcome => ({ kind: 'no_page', detail: 'a download', tookMs: 1 }))
  const { feed, outcomes, paths } = await crawled({ '/': { headers: { 'content-type': 'text/plain' }, body: 'a text' } }, fake, {
    page: { actions: [{ type: 'pdf' }] },
  })
  assert.equal(outcomes['/'], { outcome: 'kept', detail: 'not rendered: a download' })
  assert.is(paths.length, 1)
  assert.ok(feed.some(({ message }) => message.includes('a download')))
})

rendering('after two files in a row the next URLs are fetched without a browser first, and pages among them are rendered', async () => {
  const file = { headers: { 'content-type': 'application/octet-stream' }, body: 'bytes' }
  // The last one is known only when the browser has shown the page.
  const links: Record<string, string[]> = { '/': ['/f1', '/f2', '/f3', '/f4', '/page'], '/page': ['/last'] }
  const isFile = (path: string) => path.startsWith('/f')
  const fake = fakeRenderer((path) =>
    isFile(path) ? { kind: 'no_page', detail: 'a download', tookMs: 1 } : html(pageOf(`rendered ${path}`, links[path] ?? [])),
  )
  const pages = {
    '/': pageOf('home', links['/']),
    '/f1': file,
    '/f2': file,
    '/f3': file,
    '/f4': file,
    '/page': pageOf('page'),
    '/last': pageOf('last'),
  }
  const { faults, outcomes, paths, run } = await crawled(pages, fake, {
    page: { actions: [{ type: 'screenshot' }] },
    spider: { concurrent_requests: 1 },
  })
  assert.equal(faults, [])
  assert.is(run.kept, 7)
  // The browser does not get the third and fourth file; after a page it gets the next URL at once.
  assert.equal(fake.paths(), ['/', '/f1', '/f2', '/page', '/last'])
  assert.equal(paths, ['/f1', '/f2', '/f3', '/f4', '/page'])
  for (const path of ['/', '/page', '/last']) assert.is(outcomes[path]?.detail, 'rendered: the crawl asks for actions')
})

rendering('without a working browser no page is lost: the feed has one warning, and pages are fetched without a browser', async () => {
  const links = ['/1', '/2']
  const fake = fakeRenderer((): RenderOutcome => ({ kind: 'unavailable', detail: 'no such file' }))
  const { faults, feed, run } = await crawled({ '/': pageOf('home', links), '/1': SHELL, '/2': pageOf('two') }, fake, {
    page: { actions: [{ type: 'screenshot' }] },
  })
  assert.equal(faults, [])
  assert.is(run.kept, 3)
  assert.is(feed.filter(({ message }) => message.startsWith('The browser cannot be started')).length, 1)
})

rendering('a shell that the browser could not render is stored as it was sent, and the feed says so', async () => {
  const fake = fakeRenderer((): RenderOutcome => ({ kind: 'failure', reason: 'timeout', detail: 'no document in time', tookMs: 1 }))
  const { feed, outcomes, run } = await crawled({ '/': SHELL }, fake)
  assert.is(run.status, 'finished')
  assert.is(outcomes['/']?.outcome, 'kept')
  assert.ok(feed.some(({ message, type }) => type === 'warning' && message.includes('no document in time')))
})

rendering('a page that must be rendered but cannot be is stored as it was sent, with the reason in its outcome', async () => {
  const fake = fakeRenderer((): RenderOutcome => ({ kind: 'failure', reason: 'render_failed', detail: 'the page has crashed', tookMs: 1 }))
  const { feed, outcomes, run } = await crawled({ '/': pageOf('home') }, fake, { page: { actions: [{ type: 'pdf' }] } })
  assert.equal(outcomes['/'], { outcome: 'kept', detail: 'not rendered: the page has crashed' })
  assert.is(run.status, 'finished')
  assert.is(fake.jobs.length, 1)
  assert.ok(feed.some(({ message, type }) => type === 'warning' && message.includes('the page has crashed')))
})

rendering('concurrent renderings stay within the places of the renderer and the limit of each host', async () => {
  const links = Array.from({ length: 12 }, (_, at) => `/${at}`)
  const fake = fakeRenderer((path) => html(pageOf(`rendered ${path}`, links)), 3)
  const { faults, run } = await crawled(Object.fromEntries(['/', ...links].map((path) => [path, SHELL])), fake, {
    page: { actions: [{ type: 'pdf' }] },
  })
  assert.equal(faults, [])
  assert.is(run.kept, 13)
  assert.ok(fake.most() <= 3, String(fake.most()))
})

rendering('the pause of a host is kept between all its requests, plain and rendered', async () => {
  const links = Array.from({ length: 6 }, (_, at) => `/${at}`)
  const fake = fakeRenderer((path) => html(pageOf(`rendered ${path}`)), 3)
  const pages = Object.fromEntries(links.map((path, at) => [path, at % 2 === 0 ? SHELL : pageOf(`text of ${path}`)]))
  const { faults, plain, run } = await crawled(
    {
      ...pages,
      '/': pageOf('home', links),
      '/robots.txt': { body: 'User-agent: *\nCrawl-delay: 0.05\n', headers: { 'content-type': 'text/plain' } },
    },
    fake,
  )
  assert.equal(faults, [])
  assert.is(run.kept, 7)
  assert.is(fake.spans.length, 3)
  const spans = [...plain, ...fake.spans].toSorted((one, other) => one.at - other.at)
  assert.is(spans.length, 11)
  // The first request is robots.txt, which defines the pause. Timers may end a millisecond early.
  const short = spans.slice(2).filter(({ at }, no) => at - spans[no + 1]!.until < 48)
  assert.equal(short, [])
})

rendering('plain and rendered requests together stay within the limit of a host', async () => {
  const links = Array.from({ length: 16 }, (_, at) => `/${at}`)
  const fake = fakeRenderer((path) => html(pageOf(`rendered ${path}`)), 4)
  // On a host where only some pages are shells, each page is fetched plainly first, and the shells again by the browser.
  const pages = Object.fromEntries(links.map((path, at) => [path, { body: at % 2 === 0 ? SHELL : pageOf(`text of ${path}`), afterMs: 10 }]))
  const { faults, plain, run } = await crawled({ ...pages, '/': pageOf('home', links) }, fake, {
    settings: { hostConcurrency: 2 },
    spider: { concurrent_requests: 16 },
  })
  assert.equal(faults, [])
  assert.is(run.kept, 17)
  assert.ok(fake.spans.length > 0)
  const spans = [...plain, ...fake.spans]
  const most = Math.max(...spans.map(({ at }) => spans.filter((one) => one.at <= at && at < one.until).length))
  assert.ok(most <= 2, `${most} at once`)
})

rendering.run()
