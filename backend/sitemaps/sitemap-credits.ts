/** The price of a sitemap: following links requests many pages, reading sitemap files few. */
import type { SitemapSpec } from './sitemap-spec.ts'

export const priceOf = ({ ignoresSitemapFiles }: Pick<SitemapSpec, 'ignoresSitemapFiles'>): number => (ignoresSitemapFiles ? 15 : 5)
