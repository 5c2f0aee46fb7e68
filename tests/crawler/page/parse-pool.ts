/** The threads that read pages: all pages come back, and one that breaks its thread fails alone. */
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createParsePool } from '#backend/crawler/page/parse-pool.ts'
import type { PageRules } from '#backend/crawler/page/page-rules.ts'
import { pageOf } from '#tests/support/sites/site.ts'

const parsing = suite('the threads that read pages')

const rulesOf = (name: string): PageRules => ({
  name,
  extraction: { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] },
  scope: { allowedDomains: [], includePaths: [], excludePaths: [], seedHosts: ['a.test'] },
  includeLinks: false,
  salt: Buffer.alloc(16),
  maxBytes: 32 * 1024 * 1024,
})
const jobOf = (text: string, rules = 'run', url = 'http://a.test/', share = 'team') => ({
  share,
  rules,
  body: new Uint8Array(Buffer.from(text)),
  contentEncoding: '',
  contentType: 'text/html; charset=utf-8',
  status: 200,
  url,
})
/** A tree too large for a small heap, in few bytes. */
const heavy = () => `<main>${'<b><i>x'.repeat(900_000)}</main>`

parsing('each promise gets the reply of its own page when two threads read many pages', async () => {
  const pool = createParsePool({ threads: 2 })
  pool.define(rulesOf('run'))
  const replies = await Promise.all(Array.from({ length: 120 }, (_, n) => pool.parse(jobOf(pageOf(`page ${n}`)))))
  assert.equal(
    replies.map((reply) => (reply.kind === 'page' ? reply.title : reply)),
    Array.from({ length: 120 }, (_, n) => `page ${n}`),
  )
  assert.is(pool.queued, 0)
  await pool.close()
})

parsing('a page over its deadline is tried twice, then fails; other pages are read', async () => {
  const pool = createParsePool({ threads: 1, deadlineMs: 1, heapMiB: 1024 })
  pool.define(rulesOf('run'))
  const slow = pool.parse(jobOf(heavy().repeat(2)))
  const others = Array.from({ length: 6 }, (_, n) => pool.parse(jobOf(pageOf(`page ${n}`))))
  const reply = await slow
  assert.equal([reply.kind, reply.kind === 'refusal' && reply.outcome], ['refusal', 'unparsable'])
  for (const other of await Promise.all(others)) assert.is(other.kind, 'page')
  await pool.close()
})

parsing('a page that exhausts the memory of its thread fails alone', async () => {
  const pool = createParsePool({ threads: 1, heapMiB: 24, deadlineMs: 30_000 })
  pool.define(rulesOf('run'))
  const culprit = pool.parse(jobOf(heavy()))
  const others = Array.from({ length: 6 }, (_, n) => pool.parse(jobOf(pageOf(`page ${n}`))))
  const reply = await culprit
  assert.is(reply.kind === 'refusal' && reply.outcome, 'unparsable')
  for (const other of await Promise.all(others)) assert.is(other.kind, 'page')
  await pool.close()
})

/** A PDF of a few kilobytes, whose page has so many megabytes of blanks, compressed twice. */
function compressedPdf(megabytes: number): Uint8Array<ArrayBuffer> {
  // Each block is independent of the others, so it can be repeated.
  const block = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH })
  const once = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: megabytes }, () => block), deflateRawSync('')])
  const stream = deflateSync(once).toString('latin1')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << >> >>',
    `<< /Length ${stream.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n${stream}\nendstream`,
  ]
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')
  return new Uint8Array(Buffer.from(`%PDF-1.7\n${body}trailer << /Size 5 /Root 1 0 R >>\n%%EOF`, 'latin1'))
}

parsing('T14 a small document that decompresses to gigabytes fails before it fills the memory', async () => {
  const pool = createParsePool({ threads: 1, deadlineMs: 60_000 })
  pool.define(rulesOf('run'))
  const body = compressedPdf(2048)
  assert.ok(body.length < 50_000, `${body.length} bytes`)
  const before = process.memoryUsage.rss()
  let most = 0
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss() - before)), 20)
  const culprit = pool.parse({ ...jobOf(''), body, contentType: 'application/pdf' })
  const other = pool.parse(jobOf(pageOf('other')))
  const reply = await culprit
  clearInterval(look)
  assert.is(reply.kind === 'refusal' && reply.outcome, 'unparsable')
  assert.ok(most < 1200 * 1024 * 1024, `${Math.round(most / 1024 / 1024)} MiB`)
  assert.is((await other).kind, 'page')
  await pool.close()
})

