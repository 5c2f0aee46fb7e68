/** Bodies of v1 in the words of v2, so that everything behind knows one of them. */
import type { CrawlBody, Format, ScrapeOptions, V1CrawlBody, V1ScrapeOptions } from '#contract/firecrawl/shapes.ts'

/** @param defaults  of v1 where it differs: the text of PDF files unless `parsePDF` says no */
export function scrapeOptionsOfV1(options: V1ScrapeOptions): ScrapeOptions {
  const { formats, jsonOptions, extract, changeTrackingOptions, parsePDF, geolocation, agent: _agent, ...shared } = options
  const format = (name: NonNullable<typeof formats>[number]): Format => {
    if (name === 'json' || name === 'extract') return { type: 'json', ...(jsonOptions ?? extract) } as Format
    if (name === 'changeTracking') return { type: 'changeTracking', modes: changeTrackingOptions?.modes }
    return name
  }
  return {
    ...shared,
    formats: formats?.map(format),
    location: shared.location ?? geolocation,
    ...(parsePDF === false && { parsers: [] }),
  }
}

/** Depth of paths is no idea of v2: it stands beside. */
export function crawlOfV1(body: V1CrawlBody): CrawlBody & { maxPathDepth: number } {
  const { maxDepth = DEFAULT_PATH_DEPTH, allowBackwardLinks, ignoreSitemap, scrapeOptions, ...shared } = body
  return {
    ...shared,
    crawlEntireDomain: shared.crawlEntireDomain ?? allowBackwardLinks,
    sitemap: ignoreSitemap === true ? 'skip' : 'include',
    scrapeOptions: scrapeOptions ? scrapeOptionsOfV1(scrapeOptions) : undefined,
    maxPathDepth: maxDepth,
  }
}

const DEFAULT_PATH_DEPTH = 10
