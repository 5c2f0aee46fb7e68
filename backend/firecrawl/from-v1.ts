/** Translates bodies of v1 to v2, so that the rest of the code knows only v2. */
import type { CrawlBody, Format, V1CrawlBody, V1ScrapeOptions } from '#contract/firecrawl/shapes.ts'
import type { PageAsk } from './scrape-spec.ts'

/** @param defaults  where v1 differs: it returns the text of PDF files unless `parsePDF` is false */
export function scrapeOptionsOfV1(options: V1ScrapeOptions): PageAsk {
  const { formats, jsonOptions, extract, changeTrackingOptions, parsePDF, geolocation, ...shared } = options
  const format = (name: NonNullable<typeof formats>[number]): Format => {
    if (name === 'json' || name === 'extract') {
      const { prompt, schema, systemPrompt } = (name === 'extract' ? (extract ?? jsonOptions) : (jsonOptions ?? extract)) ?? {}
      return { type: 'json', schema, prompt, systemPrompt }
    }
    if (name === 'changeTracking') {
      const { modes, prompt, schema, tag } = changeTrackingOptions ?? {}
      return { type: 'changeTracking', modes, tag, schema, ...(typeof prompt === 'string' && { prompt }) }
    }
    return name
  }
  return {
    ...shared,
    formats: formats?.map(format),
    ...(formats?.includes('extract') === true && { jsonName: 'extract' as const }),
    location: shared.location ?? geolocation,
    ...(parsePDF === false && { parsers: [] }),
  }
}

/** v2 has no depth of paths, so it is returned beside the v2 options. */
export function crawlOfV1(
  body: V1CrawlBody,
): Omit<CrawlBody, 'scrapeOptions'> & { maxPathDepth: number; scrapeOptions?: PageAsk | undefined } {
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
