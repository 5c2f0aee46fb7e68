/** What the mails about a schedule report. */

/** Why a crawl was refused, for texts in the reader's language; the messages of the API are in English. */
export type RefusedBecause = 'plan' | 'proxy' | 'secrets' | 'url' | 'options'

/** What became of a planned crawl: its changes since the crawl before, or that it failed, or was not started. */
export type ScheduledOutcome =
  { kind: 'changes'; added: number; changed: number; removed: number } | { kind: 'failed' } | { kind: 'refused'; because: RefusedBecause }
