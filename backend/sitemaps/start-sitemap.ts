/** Starts sitemaps. */
import type { BodyOf } from '#contract/endpoint.ts'
import type { ProxyCategory } from '#contract/proxies.ts'
import type { createSitemap, SitemapOptions } from '#contract/sitemaps.ts'
import { AppError, fieldError } from '#backend/errors.ts'
import type { Egress } from '#backend/crawler/fetch/egress.ts'
import { canonicalUrlWithTracking } from '#backend/crawler/url/canonical-url.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { HIDDEN_PASSWORD, hasMaskedCredentials } from '#backend/runs/run-secrets.ts'
import { priceOf } from './sitemap-credits.ts'
import { sitemapSpecOfV1 } from './sitemap-spec.ts'
import type { SitemapSpec } from './sitemap-spec.ts'

/**
 * @param judgeUrl  asks the address guard, which resolves names; unless it says `refused_address` the sitemap starts, and ends with
 *   its own reason
 * @param maxUrls   most URLs of one sitemap
 * @param proxyCategory  the category of a proxy's slug for a team; null for an unknown slug
 */
export function createStartSitemap({
  judgeUrl,
  maxUrls,
  proxyCategory,
  runs,
}: {
  judgeUrl: Egress['judgeUrl']
  maxUrls: number
  proxyCategory: (teamId: string, slug: string) => Promise<ProxyCategory | null>
  runs: Runs
}) {
  return { startSitemap, startSpec }

  /** Starts a sitemap; the same `idempotencyKey` returns the first one again. Throws `invalid_input` with the fields. */
  async function startSitemap(teamId: string, { url, options }: BodyOf<typeof createSitemap>, idempotencyKey?: string): Promise<Run> {
    const spec = sitemapSpecOfV1(options)
    const category = options.proxy_server === null ? undefined : await proxyCategory(teamId, options.proxy_server)
    if (category === null) throw new AppError('invalid_input', { fields: { options: { proxy_server: ['Unknown proxy server.'] } } })
    await checkUrl(url)
    return start(teamId, { url, options, spec, category, idempotencyKey })
  }

  /** Starts a sitemap for another API, which has translated its spec. */
  async function startSpec(teamId: string, { spec, url }: { spec: SitemapSpec; url: string }): Promise<Run> {
    await checkUrl(url)
    const options: SitemapOptions = {
      include_subdomains: spec.includesSubdomains,
      ignore_sitemap_xml: spec.ignoresSitemapFiles,
      search: spec.words,
      include_paths: spec.includePaths,
      exclude_paths: spec.excludePaths,
      proxy_server: null,
    }
    return start(teamId, { url, options, spec })
  }

  async function checkUrl(url: string): Promise<void> {
    const start = canonicalUrlWithTracking(url)
    if (start === null) throw fieldError('url', 'Enter a valid URL.')
    if (hasMaskedCredentials(url)) throw fieldError('url', HIDDEN_PASSWORD)
    if ((await judgeUrl(start)) === 'refused_address') throw fieldError('url', 'This address is not allowed.')
  }

  function start(
    teamId: string,
    {
      category,
      idempotencyKey,
      options,
      spec,
      url,
    }: {
      url: string
      options: SitemapOptions
      spec: SitemapSpec
      category?: ProxyCategory | undefined
      idempotencyKey?: string | undefined
    },
  ): Promise<Run> {
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
