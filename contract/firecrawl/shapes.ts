/**
 * Shapes of the Firecrawl API, v1 and v2, as its clients send them. Unknown fields are refused: ignoring one would silently change the
 * result.
 */
import * as z from 'zod/mini'
import { extraHeaders } from '../crawls.ts'
import { text } from '../fields.ts'
import { MAX_BATCH_URLS, MAX_PATTERN, MAX_SELECTORS, MAX_URL_LENGTH } from '../sizes.ts'

/** Limits of one extraction: URLs, and pages of a site. */
export const MAX_EXTRACT_URLS = 10
const MAX_EXTRACT_PAGES = 100
/** The largest number of pages of a crawl, as in our own API. */
export const MAX_LIMIT = 2 ** 24 - 1
const DAY_MS = 24 * 60 * 60 * 1000
/** The highest age of a copy that a request may ask for. */
const MAX_AGE_MS = 3650 * DAY_MS

/** An object with these fields and no others. */
export const strict = <T extends Record<string, z.ZodMiniType>>(fields: T) =>
  z.strictObject(fields, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `Unknown field: ${issue.keys.slice(0, 10).join(', ').slice(0, 300)}.` : undefined,
  })

/** The same, for objects in which some clients send null for an option without a value. */
const strictWithNulls = <T extends Record<string, z.ZodMiniType>>(fields: T) =>
  z.pipe(
    z.transform((input: unknown): unknown =>
      typeof input === 'object' && input !== null && !Array.isArray(input)
        ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null))
        : input,
    ),
    strict(fields) as unknown as z.ZodMiniType<z.output<ReturnType<typeof strict<T>>>, unknown>,
  )

/** An object with these fields, and with fields that its clients add to every body. */
export const body = <T extends Record<string, z.ZodMiniType>>(fields: T) =>
  strict({ ...fields, origin: z.optional(z.nullable(z.string())), integration: z.optional(z.nullable(z.string())) })

const flag = () => z.optional(z.boolean())
const whole = (least: number, most: number) => z.optional(z.int().check(z.minimum(least), z.maximum(most)))
const words = (most: number, length = MAX_PATTERN) => z.optional(z.array(z.string().check(z.maxLength(length))).check(z.maxLength(most)))
const tags = () => z.optional(z.array(text({ max: MAX_PATTERN })).check(z.maxLength(MAX_SELECTORS)))
/** Accepted, without an effect. */
const anything = () => z.optional(z.unknown())

export const url = () => z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_URL_LENGTH))
export const urls = () => z.array(url()).check(z.minLength(1), z.maxLength(MAX_BATCH_URLS))

/** Sides of a window that a browser draws, in CSS pixels. */
const MAX_SIDE = 4096
const side = () => z.int().check(z.minimum(1), z.maximum(MAX_SIDE))
const shot = { fullPage: flag(), quality: whole(1, 100), viewport: z.optional(strict({ width: side(), height: side() })) }
/** Options of a screenshot, as a format or as an action. */
export const shotFields = z.object(shot)
export type ShotFields = z.output<typeof shotFields>
const PAPER_FORMATS = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'] as const
/** Options of the action `pdf`. */
export const printFields = z.object({
  format: z.optional(z.enum(PAPER_FORMATS)),
  landscape: flag(),
  scale: z.optional(z.number().check(z.minimum(0.1), z.maximum(2))),
})
/** The n8n node repeats `country` and `languages` in `settings`. */
const location = z.optional(
  z.nullable(strict({ country: z.optional(z.string()), languages: z.optional(z.array(z.string())), settings: anything() })),
)

/** Formats that are a single word. */
const FORMAT_NAMES = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'images',
  'screenshot',
  'summary',
  'json',
  'changeTracking',
  'attributes',
  'question',
  'highlights',
  'query',
  'rawBase64',
  'deterministicJson',
  'branding',
  'product',
  'menu',
  'audio',
  'video',
] as const
export type FormatName = (typeof FORMAT_NAMES)[number]

const trackingModes = z.optional(z.array(z.enum(['git-diff', 'json'])))
const format = z.union([
  z.enum([...FORMAT_NAMES, 'screenshot@fullPage']),
  strictWithNulls({
    type: z.enum(FORMAT_NAMES),
    ...shot,
    schema: anything(),
    prompt: z.optional(z.string()),
    systemPrompt: z.optional(z.string()),
    checkPromptInjection: anything(),
    modes: trackingModes,
    mode: z.optional(z.enum(['freeform', 'directQuote'])),
    tag: z.optional(z.nullable(z.string())),
    selectors: z.optional(
      z
        .array(
          strict({
            selector: z.string().check(z.minLength(1), z.maxLength(MAX_PATTERN)),
            attribute: z.string().check(z.minLength(1), z.maxLength(255)),
          }),
        )
        .check(z.minLength(1), z.maxLength(100)),
    ),
    question: z.optional(z.string()),
    query: z.optional(z.string()),
  }),
])
export type Format = z.output<typeof format>

