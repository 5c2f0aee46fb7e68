import { randomBytes } from 'node:crypto'
import { HtmlRenderer, Parser } from 'commonmark'
import * as assert from 'uvu/assert'
import { createCrawl } from '#contract/crawls.ts'
import { localBus } from '#backend/platform/events/event-bus.ts'
import { archiveName, crawlArchive } from '#backend/crawls/crawl-archive.ts'
import { startApp } from '#tests/support/app.ts'
import { engineRows } from '#tests/support/engine/engine-rows.ts'
import { CRAWLS, startCrawlApp } from '#tests/support/crawl-app.ts'
import { unzip } from '#tests/support/unzip.ts'
import { suite } from '#tests/support/suite.ts'

const download = suite('download a crawl')
const SHOP = 'https://shop.example/'

async function withPages(urls: string[]) {
  const app = await startCrawlApp()
  const { id, no } = await app.started()
  await app.engine.commit(no, { pages: urls.map((url) => ({ url, title: 'T', document: { metadata: {}, markdown: `# ${url}\n` } })) })
  return { ...app, id, no, path: `${CRAWLS}${id}/download/` }
}

download('the archive is a zip with a JSON document for each result, also while the crawl runs', async () => {
  const { call, path } = await withPages([SHOP, `${SHOP}tea/green?a=1`])
  for (const accept of ['application/json', 'application/zip', '*/*']) {
    const { status, type, headers, bytes } = await call('GET', path, { headers: { accept } })
    assert.equal([status, type], [200, 'application/zip'])
    assert.is(headers['content-disposition'], 'attachment; filename="shop.example_docs.zip"')
    const entries = await unzip(bytes)
    assert.equal([...entries.keys()], ['shop.example.json', 'shop.example_tea_green_a=1.json'])
    assert.equal(JSON.parse(entries.get('shop.example.json') ?? ''), { metadata: {}, markdown: `# ${SHOP}\n` })
  }
})

download('the archive and the extracted data of a crawl with a start URL in any script have its name', async () => {
  const { call, started } = await startCrawlApp()
  for (const url of ['https://例え.example/日本', 'https://xn--r8jz45g.example/%E6%97%A5%E6%9C%AC']) {
    const { id } = await started(url)
    for (const [path, name] of [
      ['download', '例え.example_日本_docs.zip'],
      ['extractions/download', '例え.example_日本_data.json'],
    ] as const) {
      const { headers, status } = await call('GET', `${CRAWLS}${id}/${path}/`)
      assert.is(status, 200)
      const plain = name.replace(/[^ -~]+/g, '_')
      assert.is(headers['content-disposition'], `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`)
    }
  }
})

download('a name that is cut ends with a whole character, also where characters take two places of a string', async () => {
  const { call, started } = await startCrawlApp()
  const { id } = await started(`https://a.example/${'a'.repeat(139)}𠮷𠮷`)
  for (const [path, end] of [
    ['download', 'docs.zip'],
    ['extractions/download', 'data.json'],
  ] as const) {
    const { headers, status } = await call('GET', `${CRAWLS}${id}/${path}/`)
    assert.equal([status, headers['content-disposition']], [200, `attachment; filename="a.example_${'a'.repeat(139)}_${end}"`])
  }
})

download('the archive contains Markdown on request', async () => {
  const { call, path } = await withPages([`${SHOP}tea`])
  const entries = await unzip((await call('GET', `${path}?output_format=markdown`)).bytes)
  assert.equal([...entries], [['shop.example_tea.md', `# ${SHOP}tea\n`]])
})

