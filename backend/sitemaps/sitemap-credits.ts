/** What a sitemap costs: following links asks for many pages, reading sitemap files for few. */
import type { SitemapOptions } from '#contract/sitemaps.ts'

export const priceOf = ({ ignore_sitemap_xml: ignoresSitemaps }: Pick<SitemapOptions, 'ignore_sitemap_xml'>): number =>
  ignoresSitemaps ? 15 : 5
