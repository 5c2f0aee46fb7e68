/** What a sitemap costs: following links asks for many pages, reading sitemap files for few. */
import type { SitemapSpec } from './sitemap-spec.ts'

export const priceOf = ({ ignoresSitemapFiles }: Pick<SitemapSpec, 'ignoresSitemapFiles'>): number => (ignoresSitemapFiles ? 15 : 5)
