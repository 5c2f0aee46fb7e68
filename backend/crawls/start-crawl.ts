/** Starts crawls: validates the request, fills in defaults, and stores the seeds. */
import type { BodyOf, FieldErrors } from '#contract/endpoint.ts'
import type { createBatchCrawl, createCrawl, PageOptions, SpiderOptions } from '#contract/crawls.ts'
import type { ProxyCategory } from '#contract/proxies.ts'
import { AppError } from '#backend/errors.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { Egress } from '#backend/crawler/fetch/egress.ts'
import { withModels } from '#backend/crawler/plugins/openai-extract.ts'
import type { OfferedModel } from '#backend/crawler/plugins/openai-extract.ts'
import type { Plugin } from '#backend/crawler/plugins/plugin.ts'
import { isSelector } from '#backend/crawler/page/select-tags.ts'
import { mapInShortTurns } from '#backend/platform/short-turns.ts'
import type { Run } from '#backend/runs/run.ts'
import type { OnMade, Runs } from '#backend/runs/runs.ts'
import { maskedHeaders } from '#backend/runs/run-secrets.ts'
import { checkPlugins } from './check-plugins.ts'
import { refusedUrls, seedUrls, submittedUrl } from './submitted-urls.ts'
import type { SubmittedUrl } from './submitted-urls.ts'
import { crawlSpecOfV1 } from './v1-options.ts'
import type { V1CrawlOptions } from './v1-options.ts'

/**
 * @param judgeUrl        asks the address guard, which resolves names; unless it says `refused_address` the crawl starts, and ends with its
 *   own reason
 * @param maxConcurrency  most fetches at once of one crawl
 * @param modelsOf        the language models that a team may ask; none by default
 * @param plugins         the installed plugins, whose schemas validate their options
 * @param proxyCategory   the category of a proxy's slug for a team; null for an unknown slug
 */