const scrapeFields = {
  headers: z.optional(extraHeaders as unknown as z.ZodMiniType<Record<string, string>>),
  includeTags: tags(),
  excludeTags: tags(),
  onlyMainContent: flag(),
  waitFor: whole(0, 60_000),
  mobile: flag(),
  // The n8n node sends an empty object for none.
  actions: z.optional(z.union([z.array(z.looseObject({ type: z.string() })).check(z.maxLength(50)), strict({})])),
  location,
  skipTlsVerification: flag(),
  removeBase64Images: flag(),
  blockAds: flag(),
  proxy: z.optional(z.enum(['basic', 'stealth', 'enhanced', 'auto'])),
  maxAge: whole(0, MAX_AGE_MS),
  minAge: whole(0, MAX_AGE_MS),
  storeInCache: flag(),
  fastMode: flag(),
  useMock: anything(),
  zeroDataRetention: flag(),
}

const PARSERS = ['pdf', 'image'] as const
const MAX_PDF_PAGES = 10_000
const parser = z.union([
  z.enum(PARSERS),
  strictWithNulls({
    type: z.enum(PARSERS),
    mode: z.optional(z.enum(['fast', 'auto', 'ocr'])),
    maxPages: whole(1, MAX_PDF_PAGES),
    pages: flag(),
    /** The earlier name of `pages`. */
    pageMarkdown: flag(),
    blocks: flag(),
    pageMarkers: flag(),
  }),
])

const timeout = whole(1000, 3_600_000)
/** Tools of other providers, which a hosted service offers beside pages. */
const toolFields = { domainTools: anything(), toolDetail: anything() }

const v2ScrapeFields = {
  ...scrapeFields,
  formats: z.optional(z.array(format).check(z.maxLength(30))),
  timeout,
  onlyCleanContent: flag(),
  parsers: z.optional(z.array(parser).check(z.maxLength(10))),
  lockdown: flag(),
  redactPII: anything(),
  threatProtection: anything(),
  auditMetadata: anything(),
  profile: anything(),
  safeMode: anything(),
  autoResume: anything(),
  ...toolFields,
}
export const v2ScrapeOptions = body(v2ScrapeFields)
export type ScrapeOptions = z.output<typeof v2ScrapeOptions>

const V1_FORMATS = [
  'markdown',
  'html',
  'rawHtml',
  'links',
  'screenshot',
  'screenshot@fullPage',
  'json',
  'extract',
  'summary',
  'changeTracking',
] as const
const model = z.optional(
  strict({ schema: anything(), prompt: z.optional(z.string()), systemPrompt: z.optional(z.string()), mode: anything() }),
)

const v1ScrapeFields = {
  ...scrapeFields,
  formats: z.optional(z.array(z.enum(V1_FORMATS)).check(z.maxLength(30))),
  timeout,
  jsonOptions: model,
  extract: model,
  changeTrackingOptions: z.optional(
    strict({ modes: trackingModes, schema: anything(), prompt: anything(), tag: z.optional(z.nullable(z.string())) }),
  ),
  parsePDF: flag(),
  geolocation: location,
  agent: anything(),
}
export const v1ScrapeOptions = body(v1ScrapeFields)
export type V1ScrapeOptions = z.output<typeof v1ScrapeOptions>

/** A missing field and null mean the defaults. */
const nested = <T extends z.ZodMiniType>(options: T) => z.optional(z.nullable(options))
const webhook = z.optional(
  z.nullable(
    z.union([z.string(), strict({ url: z.string(), headers: anything(), metadata: anything(), events: z.optional(z.array(z.string())) })]),
  ),
)

export const v2Scrape = body({ url: url(), ...v2ScrapeFields })
export const v1Scrape = body({ url: url(), ...v1ScrapeFields })

export const v2Parse = body(v2ScrapeFields)

const batchFields = {
  urls: urls(),
  maxConcurrency: whole(1, 10_000),
  ignoreInvalidURLs: flag(),
  appendToId: z.optional(z.string()),
  webhook,
}
export const v2Batch = body({ ...v2ScrapeFields, ...batchFields })
export const v1Batch = body({ ...v1ScrapeFields, ...batchFields })

