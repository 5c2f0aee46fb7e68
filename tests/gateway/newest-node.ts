/** The product on another Node than the pinned one: `NODE_NEWEST`, which `npm run test:newest` sets; the pinned one otherwise. */
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCrawl, getCrawl, listResults } from '#contract/crawls.ts'
import type { CrawlRequest } from '#contract/crawls.ts'
import { fillPath } from '#contract/endpoint.ts'
import { login } from '#contract/accounts.ts'
import { OWNER, startProduct } from '#tests/support/product.ts'
import { startSmallSite } from '#tests/support/sites/small-site.ts'

const node = process.env['NODE_NEWEST'] ?? process.execPath
const LIMIT_MS = 60_000

const newest = suite('another Node')

newest('another Node runs the product with the flags of npm start, crawls a small site, and logs no warning', async () => {
  const { stdout: version } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  assert.match(version, /^v\d+\./, node)
  const site = await startSmallSite()
  const product = await startProduct({ LOG_LEVEL: 'warn' }, { node })
  try {
    const call = async <T>(method: string, path: string, body?: object, headers = {}): Promise<T> => {
      const reply = await fetch(product.url + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(LIMIT_MS),
      })
      assert.ok(reply.ok, `${method} ${path} was answered ${reply.status}`)
      return (await reply.json()) as T
    }
    const { access } = await call<{ access: string }>('POST', login.path, OWNER)
    const headers = { authorization: `Bearer ${access}` }
    const options = { spider_options: { max_depth: 1, page_limit: 8 } }
    const { uuid: id } = await call<CrawlRequest>('POST', createCrawl.path, { url: site.url, options }, headers)
    const read = () => call<CrawlRequest>('GET', fillPath(getCrawl.path, { id }), undefined, headers)
    const late = performance.now() + LIMIT_MS
    let crawl = await read()
    while (['new', 'running'].includes(crawl.status)) {
      assert.ok(performance.now() < late, `the crawl is ${crawl.status} after ${LIMIT_MS} ms; ${product.said.join('\n')}`)
      await new Promise((soon) => setTimeout(soon, 50))
      crawl = await read()
    }
    assert.is(crawl.status, 'finished')
    const { count } = await call<{ count: number }>('GET', fillPath(listResults.path, { id }), undefined, headers)
    assert.is(count, 8)
    assert.equal(
      product.said.filter((line) => line.startsWith('{')),
      [],
      `by ${version.trim()}`,
    )
  } finally {
    await product.close()
    await site.close()
  }
})

newest.run()
