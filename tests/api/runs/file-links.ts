import * as assert from 'uvu/assert'
import { CRAWLS, startCrawlApp } from '#tests/support/crawl-app.ts'
import { suite } from '#tests/support/suite.ts'

const links = suite('signed file links')
const SHOP = 'https://shop.example/'
const DOCUMENT = { metadata: { title: 'Tea' }, markdown: '# Tea' }

/** An ended crawl with one page, and its two links without their origin. */
async function withLinks() {
  const app = await startCrawlApp({ publicUrl: 'https://seine.example/' })
  const { id, no } = await app.started()
  await app.engine.commit(no, { pages: [{ url: SHOP, title: 'Tea', document: DOCUMENT }], end: { status: 'finished' } })
  const [first] = (await app.call('GET', `${CRAWLS}${id}/results/`)).json.results
  const { sitemap } = (await app.call('GET', `${CRAWLS}${id}/`)).json
  const get = (url: string, headers: Record<string, string> = {}) => app.app.inject({ method: 'GET', url, headers })
  return {
    ...app,
    get,
    id,
    result: first.result as string,
    sitemap: sitemap as string,
    resultPath: pathOf(first.result),
    sitemapPath: pathOf(sitemap),
  }
}

const pathOf = (link: string) => link.replace('https://seine.example', '')
const REFUSED = { code: 403, errors: null, message: 'This link is not valid or has expired.' }

links('a signed link begins with the public URL and opens without any header', async () => {
  const { get, result, resultPath } = await withLinks()
  assert.ok(result.startsWith('https://seine.example/api/v1/files/crawls/'))
  const reply = await get(resultPath)
  assert.is(reply.statusCode, 200)
  assert.is(reply.headers['content-type'], 'application/json')
  assert.is(reply.headers['access-control-allow-origin'], '*')
  assert.is(reply.headers['x-content-type-options'], 'nosniff')
  assert.equal(reply.json(), DOCUMENT)
})

links('a signed link opens with its slashes encoded, as generated clients send a parameter of the path', async () => {
  const { close, get, result, resultPath } = await withLinks()
  const [, file = ''] = /crawls\/[^/]+\/([^?]+)/.exec(result) ?? []
  const encoded = resultPath.replace(file, encodeURIComponent(file))
  assert.match(encoded, '%2F')
  const reply = await get(encoded)
  assert.equal([reply.statusCode, reply.json()], [200, DOCUMENT])
  await close()
})

links('a signed link ignores an expired credential', async () => {
  const { get, resultPath } = await withLinks()
  assert.is((await get(resultPath, { authorization: 'Bearer stale', 'x-api-key': 'wrong' })).statusCode, 200)
})

links('a signed link to a sitemap opens its two other forms, and nothing else', async () => {
  const { get, sitemapPath, resultPath } = await withLinks()
  assert.equal((await get(sitemapPath)).json(), [{ url: SHOP, title: 'Tea' }])
  const graph = await get(sitemapPath.replace('/json', '/graph'))
  assert.equal(graph.json(), { 'shop.example': { __self__: { url: SHOP, title: 'Tea' } } })
  const markdown = await get(sitemapPath.replace('/json', '/markdown'))
  assert.equal([markdown.headers['content-type'], markdown.json()], ['application/json', `- [Tea](${SHOP})\n`])
  const [, query] = sitemapPath.split('?')
  const other = await get(`${resultPath.split('?')[0]}?${query}`)
  assert.equal([other.statusCode, other.json()], [403, REFUSED])
})

links('house 12: a signed link for one format of an archive opens that format of that crawl only', async () => {
  const { app, call, get, id, resultPath } = await withLinks()
  const paths: string[] = []
  for (const [format, entry] of [
    ['json', 'shop.example.json'],
    ['markdown', 'shop.example.md'],
    ['jsonl', 'shop.example.jsonl'],
  ] as const) {
    const { status, json } = await call('GET', `${CRAWLS}${id}/download/link/?output_format=${format}`)
    assert.equal([status, Object.keys(json)], [200, ['link']])
    assert.ok(json.link.startsWith(`https://seine.example/api/v1/files/crawls/${id}/archive/${format}?`))
    paths.push(pathOf(json.link))
    const reply = await get(pathOf(json.link))
    assert.is(reply.statusCode, 200)
    assert.is(reply.headers['content-type'], 'application/zip')
    assert.is(reply.headers['content-disposition'], `attachment; filename="crawl-results-${id}.zip"`)
    assert.is(reply.rawPayload.subarray(0, 2).toString(), 'PK')
    assert.ok(reply.rawPayload.includes(entry), entry)
  }
  const [asJson, asMarkdown] = paths as [string, string]
  assert.is((await get(asJson.replace('/archive/json', '/archive/markdown'))).statusCode, 403)
  assert.is((await get(`${asMarkdown.split('?')[0]}?${resultPath.split('?')[1]}`)).statusCode, 403)
  assert.is((await call('GET', `${CRAWLS}${id}/download/link/?output_format=exe`)).status, 400)
  assert.is((await app.inject({ url: `${CRAWLS}${id}/download/link/` })).statusCode, 401)
})