/** Most characters of a prompt that options of a crawl are chosen from. */
const MAX_CRAWL_PROMPT = 10_000
const crawlFields = {
  url: url(),
  includePaths: words(100),
  excludePaths: words(100),
  limit: whole(1, MAX_LIMIT),
  maxDiscoveryDepth: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(1_000_000)))),
  allowExternalLinks: flag(),
  allowSubdomains: flag(),
  crawlEntireDomain: flag(),
  ignoreQueryParameters: flag(),
  deduplicateSimilarURLs: flag(),
  regexOnFullURL: flag(),
  ignoreRobotsTxt: flag(),
  robotsUserAgent: z.optional(z.string()),
  delay: z.optional(z.nullable(z.number().check(z.minimum(0), z.maximum(60)))),
  maxConcurrency: whole(1, 10_000),
  webhook,
  zeroDataRetention: flag(),
}
export const v2Crawl = body({
  ...crawlFields,
  sitemap: z.optional(z.enum(['include', 'skip', 'only'])),
  // Of v1: the n8n node sends it to v2.
  ignoreSitemap: flag(),
  prompt: z.optional(z.nullable(z.string().check(z.maxLength(MAX_CRAWL_PROMPT)))),
  scrapeOptions: nested(v2ScrapeOptions),
})
export type CrawlBody = z.output<typeof v2Crawl>
export const v1Crawl = body({
  ...crawlFields,
  maxDepth: whole(0, 1_000_000),
  allowBackwardLinks: flag(),
  ignoreSitemap: flag(),
  scrapeOptions: nested(v1ScrapeOptions),
})
export type V1CrawlBody = z.output<typeof v1Crawl>

const mapFields = {
  url: url(),
  search: z.optional(z.nullable(z.string().check(z.maxLength(255)))),
  includeSubdomains: flag(),
  ignoreQueryParameters: flag(),
  timeout: z.optional(z.nullable(z.int().check(z.minimum(1000), z.maximum(3_600_000)))),
  location,
  includePaths: words(100),
  excludePaths: words(100),
}
export const v2Map = body({
  ...mapFields,
  sitemap: z.optional(z.enum(['include', 'skip', 'only'])),
  limit: whole(1, 100_000),
  headers: anything(),
  ignoreCache: flag(),
  useIndex: anything(),
  filterByPath: flag(),
  threatProtection: anything(),
  auditMetadata: anything(),
})
export type MapBody = z.output<typeof v2Map>
export const v1Map = body({
  ...mapFields,
  ignoreSitemap: flag(),
  sitemapOnly: flag(),
  limit: whole(1, 30_000),
  filterByPath: flag(),
  useIndex: anything(),
})

const searchFields = {
  query: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
  limit: whole(1, 100),
  tbs: z.optional(z.nullable(z.string())),
  filter: z.optional(z.nullable(z.string())),
  lang: z.optional(z.nullable(z.string().check(z.maxLength(8)))),
  country: z.optional(z.nullable(z.string().check(z.maxLength(8)))),
  location: z.optional(z.nullable(z.string())),
  timeout,
  ignoreInvalidURLs: flag(),
}
const named = z.union([z.string(), z.looseObject({ type: z.string() })])
const source = z.union([
  z.string(),
  strict({ type: z.string(), tbs: z.optional(z.nullable(z.string())), location: z.optional(z.nullable(z.string())) }),
])
export const v2Search = body({
  ...searchFields,
  sources: z.optional(z.array(source).check(z.maxLength(10))),
  categories: z.optional(z.array(named).check(z.maxLength(10))),
  includeDomains: words(50, 255),
  excludeDomains: words(50, 255),
  safe: anything(),
  enterprise: z.optional(z.array(z.enum(['default', 'anon', 'zdr']))),
  highlights: anything(),
  asyncScraping: anything(),
  threatProtection: anything(),
  ...toolFields,
  scrapeOptions: nested(v2ScrapeOptions),
})
export type SearchBody = z.output<typeof v2Search>
export const v1Search = body({ ...searchFields, scrapeOptions: nested(v1ScrapeOptions) })

const extractFields = {
  urls: z.optional(z.nullable(z.array(url()).check(z.maxLength(MAX_EXTRACT_URLS)))),
  prompt: z.optional(z.nullable(z.string())),
  schema: anything(),
  systemPrompt: z.optional(z.nullable(z.string())),
  allowExternalLinks: flag(),
  enableWebSearch: flag(),
  includeSubdomains: flag(),
  ignoreSitemap: flag(),
  showSources: flag(),
  ignoreInvalidURLs: flag(),
  agent: anything(),
  webhook,
  limit: whole(1, MAX_EXTRACT_PAGES),
  timeout: anything(),
  threatProtection: anything(),
}
export const v2Extract = body({ ...extractFields, scrapeOptions: nested(v2ScrapeOptions) })
export type ExtractBody = z.output<typeof v2Extract>
export const v1Extract = body({ ...extractFields, scrapeOptions: nested(v1ScrapeOptions) })
export const paramsPreview = body({ url: url(), prompt: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_CRAWL_PROMPT)) })

