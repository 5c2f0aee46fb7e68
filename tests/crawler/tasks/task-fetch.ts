/** The fetches of a task: turns, redirects, streaming, and parsed pages. */
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { FetchOutcome } from '#backend/crawler/fetch/fetcher.ts'
import type { TaskContext } from '#backend/crawler/tasks/task.ts'
import { startEngineHarness } from '#tests/support/engine/engine.ts'
import { pageOf, startSite } from '#tests/support/sites/site.ts'
import type { SitePage } from '#tests/support/sites/site.ts'

const fetching = suite('the fetches of a task')

type Options = Parameters<typeof startEngineHarness>[0] & { hosts?: string[] }

/** Runs `work` as a task over a site; what it throws is thrown on. */
async function asTask(
  pages: Record<string, SitePage>,
  work: (context: TaskContext, at: Awaited<ReturnType<typeof startSite>>) => Promise<void>,
  { hosts, ...options }: Options = {},
): Promise<void> {
  const at = await startSite(pages, hosts === undefined ? {} : { hosts })
  let fault: unknown = null
  const engine = startEngineHarness({
    ...options,
    tasks: {
      search: async (context) => {
        await work(context, at).catch((thrown: unknown) => (fault = thrown))
        return { status: 'finished', reason: 'done', type: 'success', message: 'Done' }
      },
    },
  })
  try {
    assert.is((await engine.ended(await engine.task('search'))).status, 'finished')
    if (fault !== null) throw fault
  } finally {
    await engine.close()
    await at.close()
  }
}

const told = (outcome: FetchOutcome) =>
  outcome.kind === 'fetched'
    ? `${outcome.status} ${Buffer.from(outcome.body).toString()}`
    : outcome.kind === 'failure'
      ? outcome.reason
      : `to ${outcome.to}`
const LONG = 'words and more words, '.repeat(40_000)

fetching('a fetch returns a decoded body for each encoding, and requests no robots.txt', async () => {
  const gzip = { 'content-encoding': 'gzip' }
  await asTask(
    {
      '/plain': 'as it is',
      '/gzip': { headers: gzip, body: gzipSync(LONG) },
      '/short': { headers: gzip, body: gzipSync(LONG).subarray(0, 200) },
      '/file.gz': { headers: { 'content-type': 'application/gzip' }, body: gzipSync('in a file') },
      '/both.gz': { headers: gzip, body: gzipSync(gzipSync('in both')) },
      '/empty': { headers: gzip, body: '' },
      '/secret': { headers: { 'content-encoding': 'rot13' }, body: 'n' },
    },
    async ({ fetch }, at) => {
      assert.is(told(await fetch({ url: at.url('/plain') })), '200 as it is')
      const long = await fetch({ url: at.url('/gzip') })
      assert.is(told(long), `200 ${LONG}`)
      assert.is(long.kind === 'fetched' && long.headers.contentEncoding, '')
      assert.is(told(await fetch({ url: at.url('/short') })), 'bad_encoding')
      assert.is(told(await fetch({ url: at.url('/secret') })), 'bad_encoding')
      assert.is(told(await fetch({ url: at.url('/empty') })), '200 ')
      assert.is(told(await fetch({ url: at.url('/file.gz'), unpacksGzip: true })), '200 in a file')
      assert.is(told(await fetch({ url: at.url('/both.gz'), unpacksGzip: true })), '200 in both')
      assert.is(told(await fetch({ url: at.url('/plain'), unpacksGzip: true })), '200 as it is')
      assert.is(at.times('/robots.txt'), 0)
    },
  )
})

fetching('an oversized body fails or is cut; its size is counted on the wire and decoded', async () => {
  await asTask(
    { '/long': LONG, '/bomb': { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(30 * 1024 * 1024)) } },
    async ({ fetch }, at) => {
      assert.is(told(await fetch({ url: at.url('/long'), maxBytes: 1000 })), 'too_large')
      assert.is(told(await fetch({ url: at.url('/bomb'), maxBytes: 100_000 })), 'too_large')
      for (const path of ['/long', '/bomb']) {
        const cut = await fetch({ url: at.url(path), maxBytes: 100_000, overflow: 'cut' })
        assert.equal(cut.kind === 'fetched' && [cut.body.length, cut.truncated], [100_000, true], path)
      }
    },
  )
})

