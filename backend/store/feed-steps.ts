/** The stored feed of a run: the lines of one commit are one row, numbered after the last event. */
import type { FeedMessage } from '#contract/runs.ts'
import type { FeedLine } from './run-store.ts'
import { change } from './steps.ts'
import type { Steps } from './steps.ts'

/** How many events back feed lines are kept: a reader that reconnects within so many events misses none. */
const FEED_KEPT = 10_000

/** A stored feed message with its number. */
export type StoredFeedMessage = FeedMessage & { seq: number }

/**
 * Adds lines to the feed, in a transaction that has already raised the run's `event_seq`.
 *
 * @param after  number of the event before the first line
 */
export function* writeFeed(runNo: number, after: number, lines: readonly FeedLine[]): Steps<void> {
  if (lines.length === 0) return
  const messages: StoredFeedMessage[] = lines.map(({ type, message, at, metadata }, index) => ({
    id: String(after + 1 + index),
    type,
    message,
    timestamp: new Date(at).toISOString().replace('Z', '000Z'),
    metadata,
    seq: after + 1 + index,
  }))
  const last = after + lines.length
  yield* change(
    'INSERT INTO run_feed (run_no, first_seq, last_seq, messages) VALUES (?, ?, ?, ?)',
    runNo,
    after + 1,
    last,
    JSON.stringify(messages),
  )
  yield* change('DELETE FROM run_feed WHERE run_no = ? AND first_seq < ?', runNo, Math.min(after + 1, last - FEED_KEPT))
}
