/** Runs a crawl again: all of it, or only the URLs that failed. */
import { MAX_BATCH_URLS } from '#contract/crawls.ts'
import type { SpiderOptions } from '#contract/crawls.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import { fieldError } from '#backend/errors.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import type { CrawlOutcomes } from './crawl-outcomes.ts'
import { repeatedOf } from './repeat-crawl.ts'
import type { RepeatCrawl } from './repeat-crawl.ts'
import type { StartCrawl } from './start-crawl.ts'

type Needs = { outcomes: CrawlOutcomes; repeat: RepeatCrawl; runs: Runs; startCrawl: StartCrawl }

export function createRerunCrawl({ outcomes, repeat, runs, startCrawl }: Needs) {
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
    const request = repeatedOf(run, asked)
    if (!failedOnly) return repeat.start(teamId, request, { idempotencyKey })
    const { options, spec } = await repeat.prepare(teamId, request)
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

/** Follows no links and reads no sitemap; the scope is the hosts of the URLs. */
function onlyTheseUrls(spec: CrawlSpec, { allowed_domains }: SpiderOptions): CrawlSpec {
  const only = { ...spec, maxDepth: 0, scope: { allowedDomains: allowed_domains, includePaths: [], excludePaths: [] } }
  delete only.sitemap
  return only
}
