/** The product with a site to scrape, and the published clients of Firecrawl, unmodified, which call it. */
import { Firecrawl as Newest } from 'firecrawl-newest'
import { Firecrawl as Older } from 'firecrawl-3-2'
import { login } from '#contract/accounts.ts'
import { createApiKey } from '#contract/teams.ts'
import { firecrawlApi } from './described.ts'
import { OWNER, startProduct } from './product.ts'
import { pageOf, startSite } from './sites/site.ts'
import type { SitePage } from './sites/site.ts'
import { closedAtEnd } from './suite.ts'

const XML = { 'content-type': 'application/xml' }
const sitemap = (urls: string[]) => ({
  headers: XML,
  body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`,
})

/** Number of pages of the larger site: more than fit into one page of a status. */
export const MANY = 120

/** @param environment  further options of the product */
export async function startFirecrawl(environment: Record<string, string> = {}) {
  const gate = Promise.withResolvers<void>()
  let changing: string | null = ''
  const pages: Record<string, SitePage> = {
    '/': pageOf('Nets', ['/boats', '/blog/one', '/gone', '/secret/a', 'http://other.invalid/']),
    '/boats': pageOf('Boats', ['/', '/blog/two?ref=boats']),
    '/blog/one': pageOf('Post one', ['/blog/two', '/blog/draft/three']),
    '/blog/two': pageOf('Post two', ['/']),
    '/blog/two?ref=boats': pageOf('Post two', ['/']),
    '/blog/draft/three': pageOf('Draft', []),
    '/gone': { status: 404, body: pageOf('gone') },
    '/moved': { status: 302, headers: { location: '/boats' } },
    '/hidden': pageOf('Hidden in the sitemap', []),
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /secret/\n' },
    '/hangs': { body: pageOf('never'), until: new Promise(() => undefined) },
    '/gate': pageOf('Gate', ['/gated']),
    '/gated': { body: pageOf('Gated'), until: gate.promise },
    '/parts': `<html><head><title>Parts</title><meta property="og:title" content="Parts of a page"></head><body><nav>Menu words</nav>
<main><h1>Parts</h1><p>Words that stand in the middle of the page, enough of them for a paragraph that is kept.</p><p class="ad">Buy more nets.</p>
<img src="/net.png" alt="A net"><a href="/boats" data-id="7">Boats</a></main></body></html>`,
    '/headers': (request) => pageOf(`Asked with ${String(request.headers['x-own'])} in ${String(request.headers['accept-language'])}`),
    '/tagged': (request) =>
      request.headers['if-none-match'] === '"one"' ? { status: 304 } : { headers: { etag: '"one"' }, body: pageOf('Tagged') },
    '/tagged-changes': (request) =>
      request.headers['if-none-match'] === '"one"' ? { status: 304 } : { headers: { etag: '"one"' }, body: pageOf('Tagged') },
    '/changing': () =>
      changing === null
        ? { status: 404, body: pageOf('Not here') }
        : pageOf('Changing').replace('</main>', changing === '' ? '</main>' : `<p>${changing}</p></main>`),
    '/many/': pageOf(
      'Many',
      Array.from({ length: MANY }, (_, at) => `/many/${at}`),
    ),
  }
  for (let at = 0; at < MANY; at += 1) pages[`/many/${at}`] = pageOf(`Page number ${at}`)
  const site = await startSite(pages)
  pages['/sitemap.xml'] = sitemap([site.url('/hidden'), site.url('/boats'), site.url('/blog/one')])
  const product = await startProduct({ CRAWL_HOST_CONCURRENCY: '8', ...environment })
  const { access } = await post<{ access: string }>(login.path, OWNER)
  const { key } = await post<{ key: string }>(createApiKey.path, { name: 'firecrawl' }, { authorization: `Bearer ${access}` })
  return {
    site,
    product,
    key,
    access,
    open: () => gate.resolve(),
    /** Extra text of the page `/changing`; null: the page does not exist. */
    change: (text: string | null) => void (changing = text),
    clients: clientsOf(product.url, key),
    post,
    /** A call with the key; a body makes it a POST. */
    async call(path: string, { body, headers = {}, method }: { body?: unknown; headers?: Record<string, string>; method?: string } = {}) {
      const reply = await fetch(product.url + path, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await reply.text()
      holdToDescription(method ?? (body === undefined ? 'GET' : 'POST'), path, reply, text)
      // oxlint-disable-next-line typescript/no-explicit-any
      return { status: reply.status, headers: reply.headers, text, json: (text === '' ? null : JSON.parse(text)) as any }
    },
    close: closedAtEnd(async () => {
      gate.resolve()
      await product.close()
      await site.close()
    }),
  }

  async function post<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
    const reply = await fetch(product.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await reply.json()) as T
  }
}

/** Throws if an answer of the Firecrawl API differs from its OpenAPI document. */
function holdToDescription(method: string, path: string, { headers, status }: Response, text: string) {
  const described = firecrawlApi.describedPath(method, path)
  if (described === undefined) return
  const faults = firecrawlApi.undescribed(method, described, { status, type: headers.get('content-type') ?? undefined, text })
  if (faults.length > 0) throw new Error(`${method} ${path} answered what its description has not: ${faults.join('; ')}`)
}

/** Both published versions. Methods that both versions have are called alike. */
export const clientsOf = (apiUrl: string, apiKey: string) =>
  ({
    '4.42.0': new Newest({ apiKey, apiUrl }),
    '3.2.0': new Older({ apiKey, apiUrl }) as unknown as Newest,
  }) as const
