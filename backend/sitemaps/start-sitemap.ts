/** Starts sitemaps. */
import type { BodyOf } from '#contract/endpoint.ts'
import type { ProxyCategory } from '#contract/proxies.ts'
import type { createSitemap } from '#contract/sitemaps.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import { seedUrl } from '#backend/crawler/canonical-url.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { HIDDEN_PASSWORD, hasMaskedCredentials } from '#backend/runs/run-secrets.ts'
import { priceOf } from './sitemap-credits.ts'
import { sitemapSpecOfV1 } from './sitemap-spec.ts'

/**
 * @param judgeUrl  asks the address door, names resolved; every verdict but `refused_address` lets the sitemap begin, and end with its own reason
 * @param maxUrls   most addresses that one sitemap keeps
 * @param proxyCategory  what a proxy's slug means to a team; null when it means nothing
 */
export function createStartSitemap({
  judgeUrl,
  maxUrls,
  proxyCategory,
  runs,
}: {
  judgeUrl: (url: string) => Promise<string>
  maxUrls: number
  proxyCategory: (teamId: string, slug: string) => Promise<ProxyCategory | null>
  runs: Runs
}) {
  /** A sitemap, waiting for the engine; the same `idempotencyKey` gives the first one again. Throws `invalid_input` with the fields. */
  return async function startSitemap(
    teamId: string,
    { url, options }: BodyOf<typeof createSitemap>,
    idempotencyKey?: string,
  ): Promise<Run> {
    const spec = sitemapSpecOfV1(options)
    const category = options.proxy_server === null ? undefined : await proxyCategory(teamId, options.proxy_server)
    if (category === null) throw new AppError('invalid_input', { fields: { options: { proxy_server: ['Unknown proxy server.'] } } })
    const start = seedUrl(url)
    if (start === null) throw fieldError('url', 'Enter a valid URL.')
    if (hasMaskedCredentials(url)) throw fieldError('url', HIDDEN_PASSWORD)
    if ((await judgeUrl(start)) === 'refused_address') throw fieldError('url', 'This address is not allowed.')
    return runs.start(teamId, {
      kind: 'sitemap',
      variant: options.ignore_sitemap_xml ? 'crawl' : 'files',
      label: url,
      pageLimit: maxUrls,
      credits: priceOf(spec),
      proxyCategory: category,
      options,
      spec,
      seeds: [url],
      seedUrls: () => [],
      idempotencyKey,
    })
  }
}

export type StartSitemap = ReturnType<typeof createStartSitemap>