export function createStartCrawl({
  judgeUrl,
  maxConcurrency,
  modelsOf = async () => [],
  plugins,
  proxyCategory,
  runs,
}: {
  judgeUrl: Egress['judgeUrl']
  maxConcurrency: number
  modelsOf?: (teamId: string) => Promise<readonly OfferedModel[]>
  plugins: readonly Plugin[]
  proxyCategory: (teamId: string, slug: string) => Promise<ProxyCategory | null>
  runs: Runs
}) {
  return { startSingle, startBatch, startSpec, batchSpec, batchSpiderOf, checkOptions, checkUrls, limits }

  /** Starts a crawl from one URL. Throws `invalid_input` with the invalid fields. */
  async function startSingle(teamId: string, { url, options }: BodyOf<typeof createCrawl>, idempotencyKey?: string): Promise<Run> {
    const spider = options.spider_options
    await checkOptions(teamId, options)
    const pages = [submittedUrl(url)]
    const [refused] = await refusedUrls(judgeUrl, pages)
    if (refused) throw new AppError('invalid_input', { fields: { url: refused[1] } })
    return runs.start(teamId, {
      kind: 'crawl',
      variant: 'single',
      label: url,
      pageLimit: spider.page_limit,
      maxDepth: spider.max_depth,
      proxyCategory: await categoryOf(teamId, spider),
      ...asked({ ...options, spider_options: { ...spider, ...limits(spider) } }),
      seeds: [url],
      seedUrls: (salt) => seedUrls(salt, pages),
      idempotencyKey,
    })
  }

  /**
   * Starts a crawl of a list of URLs; each is fetched once, and no links are followed. Throws like `startSingle`, with messages by the
   * URL's index in the list.
   */
  async function startBatch(
    teamId: string,
    { urls, options }: BodyOf<typeof createBatchCrawl>,
    { idempotencyKey, page = {} }: { idempotencyKey?: string | undefined; page?: Partial<CrawlSpec['page']> } = {},
  ): Promise<Run> {
    await checkOptions(teamId, options)
    const pages = await checkUrls(urls)
    const spider = batchSpider(options.spider_options, pages)
    const { spec, options: shown } = asked({ ...options, spider_options: spider })
    const crawl: CrawlSpec = { ...spec, page: { ...spec.page, ...page } }
    return runs.start(teamId, {
      kind: 'crawl',
      variant: 'batch',
      label: urls[0] ?? '',
      pageLimit: urls.length,
      proxyCategory: await categoryOf(teamId, spider),
      options: shown,
      spec: crawl,
      seeds: urls,
      seedUrls: (salt) => seedUrls(salt, pages),
      idempotencyKey,
    })
  }

  /** The spec of a batch. */
  function batchSpec({ urls, options }: BodyOf<typeof createBatchCrawl>): CrawlSpec {
    return crawlSpecOfV1({ ...options, spider_options: batchSpider(options.spider_options, urls.map(submittedUrl)) })
  }

  /** The spider options of a batch of these URLs. */
  function batchSpiderOf(urls: readonly string[], options: Limits): SpiderOptions {
    return batchSpider(options, urls.map(submittedUrl))
  }

  function batchSpider(options: Limits, pages: readonly (SubmittedUrl | null)[]): SpiderOptions {
    const { concurrent_requests, proxy_server } = limits(options)
    return {
      max_depth: 0,
      page_limit: pages.length,
      concurrent_requests,
      allowed_domains: [...new Set(pages.flatMap((page) => page?.hostname ?? []))],
      exclude_paths: [],
      include_paths: [],
      proxy_server,
    }
  }

  /**
   * Starts a crawl for another API, which has translated its spec. Throws like `startBatch`, with messages by the URL's index in the list.
   *
   * @param options  in the form of our own screens, with whatever that API wants to store beside it
   */
  async function startSpec(
    teamId: string,
    { askedBy, maxDepth, onMade, options, pageLimit, spec, urls, variant }: SpecToStart,
    idempotencyKey?: string,
  ): Promise<Run> {
    const pages = await checkUrls(urls)
    return runs.start(teamId, {
      kind: 'crawl',
      variant,
      label: urls[0] ?? '',
      pageLimit,
      maxDepth,
      proxyCategory: await categoryOf(teamId, { concurrent_requests: null, proxy_server: spec.proxySlug }),
      options,
      spec,
      seeds: urls,
      seedUrls: (salt) => seedUrls(salt, pages),
      idempotencyKey,
      askedBy,
      onMade,
    })
  }

  /** Throws `invalid_input` with messages by the URL's index in the list. */
  async function checkUrls(urls: readonly string[]): Promise<(SubmittedUrl | null)[]> {
    const pages = await mapInShortTurns(urls, submittedUrl)
    const refused = await refusedUrls(judgeUrl, pages)
    if (refused.length > 0) throw new AppError('invalid_input', { fields: { urls: Object.fromEntries(refused) } })
    return pages
  }

  async function categoryOf(teamId: string, { proxy_server }: Limits): Promise<ProxyCategory | undefined> {
    return proxy_server ? ((await proxyCategory(teamId, proxy_server)) ?? undefined) : undefined
  }

  function limits({ concurrent_requests, proxy_server }: Limits) {
    return { concurrent_requests: concurrent_requests ?? maxConcurrency, proxy_server: proxy_server || null }
  }

  async function checkOptions(
    teamId: string,
    {
      page_options,
      plugin_options,
      spider_options,
    }: { page_options: PageOptions; plugin_options: Record<string, unknown>; spider_options: Limits },
  ) {
    const hidden = Object.fromEntries(
      maskedHeaders(page_options.extra_headers).map((name) => [name, ['The value is not shown: enter it again.']]),
    )
    const errors = {
      spider_options: await spiderErrors(teamId, spider_options),
      page_options: {
        ...(Object.keys(hidden).length > 0 && { extra_headers: hidden }),
        ...(await selectorErrors('include_tags', page_options.include_tags)),
        ...(await selectorErrors('exclude_tags', page_options.exclude_tags)),
      } as FieldErrors,
      plugin_options: checkPlugins(withModels(plugins, await modelsOf(teamId)), plugin_options),
    }
    const wrong = Object.entries(errors).filter(([, fields]) => Object.keys(fields).length > 0)
    if (wrong.length > 0) throw new AppError('invalid_input', { fields: { options: Object.fromEntries(wrong) } })
  }

  async function spiderErrors(teamId: string, { concurrent_requests, proxy_server }: Limits): Promise<FieldErrors> {
    const isUnknown = proxy_server && (await proxyCategory(teamId, proxy_server)) === null
    return {
      ...(concurrent_requests !== null && concurrent_requests > maxConcurrency
        ? { concurrent_requests: [`Ensure this value is less than or equal to ${maxConcurrency}.`] }
        : {}),
      ...(isUnknown ? { proxy_server: ['Unknown proxy server.'] } : {}),
    }
  }
}

/** A crawl in our own format. */
type SpecToStart = {
  variant: 'single' | 'batch'
  urls: string[]
  pageLimit: number
  /** Compared with the plan's limit; absent when no links are followed. */
  maxDepth?: number | undefined
  /** Writes further rows in the transaction that creates the crawl. */
  onMade?: OnMade | undefined
  /** See `NewRun`. */
  askedBy?: string | undefined
  options: V1CrawlOptions & Record<string, unknown>
  spec: CrawlSpec
}

export type StartCrawl = ReturnType<typeof createStartCrawl>

/** Converts a batch's errors, which are by index, for a request with one URL. */
export function forOneUrl(error: unknown): unknown {
  const messages = error instanceof AppError ? error.fields?.['urls'] : undefined
  if (typeof messages !== 'object' || Array.isArray(messages)) return error
  return new AppError('invalid_input', { fields: { url: messages['0'] ?? [] } })
}

/** The options as the API shows them again, and the spec for the engine. */
const asked = <O extends V1CrawlOptions>(options: O) => ({ options, spec: crawlSpecOfV1(options) })

type Limits = Pick<SpiderOptions, 'concurrent_requests' | 'proxy_server'>

/** Rejects invalid selectors, which would match nothing on every page. */
async function selectorErrors(field: string, selectors: readonly string[]): Promise<FieldErrors> {
  const areValid = await mapInShortTurns(selectors, isSelector)
  const wrong = areValid.flatMap((isValid, at) => (isValid ? [] : [[at, ['Enter a valid CSS selector.']]]))
  return wrong.length === 0 ? {} : { [field]: Object.fromEntries(wrong) }
}
