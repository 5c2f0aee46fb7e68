/** The requirements of published clients, one by one, over a real port: exact headers and bodies, without a framework in between. */
import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { CRAWLS, KEY, startCrawlApp } from '#tests/support/crawl-app.ts'
import { openStream } from '#tests/support/read-stream.ts'
import { unzip } from '#tests/support/unzip.ts'
import { suite } from '#tests/support/suite.ts'

const compatibility = suite('what published clients rely on')
const SHOP = 'https://shop.example/'
const EMPTY = { spider_options: {}, page_options: {}, plugin_options: {} }

// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string; json: any }

/** The app on a port, and a client that sends exactly what it is given. */
async function served() {
  const app = await startCrawlApp({ stopWaitMs: 5 })
  const base = await app.listen()
  return { ...app, base, ask, ended }

  async function ask(
    method: string,
    url: string,
    { headers = { 'X-API-Key': KEY }, body }: { headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<Answer> {
    const sent = request(url.startsWith('http') ? url : base + url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      agent: false,
    })
    const reply = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
    const bytes = await buffer(reply)
    const text = bytes.toString()
    const json: unknown = reply.headers['content-type'] === 'application/json' ? JSON.parse(text) : undefined
    return { status: reply.statusCode ?? 0, headers: reply.headers, bytes, text, json }
  }

  /** A crawl that has ended with two pages. */
  async function ended(status: 'finished' | 'failed' | 'canceled' = 'finished'): Promise<string> {
    const { id, no } = await app.started(SHOP)
    app.clock.at += 65_432
    await app.engine.commit(no, {
      pages: [
        { url: SHOP, title: 'Shop' },
        { url: `${SHOP}tea`, title: 'Tea' },
      ],
      end: { status },
    })
    return `${CRAWLS}${id}/`
  }
}

compatibility('1: media types are equal byte for byte', async () => {
  const { ask, ended } = await served()
  const crawl = await ended()
  const [first] = (await ask('GET', `${crawl}results/`)).json.results
  const TYPES: [type: string, method: string, path: string][] = [
    ['application/json', 'GET', CRAWLS],
    ['application/json', 'GET', crawl],
    ['application/json', 'GET', `${crawl}results/`],
    ['application/json', 'GET', `${crawl}results/?prefetched=true`],
    ['application/json', 'GET', `${crawl}sitemap/graph/`],
    ['application/json', 'GET', `${crawl}sitemap/markdown/`],
    ['application/json', 'GET', first.result],
    ['application/json', 'GET', `${CRAWLS}nonsense/`],
    ['application/json', 'POST', CRAWLS],
    ['text/event-stream', 'GET', `${crawl}status/`],
    ['application/zip', 'GET', `${crawl}download/`],
  ]
  for (const [type, method, path] of TYPES)
    for (const accept of ['application/json', 'text/event-stream', '*/*', undefined]) {
      const { headers } = await ask(method, path, { headers: { 'X-API-Key': KEY, ...(accept ? { Accept: accept } : {}) } })
      assert.is(headers['content-type'], type, `${method} ${path}`)
    }
})

compatibility('2: DELETE with a JSON content type and no body answers 204 with an empty body and no type', async () => {
  const { ask, create } = await served()
  const { uuid } = await create()
  const { status, bytes, headers } = await ask('DELETE', `${CRAWLS}${uuid}/`, {
    headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
  })
  assert.equal([status, bytes.length, headers['content-type']], [204, 0, undefined])
})

compatibility('3: X-API-KEY in any case authenticates; a wrong key is 401', async () => {
  const { ask } = await served()
  for (const name of ['X-API-KEY', 'x-api-key', 'X-Api-Key'])
    assert.is((await ask('GET', CRAWLS, { headers: { [name]: KEY } })).status, 200)
  const { status, json } = await ask('GET', CRAWLS, { headers: { 'X-API-KEY': 'sn-wrong' } })
  assert.equal([status, json], [401, { code: 401, errors: null, message: 'Unknown API key.' }])
})

compatibility('4: empty option objects are filled with the defaults', async () => {
  const { ask } = await served()
  const { status, json } = await ask('POST', CRAWLS, { body: { url: SHOP, options: EMPTY } })
  assert.is(status, 201)
  assert.equal([json.options.spider_options.max_depth, json.options.page_options.wait_time, json.options.plugin_options], [1, 100, {}])
})

compatibility('6: stopping a crawl at once answers 204, and so does stopping one that has ended', async () => {
  const { ask, ended } = await served()
  const { json } = await ask('POST', CRAWLS, { body: { url: SHOP } })
  assert.equal([json.status, (await ask('DELETE', `${CRAWLS}${json.uuid}/`)).status], ['new', 204])
  assert.is((await ask('DELETE', `${CRAWLS}${json.uuid}/`)).status, 204)
  for (const status of ['finished', 'failed', 'canceled'] as const) assert.is((await ask('DELETE', await ended(status))).status, 204)
})

compatibility('7: every spelling of prefetched embeds the documents, in lists, single results and streams', async () => {
  const { ask, base, ended } = await served()
  const crawl = await ended()
  const [first] = (await ask('GET', `${crawl}results/`)).json.results
  for (const flag of ['prefetched=True', 'prefetched=true', 'prefetched=1', 'params%5Bprefetched%5D=true']) {
    assert.is((await ask('GET', `${crawl}results/?${flag}`)).json.results[0].result.markdown, `# ${SHOP}\n`)
    assert.is((await ask('GET', `${crawl}results/${first.uuid}/?${flag}`)).json.result.markdown, `# ${SHOP}\n`)
    assert.is((await (await openStream(`${base}${crawl}status/?${flag}`)).next())?.data.result.markdown, `# ${SHOP}\n`)
  }
})

compatibility('8: links to results and sitemaps open with a bare GET', async () => {
  const { ask, ended } = await served()
  const crawl = await ended()
  const [first] = (await ask('GET', `${crawl}results/`)).json.results
  assert.is((await ask('GET', first.result, { headers: {} })).json.markdown, `# ${SHOP}\n`)
  const { sitemap } = (await ask('GET', crawl)).json
  assert.is((await ask('GET', sitemap, { headers: {} })).json.length, 2)
  assert.is((await ask('GET', sitemap.replace('/json', '/markdown'), { headers: {} })).json, `- [Shop](${SHOP})\n- [Tea](${SHOP}tea)\n`)
  assert.ok((await ask('GET', sitemap.replace('/json', '/graph'), { headers: {} })).json['shop.example'])
})

compatibility('9: the answer is a zip although the client accepts JSON', async () => {
  const { ask, ended } = await served()
  const { status, bytes } = await ask('GET', `${await ended()}download/`, { headers: { 'X-API-Key': KEY, Accept: 'application/json' } })
  assert.is(status, 200)
  assert.equal([...(await unzip(bytes)).keys()], ['shop.example.json', 'shop.example_tea.json'])
})

compatibility('10: the Markdown of a sitemap is a JSON string', async () => {
  const { ask, ended } = await served()
  assert.type((await ask('GET', `${await ended()}sitemap/markdown/`)).json, 'string')
})

compatibility('11: a duration has two digits for each unit and six for the fraction', async () => {
  const { ask, ended } = await served()
  const { duration } = (await ask('GET', await ended())).json
  assert.match(duration, /^\d{2}:\d{2}:\d{2}\.\d{6}$/)
  assert.is(duration, '00:01:05.432000')
})

compatibility('12: a batch returns its URLs unchanged, and as many as were sent', async () => {
  const { ask } = await served()
  for (const url of [
    'https://shop.example',
    'https://SHOP.example/A b'.replace(' ', '%20'),
    'http://shop.example:80/?b=2&a=1#x',
    'https://bücher.example/ä',
  ]) {
    const { json } = await ask('POST', CRAWLS, { body: { url, options: EMPTY } })
    assert.equal([json.url, json.urls, (await ask('GET', `${CRAWLS}${json.uuid}/`)).json.url], [url, [url], url])
  }
  const urls = ['https://a.example', 'https://a.example', 'https://b.example']
  assert.equal((await ask('POST', `${CRAWLS}batch/`, { body: { urls, options: EMPTY } })).json.urls, urls)
})

compatibility(
  '14: streams end by themselves, also for a failed crawl, a canceled crawl, and a crawl that is stopped while it is watched',
  async () => {
    const { ask, base, create, ended } = await served()
    for (const status of ['finished', 'failed', 'canceled'] as const) {
      const last = (await (await openStream(`${base}${await ended(status)}status/`)).rest()).at(-1)
      assert.equal([last?.type, last?.status, last?.data.status], ['state', status, status])
    }
    const { uuid } = await create()
    const watching = await openStream(`${base}${CRAWLS}${uuid}/status/`)
    assert.is((await watching.next())?.status, 'new')
    await ask('DELETE', `${CRAWLS}${uuid}/`)
    assert.is((await watching.rest()).at(-1)?.status, 'canceled')
  },
)

compatibility('14: all data of the final state can be read as soon as the state arrives', async () => {
  const { ask, base, engine, started } = await served()
  const { id, no } = await started(SHOP)
  const watching = await openStream(`${base}${CRAWLS}${id}/status/`)
  await watching.next()
  void engine.commit(no, { pages: [{ url: SHOP }], end: { status: 'finished' } })
  const last = (await watching.until(({ status }) => status === 'finished')).at(-1)
  const { json } = await ask('GET', `${CRAWLS}${id}/`)
  const fresh = (link: string) => link.replace(/\?.*/, '')
  assert.equal({ ...last?.data, sitemap: fresh(last?.data.sitemap) }, { ...json, sitemap: fresh(json.sitemap) })
  assert.is((await ask('GET', `${CRAWLS}${id}/results/`)).json.count, 1)
})

compatibility('15: results?url= gives exactly the page with that URL', async () => {
  const { ask, ended } = await served()
  const crawl = await ended()
  const { json } = await ask('GET', `${crawl}results/?url=${encodeURIComponent(`${SHOP}tea`)}&prefetched=True`)
  assert.equal([json.count, json.results[0].url], [1, `${SHOP}tea`])
  assert.is((await ask('GET', `${crawl}results/?url=${encodeURIComponent(`${SHOP}te`)}`)).json.count, 0)
})

compatibility('both spellings of the last slash are served for every method, without a redirect', async () => {
  const { ask } = await served()
  const { json } = await ask('POST', CRAWLS.slice(0, -1), { body: { url: SHOP } })
  for (const end of ['', '/']) {
    assert.is((await ask('GET', CRAWLS.slice(0, -1) + end)).status, 200)
    for (const path of ['', '/results', '/status', '/download', '/urls', '/outcomes'])
      if (path !== '/status') assert.is((await ask('GET', `${CRAWLS}${json.uuid}${path}${end}`)).status, 200, path + end)
    assert.is((await ask('DELETE', `${CRAWLS}${json.uuid}${end}`)).status, 204)
    assert.is((await ask('GET', `${CRAWLS}${json.uuid}/status${end}`)).status, 200)
  }
})

compatibility.run()
