/** Jobs of this API: crawls and batches are normal runs, with a note of the request that made them. */
import type { BodyOf } from '#contract/endpoint.ts'
import type { v2Batch } from '#contract/firecrawl/endpoints.ts'
import type { ChosenOptions, CrawlBody, ScrapeOptions } from '#contract/firecrawl/shapes.ts'
import { isTerminal } from '#contract/runs.ts'
import { AppError } from '#backend/errors.ts'
import { canonicalUrlWithTracking } from '#backend/crawler/url/canonical-url.ts'
import { SPEC_VERSION } from '#backend/crawler/run-spec.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import { forOneUrl } from '#backend/crawls/start-crawl.ts'
import { mostPages } from '#backend/crawls/repeat-crawl.ts'
import type { PagesLeft, RepeatedCrawl } from '#backend/crawls/repeat-crawl.ts'
import type { StartCrawl } from '#backend/crawls/start-crawl.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Run } from '#backend/runs/run.ts'
import type { OnMade, Runs } from '#backend/runs/runs.ts'
import type { OfferedModel } from '#backend/crawler/plugins/openai-extract.ts'
import { crawlSpec, crawlWarnings, DEFAULT_LIMIT } from './crawl-spec.ts'
import { badRequest, Refused } from './errors.ts'
import { asksModel } from './model-question.ts'
import { appendTo, MOST_APPENDED, partsOf } from './parts.ts'
import type { ChooseOptions } from './prompt-options.ts'
import type { Part } from './parts.ts'
import { checkSelectors, pageWish } from './scrape-spec.ts'
import type { Asked, PageAsk, PageWish } from './scrape-spec.ts'
import { askedWebhook } from './webhook.ts'
import type { WebhookNeeds } from './webhook.ts'

type Version = Asked['version']
/** What is left of a plan; null: no limit. */
type Most = PagesLeft & { maxDepth: number | null }
export type MostOf = (teamId: string) => Promise<Most>

export type Jobs = ReturnType<typeof createJobs>

/**
 * @param chooseOptions  has a language model choose the options of a crawl
 * @param database    for writing runs
 * @param hasBrowser  whether pages can be rendered
 * @param modelsOf    the language models that a team may ask, its own first
 * @param mostOf      what is left of a team's plan
 * @param newId       creates ids of requests
 */
