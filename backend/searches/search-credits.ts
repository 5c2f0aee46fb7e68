/** What a search costs, by what was done for it. */
import type { SearchDepth } from '#contract/searches.ts'

const BLOCK = 5

/** Credits of so many results at a depth: 1 or 2 for each started block of five, 1 for each that a browser has rendered. */
export function priceOf(depth: SearchDepth, results: number): number {
  const blocks = Math.ceil(results / BLOCK)
  return depth === 'ultimate' ? results : depth === 'advanced' ? 2 * blocks : blocks
}
