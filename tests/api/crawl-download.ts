import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { archiveName, crawlArchive } from '#backend/crawls/crawl-archive.ts'
import { CRAWLS, startCrawlApp } from '#tests/support/crawl-app.ts'
import { unzip } from '#tests/support/unzip.ts'

const download = suite('download a crawl')
const SHOP = 'https://shop.example/'

async function withPages(urls: string[]) {
  const app = await startCrawlApp()
  const { id, no } = await app.started()
  await app.engine.commit(no, { pages: urls.map((url) => ({ url, title: 'T', document: { metadata: {}, markdown: `# ${url}\n` } })) })
  return { ...app, id, no, path: `${CRAWLS}${id}/download/` }
}

download('is a zip with a JSON document for each result, also while the crawl goes on', async () => {
  const { call, close, path } = await withPages([SHOP, `${SHOP}tea/green?a=1`])
  for (const accept of ['application/json', 'application/zip', '*/*']) {
    const { status, type, headers, bytes } = await call('GET', path, { headers: { accept } })
    assert.equal([status, type], [200, 'application/zip'])
    assert.is(headers['content-disposition'], 'attachment; filename="shop.example_docs.zip"')
    const entries = await unzip(bytes)
    assert.equal([...entries.keys()], ['shop.example.json', 'shop.example_tea_green_a=1.json'])
    assert.equal(JSON.parse(entries.get('shop.example.json') ?? ''), { metadata: {}, markdown: `# ${SHOP}\n` })
  }
  await close()
})

download('holds Markdown when that is asked for', async () => {
  const { call, close, path } = await withPages([`${SHOP}tea`])
  const entries = await unzip((await call('GET', `${path}?output_format=markdown`)).bytes)
  assert.equal([...entries], [['shop.example_tea.md', `# ${SHOP}tea\n`]])
  await close()
})

download('holds one line for each result as jsonl', async () => {
  const { call, close, path } = await withPages([SHOP, `${SHOP}tea`])
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
  await close()
})

for (const format of ['json', 'markdown', 'jsonl'])
  download(`of an empty crawl is a valid empty archive (${format})`, async () => {
    const { call, close, path } = await withPages([])
    const { status, bytes } = await call('GET', `${path}?output_format=${format}`)
    assert.is(status, 200)
    assert.is((await unzip(bytes)).size, 0)
    await close()
  })

download('refuses a format that it does not know', async () => {
  const { call, close, path } = await withPages([])
  const { status, json } = await call('GET', `${path}?output_format=pdf`)
  assert.is(status, 400)
  assert.equal(json.errors, { output_format: ['"pdf" is not a valid choice.'] })
  await close()
})

download('gives hostile addresses names that stay in their folder, each once', async () => {
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
    'https://../',
  ]
  const { call, close, path } = await withPages(urls)
  const names = [...(await unzip((await call('GET', path)).bytes)).keys()]
  assert.is(names.length, urls.length)
  assert.is(new Set(names.map((name) => name.toLowerCase())).size, urls.length)
  for (const name of names) {
    assert.not.match(name, /[/\\:*?"<>|\p{Cc}\p{Cf}]|^\.|\.\./u)
    assert.ok(name.endsWith('.json') && name.length <= 170, name)
  }
  assert.ok(names.includes('a.example_日本語.json'))
  await close()
})

download('of several hundred pages holds them all, in order', async () => {
  const urls = Array.from({ length: 330 }, (_, at) => `${SHOP}${at}`)
  const { call, close, path } = await withPages(urls)
  const entries = await unzip((await call('GET', path)).bytes)
  assert.equal(
    [...entries.keys()],
    urls.map((url) => `${url.slice('https://'.length).replace('/', '_')}.json`),
  )
  await close()
})

const NAMES: [label: string, name: string][] = [
  ['https://shop.example', 'shop.example_docs.zip'],
  ['https://shop.example/a/b?c=d', 'shop.example_a_b_c=d_docs.zip'],
  ['https://shop.example/"\r\nset-cookie: x', 'shop.example_set-cookie_x_docs.zip'],
]
for (const [label, name] of NAMES) download(`is called ${name}`, () => assert.is(archiveName(label), name))

/** An endless crawl that notes how many documents were read. */
function endlessPages() {
  const read = { documents: 0, groups: 0 }
  const pages = {
    between: async (_: number, after: number, upTo: number, limit: number) => {
      read.groups += 1
      return Array.from({ length: Math.min(limit, upTo - after) }, (_unused, at) => {
        const ordinal = after + at + 1
        return { no: ordinal, ordinal, id: '', url: `${SHOP}${ordinal}`, title: null, createdAt: 0, eventSeq: ordinal }
      })
    },
    document: async () => {
      read.documents += 1
      // Does not get smaller by packing.
      return Buffer.from(JSON.stringify({ markdown: crypto.getRandomValues(Buffer.alloc(64 * 1024)).toString('base64') }))
    },
  }
  return { pages, read }
}

const run = { no: 1, kept: 1_000_000, label: SHOP, updatedAt: 0 } as Parameters<typeof crawlArchive>[0]['run']
const settle = async () => {
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

for (const format of ['json', 'markdown', 'jsonl'] as const)
  download(`reads no further than its reader, and nothing once the reader has left (${format})`, async () => {
    const { pages, read } = endlessPages()
    const archive = crawlArchive({ format, pages, run })
    assert.instance(archive, Readable)
    await once(archive, 'readable')
    archive.read()
    await settle()
    const held = read.documents
    assert.ok(held > 0 && held < 100, `${held} documents are read for nobody`)
    archive.destroy()
    await settle()
    assert.ok(read.documents - held < 5, `${read.documents - held} documents are read after the end`)
    assert.ok(read.groups <= 2)
  })

download('ends with a fault, not with a whole-looking archive, when a document cannot be read', async () => {
  const { pages } = endlessPages()
  const broken = { ...pages, document: async () => Promise.reject(new Error('no such row')) }
  let fault: unknown
  await buffer(crawlArchive({ format: 'json', pages: broken, run: { ...run, kept: 3 } })).catch((cause: unknown) => (fault = cause))
  assert.is((fault as Error).message, 'no such row')
})

download.run()