export function createJobs({
  chooseOptions,
  database,
  hasBrowser,
  modelsOf,
  mostOf,
  newId,
  runs,
  startCrawl,
  webhooks,
}: {
  chooseOptions: ChooseOptions
  database: Database
  hasBrowser: boolean
  modelsOf: (teamId: string) => Promise<readonly OfferedModel[]>
  mostOf: MostOf
  newId: () => string
  runs: Runs
  startCrawl: StartCrawl
  webhooks: WebhookNeeds
}) {
  return {
    wishOf,
    scrapeSpec,
    startScrape,
    previewCrawl,
    startCrawlJob,
    startBatch,
    startPages,
    crawlRequest,
    batchRequest,
    read,
    readParts,
  }

  /** @param defaults  formats when the request names none */
  async function wishOf(teamId: string, options: PageAsk, version: Version, defaults?: Asked['formats']): Promise<PageWish> {
    await checkSelectors(options)
    const [model] = asksModel(options.formats) ? await modelsOf(teamId) : []
    return pageWish(options, { defaults, hasBrowser, model: model?.name ?? null, version })
  }

  /** The spec of a single page. */
  async function scrapeSpec(
    teamId: string,
    url: string,
    options: ScrapeOptions,
    version: Version,
  ): Promise<{ page: PageWish; spec: CrawlSpec }> {
    const page = await wishOf(teamId, options, version)
    return { page, spec: pagesSpec([url], page, null) }
  }

  /** Starts a run of one page. */
  function startScrape(teamId: string, url: string, page: PageWish, spec: CrawlSpec): Promise<Run> {
    return start(teamId, { variant: 'batch', urls: [url], pageLimit: 1, page, spec, isScrape: true })
  }

  /** Starts a run of pages that are each fetched once, without following links. */
  function startPages(
    teamId: string,
    urls: string[],
    page: PageWish,
    { key, maxConcurrency = null, onMade }: { key?: string | undefined; maxConcurrency?: number | null; onMade?: OnMade | undefined } = {},
  ): Promise<Run> {
    return start(teamId, { ...pagesJob(urls, page, maxConcurrency), onMade }, key)
  }

  /** The options that a language model chooses from a prompt; starts nothing. */
  async function previewCrawl(teamId: string, { prompt, url }: { prompt: string; url: string }): Promise<ChosenOptions> {
    return chooseOptions(teamId, { prompt, url: readUrl(url) })
  }

  async function startCrawlJob(
    teamId: string,
    body: Omit<CrawlBody, 'scrapeOptions'> & { maxPathDepth?: number; scrapeOptions?: PageAsk | null | undefined },
    version: Version,
    key: string | undefined,
    note: JobNote = {},
  ): Promise<Run> {
    const onMade = await askedWebhook(webhooks, body.webhook)
    const { job } = await crawlJob(teamId, body, await mostOf(teamId), version, note)
    return start(teamId, { ...job, onMade }, key)
  }

  async function crawlJob(
    teamId: string,
    body: Omit<CrawlBody, 'scrapeOptions'> & { maxPathDepth?: number; scrapeOptions?: PageAsk | null | undefined },
    most: Most,
    version: Version,
    note: JobNote,
  ): Promise<{ job: Job; hasDefaultLimit: boolean }> {
    refuseForJobs(body)
    refuseForJobs(body.scrapeOptions)
    const wish = await wishOf(teamId, body.scrapeOptions ?? {}, version)
    const url = readUrl(body.url)
    // Last of the checks, because it takes seconds and tokens.
    const chosen = body.prompt?.trim() ? withinPlan(await chooseOptions(teamId, { prompt: body.prompt, url }), most) : null
    const asked = { ...chosen, ...given(body) }
    const warnings = [
      ...wish.warnings,
      ...crawlWarnings(body),
      ...(chosen === null ? [] : [`A language model chose these options from the prompt: ${JSON.stringify(chosen)}`]),
      ...(note.warnings ?? []),
    ]
    const page = { ...wish, ...note, warnings }
    const spec = crawlSpec(asked, { most: most.maxDepth, page, start: canonicalUrlWithTracking(url) ?? url })
    // Without a limit of its own, a crawl may use all that the plan allows.
    const pageLimit = asked.limit ?? mostPages(most, DEFAULT_LIMIT)
    const { maxDepth } = spec
    return { job: { variant: 'single', urls: [url], pageLimit, page, spec, maxDepth }, hasDefaultLimit: asked.limit === undefined }
  }

  async function startBatch(
    teamId: string,
    body: Pick<BodyOf<typeof v2Batch>, 'urls' | 'ignoreInvalidURLs' | 'maxConcurrency' | 'appendToId' | 'webhook'> & ScrapeOptions,
    version: Version,
    key: string | undefined,
    note: JobNote = {},
  ): Promise<{ run: Run; invalid: string[] | null }> {
    const batch = body.appendToId === undefined ? null : await batchOf(teamId, body.appendToId)
    if (batch !== null && body.webhook) throw badRequest('webhook is a part of the first batch: omit it where appendToId is given.')
    const onMade = batch === null ? await askedWebhook(webhooks, body.webhook) : appendTo(batch)
    refuseForJobs(body)
    const dropsInvalid = body.ignoreInvalidURLs ?? version === 'v2'
    const { invalid, urls } = readUrls(body.urls)
    if (invalid.length > 0 && !dropsInvalid) throw invalidUrls(invalid)
    if (urls.length === 0) throw badRequest('No valid URL in urls.', { invalidURLs: invalid })
    const wish = await wishOf(teamId, body, version)
    const page = { ...wish, ...note, warnings: [...wish.warnings, ...(note.warnings ?? [])] }
    const run = await startPages(teamId, urls, page, { key, maxConcurrency: body.maxConcurrency ?? null, onMade })
    return { run: batch ?? run, invalid: dropsInvalid ? invalid : null }
  }

  /** A crawl as `startCrawlJob` would start it, to be started later. */
  async function crawlRequest(
    teamId: string,
    body: Omit<CrawlBody, 'scrapeOptions'> & { scrapeOptions?: PageAsk | null | undefined },
  ): Promise<FutureJob> {
    // What is left now says nothing about the credits of that time.
    const most = { ...(await mostOf(teamId)), creditsLeft: null }
    const { hasDefaultLimit, job } = await crawlJob(teamId, body, most, 'v2', {})
    return { ...requestOf(job), ...(hasDefaultLimit && { hasDefaultLimit }) }
  }

  /** Pages to fetch later, without following links. An error of the site is no page of theirs. */
  async function batchRequest(teamId: string, { urls: given, ...options }: { urls: string[] } & ScrapeOptions): Promise<FutureJob> {
    refuseForJobs(options)
    const { invalid, urls } = readUrls(given)
    if (invalid.length > 0) throw invalidUrls(invalid)
    const { spec, ...request } = requestOf(pagesJob(urls, await wishOf(teamId, options, 'v2'), null))
    return { ...request, spec: { ...spec, page: { ...spec.page, keepsErrorPages: false } } }
  }

  /** A batch that accepts further URLs. */
  async function batchOf(teamId: string, id: string): Promise<Run> {
    const [batch, ...appended] = await readParts(teamId, id, 'v2')
    const { asked, run } = batch!
    if (run.variant !== 'batch' || run.options['asked'] === undefined || asked.extract !== undefined)
      throw new Refused(404, 'Job not found.')
    const isCanceled = appended.some((part) => part.run.status === 'canceled')
    if (isCanceled || (run.status !== 'finished' && isTerminal(run.status)))
      throw badRequest(`appendToId: the batch was ${isCanceled ? 'canceled' : run.status}.`)
    if (appended.length >= MOST_APPENDED) throw badRequest(`appendToId: a batch is appended to ${MOST_APPENDED} times at most.`)
    return run
  }

  async function start(
    teamId: string,
    { isScrape, onMade, ...job }: Job & { onMade?: OnMade | undefined; isScrape?: boolean },
    key?: string,
  ): Promise<Run> {
    const { options, ...request } = requestOf(job)
    // v1 treats each request as new, even with a known key: that becomes 409.
    const asked = { ...options.asked, ...(job.page.version === 'v1' && key !== undefined && { requestId: newId() }) }
    return startCrawl
      .startSpec(
        teamId,
        { ...request, maxDepth: job.maxDepth, onMade, options: { ...options, asked } },
        key === undefined ? undefined : `firecrawl:${key}`,
      )
      .catch((error: unknown) => {
        if (job.page.version === 'v1' && error instanceof AppError && error.code === 'idempotency_conflict') throw usedKey()
        throw isScrape === true || job.variant === 'single' ? forOneUrl(error) : error
      })
  }

  /** A job of the team, and the request that made it. Also finds crawls of our own API, as if they had asked for Markdown. */
  async function read(teamId: string, id: string): Promise<{ run: Run; asked: Asked }> {
    if (!isId(id)) throw badRequest('Invalid job ID.')
    const run = await runs.read(teamId, 'crawl', id).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found' ? new Refused(404, 'Job not found.') : error
    })
    return { run, asked: askedOf(run) }
  }

  /** A job together with the batches appended to it. */
  async function readParts(teamId: string, id: string, version: Version): Promise<Part[]> {
    const { run } = await read(teamId, id)
    return (await partsOf(database, run)).map((part) => ({ run: part, asked: { ...askedOf(part), version } }))
  }
}

