import * as assert from 'uvu/assert'
import { CRAWLS, startCrawlApp } from '#tests/support/crawl-app.ts'
import { suite } from '#tests/support/suite.ts'

const sitemap = suite('sitemap of a crawl')
const SHOP = 'https://shop.example/'

/** A crawl that has ended and has seen a link of each sort. */
async function ended() {
  const app = await startCrawlApp()
  const { id, no } = await app.started(SHOP)
  await app.engine.commit(no, {
    found: [
      { url: `${SHOP}tea`, title: 'All teas' },
      { url: `${SHOP}secret`, title: 'Secret', outcome: 'robots' },
      { url: `${SHOP}cart/`, title: '' },
      { url: 'https://away.example/', title: 'Away', outcome: 'out_of_scope' },
      { url: `${SHOP}old`, title: 'Old', outcome: 'redirected' },
      { url: `${SHOP}deep`, title: 'Too deep', outcome: 'depth' },
    ],
    pages: [
      { url: SHOP, title: `  The\u200b Shop ${'x'.repeat(200)}` },
      { url: `${SHOP}tea`, title: 'Tea, the page' },
      { url: `${SHOP}moved-here?a=1`, title: 'Moved' },
      { url: `${SHOP}untitled`, title: null },
    ],
  })
  await app.engine.commit(no, { end: { status: 'finished' } })
  return { ...app, id }
}

const LIST = [
  { url: SHOP, title: `The Shop ${'x'.repeat(91)}` },
  { url: `${SHOP}tea`, title: 'All teas' },
  { url: `${SHOP}secret`, title: 'Secret' },
  { url: `${SHOP}old`, title: 'Old' },
  { url: `${SHOP}deep`, title: 'Too deep' },
  { url: `${SHOP}moved-here?a=1`, title: 'Moved' },
  { url: `${SHOP}untitled`, title: null },
]

const linkOf = (json: { sitemap: string }) => new URL(json.sitemap).pathname + new URL(json.sitemap).search

sitemap('the sitemap lists links in scope with their texts, and every visited page once', async () => {
  const { call, id } = await ended()
  const { json } = await call('GET', `${CRAWLS}${id}/`)
  const file = await call('GET', linkOf(json), { key: '' })
  assert.equal([file.status, file.type], [200, 'application/json'])
  assert.equal(file.json, LIST)
})

sitemap('the graph of the sitemap is a tree of hosts and path segments', async () => {
  const { call, id } = await ended()
  const { status, type, json } = await call('GET', `${CRAWLS}${id}/sitemap/graph/`)
  assert.equal([status, type], [200, 'application/json'])
  assert.equal(Object.keys(json), ['shop.example'])
  assert.equal(json['shop.example'].tea, { __self__: { url: `${SHOP}tea`, title: 'All teas' } })
  assert.equal(json['shop.example']['moved-here'], { __query__: [{ url: `${SHOP}moved-here?a=1`, title: 'Moved' }] })
  assert.equal(json['shop.example'].untitled, { __self__: { url: `${SHOP}untitled` } })
})

sitemap('the sitemap as Markdown is one JSON string, or plain Markdown if the caller accepts that', async () => {
  const { call, id } = await ended()
  const lines = LIST.map(({ url, title }) => (title ? `- [${title}](${url})\n` : `- ${url}\n`)).join('')
  for (const accept of ['application/json', '*/*', 'text/markdown, application/json']) {
    const { type, json, headers } = await call('GET', `${CRAWLS}${id}/sitemap/markdown/`, { headers: { accept } })
    assert.is(type, 'application/json')
    assert.is(json, lines)
    assert.is(headers['content-disposition'], `attachment; filename="sitemap-${id}.md"`)
  }
  const plain = await call('GET', `${CRAWLS}${id}/sitemap/markdown/`, { headers: { accept: 'text/markdown' } })
  assert.match(plain.type ?? '', /^text\/markdown/)
  assert.is(plain.text, lines)
})

sitemap('a crawl that has not ended, or that found nothing, has no sitemap', async () => {
  const { call, engine, started } = await startCrawlApp()
  const { id, no } = await started()
  await engine.commit(no, { pages: [{ url: SHOP }] })
  const none = { code: 404, errors: null, message: 'This crawl has no sitemap yet.' }
  for (const form of ['graph', 'markdown']) assert.equal((await call('GET', `${CRAWLS}${id}/sitemap/${form}/`)).json, none)
  const failed = await started('https://nowhere.example/')
  await engine.commit(failed.no, { end: { status: 'failed' } })
  assert.is((await call('GET', `${CRAWLS}${failed.id}/`)).json.sitemap, null)
  assert.equal((await call('GET', `${CRAWLS}${failed.id}/sitemap/graph/`)).json, none)
})

sitemap('a sitemap with many links is read in parts, and has each link once', async () => {
  const { call, engine, started } = await startCrawlApp()
  const { id, no } = await started()
  const found = Array.from({ length: 4500 }, (_, at) => ({ url: `${SHOP}${at}`, title: `Number ${at}` }))
  await engine.commit(no, { found, pages: found.slice(0, 50).map(({ url }) => ({ url })) })
  await engine.commit(no, { end: { status: 'canceled' } })
  const { json } = await call('GET', `${CRAWLS}${id}/`)
  const list = (await call('GET', linkOf(json))).json as { url: string }[]
  assert.is(list.length, 4500)
  assert.is(new Set(list.map(({ url }) => url)).size, 4500)
})

sitemap.run()
