/** Translates a crawl of Firecrawl's clients to our spec. Pure. */
import type { CrawlBody } from '#contract/firecrawl/shapes.ts'
import { getDomain } from 'tldts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import { compileRegex, RegexFault } from '#backend/crawler/url/linear-regex.ts'
import { SPEC_VERSION } from '#backend/crawler/run-spec.ts'
import { badRequest } from './errors.ts'
import type { PageWish } from './scrape-spec.ts'

/** Page limit of a crawl that names none. */
export const DEFAULT_LIMIT = 10_000
/** Follows links to any depth. */
const NO_DEPTH_LIMIT = 1_000_000

/**
 * @param start  the canonical start URL
 * @param page   the wishes for each page
 * @param most   greatest depth of the team's plan; null: no limit
 */
export function crawlSpec(
  body: Omit<CrawlBody, 'scrapeOptions'> & { maxPathDepth?: number },
  { most, page, start }: { most: number | null; page: PageWish; start: string },
): CrawlSpec {
  const { sitemap = 'include', includePaths = [], excludePaths = [] } = body
  for (const pattern of [...includePaths, ...excludePaths]) checkRegex(pattern)
  const folder = body.crawlEntireDomain === true || body.allowExternalLinks === true ? '/' : new URL(start).pathname
  return {
    version: SPEC_VERSION,
    proxySlug: null,
    maxDepth: sitemap === 'only' ? 0 : (body.maxDiscoveryDepth ?? most ?? NO_DEPTH_LIMIT),
    maxConcurrency: body.maxConcurrency ?? null,
    scope: {
      allowedDomains: domainsOf(body, new URL(start).hostname),
      includePaths: [],
      excludePaths: [],
      ...(includePaths.length + excludePaths.length > 0 && {
        regexes: { include: includePaths, exclude: excludePaths, onUrl: body.regexOnFullURL === true },
      }),
      ...(folder !== '/' && { below: folder }),
      ...(body.maxPathDepth !== undefined && { maxSegments: body.maxPathDepth }),
    },
    ...(body.ignoreQueryParameters === true && { ignoresQuery: true }),
    ...(sitemap !== 'skip' && { sitemap }),
    ...(body.delay ? { delayMs: Math.round(body.delay * 1000) } : {}),
    ...page.spec,
  }
}

/** Options of a crawl that have no effect here. */
export function crawlWarnings(body: Omit<CrawlBody, 'scrapeOptions'>): string[] {
  return [
    ...(body.ignoreRobotsTxt === true ? ['ignoreRobotsTxt has no effect: the operator of this server decides about robots.txt.'] : []),
    ...(body.robotsUserAgent ? ['robotsUserAgent has no effect: robots.txt is read under the name of this crawler.'] : []),
    ...(body.deduplicateSimilarURLs === false ? ['deduplicateSimilarURLs has no effect: spellings of one URL are one page.'] : []),
  ]
}

/** Host patterns for links; `www.` is treated like the bare host. */
function domainsOf(
  { allowExternalLinks, allowSubdomains }: Pick<CrawlBody, 'allowExternalLinks' | 'allowSubdomains'>,
  host: string,
): string[] {
  if (allowExternalLinks === true) return ['*']
  const bare = host.startsWith('www.') ? host.slice(4) : host
  if (allowSubdomains !== true) return [bare, `www.${bare}`]
  const site = getDomain(host) ?? bare
  return [site, `*.${site}`]
}

export function checkRegex(pattern: string): void {
  const fault = regexFault(pattern)
  if (fault !== null) throw badRequest(`The pattern ${JSON.stringify(pattern.slice(0, 100))} cannot be used: ${fault}.`)
}

/** Why a pattern cannot be used; null if it can. */
export function regexFault(pattern: string): string | null {
  try {
    compileRegex(pattern)
    return null
  } catch (fault) {
    if (!(fault instanceof RegexFault)) throw fault
    return fault.message
  }
}
