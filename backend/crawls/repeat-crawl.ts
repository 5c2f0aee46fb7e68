/** Repeats crawls: the request of a crawl, and a new crawl from it. */
import type { PageOptions, SpiderOptions } from '#contract/crawls.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { RunRequest } from '#backend/runs/run-request.ts'
import type { Run } from '#backend/runs/run.ts'
import type { OnMade, Runs } from '#backend/runs/runs.ts'
import type { StartCrawl } from './start-crawl.ts'
import { crawlSpecOfV1 } from './v1-options.ts'

type RepeatedOptions = {
  spider_options: SpiderOptions
  page_options: PageOptions
  plugin_options?: Record<string, unknown>
  /** What a client of the Firecrawl API asked for. */
  asked?: unknown
}

/** What a crawl was asked for, with its secrets. `spec` is null for crawls of old versions, whose options contain it. */
export type RepeatedCrawl = {
  variant: 'single' | 'batch'
  urls: string[]
  pageLimit: number
  /** Set if nobody chose `pageLimit`: each start lowers it to what the plan allows then. */
  hasDefaultLimit?: boolean
  options: RepeatedOptions
  spec: CrawlSpec | null
}

/** What a plan still allows; null: no limit. */
export type PagesLeft = { creditsLeft: number | null; maxPages: number | null }

/** @param allowance  what is left of a team's plan */
export function createRepeatCrawl({
  allowance,
  runs,
  startCrawl,
}: {
  allowance: (teamId: string) => Promise<PagesLeft>
  runs: Runs
  startCrawl: StartCrawl
}) {
  return { requestOf, prepare, check, start }

  async function requestOf(run: Run): Promise<RepeatedCrawl> {
    return repeatedOf(run, await runs.requestOf(run))
  }

  /**
   * Checks the options of an older crawl, and limits them to what is allowed now. Throws `invalid_input` for options that are no longer
   * valid, such as a deleted proxy server, and for secrets that can no longer be decrypted.
   */
  async function prepare(teamId: string, { options: stored, spec }: RepeatedCrawl) {
    const { concurrent_requests: most } = startCrawl.limits({ concurrent_requests: null, proxy_server: null })
    const limits = startCrawl.limits(stored.spider_options)
    const options = {
      plugin_options: stored.plugin_options ?? {},
      page_options: { ...stored.page_options, extra_headers: stored.page_options.extra_headers ?? {} },
      spider_options: { ...stored.spider_options, ...limits, concurrent_requests: Math.min(limits.concurrent_requests, most) },
      ...(stored.asked !== undefined && { asked: stored.asked }),
    }
    await startCrawl.checkOptions(teamId, options)
    return { options, spec: sameSpec(spec ?? crawlSpecOfV1(options), options.spider_options) }
  }

  /** Throws like `start` for options and URLs that cannot be used, and starts nothing. */
  async function check(teamId: string, request: RepeatedCrawl): Promise<void> {
    await prepare(teamId, request)
    await startCrawl.checkUrls(request.urls)
  }

  /**
   * Starts it anew. Throws like `prepare`, and when the plan of the team does not allow it.
   *
   * @param how.askedBy  what a repeated key must belong to, see `NewRun`; by default to the same request
   */
  async function start(
    teamId: string,
    wanted: RepeatedCrawl,
    { askedBy, idempotencyKey, onMade }: { askedBy?: string; idempotencyKey?: string | undefined; onMade?: OnMade },
  ): Promise<Run> {
    const request = wanted.hasDefaultLimit === true ? withinPlan(wanted, await allowance(teamId)) : wanted
    const { options, spec } = await prepare(teamId, request)
    const { pageLimit, urls, variant } = request
    const maxDepth = variant === 'batch' ? undefined : spec.maxDepth
    return startCrawl.startSpec(teamId, { variant, urls, pageLimit, maxDepth, askedBy, onMade, options, spec }, idempotencyKey)
  }
}

export type RepeatCrawl = ReturnType<typeof createRepeatCrawl>

/** The request of a run as a crawl to repeat. */
export function repeatedOf({ pageLimit, variant }: Run, { options, seeds, spec }: RunRequest): RepeatedCrawl {
  return {
    variant: variant === 'batch' ? 'batch' : 'single',
    urls: seeds,
    pageLimit,
    options: options as RepeatedOptions,
    spec: spec as CrawlSpec | null,
  }
}

function withinPlan(request: RepeatedCrawl, left: PagesLeft): RepeatedCrawl {
  const { options } = request
  const pageLimit = mostPages(left, request.pageLimit)
  return { ...request, pageLimit, options: { ...options, spider_options: { ...options.spider_options, page_limit: pageLimit } } }
}

/** The pages that a team may still crawl, `wanted` at most and one at least. */
export function mostPages({ creditsLeft, maxPages }: PagesLeft, wanted: number): number {
  return Math.max(1, Math.min(wanted, creditsLeft ?? Infinity, maxPages ?? Infinity))
}

/** Drops the validators, which belong to the older run alone. */
function sameSpec(spec: CrawlSpec, { concurrent_requests }: SpiderOptions): CrawlSpec {
  const page = { ...spec.page }
  delete page.known
  return { ...spec, maxConcurrency: concurrent_requests, page }
}
