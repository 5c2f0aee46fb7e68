/** The last error that the engine reported, or undefined. Pure. */
import type { FeedMessage } from '#contract/runs.ts'

export const lastFault = (feed: readonly FeedMessage[]): string | undefined => feed.findLast(({ type }) => type === 'error')?.message
