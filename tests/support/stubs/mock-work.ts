/** The stored jobs of the mock backend, which never change: a crawl, a search, a sitemap, and their lists. */
import { pageOptions, spiderOptions } from '#contract/crawls.ts'
import type { Answer } from './mock-backend.ts'

export const TEAM = '01890000-0000-7000-8000-0000000000a1'
export const AT = '2026-03-04T09:12:33.481920Z'
export const MOCK_CRAWL = '01890000-0000-7000-8000-0000000000c1'
export const MOCK_SEARCH = '01890000-0000-7000-8000-0000000000e1'
export const MOCK_SITEMAP = '01890000-0000-7000-8000-0000000000f1'

const CORE = '/api/v1/core'
const CRAWLS = `${CORE}/crawl-requests`
const SEARCHES = `${CORE}/search`
const SITEMAPS = `${CORE}/sitemaps`
const PROXIES = `${CORE}/proxy-servers`
const SHOP = 'https://shop.example/'

/** A body that starts a crawl, with every option, as answers have them. */
function withDefaults(body: { options?: { spider_options?: object; page_options?: object; plugin_options?: object } }) {
  const { spider_options = {}, page_options = {}, plugin_options = {} } = body.options ?? {}
  return {
    ...body,
    options: { spider_options: spiderOptions.parse(spider_options), page_options: pageOptions.parse(page_options), plugin_options },
  }
}

