/**
 * Endpoints of the Firecrawl API, each in both of its versions. They have a table of their own, because they have their own errors and
 * their own API document.
 */
import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import type { EndpointSpec, Method } from '../endpoint.ts'
import { BATCH_BODY, OPTIONS_BODY, UPLOAD_BODY } from '../sizes.ts'
import { MONITOR_ENDPOINTS } from './monitors.ts'
import * as shapes from './shapes.ts'

export const VERSIONS = ['v1', 'v2'] as const
export type Version = (typeof VERSIONS)[number]

const SCRAPE = 'Scrape'
const CRAWL = 'Crawl'
const BATCH = 'Batch scrape'
const MAP = 'Map and search'
const ACCOUNT = 'Account'

/** Polled by clients, which give up at a 429. */
const uncounted = { isUncounted: true } as const
const statusQuery = z.object({ skip: z.optional(z.string()), limit: z.optional(z.string()) })
const STATUS_TEXT =
  'At most 100 documents, and not many more than 10 MB of them; `next` leads to those behind. The order never changes, so that no document is lost or seen twice.'

const scrape = <V extends Version, B extends z.ZodMiniType>(version: V, body: B) =>
  endpoint({
    method: 'POST',
    path: `/${version}/scrape`,
    access: 'team',
    tag: SCRAPE,
    summary: 'Fetch one page and answer it',
    body,
    size: OPTIONS_BODY,
    answer: shapes.scrapeAnswer,
  })
export const v1Scrape = scrape('v1', shapes.v1Scrape)
export const v2Scrape = scrape('v2', shapes.v2Scrape)

export const v2Parse = endpoint({
  method: 'POST',
  path: '/v2/parse',
  access: 'team',
  tag: SCRAPE,
  summary: 'Read a file that is sent',
  description:
    'The part `options` of the form is JSON, the part `file` the file: HTML, PDF, documents of an office, text. It is stored nowhere and takes no credits.',
  body: shapes.v2Parse,
  isUpload: true,
  size: UPLOAD_BODY,
  answer: shapes.scrapeAnswer,
})

const start = <V extends Version, K extends 'crawl' | 'batch/scrape', B extends z.ZodMiniType>(version: V, kind: K, body: B) =>
  endpoint({
    method: 'POST',
    path: `/${version}/${kind}`,
    access: 'team',
    tag: kind === 'crawl' ? CRAWL : BATCH,
    summary: kind === 'crawl' ? 'Start a crawl' : 'Scrape a list of URLs',
    body,
    size: kind === 'crawl' ? OPTIONS_BODY : BATCH_BODY,
    answer: shapes.startedAnswer,
    description:
      version === 'v1'
        ? 'A reused `x-idempotency-key` is answered 409.'
        : 'The same `x-idempotency-key` with the same body gives the first job; with another body it is answered 409.',
  })
export const v1Crawl = start('v1', 'crawl', shapes.v1Crawl)
export const v2Crawl = start('v2', 'crawl', shapes.v2Crawl)
export const v1Batch = start('v1', 'batch/scrape', shapes.v1Batch)
export const v2Batch = start('v2', 'batch/scrape', shapes.v2Batch)

const map = <V extends Version, B extends z.ZodMiniType, A extends z.ZodMiniType>(version: V, body: B, answer: A) =>
  endpoint({
    method: 'POST',
    path: `/${version}/map`,
    access: 'team',
    tag: MAP,
    summary: 'List the URLs of a site',
    body,
    size: OPTIONS_BODY,
    answer,
  })
export const v1Map = map('v1', shapes.v1Map, shapes.v1MapAnswer)
export const v2Map = map('v2', shapes.v2Map, shapes.v2MapAnswer)

const search = <V extends Version, B extends z.ZodMiniType, A extends z.ZodMiniType>(version: V, body: B, answer: A) =>
  endpoint({
    method: 'POST',
    path: `/${version}/search`,
    access: 'team',
    tag: MAP,
    summary: 'Search the web, and scrape what was found',
    body,
    size: OPTIONS_BODY,
    answer,
  })
export const v1Search = search('v1', shapes.v1Search, shapes.v1SearchAnswer)
export const v2Search = search('v2', shapes.v2Search, shapes.v2SearchAnswer)

const extract = <V extends Version, B extends z.ZodMiniType>(version: V, body: B) =>
  endpoint({
    method: 'POST',
    path: `/${version}/extract`,
    access: 'team',
    tag: SCRAPE,
    summary: 'Extract structured data from pages',
    body,
    size: OPTIONS_BODY,
    answer: shapes.startedExtractAnswer,
    description:
      'Needs a language model of the server or of the team; without one, the answer is 400. A URL that ends with `/*` means a site: up to `limit` of its pages are read, 20 by default.',
  })
export const v1Extract = extract('v1', shapes.v1Extract)
export const v2Extract = extract('v2', shapes.v2Extract)