type Job = {
  variant: 'single' | 'batch'
  urls: string[]
  pageLimit: number
  page: PageWish
  spec: CrawlSpec
  maxDepth?: number
}

/** The request of a job that is started later. */
type FutureJob = RepeatedCrawl & { options: { asked: Asked } }

/** The job in the form of a crawl of our own API, with what was asked for beside its options. */
function requestOf({ page, pageLimit, spec, urls, variant }: Job) {
  const { extract, formats, hasActions, model, tracking, version, warnings } = page
  const asked: Asked = {
    version,
    formats,
    warnings,
    ...(model !== undefined && { model }),
    ...(extract !== undefined && { extract }),
    ...(hasActions === true && { hasActions }),
    ...(tracking !== undefined && { tracking }),
  }
  const options = { spider_options: shownSpider(spec, pageLimit), page_options: page.shown, plugin_options: shownPlugins(spec), asked }
  return { variant, urls, pageLimit, spec, options }
}

const pagesJob = (urls: string[], page: PageWish, maxConcurrency: number | null): Job => ({
  variant: 'batch',
  urls,
  pageLimit: urls.length,
  page,
  spec: pagesSpec(urls, page, maxConcurrency),
})

/** The spec for pages that are each fetched once; error pages are documents too. */
const pagesSpec = (urls: readonly string[], page: Pick<PageWish, 'spec'>, maxConcurrency: number | null): CrawlSpec => ({
  version: SPEC_VERSION,
  proxySlug: null,
  maxDepth: 0,
  maxConcurrency,
  scope: { allowedDomains: [...new Set(urls.map((url) => new URL(url).hostname))], includePaths: [], excludePaths: [] },
  ...page.spec,
  page: { ...page.spec.page, keepsErrorPages: true },
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isId = (text: string) => UUID.test(text)
const NO_ZERO_RETENTION =
  'zeroDataRetention is available for single scrapes only: what crawls, batches and searches find is stored until it is deleted.'

/** Refuses options that only a single scrape honours, and that promise what a job would not keep. */
export function refuseForJobs(options: Pick<ScrapeOptions, 'lockdown' | 'minAge' | 'zeroDataRetention'> | null | undefined): void {
  if (options?.zeroDataRetention === true) throw badRequest(NO_ZERO_RETENTION)
  for (const name of ['lockdown', 'minAge'] as const)
    if (options?.[name] !== undefined && options[name] !== false)
      throw badRequest(`${name} is available for single scrapes only: crawls, batches and searches fetch their pages.`)
}

export const askedOf = (run: Run): Asked =>
  (run.options['asked'] as Asked | undefined) ?? { version: 'v2', formats: ['markdown'], warnings: [] }

/** Parses a URL as the caller meant it: without a scheme it is https. Throws for anything else. */
export function readUrl(text: string): string {
  const url = tryUrl(text)
  if (url === null) throw badRequest(`Invalid URL: ${text.slice(0, 200)}`)
  return url
}

/** The URLs as the caller meant them, and those that are none. */
function readUrls(given: readonly string[]): { urls: string[]; invalid: string[] } {
  const read = given.map((url) => ({ url, good: tryUrl(url) }))
  return { urls: read.flatMap(({ good }) => good ?? []), invalid: read.flatMap(({ good, url }) => (good === null ? [url] : [])) }
}

/** The body may be the same, so the text of our own API would be wrong. */
const usedKey = () => new Refused(409, 'This Idempotency-Key was used before: its job exists. For a new job, send a new key.')

const invalidUrls = (invalid: string[]) => badRequest(`Invalid URLs: ${invalid.slice(0, 10).join(', ')}`, { invalidURLs: invalid })

function tryUrl(text: string): string | null {
  const trimmed = text.trim()
  const url = hasScheme(trimmed) ? trimmed : `https://${trimmed}`
  // The canonical URL has no fragment; with it, as in `https://example.org #part`, the text may be no URL.
  const host = canonicalUrlWithTracking(url) === null ? '' : (URL.parse(url)?.hostname ?? '')
  // A single word is hardly meant as a host.
  return host.includes('.') || host.startsWith('[') || host === 'localhost' ? url : null
}

export const hasScheme = (url: string) => /^[a-z][a-z0-9+.-]*:\/\//i.test(url)

/** Facts to remember about the request. */
type JobNote = Partial<Pick<Asked, 'extract' | 'warnings'>>

const shownPlugins = ({ plugins }: CrawlSpec) => Object.fromEntries(plugins.map(({ key, values }) => [key, values]))

/** The spider options as our own screens show them. */
const shownSpider = ({ maxConcurrency, maxDepth, scope }: CrawlSpec, pageLimit: number) => ({
  max_depth: maxDepth,
  page_limit: pageLimit,
  concurrent_requests: maxConcurrency,
  allowed_domains: scope.allowedDomains,
  exclude_paths: scope.regexes?.exclude ?? [],
  include_paths: scope.regexes?.include ?? [],
  proxy_server: null,
})

/** A model does not know the team's plan. */
function withinPlan(chosen: ChosenOptions, most: Most): ChosenOptions {
  const { limit, maxDiscoveryDepth: depth } = chosen
  return {
    ...chosen,
    ...(limit !== undefined && { limit: mostPages(most, limit) }),
    ...(depth !== undefined && most.maxDepth !== null && { maxDiscoveryDepth: Math.min(depth, most.maxDepth) }),
  }
}

/** The fields that have a value. */
const given = <T extends object>(body: T): T =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined && value !== null)) as T