/** Options of a crawl that a language model chooses from a prompt. */
const chosenOptions = {
  includePaths: words(100),
  excludePaths: words(100),
  limit: whole(1, MAX_LIMIT),
  maxDiscoveryDepth: whole(0, 1_000_000),
  crawlEntireDomain: flag(),
  allowSubdomains: flag(),
  allowExternalLinks: flag(),
  ignoreQueryParameters: flag(),
  sitemap: z.optional(z.enum(['include', 'skip', 'only'])),
}

// ---- answers

const success = z.literal(true)
/** A page: the requested formats, and `metadata`. */
const page = z.looseObject({ metadata: z.looseObject({ sourceURL: z.string(), url: z.string(), statusCode: z.int() }) })

export const scrapeAnswer = z.object({ success, data: page, warning: z.optional(z.string()) })
export const startedAnswer = z.object({
  success,
  id: z.string(),
  url: z.string(),
  invalidURLs: z.optional(z.array(z.string())),
  warning: z.optional(z.string()),
})
export const statusAnswer = z.object({
  success,
  status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
  total: z.int(),
  completed: z.int(),
  creditsUsed: z.int(),
  expiresAt: z.string(),
  createdAt: z.string(),
  completedAt: z.optional(z.string()),
  /** Seconds, once it has ended. */
  duration: z.optional(z.int()),
  /** Why a job of version 2 failed. */
  error: z.optional(z.string()),
  next: z.optional(z.string()),
  warning: z.optional(z.string()),
  data: z.array(page),
})
export const cancelledAnswer = z.object({ success, status: z.literal('cancelled') })
export const errorsAnswer = z.object({
  success,
  errors: z.array(z.object({ id: z.string(), timestamp: z.string(), url: z.string(), code: z.optional(z.string()), error: z.string() })),
  robotsBlocked: z.array(z.string()),
})
export const activeAnswer = z.object({
  success,
  crawls: z.array(
    z.object({ id: z.string(), teamId: z.string(), url: z.string(), created_at: z.string(), options: z.record(z.string(), z.unknown()) }),
  ),
})
const link = z.object({ url: z.string(), title: z.optional(z.string()), description: z.optional(z.string()) })
export const v2MapAnswer = z.object({ success, id: z.string(), links: z.array(link), warning: z.optional(z.string()) })
export const v1MapAnswer = z.object({ success, links: z.array(z.string()), warning: z.optional(z.string()) })
const hit = z.looseObject({ url: z.string(), title: z.string(), description: z.string() })
const newsHit = z.looseObject({
  url: z.string(),
  title: z.string(),
  snippet: z.string(),
  date: z.optional(z.string()),
  imageUrl: z.optional(z.string()),
  position: z.int(),
})
const imageHit = z.looseObject({
  url: z.string(),
  title: z.string(),
  imageUrl: z.optional(z.string()),
  imageWidth: z.optional(z.int()),
  imageHeight: z.optional(z.int()),
  position: z.int(),
})
export const v2SearchAnswer = z.object({
  success,
  data: z.object({ web: z.optional(z.array(hit)), news: z.optional(z.array(newsHit)), images: z.optional(z.array(imageHit)) }),
  creditsUsed: z.int(),
  id: z.string(),
  warning: z.optional(z.string()),
})
export const v1SearchAnswer = z.object({ success, data: z.array(hit), warning: z.optional(z.string()) })
const chosen = z.object(chosenOptions)
export type ChosenOptions = z.output<typeof chosen>
export const previewAnswer = z.object({ success, data: z.object({ url: z.string(), ...chosenOptions }) })
export const startedExtractAnswer = z.object({
  success,
  id: z.string(),
  invalidURLs: z.optional(z.array(z.string())),
  warning: z.optional(z.string()),
})
export const extractStatusAnswer = z.object({
  success,
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
  data: z.unknown(),
  error: z.optional(z.string()),
  warning: z.optional(z.string()),
  sources: z.optional(z.record(z.string(), z.array(z.string()))),
  expiresAt: z.string(),
  creditsUsed: z.int(),
  tokensUsed: z.optional(z.int()),
})
export const concurrencyAnswer = z.object({ success, concurrency: z.int(), maxConcurrency: z.int() })
export const queueAnswer = z.object({
  success,
  jobsInQueue: z.int(),
  activeJobsInQueue: z.int(),
  waitingJobsInQueue: z.int(),
  maxConcurrency: z.int(),
  mostRecentSuccess: z.nullable(z.string()),
})
export const accountAnswer = z.object({ success, data: z.record(z.string(), z.nullable(z.union([z.int(), z.string()]))) })
export const periodsAnswer = z.object({
  success,
  periods: z.array(
    z.object({ startDate: z.string(), endDate: z.string(), creditsUsed: z.optional(z.int()), tokensUsed: z.optional(z.int()) }),
  ),
})
