/** Repeats a crawl: all of it, or only the URLs that failed. */
import { MAX_BATCH_URLS } from '#contract/crawls.ts'
import type { PageOptions, SpiderOptions } from '#contract/crawls.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import { fieldError } from '#backend/errors.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import type { CrawlOutcomes } from './crawl-outcomes.ts'
import type { StartCrawl } from './start-crawl.ts'
import { crawlSpecOfV1 } from './v1-options.ts'

type StoredOptions = { spider_options: SpiderOptions; page_options: PageOptions; plugin_options?: Record<string, unknown> }

export function createRerunCrawl({ outcomes, runs, startCrawl }: { outcomes: CrawlOutcomes; runs: Runs; startCrawl: StartCrawl }) {
  /**
   * Starts a new crawl with the spec of an older one; its proxy server and its plugins must still exist. Throws `invalid_input` for options
   * that are no longer valid, for secrets that can no longer be decrypted, and with `failedOnly` when nothing failed.
   */
  return async function rerunCrawl(
    teamId: string,
    id: string,
    { failedOnly, idempotencyKey }: { failedOnly: boolean; idempotencyKey: string | undefined },
  ): Promise<Run> {
    const run = await runs.read(teamId, 'crawl', id)
    const asked = await runs.requestOf(run)
    const stored = asked.options as StoredOptions
    const { concurrent_requests: most } = startCrawl.limits({ concurrent_requests: null, proxy_server: null })
    const limits = startCrawl.limits(stored.spider_options)
    const options = {
      plugin_options: stored.plugin_options ?? {},
      page_options: { ...stored.page_options, extra_headers: stored.page_options.extra_headers ?? {} },
      spider_options: { ...stored.spider_options, ...limits, concurrent_requests: Math.min(limits.concurrent_requests, most) },
    }
    await startCrawl.checkOptions(teamId, options)
    const spec = sameSpec((asked.spec as CrawlSpec | null) ?? crawlSpecOfV1(options), options.spider_options)
    if (!failedOnly)
      return startCrawl.startSpec(
        teamId,
        {
          variant: run.variant === 'batch' ? 'batch' : 'single',
          urls: asked.seeds,
          pageLimit: run.pageLimit,
          maxDepth: run.variant === 'batch' ? undefined : spec.maxDepth,
          options,
          spec,
        },
        idempotencyKey,
      )
    const failed = await outcomes.failedUrls(run, MAX_BATCH_URLS)
    if (failed.length === 0) throw fieldError('failed_only', 'No URL of this crawl failed.')
    const urls = failed.map(asked.withCredentials)
    const spider = startCrawl.batchSpiderOf(urls, options.spider_options)
    return startCrawl.startSpec(
      teamId,
      {
        variant: 'batch',
        urls,
        pageLimit: urls.length,
        options: { ...options, spider_options: spider },
        spec: onlyTheseUrls(spec, spider),
      },
      idempotencyKey,
    )
  }
}

/** Drops the validators, which belong to the older run alone. */
function sameSpec(spec: CrawlSpec, { concurrent_requests }: SpiderOptions): CrawlSpec {
  const page = { ...spec.page }
  delete page.known
  return { ...spec, maxConcurrency: concurrent_requests, page }
}

/** Follows no links and reads no sitemap; the scope is the hosts of the URLs. */
function onlyTheseUrls(spec: CrawlSpec, { allowed_domains }: SpiderOptions): CrawlSpec {
  const only = { ...spec, maxDepth: 0, scope: { allowedDomains: allowed_domains, includePaths: [], excludePaths: [] } }
  delete only.sitemap
  return only
}