/** @param route  method and path, without the last slash */
export function workOf(route: string, query: URLSearchParams, body: () => object): Answer | undefined {
  const embedded = query.get('prefetched') === 'true'
  const started = { status: 'new', number_of_documents: 0, duration: null, reason: null }
  switch (route) {
    case `GET ${CRAWLS}`:
      return { json: page([crawl()]) }
    case `POST ${CRAWLS}`:
      return { status: 201, json: crawl({ ...started, sitemap: null, ...withDefaults(body()) }) }
    case `POST ${CRAWLS}/batch`:
      return { status: 201, json: crawl({ ...started, crawl_type: 'batch', sitemap: null, ...withDefaults(body()) }) }
    case `GET ${CRAWLS}/${MOCK_CRAWL}`:
      return { json: crawl() }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/results`:
      return { json: page([1, 2].map((number) => result(number, embedded))) }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/results/${resultId(1)}`:
      return { json: result(1, embedded) }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/results/${resultId(2)}`:
      return { json: result(2, embedded) }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/urls`:
      return { json: page([1, 2].map(outcome)) }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/overview`:
      return { json: OVERVIEW }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/changes/count`:
      return { json: { added: 0, removed: 0, changed: 0, unchanged: 2, differing_options: [] } }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/changes`:
      return { json: page([]) }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/outcomes`:
      return { json: [{ outcome: 'kept', count: 2 }] }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/status`:
      return stream([
        ...[1, 2].map((number) => ({ type: 'result', data: result(number, embedded) })),
        told('Two pages fetched'),
        { type: 'state', status: 'finished', data: crawl() },
      ])

    case `GET ${SEARCHES}`:
      return { json: page([search(embedded)]) }
    case `POST ${SEARCHES}`:
      return { status: 201, json: { ...search(false), ...started, result: null } }
    case `GET ${SEARCHES}/${MOCK_SEARCH}`:
      return { json: search(embedded) }
    case `GET ${SEARCHES}/${MOCK_SEARCH}/status`:
      return stream([told('One hit'), { type: 'state', status: 'finished', data: search(embedded) }])
    case `GET ${CORE}/own-pages/search`:
      return { json: { ...page([]), suggestion: null, ignored_words: [], is_complete: true, took_ms: 1, index: { indexed: 2, behind: 0 } } }

    case `GET ${SITEMAPS}`:
      return { json: page([sitemap(embedded)]) }
    case `POST ${SITEMAPS}`:
      return { status: 201, json: { ...sitemap(false), ...started, result: null } }
    case `GET ${SITEMAPS}/${MOCK_SITEMAP}`:
      return { json: sitemap(embedded) }
    case `GET ${SITEMAPS}/${MOCK_SITEMAP}/urls`:
      return { json: page(MAPPED_URLS.map((url) => ({ url, lastmod: null }))) }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/sitemap/graph`:
    case `GET ${SITEMAPS}/${MOCK_SITEMAP}/graph`:
      return { json: { 'shop.example': { __self__: { url: SHOP }, '2': { __self__: { url: `${SHOP}2` } } } } }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/sitemap/markdown`:
    case `GET ${SITEMAPS}/${MOCK_SITEMAP}/markdown`:
      return { json: MAPPED_URLS.map((url) => `- [${url}](${url})\n`).join('') }
    case `GET ${SITEMAPS}/${MOCK_SITEMAP}/status`:
      return stream([told('Two URLs'), { type: 'state', status: 'finished', data: sitemap(embedded) }])

    case `GET ${CORE}/crawl-presets`:
      return { json: [] }
    case `POST ${CORE}/crawl-presets`:
      return { status: 201, json: preset(body()) }
    case `POST ${CRAWLS}/${MOCK_CRAWL}/rerun`:
      return { status: 201, json: crawl({ ...started, sitemap: null }) }
    case `GET ${PROXIES}`:
      return { json: page([proxy()]) }
    case `GET ${PROXIES}/list-all`:
      return { json: [{ name: 'Office', slug: 'office', category: 'team' }] }
    case `GET ${CORE}/webhooks`:
      return { json: page([]) }
    case `GET ${CORE}/plugins/schema`:
      return { json: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { prices: PRICES } } }
    case `GET ${CORE}/model-endpoint`:
      return { json: { base_url: null, has_key: false, models: [], available_models: [], updated_at: null } }
    case `GET ${CORE}/usage`:
      return { json: usage() }
    case `GET ${CORE}/usage/history`:
      return { json: page([]) }

    case `GET ${CRAWLS}/${MOCK_CRAWL}/extractions`:
      return { json: page([]) }
    case `GET ${CORE}/model-endpoint/usage`:
      return { json: [] }
    case `GET ${CRAWLS}/${MOCK_CRAWL}/model-usage`:
      return { json: { model: null, calls: 0, prompt_tokens: 0, answer_tokens: 0, cost: 0 } }

    case `DELETE ${CRAWLS}/${MOCK_CRAWL}`:
    case `DELETE ${SEARCHES}/${MOCK_SEARCH}`:
    case `DELETE ${SITEMAPS}/${MOCK_SITEMAP}`:
      return { status: 204 }
  }
  return undefined
}

const OVERVIEW = {
  speed: { from: AT, step_ms: 1000, pages: [1, 1, 0] },
  statuses: [{ status: 200, count: 2 }],
  content_types: [{ content_type: 'text/html', count: 2 }],
  depths: [
    { depth: 0, count: 1, kept: 1 },
    { depth: 1, count: 1, kept: 1 },
  ],
  largest: [{ url: SHOP, http_status: 200, bytes: 5120, took_ms: 20 }],
  slowest: [{ url: SHOP, http_status: 200, bytes: 5120, took_ms: 20 }],
}

/** One page of a list, the only one. */
export const page = (results: unknown[]) => ({ count: results.length, next: null, previous: null, results })

const told = (message: string) => ({ type: 'feed', data: { id: '1', type: 'info', message, timestamp: AT, metadata: {} } })

const stream = (events: unknown[]): Answer => ({
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
})

const ended = { status: 'finished', created_at: AT, updated_at: AT, duration: '00:00:02.500000', reason: 'drained' }

const preset = (body: object) => {
  const { name } = body as { name: string }
  const { options } = withDefaults(body)
  return { uuid: MOCK_CRAWL.replace(/c1$/, '91'), name, options, created_at: AT, updated_at: AT }
}

/** The crawl, with changes. */
export const crawl = (changes: object = {}) => ({
  uuid: MOCK_CRAWL,
  url: SHOP,
  urls: [SHOP],
  crawl_type: 'single',
  options: {
    spider_options: spiderOptions.parse({ max_depth: 1, page_limit: 2 }),
    page_options: pageOptions.parse({}),
    plugin_options: {},
  },
  ...ended,
  number_of_documents: 2,
  sitemap: null,
  counts: { known: 2, kept: 2, failed: 0, settled: 2, pending: 0 },
  ...changes,
})

const MAPPED_URLS = [SHOP, `${SHOP}2`]
const resultId = (number: number) => `01890000-0000-7000-8000-0000000001${number}0`

/** One of its two results. */
export const result = (number: number, embedded: boolean) => ({
  uuid: resultId(number),
  url: MAPPED_URLS[number - 1],
  title: `Page ${number}`,
  result: embedded
    ? { metadata: { title: `Page ${number}` }, markdown: `# Page ${number}\n\nOf the mock.` }
    : `https://shop.example/files/${number}`,
  attachments: [],
  created_at: AT,
  updated_at: AT,
})