download('as jsonl the archive contains one line for each result', async () => {
  const { call, path } = await withPages([SHOP, `${SHOP}tea`])
  const entries = await unzip((await call('GET', `${path}?output_format=jsonl`)).bytes)
  assert.equal([...entries.keys()], ['shop.example.jsonl'])
  const lines = (entries.get('shop.example.jsonl') ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(
    lines.map(({ url, title, result }) => [url, title, result.markdown]),
    [
      [SHOP, 'T', `# ${SHOP}\n`],
      [`${SHOP}tea`, 'T', `# ${SHOP}tea\n`],
    ],
  )
})

download('the archive contains llms.txt and llms-full.txt for language models', async () => {
  const { call, engine, no, path } = await withPages([SHOP])
  const document = { metadata: { description: 'All our\n teas.' }, markdown: '# Tea\n\nGreen.\n' }
  await engine.commit(no, { pages: [{ url: `${SHOP}tea_(green)`, title: 'Tea [green]', document }] })
  const entries = await unzip((await call('GET', `${path}?output_format=llms`)).bytes)
  assert.equal([...entries.keys()], ['llms.txt', 'llms-full.txt'])
  assert.is(
    entries.get('llms.txt'),
    `# ${SHOP}\n\n> Pages of ${SHOP}. Their whole text is in llms-full.txt.\n\n## Pages\n\n- [T](${SHOP})\n- [Tea \\[green\\]](${SHOP}tea_%28green%29): All our teas.\n`,
  )
  assert.is(
    entries.get('llms-full.txt'),
    `# T\n\nSource: ${SHOP}\n\n# ${SHOP}\n\n---\n\n# Tea \\[green]\n\nSource: ${SHOP}tea_(green)\n\n# Tea\n\nGreen.\n\n---\n\n`,
  )
})

download('A7: titles and descriptions of pages are text in llms.txt and llms-full.txt, never markup', async () => {
  const { call, engine, no, path } = await withPages([])
  const hostile = 'x](http://b.example/) <img src=x onerror=alert(1)> ![p](http://b.example/p) see http://c.example/<script> [y'
  const document = { metadata: { description: hostile }, markdown: 'Tea.\n' }
  await engine.commit(no, { pages: [{ url: SHOP, title: hostile, document }] })
  const entries = await unzip((await call('GET', `${path}?output_format=llms`)).bytes)
  const text = 'x\\](http://b.example/) \\<img src=x onerror=alert(1)> !\\[p\\](http://b.example/p) see http://c.example/&lt;script>'
  const [, listed = ''] = entries.get('llms.txt')!.split('## Pages\n\n')
  assert.is(
    new HtmlRenderer()
      .render(new Parser().parse(listed))
      .match(/<(?:img|script|a)\b[^>]*>/g)
      ?.join(),
    `<a href="${SHOP}">`,
  )
  assert.ok(listed.endsWith(`](${SHOP}): ${text} [y\n`), listed)
  assert.is(entries.get('llms-full.txt')!.split('\n')[0], `# ${text} [y`)
})

for (const format of ['json', 'markdown', 'jsonl', 'llms'])
  download(`the archive of an empty crawl is valid and empty (${format})`, async () => {
    const { call, path } = await withPages([])
    const { status, bytes } = await call('GET', `${path}?output_format=${format}`)
    assert.is(status, 200)
    assert.is((await unzip(bytes)).size, 0)
  })

download('a download in an unknown format is refused', async () => {
  const { call, path } = await withPages([])
  const { status, json } = await call('GET', `${path}?output_format=pdf`)
  assert.is(status, 400)
  assert.equal(json.errors, { output_format: ['"pdf" is not a valid choice.'] })
})

download('hostile URLs get unique file names that stay in their folder', async () => {
  const urls = [
    'https://a.example/../../etc/passwd',
    'https://a.example/..%2F..%2Fetc%2Fpasswd',
    'https://a.example/x',
    'https://a.example/X',
    'https://a.example//x',
    'https://a.example/x?',
    'https://a.example/C:\\con<>:"|*',
    'https://a.example/\u202Egnp.exe',
    `https://a.example/${'long'.repeat(400)}`,
    'https://a.example/日本語',
    'https://xn--r8jz45g.example/%E6%97%A5%E6%9C%AC/%E0%B8%97%E0%B8%B5%E0%B9%88',
    'https://a.example/caf%C3%A9',
    'https://a.example/cafe%CC%81',
    'https://a.example/caf%E9',
    `https://a.example/${encodeURIComponent('長い名前'.repeat(40))}`,
    'https://../',
  ]
  const { call, path } = await withPages(urls)
  const names = [...(await unzip((await call('GET', path)).bytes)).keys()]
  assert.is(names.length, urls.length)
  assert.is(new Set(names.map((name) => name.toLowerCase())).size, urls.length)
  for (const name of names) {
    assert.not.match(name, /[/\\:*?"<>|\p{Cc}\p{Cf}]|^\.|\.\./u)
    assert.ok(name.endsWith('.json') && name.length <= 170 && Buffer.byteLength(name) <= 240, name)
  }
  for (const name of ['a.example_日本語', '例え.example_日本_ที่', 'a.example_café', 'a.example_cafe\u0301-2', 'a.example_caf%E9'])
    assert.ok(names.includes(`${name}.json`), name)
})

download('the archive of several hundred pages contains all of them, in order', async () => {
  const urls = Array.from({ length: 330 }, (_, at) => `${SHOP}${at}`)
  const { call, path } = await withPages(urls)
  const entries = await unzip((await call('GET', path)).bytes)
  assert.equal(
    [...entries.keys()],
    urls.map((url) => `${url.slice('https://'.length).replace('/', '_')}.json`),
  )
})

const NAMES: [label: string, name: string][] = [
  ['https://shop.example', 'shop.example_docs.zip'],
  ['https://shop.example/a/b?c=d', 'shop.example_a_b_c=d_docs.zip'],
  ['https://shop.example/"\r\nset-cookie: x', 'shop.example_set-cookie_x_docs.zip'],
]
for (const [label, name] of NAMES) download(`an archive is called ${name}`, () => assert.is(archiveName(label), name))

/** An endless crawl that notes how many documents were read. */
function endlessPages() {
  const read = { documents: 0, groups: 0 }
  const pages = {
    between: async (_: number, after: number, upTo: number, limit: number) => {
      read.groups += 1
      return Array.from({ length: Math.min(limit, upTo - after) }, (_unused, at) => {
        const ordinal = after + at + 1
        return {
          no: ordinal,
          ordinal,
          id: '',
          url: `${SHOP}${ordinal}`,
          title: null,
          createdAt: 0,
          eventSeq: ordinal,
          httpStatus: 200,
          contentType: 'text/html',
        }
      })
    },
    documents: async function* <Row extends { no: number }>(rows: readonly Row[]) {
      for (const row of rows) {
        read.documents += 1
        // Random bytes, which do not compress.
        const document = Buffer.from(JSON.stringify({ markdown: crypto.getRandomValues(Buffer.alloc(64 * 1024)).toString('base64') }))
        yield [{ row, document }]
      }
    },
  }
  return { pages, read }
}

const run = { no: 1, kept: 1_000_000, label: SHOP, updatedAt: 0 } as Parameters<typeof crawlArchive>[0]['run']
const settle = async () => {
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

for (const format of ['json', 'markdown', 'jsonl'] as const)
  download(`a download is read no faster than its client takes it, and stops when the client disconnects (${format})`, async () => {
    const { pages, read } = endlessPages()
    const archive = crawlArchive({ format, pages, run })
    for (let piece = 0; piece < 3; piece += 1) await archive.next()
    await settle()
    const held = read.documents
    assert.ok(held > 0 && held < 50, `${held} documents are read ahead`)
    await archive.return(undefined)
    await settle()
    assert.is(read.documents, held)
    assert.is(read.groups, 1)
  })

for (const format of ['json', 'jsonl'] as const)
  download(`a download breaks off when a document cannot be read, so that the archive does not look complete (${format})`, async () => {
    for (const document of [
      () => Promise.reject(new Error('no such row')),
      ({ no }: { no: number }) => Promise.resolve(Buffer.from(no === 2 ? 'null' : '{}')),
    ]) {
      let fault: unknown
      const pages = {
        ...endlessPages().pages,
        documents: async function* <Row extends { no: number }>(rows: readonly Row[]) {
          for (const row of rows) yield [{ row, document: await document(row) }]
        },
      }
      try {
        for await (const piece of crawlArchive({ format, pages, run: { ...run, kept: 3 } })) assert.ok(piece.length > 0)
      } catch (cause) {
        fault = cause
      }
      assert.match((fault as Error).message, /no such row|is missing/)
    }
  })

const inThread = suite('download a crawl by a reader thread')

/** The product's own wiring, over a file, with one finished crawl of so many pages. */
async function withThread(count: number, text = () => 'word '.repeat(400)) {
  const lines: { level: number; msg: string }[] = []
  const app = await startApp({ requestLog: (line) => lines.push(line) })
  const { apiKey } = await app.signIn()
  const { body } = await app.call(createCrawl, {
    key: apiKey,
    body: { url: 'http://127.0.0.1:9/', options: { spider_options: { page_limit: 9000 } } },
  })
  const engine = engineRows({ bus: localBus(), database: app.backend.database, now: Date.now })
  const pages = Array.from({ length: count }, (_, at) => ({
    url: `${SHOP}${at}`,
    document: { metadata: { title: `page ${at}` }, markdown: `# ${at}\n\n${text()}`, links: [`${SHOP}${at + 1}`] },
  }))
  await engine.commit(await engine.take(body.uuid), { pages, end: { status: 'finished' } })
  const base = await app.listen()
  lines.length = 0
  const ask = (path: string, init: RequestInit = {}) => fetch(base + path, { ...init, headers: { 'x-api-key': apiKey } })
  return { ask, close: app.close, id: body.uuid, lines, pages }
}

inThread('O13: a reader thread writes the same archives and exports as the API thread', async () => {
  const { ask, id, pages } = await withThread(700)
  for (const [format, extension] of [
    ['json', '.json'],
    ['markdown', '.md'],
  ] as const) {
    const entries = await unzip(Buffer.from(await (await ask(`${CRAWLS}${id}/download/?output_format=${format}`)).arrayBuffer()))
    assert.is(entries.size, pages.length)
    for (const [at, page] of pages.entries())
      assert.is(
        entries.get(`shop.example_${at}${extension}`),
        format === 'json' ? JSON.stringify(page.document) : page.document.markdown,
        `${format} ${at}`,
      )
  }
  const [line] = [...(await unzip(Buffer.from(await (await ask(`${CRAWLS}${id}/download/?output_format=jsonl`)).arrayBuffer()))).values()]
  assert.equal(
    line!
      .trimEnd()
      .split('\n')
      .map((text) => (JSON.parse(text) as { result: unknown }).result),
    pages.map(({ document }) => document),
  )
  const listed = (await (await ask(`${CRAWLS}${id}/results/?prefetched=true&page_size=100&page=last`)).json()) as {
    count: number
    results: { result: unknown }[]
  }
  assert.equal([listed.count, listed.results.map(({ result }) => result)], [700, pages.slice(600).map(({ document }) => document)])
  const tree = (await (await ask(`${CRAWLS}${id}/sitemap/graph/`)).json()) as Record<string, Record<string, { __self__: { url: string } }>>
  assert.is(Object.keys(tree['shop.example']!).length, 700)
  assert.equal(tree['shop.example']!['699']!.__self__, { url: `${SHOP}699` })
})

inThread('O9: a download that its client cuts off logs only one line at debug level', async () => {
  // Random bytes, which do not compress: more than the socket buffers hold.
  const noise = () => randomBytes(256 * 1024).toString('base64')
  for (const path of ['download/', 'results/?prefetched=true&page_size=100']) {
    const { ask, id, lines } = await withThread(100, noise)
    const aborter = new AbortController()
    const reply = await ask(`${CRAWLS}${id}/${path}`, { signal: aborter.signal })
    await reply.body!.getReader().read()
    aborter.abort()
    const told = () => lines.filter(({ msg }) => !/^(incoming request|request completed)$/.test(msg)).map(({ level, msg }) => [level, msg])
    for (let turn = 0; turn < 2000 && told().length === 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10))
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(told(), [[20, 'a download was cut off by its reader']], path)
  }
})

download.run()
inThread.run()