parsing('forgetting the rules of a run does not affect other runs', async () => {
  const pool = createParsePool({ threads: 1 })
  pool.define(rulesOf('one'))
  pool.define(rulesOf('two'))
  assert.is((await pool.parse(jobOf(pageOf('a'), 'one'))).kind, 'page')
  pool.forget('one')
  assert.is((await pool.parse(jobOf(pageOf('b'), 'two'))).kind, 'page')
  assert.is((await pool.parse(jobOf(pageOf('c'), 'one'))).kind, 'refusal')
  await pool.close()
})

parsing('H4: on one thread the page of a share does not wait for all the long pages of another share', async () => {
  const pool = createParsePool({ threads: 1, deadlineMs: 60_000, heapMiB: 512 })
  pool.define({ ...rulesOf('long'), share: 'a' })
  pool.define({ ...rulesOf('short'), share: 'b' })
  const order: string[] = []
  const long = `<p>${'word '.repeat(200_000)}</p>`
  const read = (text: string, rules: string, share: string) =>
    pool.parse(jobOf(text, rules, undefined, share)).then((reply) => {
      assert.is(reply.kind, 'page')
      order.push(share)
    })
  const pages = Array.from({ length: 12 }, () => read(long, 'long', 'a'))
  for (let page = 0; page < 4; page += 1) pages.push(read(pageOf('short'), 'short', 'b'))
  await Promise.all(pages)
  assert.ok(order.lastIndexOf('b') <= 8, order.join(' '))
  await pool.close()
})

for (const [key, what] of [
  ['endless', 'works for ever'],
  ['never', 'waits for ever'],
] as const)
  parsing(`H4: on one thread a page that unexpectedly ${what} does not keep another share waiting`, async () => {
    const pool = createParsePool({ threads: 1, deadlineMs: 60_000, plugins: new URL('../fixtures/plugins.ts', import.meta.url) })
    pool.define({ ...rulesOf(key), share: 'a', plugins: [{ key, values: { is_active: true } }] })
    pool.define({ ...rulesOf('short'), share: 'b' })
    const ended: string[] = []
    for (let page = 0; page < 6; page += 1) void pool.parse(jobOf(pageOf(key), key, undefined, 'a')).then(() => ended.push('a'))
    // Some of them are in the batch of the page that never ends, or in the batch behind it.
    const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => pool.parse(jobOf(pageOf(`page ${n}`), 'short', undefined, 'b'))))
    assert.equal(
      replies.map((reply) => (reply.kind === 'page' ? reply.title : reply)),
      Array.from({ length: 12 }, (_, n) => `page ${n}`),
    )
    assert.equal(ended, [])
    assert.is(pool.queuedOf('a'), 5, 'nothing of the share is started beside its page that never ends')
    await pool.close()
  })

parsing('a thread starts with a run, ends when there is nothing to read, and starts again with the next page', async () => {
  const [pool, other] = [createParsePool({ threads: 1, idleMs: 1 }), createParsePool({ threads: 1, idleMs: 1 })]
  for (const each of [pool, other]) each.define(rulesOf('tasks'))
  assert.is(pool.threads(), 0, 'rules of no share are for pages that may never come')
  pool.define({ ...rulesOf('run'), share: 'team' })
  assert.is(pool.threads(), 1, 'a run that begins does not wait for its first page')
  for (const each of [pool, other]) assert.is((await each.parse(jobOf(pageOf('one'), 'tasks'))).kind, 'page')
  await withoutThreads(other)
  assert.is(pool.threads(), 1, 'a run may bring pages')
  pool.forget('run')
  await withoutThreads(pool)
  assert.is((await pool.parse(jobOf(pageOf('two'), 'tasks'))).kind, 'page')
  assert.is(pool.threads(), 1)
  await Promise.all([pool.close(), other.close()])
})

async function withoutThreads(pool: ReturnType<typeof createParsePool>) {
  while (pool.threads() > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

parsing('H6: pages with 200,000 and with a million links are kept with their first 10,000', async () => {
  const pool = createParsePool({ threads: 1 })
  pool.define(rulesOf('run'))
  const many = Array.from({ length: 200_000 }, (_, n) => `<li><a href="/page/${n}">The page ${n}</a></li>`).join('')
  const most = Array.from({ length: 1_000_000 }, (_, n) => `<a href=${n % 100_000}>`)
    .join('')
    .slice(0, 10 * 1024 * 1024)
  for (const html of [many, most]) {
    const reply = await pool.parse(jobOf(html))
    assert.is(reply.kind, 'page')
    assert.is(reply.kind === 'page' && reply.links.numbers.length / 5, 10_000)
    assert.ok(reply.kind === 'page' && reply.linksDropped > 0)
  }
  await pool.close()
})

parsing.run()
