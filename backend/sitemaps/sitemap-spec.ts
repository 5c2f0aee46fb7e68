/** What is asked of a sitemap beside its start URL, and how the v1 API says it. */
import type { SitemapOptions } from '#contract/sitemaps.ts'
import { SPEC_VERSION } from '#backend/crawler/run-spec.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'

export type SitemapSpec = RunSpec & {
  includesSubdomains: boolean
  /** Links are followed even where sitemap files exist. */
  ignoresSitemapFiles: boolean
  /** A site without sitemap files has no URLs then. */
  followsNoLinks?: boolean
  /** Words of which at least one must stand in the path of a URL; null takes all. */
  words: string | null
  includePaths: string[]
  excludePaths: string[]
}

/** @param options  with their defaults filled in */
export const sitemapSpecOfV1 = (options: SitemapOptions): SitemapSpec => ({
  version: SPEC_VERSION,
  proxySlug: options.proxy_server,
  includesSubdomains: options.include_subdomains,
  ignoresSitemapFiles: options.ignore_sitemap_xml,
  words: options.search,
  includePaths: options.include_paths,
  excludePaths: options.exclude_paths,
})