fetching('a streamed body waits for its reader', async () => {
  const text = Array.from({ length: 300_000 }, (_, n) => `line ${n}\n`).join('')
  await asTask(
    {
      '/big.gz': { headers: { 'content-type': 'application/x-gzip' }, body: gzipSync(text) },
      '/big': text,
      '/gone': { status: 404, body: 'not here' },
    },
    async ({ fetch }, at) => {
      for (const path of ['/big.gz', '/big']) {
        const pieces: Buffer[] = []
        let isBusy = false
        const outcome = await fetch({
          url: at.url(path),
          unpacksGzip: true,
          onChunk: async (piece, head) => {
            assert.is(isBusy, false)
            assert.is(head.status, 200)
            isBusy = true
            pieces.push(Buffer.from(piece))
            await new Promise((resolve) => setImmediate(resolve))
            isBusy = false
          },
        })
        assert.is(told(outcome), '200 ')
        assert.ok(pieces.length > 3 && pieces.every(({ length }) => length <= 1024 * 1024), `${pieces.length} pieces`)
        assert.ok(Buffer.concat(pieces).equals(Buffer.from(text)), path)
      }
      let taken = 0
      const gone = await fetch({ url: at.url('/gone'), onChunk: () => void (taken += 1) })
      assert.equal([told(gone), taken], ['404 not here', 0])

      const failed = await fetch({
        url: at.url('/big.gz'),
        unpacksGzip: true,
        maxBytes: 200_000,
        onChunk: (piece) => void (taken += piece.length),
      })
      assert.is(told(failed), 'too_large')
      assert.ok(taken > 0 && taken <= 200_000, `${taken}`)

      const mistake = new Error('cannot be read')
      let thrown: unknown
      await fetch({
        url: at.url('/big'),
        onChunk: () => {
          throw mistake
        },
      }).catch((fault: unknown) => (thrown = fault))
      assert.is(thrown, mistake)
    },
  )
})

fetching(
  'redirects are followed from host to host, secrets are sent only to the first, and cookies to the host that set them',
  async () => {
    await asTask(
      {
        '/a': { status: 302, headers: { location: '/b' } },
        '/b': (request) => ({ status: 302, headers: { location: `http://127.0.0.2:${request.socket.localPort}/c` } }),
        '//127.0.0.2/c': (request) => ({ status: 301, headers: { location: `http://127.0.0.1:${request.socket.localPort}/d` } }),
        '/d': 'there',
        '/loop': (request) => ({ status: 302, headers: { location: `http://127.0.0.2:${request.socket.localPort}/loop` } }),
        '//127.0.0.2/loop': (request) => ({ status: 302, headers: { location: `http://127.0.0.1:${request.socket.localPort}/loop` } }),
        '/cookie': (request) =>
          request.headers.cookie === 'seen=1'
            ? 'with its cookie'
            : { status: 302, headers: { location: `http://127.0.0.2:${request.socket.localPort}/check`, 'set-cookie': 'seen=1' } },
        '//127.0.0.2/check': (request) => ({ status: 302, headers: { location: `http://127.0.0.1:${request.socket.localPort}/cookie` } }),
        '/inside': { status: 302, headers: { location: 'http://10.0.0.1/' } },
      },
      async ({ fetch }, at) => {
        const outcome = await fetch({ url: at.url('/a'), headers: { 'x-secret': 'yes' } })
        assert.is(told(outcome), '200 there')
        assert.equal(outcome.kind === 'fetched' && [outcome.url, outcome.hops], [
          at.url('/d'),
          [at.url('/a'), at.url('/b'), at.url('/c', '127.0.0.2')],
        ])
        assert.equal(
          at.hits.map(({ headers, path }) => [path, headers['x-secret']]),
          [
            ['/a', 'yes'],
            ['/b', 'yes'],
            ['/c', undefined],
            ['/d', 'yes'],
          ],
        )
        const asked: string[] = []
        const refused = await fetch({ url: at.url('/a'), follows: (url) => asked.push(url) < 0 })
        assert.equal([told(refused), asked], [`to ${at.url('/c', '127.0.0.2')}`, [at.url('/c', '127.0.0.2')]])
        assert.is(told(await fetch({ url: at.url('/loop') })), 'redirect_loop')
        assert.is(told(await fetch({ url: at.url('/cookie') })), '200 with its cookie')
        assert.is(told(await fetch({ url: at.url('/inside') })), 'refused_address')
        assert.is(told(await fetch({ url: 'ftp://a.test/' })), 'protocol')
      },
      { hosts: ['127.0.0.1', '127.0.0.2'] },
    )
  },
)

