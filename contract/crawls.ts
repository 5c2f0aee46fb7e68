/** Crawl options, crawl requests, their results and their sitemap. */
import * as z from 'zod/mini'
import { BLOCKABLE, DOCUMENT_TYPES } from './document-types.ts'
import { endpoint, paged } from './endpoint.ts'
import {
  clamped,
  count,
  flag,
  givenOptionsOf,
  httpUrl,
  listOf,
  oneOf,
  optionsOf,
  orEmpty,
  patterns,
  queryFlag,
  selectors,
  shape,
  text,
  wrong,
} from './fields.ts'
import { deleteQuery, deletedCount, followQuery, prefetchedQuery, status, stopQuery } from './run-fields.ts'
import { siteTree } from './sitemaps.ts'
import { BATCH_BODY, MAX_BATCH_URLS, MAX_EXTRA_HEADERS, MAX_HEADER_VALUE, MAX_PATTERN, MAX_PRESET_NAME, OPTIONS_BODY } from './sizes.ts'

export { MAX_BATCH_URLS } from './sizes.ts'

const CRAWLS = '/api/v1/core/crawl-requests'
const TAG = 'Crawl Requests'
const RESULTS_TAG = 'Crawl Results'

/** Page ordinals have 24 bits, see the page table. */
export const MAX_PAGE_LIMIT = 2 ** 24 - 1
export const DEFAULT_LOCALE = 'en-US'
/** Characters of a locale. */
export const MAX_LOCALE = 64
/** Wait between the load of a rendered page and its parsing. */
export const DEFAULT_WAIT_MS = 100

/** Limits of the options of a single crawl. */
export const spiderOptions = shape({
  max_depth: z._default(count({ min: 0, max: 1_000_000 }), 1),
  page_limit: z._default(count({ min: 1, max: MAX_PAGE_LIMIT }), 1),
  concurrent_requests: z._default(z.nullable(count({ min: 1 })), null),
  allowed_domains: patterns(),
  exclude_paths: patterns(),
  include_paths: patterns(),
  proxy_server: z._default(z.nullable(text({ max: 255, blank: true })), null),
})
export type SpiderOptions = z.output<typeof spiderOptions>

export const ARCHIVE_FORMATS = ['json', 'markdown', 'jsonl', 'llms'] as const

/** What can be captured of a rendered page. */
export const CAPTURE_TYPES = ['screenshot', 'pdf'] as const
/** Actions on a rendered page before it is read. */
export const ACTION_TYPES = [...CAPTURE_TYPES, 'click', 'type', 'press', 'scroll', 'wait'] as const
/** The required field of each action. */
const NEEDED: { [type in (typeof ACTION_TYPES)[number]]?: readonly ('selector' | 'text' | 'key')[] } = {
  click: ['selector'],
  type: ['selector', 'text'],
  press: ['key'],
}
const REQUIRED = 'This field is required.'
/** The texts of an action. */
export const ACTION_TEXTS = {
  selector: text({ max: MAX_PATTERN }),
  text: text({ max: 10_000, blank: true, trim: false }),
  key: text({ max: 50 }),
}

/** One action on a rendered page. `wait` takes `ms`, or a `selector` that becomes visible; `scroll` without `pixels` scrolls to the end. */
const pageAction = shape({
  type: oneOf(ACTION_TYPES),
  selector: z.optional(ACTION_TEXTS.selector),
  text: z.optional(ACTION_TEXTS.text),
  key: z.optional(ACTION_TEXTS.key),
  pixels: z.optional(count({ min: 1, max: 1_000_000 })),
  ms: z.optional(count({ min: 0, max: 60_000 })),
}).check(({ issues, value }) => {
  const missing = (NEEDED[value.type] ?? []).filter((name) => value[name] === undefined)
  if (value.type === 'wait' && value.ms === undefined && value.selector === undefined)
    issues.push({ code: 'custom', input: value, path: ['ms'], message: REQUIRED })
  for (const name of missing) issues.push({ code: 'custom', input: value, path: [name], message: REQUIRED })
})

/** Headers that the crawler sets itself, or that are hop-by-hop (RFC 9110, 7.6.1), in lower case. */
export const FORBIDDEN_HEADERS: readonly string[] = [
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const headerValue = text({ max: MAX_HEADER_VALUE, blank: true }).check(
  z.regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'Enter a valid header value.' }),
)
const headerName = z.string().check(z.regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/, { error: 'Enter a valid header name.' }))

