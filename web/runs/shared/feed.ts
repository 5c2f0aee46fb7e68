/** Selects the lines of a run's feed to show. Pure. */
import type { FeedMessage } from '#contract/runs.ts'

/** All errors, and the newest message. */
export const latestOf = (feed: readonly FeedMessage[]): FeedMessage[] =>
  feed.filter((message, index) => message.type === 'error' || index === feed.length - 1)
