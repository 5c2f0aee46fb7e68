/** When the list of schedules is requested again. Pure: the clock is an argument. */
import { isTerminal } from '#contract/runs.ts'
import type { CrawlSchedule } from '#contract/schedules.ts'

/** While a crawl is in progress or about to start; the service looks for planned crawls every five seconds. */
const LIVE_MS = 2000
/** From the planned time to the first request after it. */
const START_MS = 1000
/** A timer of the browser cannot wait for more than 24 days, and a clock may be changed. */
const LONGEST_MS = 60 * 60_000

/** Milliseconds; 0 is never, because no crawl is in progress or planned. */
export function refreshAfter(schedules: readonly Pick<CrawlSchedule, 'last_crawl' | 'next_crawl_at'>[], nowMs: number): number {
  if (schedules.some(({ last_crawl: last }) => last !== null && !isTerminal(last.status))) return LIVE_MS
  const planned = schedules.flatMap(({ next_crawl_at: at }) => (at === null ? [] : [Date.parse(at)]))
  if (planned.length === 0) return 0
  return Math.min(LONGEST_MS, Math.max(LIVE_MS, Math.min(...planned) - nowMs + START_MS))
}