const headerMap = z.record(headerName, headerValue, { error: wrong('Expected a dictionary of items.') }).check(({ value, issues }) => {
  for (const name of Object.keys(value))
    if (FORBIDDEN_HEADERS.includes(name.toLowerCase()))
      issues.push({ code: 'custom', input: value, path: [name], message: `The header ${name} is set by the crawler itself.` })
})

/** Additional headers by name; at most `MAX_EXTRA_HEADERS`, counted before each is validated. */
export const extraHeaders = z.pipe(
  z.transform((input: unknown, { issues }): unknown => {
    if (typeof input !== 'object' || input === null || Object.keys(input).length <= MAX_EXTRA_HEADERS) return input
    issues.push({ code: 'custom', input, message: `Ensure this field has no more than ${MAX_EXTRA_HEADERS} elements.` })
    return z.NEVER
  }),
  headerMap as z.ZodMiniType<Record<string, string>, unknown>,
)

/** Options for the processing of each page. */
export const pageOptions = shape({
  exclude_tags: selectors(),
  include_tags: selectors(),
  wait_time: z._default(clamped({ min: 0, max: 60_000 }), DEFAULT_WAIT_MS),
  include_html: z._default(flag(), false),
  only_main_content: z._default(flag(), true),
  article_text_only: z.optional(flag()),
  html_in_markdown: z.optional(flag()),
  include_links: z._default(flag(), false),
  timeout: z._default(clamped({ min: 1000, max: 120_000 }), 15_000),
  accept_cookies_selector: z._default(z.nullable(text({ max: MAX_PATTERN, blank: true })), null),
  locale: z.pipe(
    z.pipe(
      z.optional(z.nullable(text({ max: MAX_LOCALE, blank: true }).check(z.regex(/^[A-Za-z0-9-]*$/, { error: 'Enter a valid locale.' })))),
      z.transform((value: string | null | undefined) => value || DEFAULT_LOCALE),
    ),
    z.string(),
  ),
  extra_headers: z._default(extraHeaders as unknown as typeof headerMap, {}),
  actions: z._default(listOf(pageAction, { max: 100 }), []),
  ignore_rendering: z._default(flag(), false),
  mobile: z.optional(flag()),
  block: z.optional(listOf(oneOf(BLOCKABLE), { max: BLOCKABLE.length })),
  keep_types: z.optional(listOf(oneOf(DOCUMENT_TYPES), { max: DOCUMENT_TYPES.length })),
  skip_types: z.optional(listOf(oneOf(DOCUMENT_TYPES), { max: DOCUMENT_TYPES.length })),
})
export type PageOptions = z.output<typeof pageOptions>

/** The options of each plugin by its key. `is_active` is a boolean in any spelling of a flag; any other value leaves the plugin off. */
export const pluginOptions = orEmpty(
  z
    .record(z.string(), z.unknown(), { error: wrong('Expected a dictionary of items.') })
    .check(z.overwrite((plugins) => Object.fromEntries(Object.entries(plugins).map(([key, values]) => [key, withPlainFlag(values)])))),
)

function withPlainFlag(values: unknown): unknown {
  if (typeof values !== 'object' || values === null || !('is_active' in values)) return values
  const { data: isActive, success } = flag().safeParse(values.is_active)
  return success ? { ...values, is_active: isActive } : values
}

/** A batch accepts two of the spider's options; the others follow from its URLs. */
export const batchSpiderOptions = z.pick(spiderOptions, { concurrent_requests: true, proxy_server: true })

const singleShape = shape({ spider_options: orEmpty(spiderOptions), page_options: orEmpty(pageOptions), plugin_options: pluginOptions })
/** The options of a single crawl; a batch takes some of them. */
export const crawlOptions = optionsOf(singleShape)
/** The same options, all optional, such as for a change. */
export const givenCrawlOptions = givenOptionsOf(singleShape)
const batchOptions = optionsOf(
  shape({ spider_options: orEmpty(batchSpiderOptions), page_options: orEmpty(pageOptions), plugin_options: pluginOptions }),
)

/** Uuid or name of one of the team's presets; the crawl uses its options. */
const presetName = () => z.optional(text({ max: MAX_PRESET_NAME }))

