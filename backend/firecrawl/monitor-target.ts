/** The target of a monitor: the crawl that its schedule repeats, and what its client asked for. */
import type { AskedTarget } from '#contract/firecrawl/monitors.ts'
import type { ScrapeOptions } from '#contract/firecrawl/shapes.ts'
import type { RepeatCrawl } from '#backend/crawls/repeat-crawl.ts'
import { maskAddress, maskHeaders } from '#backend/runs/run-secrets.ts'
import type { Repeated } from '#backend/schedules/schedules.ts'
import { badRequest } from './errors.ts'
import type { Jobs } from './jobs.ts'

/** A target as answers show it: without secrets, and without the fields that clients add to every body. */
export type StoredTarget =
  { type: 'scrape'; urls: string[]; scrapeOptions: object } | { type: 'crawl'; url: string; crawlOptions: object; scrapeOptions: object }

export type ReadTargets = (teamId: string, targets: readonly AskedTarget[]) => Promise<{ repeated: Repeated; warnings: string[] }>

/** @param check  throws for a crawl that cannot be started now */
export function createReadTargets({
  check,
  jobs,
}: {
  check: RepeatCrawl['check']
  jobs: Pick<Jobs, 'batchRequest' | 'crawlRequest'>
}): ReadTargets {
  return async (teamId, targets) => {
    const [target] = targets
    if (target === undefined || targets.length > 1)
      throw badRequest(
        'targets: a monitor has exactly one target. Create one monitor for each; one target of the type scrape may have many urls.',
      )
    if (target.type === 'search') throw badRequest('targets: searches cannot be monitored. The type may be scrape or crawl.')
    const { monitor, request } = target.type === 'scrape' ? await scrapes(teamId, target) : await crawl(teamId, target)
    await check(teamId, request)
    return { repeated: { crawlId: null, monitor, request }, warnings: request.options.asked.warnings }
  }

  async function scrapes(teamId: string, { scrapeOptions, urls }: AskedTarget & { type: 'scrape' }) {
    const request = await jobs.batchRequest(teamId, { ...scrapeOptions, urls })
    const monitor: StoredTarget = { type: 'scrape', urls: request.urls.map(maskAddress), scrapeOptions: shown(scrapeOptions ?? {}) }
    return { monitor, request }
  }

  async function crawl(teamId: string, { crawlOptions, scrapeOptions, url }: AskedTarget & { type: 'crawl' }) {
    const { integration: _i, origin: _o, scrapeOptions: within, webhook, ...options } = crawlOptions ?? {}
    if (webhook) throw badRequest(`crawlOptions.webhook: ${NO_WEBHOOK}`)
    const ofPages = scrapeOptions ?? within ?? {}
    const request = await jobs.crawlRequest(teamId, { ...withoutV1(options), url, scrapeOptions: ofPages })
    const monitor: StoredTarget = {
      type: 'crawl',
      url: maskAddress(request.urls[0]!),
      crawlOptions: options,
      scrapeOptions: shown(ofPages),
    }
    return { monitor, request }
  }
}

export const NO_WEBHOOK =
  'a monitor has no webhook of its own. Use notification.email, or a webhook of your team: it reports the end of each check.'

/** One client sends `ignoreSitemap` of v1. */
function withoutV1<T extends { ignoreSitemap?: boolean | undefined }>({ ignoreSitemap, ...options }: T) {
  return ignoreSitemap === true ? { sitemap: 'skip' as const, ...options } : options
}

const shown = ({ headers, integration: _i, origin: _o, ...options }: ScrapeOptions) => ({
  ...options,
  ...(headers !== undefined && { headers: maskHeaders(headers) }),
})