links('HEAD of a signed link has the head of its file, and of a forged one the refusal', async () => {
  const { app, call, get, id, resultPath, sitemapPath } = await withLinks()
  const { json } = await call('GET', `${CRAWLS}${id}/download/link/`)
  for (const path of [pathOf(json.link), resultPath, sitemapPath, pathOf(json.link).replace('/archive/json', '/archive/markdown')]) {
    const [got, head] = [await get(path), await app.inject({ method: 'HEAD', url: path })]
    for (const name of ['content-type', 'content-disposition']) assert.is(head.headers[name], got.headers[name], path)
    assert.equal([head.statusCode, head.payload], [got.statusCode, ''], path)
  }
})

const FORGED: [name: string, forge: (path: string) => string][] = [
  ['no query', (path) => path.split('?')[0] ?? ''],
  ['no signature', (path) => path.replace(/&signature=.+/, '')],
  ['an empty signature', (path) => path.replace(/signature=.+/, 'signature=')],
  ['a changed signature', (path) => path.replace(/signature=(.)/, (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`)],
  ['a truncated signature', (path) => path.slice(0, -4)],
  ['a later expiry', (path) => path.replace(/expires=(\d+)/, (_, at) => `expires=${Number(at) + 1}`)],
  ['an expiry that is not a number', (path) => path.replace(/expires=\d+/, 'expires=never')],
  ['an infinite expiry', (path) => path.replace(/expires=\d+/, 'expires=1e400')],
  ['the path of another crawl', (path) => path.replace(/crawls\/.{8}/, 'crawls/01234567')],
  ['the path of another result', (path) => path.replace(/results\/.{8}/, 'results/01234567')],
  ['the path of a search', (path) => path.replace('/crawls/', '/searches/')],
]
for (const [name, forge] of FORGED)
  links(`a signed link is refused with ${name}`, async () => {
    const { get, resultPath } = await withLinks()
    const reply = await get(forge(resultPath))
    assert.is(reply.headers['content-type'], 'application/json')
    assert.equal([reply.statusCode, reply.json()], [403, REFUSED])
  })

links('a signed link ends after seven hours; every read returns a new link', async () => {
  const { call, clock, get, id, resultPath } = await withLinks()
  clock.at += 7 * 3_600_000 - 1000
  assert.is((await get(resultPath)).statusCode, 200)
  clock.at += 1000
  const late = await get(resultPath)
  assert.equal([late.statusCode, late.json()], [403, REFUSED])
  const [first] = (await call('GET', `${CRAWLS}${id}/results/`)).json.results
  assert.is((await get(pathOf(first.result))).statusCode, 200)
})

links('a signed link to a deleted file gets 404, although its signature is right', async () => {
  const { get, id, links: sign } = await withLinks()
  for (const file of ['results/01234567-aaaa-7aaa-8aaa-aaaaaaaaaaaa.json', 'results/x.json', 'sitemap', 'sitemap/json/x', '../../secret'])
    assert.is((await get(sign.sign('', `/api/v1/files/crawls/${id}/${file}`))).statusCode, 404)
  assert.is((await get(sign.sign('', '/api/v1/files/crawls/1/sitemap/json'))).statusCode, 404)
})

links('without a public URL, links are built from the request', async () => {
  const { call, engine, started } = await startCrawlApp()
  const { id, no } = await started()
  await engine.commit(no, { pages: [{ url: SHOP }] })
  const result = async (host: string) =>
    (await call('GET', `${CRAWLS}${id}/results/`, { headers: { host, 'x-forwarded-host': 'evil.example' } })).json.results[0].result
  assert.ok((await result('seine.internal:8443')).startsWith('http://seine.internal:8443/api/v1/files/'))
  // An invalid host is not written into an answer.
  assert.ok((await result('a/b?c')).startsWith('http://localhost/api/v1/files/'))
})

links.run()
