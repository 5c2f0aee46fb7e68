/** The feed of a run as its table holds it: the lines of one commit are one row, numbered on from the last event. */
import type { FeedMessage } from '#contract/runs.ts'
import type { FeedLine } from './run-store.ts'
import { change } from './steps.ts'
import type { Steps } from './steps.ts'

/** How far back feed lines are kept, in events: a reader whose connection broke finds all that it missed while a crawl has made so many. */
const FEED_KEPT = 10_000

/** A feed message as it is stored, with its number. */
export type StoredFeedMessage = FeedMessage & { seq: number }

/**
 * Adds lines to the feed, in a transaction that has raised the run's `event_seq` past them.
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