const outcome = (number: number) => ({
  url: MAPPED_URLS[number - 1],
  title: `Page ${number}`,
  depth: number - 1,
  outcome: 'kept',
  detail: null,
  http_status: 200,
  tries: 1,
  bytes: 512,
  took_ms: 20,
})

const search = (embedded: boolean) => ({
  uuid: MOCK_SEARCH,
  query: 'green tea',
  search_options: { language: null, country: null, time_range: 'any', time_renge: 'any', search_type: 'web', depth: 'basic' },
  result_limit: 5,
  ...ended,
  number_of_documents: 1,
  result: embedded
    ? [{ url: SHOP, title: 'Page 1', description: 'Of the mock.', order: 0, depth: 'basic' }]
    : 'https://shop.example/files/search',
})

const sitemap = (embedded: boolean) => ({
  uuid: MOCK_SITEMAP,
  url: SHOP,
  options: {
    include_subdomains: true,
    ignore_sitemap_xml: false,
    search: null,
    include_paths: [],
    exclude_paths: [],
    proxy_server: null,
  },
  ...ended,
  number_of_documents: 2,
  result: embedded ? MAPPED_URLS : 'https://shop.example/files/sitemap',
})

const proxy = () => ({
  name: 'Office',
  slug: 'office',
  is_default: true,
  proxy_type: 'socks5',
  host: 'proxy.example',
  port: 1080,
  username: null,
  has_password: false,
  created_at: AT,
  updated_at: AT,
})

const PRICES = {
  title: 'Prices',
  type: 'object',
  properties: {
    is_active: { type: 'boolean', title: 'Is Active', default: false },
    currency: { type: 'string', title: 'Currency', enum: ['EUR', 'USD'], default: 'EUR' },
  },
  required: ['is_active'],
}

/** The stored jobs are older than 30 days, so the usage of the last 30 days is empty. */
function usage() {
  return {
    total_crawls: 0,
    finished_crawls: 0,
    failed_crawls: 0,
    running_crawls: 0,
    total_documents: 0,
    total_searches: 0,
    total_sitemaps: 0,
    used_credits: 0,
    crawl_history: [],
    document_history: [],
    search_history: [],
    sitemap_history: [],
    credit_history: [],
    previous: {
      total_crawls: 0,
      finished_crawls: 0,
      failed_crawls: 0,
      total_documents: 0,
      total_searches: 0,
      total_sitemaps: 0,
      used_credits: 0,
    },
  }
}

/** The OpenAPI description of a part of this backend. */
export const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Mock API', version: '9.9.9', description: 'What the mock can do.' },
  servers: [{ url: 'https://mock.example' }],
  tags: [{ name: 'Crawl Requests', description: 'Crawls of sites.' }],
  paths: {
    [`${CRAWLS}/`]: {
      get: {
        operationId: 'listCrawls',
        tags: ['Crawl Requests'],
        summary: 'List crawls, newest first',
        security: [{ apiKey: [] }],
        parameters: [{ name: 'page', in: 'query', required: false, schema: { type: 'integer' } }],
        responses: {
          '200': { description: 'One page of them.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Crawls' } } } },
          default: { $ref: '#/components/responses/Error' },
        },
      },
      post: {
        operationId: 'createCrawl',
        tags: ['Crawl Requests'],
        summary: 'Start a crawl',
        security: [{ apiKey: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
              example: { url: SHOP },
            },
          },
        },
        responses: { '201': { description: 'The crawl.' }, default: { $ref: '#/components/responses/Error' } },
      },
    },
  },
  components: {
    schemas: {
      Crawls: {
        type: 'object',
        properties: { count: { type: 'integer' }, results: { type: 'array', items: { type: 'object' } } },
        required: ['count', 'results'],
      },
      Error: { type: 'object', properties: { code: { type: 'integer' }, message: { type: 'string' } }, required: ['code', 'message'] },
    },
    responses: {
      Error: { description: 'What went wrong.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    },
    securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
  },
}
