/** The spec of a sitemap beside its start URL, and its form in the v1 API. */
import type { SitemapOptions } from '#contract/sitemaps.ts'
import { SPEC_VERSION } from '#backend/crawler/run-spec.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'

export type SitemapSpec = RunSpec & {
  includesSubdomains: boolean
  /** Follows links even if sitemap files exist. */
  ignoresSitemapFiles: boolean
  /** Adds the links of the start page to the URLs of sitemap files. */
  addsStartPage?: boolean
  /** Reads only sitemap files. */
  followsNoLinks?: boolean
  /** Words of which at least one must occur in the path of a URL; null accepts all. */
  words: string | null
  includePaths: string[]
  excludePaths: string[]
}

/** @param options  with defaults */
export const sitemapSpecOfV1 = (options: SitemapOptions): SitemapSpec => ({
  version: SPEC_VERSION,
  proxySlug: options.proxy_server,
  includesSubdomains: options.include_subdomains,
  ignoresSitemapFiles: options.ignore_sitemap_xml,
  words: options.search,
  includePaths: options.include_paths,
  excludePaths: options.exclude_paths,
})
