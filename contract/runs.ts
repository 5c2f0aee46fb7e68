/** Common parts of crawls, searches and sitemaps: identity, status, progress events. */

export const RUN_STATUSES = ['new', 'running', 'canceling', 'canceled', 'finished', 'failed'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

export const RUN_KINDS = ['crawl', 'search', 'sitemap'] as const
export type RunKind = (typeof RUN_KINDS)[number]

/** True once a run has ended: its status never changes again. */
export const isTerminal = (status: string) => status === 'finished' || status === 'failed' || status === 'canceled'

export const FEED_TYPES = ['info', 'success', 'warning', 'error'] as const
export type FeedType = (typeof FEED_TYPES)[number]

/** One log message of the engine, for people. */
export type FeedMessage = { id: string; type: FeedType; message: string; timestamp: string; metadata: Record<string, unknown> }

/** An event of a status stream. `seq` numbers the committed events, so that a reader can resume with `?after=`. */
export type ProgressEvent<Job = unknown, Result = unknown> =
  | { type: 'state'; status: RunStatus; data: Job; seq?: number }
  | { type: 'result'; data: Result; seq?: number }
  | { type: 'feed'; data: FeedMessage; seq?: number }

/** How many feed messages are replayed to a new reader. */
export const FEED_REPLAY = 200
