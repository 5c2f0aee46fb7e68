/** Addresses chosen elsewhere, such as in a sitemap, that the crawl screen is to fetch as a batch. */
import { handOver } from './hand-over.ts'

export type BatchHandOver = { urls: string[] }

export const crawlThese = (urls: string[]): void => handOver<BatchHandOver>('crawl', { urls })