fetching('after a Retry-After no task requests the host until that time', async () => {
  const begun = performance.now()
  const start = Date.now()
  const now = () => start + Math.round((performance.now() - begun) * 5)
  let answered = 0
  await asTask(
    {
      '/busy': () => {
        answered += 1
        return answered === 1 ? { status: 429, headers: { 'retry-after': '2' }, body: 'later' } : 'now'
      },
      '/other': 'text',
    },
    async ({ fetch }, at) => {
      assert.is(told(await fetch({ url: at.url('/busy') })), '429 later')
      const closedUntil = now() + 1800
      assert.is(told(await fetch({ url: at.url('/other') })), '200 text')
      assert.ok(now() >= closedUntil, 'it was asked too early')
      answered = 0
      assert.is(told(await fetch({ url: at.url('/busy'), tries: 2 })), '200 now')
    },
    { now },
  )
})

fetching('the requests of all tasks to one address stay within its limit', async () => {
  const paths = Array.from({ length: 24 }, (_, n) => `/p/${n}`)
  await asTask(
    Object.fromEntries(paths.map((path) => [path, { body: path, afterMs: 3 }])),
    async ({ fetch, signal }, at) => {
      const gone = new AbortController()
      const given = paths.map((path) => fetch({ url: at.url(path), signal: path === '/p/23' ? gone.signal : signal }))
      gone.abort()
      const outcomes = (await Promise.all(given)).map(told)
      assert.equal(
        outcomes.slice(0, 23),
        paths.slice(0, 23).map((path) => `200 ${path}`),
      )
      assert.is(outcomes[23], 'canceled')
      assert.ok(at.mostAtOnce() <= 3, `${at.mostAtOnce()} at once`)
      // A fetch that left the queue is not sent.
      assert.is(at.times('/p/23'), 0)
    },
    { settings: { hostConcurrency: 3 } },
  )
})

fetching('a page is read: title, description, language, links', async () => {
  const html = `<!doctype html><html lang="de"><head><title>Blue &amp; green</title><meta name="Description" content="All about it"></head><body>
    <nav><a href="/a?utm_source=x#top">first</a></nav><a href="b/">second</a><a href="/a">again</a><a href="mailto:x@y.test">mail</a><a href="/p.pdf">a file</a></body></html>`
  await asTask(
    {
      '/at/page': html,
      '/moved': { status: 301, headers: { location: '/at/page' } },
      '/image': { headers: { 'content-type': 'image/png' }, body: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]) },
      '/plain': pageOf('plain'),
    },
    async ({ readPage }, at) => {
      const { page } = await readPage(at.url('/moved'))
      assert.equal(page, {
        url: at.url('/at/page'),
        title: 'Blue & green',
        description: 'All about it',
        language: 'de',
        canonicalUrl: null,
        links: [
          { url: at.url('/a'), text: 'first' },
          { url: at.url('/at/b/'), text: 'second' },
          { url: at.url('/p.pdf'), text: 'a file' },
        ],
      })
      const image = await readPage(at.url('/image'))
      assert.equal([image.page, image.unread], [null, 'its type has no text (image/png)'])
      const none = await readPage(at.url('/none'))
      assert.equal([none.page, none.unread, told(none.outcome).slice(0, 3)], [null, 'HTTP 404', '404'])
      assert.is((await readPage(at.url('/plain'))).page?.description, null)
    },
  )
})

fetching('a crawl uses a host normally after a task has used it', async () => {
  const at = await startSite({ '/': pageOf('home', ['/a']), '/a': pageOf('a') })
  const engine = startEngineHarness({
    tasks: {
      search: async ({ fetch }) => {
        assert.match(told(await fetch({ url: at.url('/a') })), /^200 /)
        return { status: 'finished', reason: 'done', type: 'success', message: 'Done' }
      },
    },
  })
  try {
    assert.is((await engine.ended(await engine.task('search'))).status, 'finished')
    // Its row is written by the code that starts the crawl, when the engine knows the host by name alone.
    const row = await engine.ended(await engine.crawl(at.url('/'), { spider: { max_depth: 1, page_limit: 5 } }))
    assert.is(row.status, 'finished')
    assert.is(at.times('/a'), 2)
  } finally {
    await engine.close()
    await at.close()
  }
})

fetching.run()
