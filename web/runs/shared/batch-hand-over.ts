/** Hands URLs from elsewhere, such as a sitemap, over to the crawl screen as a batch. */
import { handOver } from './hand-over.ts'

export type BatchHandOver = { urls: string[] }

export const handOverBatch = (urls: string[]): void => handOver<BatchHandOver>('crawl', { urls })
