/** The price of a search, by the work that was done. */
import type { SearchDepth } from '#contract/searches.ts'

const BLOCK = 5

/** Credits for a number of results at a depth: 1 or 2 for each started block of five, 1 for each result that a browser has rendered. */
export function priceOf(depth: SearchDepth, results: number): number {
  const blocks = Math.ceil(results / BLOCK)
  return depth === 'ultimate' ? results : depth === 'advanced' ? 2 * blocks : blocks
}
