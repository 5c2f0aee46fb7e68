/** The threads that read pages: all pages come back, and one that breaks its thread fails alone. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createParsePool } from '#backend/crawler/parse-pool.ts'
import type { PageRules } from '#backend/crawler/page-rules.ts'
import { pageOf } from '#tests/support/site.ts'

const parsing = suite('the threads that read pages')

const rulesOf = (name: string): PageRules => ({
  name,
  extraction: { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] },
  scope: { allowedDomains: [], includePaths: [], excludePaths: [], seedHosts: ['a.test'] },
  includeLinks: false,
  salt: Buffer.alloc(16),
  maxBytes: 32 * 1024 * 1024,
})
const jobOf = (text: string, rules = 'run', url = 'http://a.test/') => ({
  rules,
  body: new Uint8Array(Buffer.from(text)),
  contentEncoding: '',
  contentType: 'text/html; charset=utf-8',
  status: 200,
  url,
})
/** Far more tree than a small heap holds, in few bytes. */
const heavy = () => `<main>${'<b><i>x'.repeat(900_000)}</main>`

parsing('many pages over two threads: each promise gets the reply of its own page', async () => {
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

parsing('a page over its deadline is tried twice, then fails; pages beside it are read', async () => {
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

parsing('rules that are forgotten leave other runs alone', async () => {
  const pool = createParsePool({ threads: 1 })
  pool.define(rulesOf('one'))
  pool.define(rulesOf('two'))
  assert.is((await pool.parse(jobOf(pageOf('a'), 'one'))).kind, 'page')
  pool.forget('one')
  assert.is((await pool.parse(jobOf(pageOf('b'), 'two'))).kind, 'page')
  assert.is((await pool.parse(jobOf(pageOf('c'), 'one'))).kind, 'refusal')
  await pool.close()
})

parsing.run()