/** One URL, also as a list of one. */
export const oneUrl = z.pipe(
  z.transform((input: unknown, { issues }) => {
    if (!Array.isArray(input)) return input as string
    if (input.length === 1) return input[0] as string
    issues.push({ code: 'custom', input, message: 'Send several URLs as a batch.' })
    return z.NEVER
  }),
  httpUrl(),
)

export const crawlRequest = z.object({
  uuid: z.string(),
  url: z.nullable(z.string()),
  urls: z.array(z.string()),
  crawl_type: z.enum(['single', 'batch']),
  status,
  options: z.object({
    spider_options: z.record(z.string(), z.unknown()),
    page_options: z.record(z.string(), z.unknown()),
    plugin_options: z.record(z.string(), z.unknown()),
  }),
  created_at: z.string(),
  updated_at: z.string(),
  duration: z.nullable(z.string()),
  number_of_documents: z.int(),
  sitemap: z.nullable(z.string()),
  /** Why the crawl ended, in a word: drained, page_limit, time_limit, canceled, no_start_url … */
  reason: z.nullable(z.string()),
  /** URLs by outcome; `pending` counts those that are not fetched yet. */
  counts: z.object({ known: z.int(), kept: z.int(), failed: z.int(), settled: z.int(), pending: z.int() }),
})
export type CrawlRequest = z.output<typeof crawlRequest>

export const attachment = z.object({
  uuid: z.string(),
  attachment: z.string(),
  attachment_type: z.enum(CAPTURE_TYPES),
  filename: z.string(),
})

/** The result document of a page. */
export type ResultDocument = {
  metadata: Record<string, string | null>
  markdown: string
  links?: string[]
  html?: string
  extraction?: unknown
}

export const crawlResult = z.object({
  uuid: z.string(),
  url: z.string(),
  title: z.nullable(z.string()),
  /** A signed link, or the document itself when `prefetched`. */
  result: z.unknown(),
  attachments: z.array(attachment),
  created_at: z.string(),
  updated_at: z.string(),
})
export type CrawlResult = Omit<z.output<typeof crawlResult>, 'result'> & { result: string | ResultDocument }