/** Descriptions that both versions share. */
export const SHARED = {
  readScrape: shared('GET', 'scrape/{job}', { tag: SCRAPE, summary: 'A page that was scraped', answer: shapes.scrapeAnswer, ...uncounted }),
  activeCrawls: shared('GET', 'crawl/active', {
    tag: CRAWL,
    summary: 'Crawls that have not ended',
    answer: shapes.activeAnswer,
    ...uncounted,
  }),
  ongoingCrawls: shared('GET', 'crawl/ongoing', { tag: CRAWL, summary: 'The same', answer: shapes.activeAnswer, ...uncounted }),
  previewCrawl: shared('POST', 'crawl/params-preview', {
    tag: CRAWL,
    summary: 'Crawl options from a prompt',
    body: shapes.paramsPreview,
    answer: shapes.previewAnswer,
    description: 'Needs a language model of the server or of the team, else it is answered 400. Starts no crawl.',
  }),
  ...jobEndpoints('crawl', CRAWL, 'crawl'),
  ...jobEndpoints('batch', BATCH, 'batch/scrape'),
  extractStatus: shared('GET', 'extract/{job}', {
    tag: SCRAPE,
    summary: 'How far an extraction is',
    answer: shapes.extractStatusAnswer,
    description: '`data` combines the data of all pages; `sources` has the URLs of each field, when `showSources` was asked for.',
    ...uncounted,
  }),
  concurrency: shared('GET', 'concurrency-check', {
    tag: ACCOUNT,
    summary: 'Pages in progress, and most at once',
    answer: shapes.concurrencyAnswer,
    ...uncounted,
  }),
  queue: shared('GET', 'team/queue-status', { tag: ACCOUNT, summary: 'Jobs that wait or run', answer: shapes.queueAnswer, ...uncounted }),
  credits: shared('GET', 'team/credit-usage', {
    tag: ACCOUNT,
    summary: 'Credits that are left',
    answer: shapes.accountAnswer,
    description: 'Without plans there is no limit; the number is then 1000000000.',
    ...uncounted,
  }),
  tokens: shared('GET', 'team/token-usage', {
    tag: ACCOUNT,
    summary: 'Tokens of language models that are left: none',
    answer: shapes.accountAnswer,
    ...uncounted,
  }),
  creditHistory: shared('GET', 'team/credit-usage/historical', {
    tag: ACCOUNT,
    summary: 'Credits used in each month',
    query: z.object({ byApiKey: z.optional(z.string()) }),
    answer: shapes.periodsAnswer,
    ...uncounted,
  }),
  tokenHistory: shared('GET', 'team/token-usage/historical', {
    tag: ACCOUNT,
    summary: 'Tokens used in each month: none',
    query: z.object({ byApiKey: z.optional(z.string()) }),
    answer: shapes.periodsAnswer,
    ...uncounted,
  }),
} as const

/** The calls about an existing job. Their names begin with `name`, except the call that ends the job: `cancelCrawl`. */
function jobEndpoints<const N extends 'crawl' | 'batch', const P extends string>(name: N, tag: string, path: P) {
  const errors = { tag, answer: shapes.errorsAnswer, ...uncounted }
  const endpoints = {
    Status: shared('GET', `${path}/{job}`, {
      tag,
      summary: `How far a ${name} is, and its documents`,
      query: statusQuery,
      answer: shapes.statusAnswer,
      description: `${STATUS_TEXT} With \`Upgrade: websocket\` the documents come as they are scraped.`,
      ...uncounted,
    }),
    Errors: shared('GET', `${path}/{job}/errors`, { ...errors, summary: 'URLs that could not be scraped' }),
    ErrorsByDelete: shared('DELETE', `${path}/{job}/errors`, {
      ...errors,
      summary: 'The same: a published client reads them by this method',
    }),
  }
  const cancel = shared('DELETE', `${path}/{job}`, { tag, summary: `Stop a ${name}`, answer: shapes.cancelledAnswer })
  const named = Object.entries(endpoints).map(([end, one]) => [`${name}${end}`, one] as const)
  return Object.fromEntries([...named, [`cancel${name === 'crawl' ? 'Crawl' : 'Batch'}`, cancel]]) as unknown as {
    [Key in keyof typeof endpoints as `${N}${Key}`]: (typeof endpoints)[Key]
  } & { [Key in N as `cancel${Capitalize<Key>}`]: typeof cancel }
}

/** One endpoint for each version. */
function shared<const P extends string, const E extends Omit<EndpointSpec, 'method' | 'path' | 'access'>>(
  method: Method,
  path: P,
  spec: E,
) {
  const of = <V extends Version>(version: V) => endpoint({ ...spec, method, path: `/${version}/${path}` as const, access: 'team' as const })
  return { v1: of('v1'), v2: of('v2') }
}

const byVersion = { scrape: { v1: v1Scrape, v2: v2Scrape }, crawl: { v1: v1Crawl, v2: v2Crawl }, batch: { v1: v1Batch, v2: v2Batch } }
const listing = { map: { v1: v1Map, v2: v2Map }, search: { v1: v1Search, v2: v2Search }, extract: { v1: v1Extract, v2: v2Extract } }

/** Every endpoint by a unique name: `v2.scrape`. */
export const FIRECRAWL_ENDPOINTS: ReadonlyMap<string, EndpointSpec> = new Map([
  ...Object.entries({ ...byVersion, ...listing, ...SHARED } as Record<string, Record<Version, EndpointSpec>>).flatMap(([name, versions]) =>
    VERSIONS.map((version): [string, EndpointSpec] => [`${version}.${name}`, versions[version]]),
  ),
  ['v2.parse', v2Parse],
  ...Object.entries(MONITOR_ENDPOINTS as Record<string, EndpointSpec>).map(([name, one]): [string, EndpointSpec] => [`v2.${name}`, one]),
])
