/** Converts runs of 0.2 and older, which were stored with the options of the v1 API, to specs. */
import type { SearchOptions } from '#contract/searches.ts'
import type { SitemapOptions } from '#contract/sitemaps.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'
import { crawlSpecOfV1 } from '#backend/crawls/v1-options.ts'
import type { V1CrawlOptions } from '#backend/crawls/v1-options.ts'
import { searchSpecOfV1 } from '#backend/searches/search-spec.ts'
import { sitemapSpecOfV1 } from '#backend/sitemaps/sitemap-spec.ts'

const BY_KIND: Record<string, (options: never) => RunSpec> = {
  crawl: (options: V1CrawlOptions) => crawlSpecOfV1(options),
  search: (options: SearchOptions) => searchSpecOfV1(options),
  sitemap: (options: SitemapOptions) => sitemapSpecOfV1(options),
}

/** @param options  as the API stored them, with defaults */
export function upgradeSpec(kind: string, options: Record<string, unknown>): RunSpec {
  const translate = BY_KIND[kind]
  if (translate === undefined) throw new Error(`No older version had runs of the kind ${kind}.`)
  return translate(options as never)
}