export const listCrawls = endpoint({
  method: 'GET',
  path: `${CRAWLS}/`,
  access: 'team',
  tag: TAG,
  summary: 'List crawl requests, newest first',
  answer: paged(crawlRequest),
  description:
    'Filters: `status`, `status__in`, `uuid`, `url`, `url__contains`, `url__startswith`, `crawl_type`, `schedule`, `created_at` with `__gt`, `__gte`, `__lt`, `__lte`. `ordering` sorts them.',
})
export const createCrawl = endpoint({
  method: 'POST',
  path: `${CRAWLS}/`,
  access: 'team',
  tag: TAG,
  summary: 'Start a crawl from one URL',
  body: shape({ url: oneUrl, options: crawlOptions, preset: presetName() }),
  size: OPTIONS_BODY,
  answer: crawlRequest,
  status: 201,
  description:
    'For 24 hours, a repeated `Idempotency-Key` of the same team returns the same crawl. `preset` names a preset of the team, by its uuid or name, in place of `options`.',
})
export const createBatchCrawl = endpoint({
  method: 'POST',
  path: `${CRAWLS}/batch/`,
  access: 'team',
  tag: TAG,
  summary: 'Fetch a list of URLs',
  body: shape({ urls: listOf(httpUrl(), { min: 1, max: MAX_BATCH_URLS }), options: batchOptions, preset: presetName() }),
  size: BATCH_BODY,
  answer: crawlRequest,
  status: 201,
})
export const rerunCrawl = endpoint({
  method: 'POST',
  path: `${CRAWLS}/{id}/rerun/`,
  access: 'team',
  tag: TAG,
  summary: 'Run a crawl again',
  body: shape({ failed_only: z._default(flag(), false) }),
  answer: crawlRequest,
  status: 201,
  description: `A new crawl with the same URLs and options, its headers and credentials too. With \`failed_only\` it is a batch of the URLs that failed, the first ${MAX_BATCH_URLS} of them; 400 when none did. Takes an \`Idempotency-Key\`.`,
})
export const getCrawl = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'One crawl request',
  answer: crawlRequest,
})
export const stopCrawl = endpoint({
  method: 'DELETE',
  path: `${CRAWLS}/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'Stop a crawl, or delete it',
  query: stopQuery,
  status: 204,
  description:
    'With `purge=true` the crawl is deleted: it is stopped if it still runs, can no longer be read, and its data is removed within minutes.',
})
export const deleteCrawls = endpoint({
  method: 'DELETE',
  path: `${CRAWLS}/`,
  access: 'team',
  tag: TAG,
  summary: 'Delete several crawls',
  query: deleteQuery,
  answer: deletedCount,
  description: 'Up to 100 ids, separated by commas; `purge=true` is required. Ids that name no crawl of the team are not counted.',
})
export const followCrawl = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/status/`,
  access: 'team',
  tag: TAG,
  summary: 'Follow a crawl live',
  query: followQuery,
  media: 'text/event-stream',
  description:
    'Server-sent events, each one line `data: {"type": "state" | "result" | "feed", …}`. The stream ends after the final state. `after=<seq>` resumes after an event: all later events follow in order. With `ids=true` each event is preceded by `id: <seq>`, so that an `EventSource` resumes by itself; a stream that has no further event is answered 204.',
})
const archiveFormat = z._default(oneOf(ARCHIVE_FORMATS), 'json')
export const downloadCrawl = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/download/`,
  access: 'team',
  tag: TAG,
  summary: 'All results as a zip archive',
  media: 'application/zip',
  query: z.object({ output_format: archiveFormat, attachments: queryFlag() }),
})
export const linkArchive = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/download/link/`,
  access: 'team',
  tag: TAG,
  summary: 'A link to the zip archive that works without any header',
  description: 'Signed and valid for some hours, so that a browser or a download manager can save the archive directly.',
  query: z.object({ output_format: archiveFormat, attachments: queryFlag() }),
  answer: z.object({ link: z.string() }),
})
export const EXPORT_CONTENTS = ['results', 'urls'] as const
export const EXPORT_FORMATS = ['csv', 'jsonl'] as const
const exportQuery = z.object({
  content: z._default(oneOf(EXPORT_CONTENTS), 'results'),
  file_format: z._default(oneOf(EXPORT_FORMATS), 'csv'),
})
export const exportCrawl = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/export/`,
  access: 'team',
  tag: TAG,
  summary: 'Results or URLs as CSV or JSON Lines',
  media: 'text/csv',
  query: exportQuery,
  description: 'JSON Lines of results contain the documents; CSV has one line per result without its document.',
})
export const linkExport = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/export/link/`,
  access: 'team',
  tag: TAG,
  summary: 'A link to an export that works without any header',
  query: exportQuery,
  answer: z.object({ link: z.string() }),
})
export const crawlGraph = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/sitemap/graph/`,
  access: 'team',
  tag: TAG,
  summary: "The tree of the crawl's links",
  answer: siteTree,
})
export const crawlSitemapMarkdown = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/sitemap/markdown/`,
  access: 'team',
  tag: TAG,
  summary: "The crawl's links as Markdown, in one JSON string",
  answer: z.string(),
})

/** The outcome of one URL: every URL that a crawl found ends with exactly one. */
export const urlOutcome = z.object({
  url: z.string(),
  title: z.nullable(z.string()),
  depth: z.int(),
  /** kept, duplicate, robots, out_of_scope, status, timeout …; null while the URL still waits. */
  outcome: z.nullable(z.string()),
  /** The reason: the scope rule, the robots line, the error. */
  detail: z.nullable(z.string()),
  http_status: z.nullable(z.int()),
  tries: z.int(),
  bytes: z.nullable(z.int()),
  took_ms: z.nullable(z.int()),
})
export type UrlOutcome = z.output<typeof urlOutcome>

export const listOutcomes = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/urls/`,
  access: 'team',
  tag: TAG,
  summary: 'Every URL of a crawl and how it ended',
  answer: paged(urlOutcome),
  description: 'In order of discovery. Filters: `outcome`, `outcome__in`, `url__contains`, `http_status`, `depth`.',
})
export const countOutcomes = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/outcomes/`,
  access: 'team',
  tag: TAG,
  summary: 'Number of URLs of a crawl by outcome',
  answer: z.array(z.object({ outcome: z.nullable(z.string()), count: z.int() })),
})

