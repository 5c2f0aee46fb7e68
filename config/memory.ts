import { totalmem } from 'node:os'

/** Of the processes of the product during a crawl. */
export const PRODUCT_BYTES = 500 * 1024 ** 2
/** Of a browser, for each page that it renders at once. */
export const PAGE_BYTES = 1.5 * 1024 ** 3

/** The memory of this machine, or of its container if that may use less. */
export const memoryBytes = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)

/**
 * Pages that a browser can render at once, at least one.
 *
 * @param isShared  whether the product crawls in the same memory
 */
export const pagesIn = (bytes: number, isShared: boolean): number =>
  Math.max(1, Math.floor((bytes - (isShared ? PRODUCT_BYTES : 0)) / PAGE_BYTES))