const urlFigures = z.object({
  url: z.string(),
  http_status: z.nullable(z.int()),
  bytes: z.nullable(z.int()),
  took_ms: z.nullable(z.int()),
})
export const crawlOverview = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/overview/`,
  access: 'team',
  tag: TAG,
  summary: 'A crawl in figures',
  answer: z.object({
    speed: z.object({ from: z.string(), step_ms: z.int(), pages: z.array(z.int()) }),
    statuses: z.array(z.object({ status: z.int(), count: z.int() })),
    content_types: z.array(z.object({ content_type: z.nullable(z.string()), count: z.int() })),
    depths: z.array(z.object({ depth: z.int(), count: z.int(), kept: z.int() })),
    largest: z.array(urlFigures),
    slowest: z.array(urlFigures),
  }),
  description:
    'Pages over time in at most 60 steps, the 20 most frequent statuses and content types, the first 20 depths, the 10 largest and slowest URLs.',
})

export const CHANGES = ['added', 'removed', 'changed', 'unchanged'] as const
/** The crawl to compare with; by default the newest older crawl of the same start URL. */
const base = z.optional(z.string({ error: wrong('Not a valid string.') }))

export const pageChange = z.object({
  change: z.enum(CHANGES),
  url: z.string(),
  title: z.nullable(z.string()),
  /** Ids of the results, in this crawl and in the other. */
  result: z.nullable(z.string()),
  before: z.nullable(z.string()),
})
export type PageChange = z.output<typeof pageChange>

export const countChanges = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/changes/count/`,
  access: 'team',
  tag: TAG,
  summary: 'Number of pages that differ from another crawl',
  query: z.object({ base }),
  answer: z.object({
    added: z.int(),
    removed: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    differing_options: z.array(z.string()),
  }),
})
export const listChanges = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/changes/`,
  access: 'team',
  tag: TAG,
  summary: 'Pages that differ from another crawl',
  query: z.object({ base, change: z._default(oneOf(CHANGES), 'changed') }),
  answer: paged(pageChange),
  description:
    'Pages are matched by URL and compared by the hash of their content. The default of `base` is the newest older crawl of the same start URL; 404 if there is none.',
})

export const listResults = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/results/`,
  access: 'team',
  tag: RESULTS_TAG,
  summary: 'Results of a crawl, oldest first',
  query: prefetchedQuery,
  answer: paged(crawlResult),
})
export const getResult = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/results/{resultId}/`,
  access: 'team',
  tag: RESULTS_TAG,
  summary: 'One result',
  query: prefetchedQuery,
  answer: crawlResult,
})

/** The data that plugins extracted from a crawl's pages. */
export const EXTRACTION_FORMATS = ['json', 'jsonl', 'csv'] as const

export const pageExtraction = z.object({
  uuid: z.string(),
  url: z.string(),
  title: z.nullable(z.string()),
  extraction: z.unknown(),
})
export type PageExtraction = z.output<typeof pageExtraction>

export const listExtractions = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/extractions/`,
  access: 'team',
  tag: RESULTS_TAG,
  summary: 'Data that plugins extracted from each page, oldest first',
  description: 'Results without their Markdown. `extraction` is null for pages without extracted data.',
  answer: paged(pageExtraction),
})
export const downloadExtractions = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/extractions/download/`,
  access: 'team',
  tag: RESULTS_TAG,
  summary: 'All extracted data as one file',
  description:
    'Pages without an extraction are left out. `json`: a list of objects with `url`, `title` and `extraction`. `jsonl`: the same, one per line. `csv`: one row per object, or per item of an extracted list; nested objects become columns with their names joined by dots.',
  media: 'application/octet-stream',
  query: z.object({ output_format: z._default(oneOf(EXTRACTION_FORMATS), 'json') }),
})
export const modelUsage = z.object({
  model: z.nullable(z.string()),
  calls: z.int(),
  prompt_tokens: z.int(),
  answer_tokens: z.int(),
  cost: z.number(),
})
export type ModelUsage = z.output<typeof modelUsage>

export const getModelUsage = endpoint({
  method: 'GET',
  path: `${CRAWLS}/{id}/model-usage/`,
  access: 'team',
  tag: RESULTS_TAG,
  summary: 'Language model usage of a crawl',
  answer: modelUsage,
})

export const getFile = endpoint({
  method: 'GET',
  path: '/api/v1/files/{kind}/{id}/*',
  access: 'signed',
  tag: RESULTS_TAG,
  summary: 'Get a file by its signed link',
  description: '`download=true` makes a browser save the list of links instead of showing it.',
})
