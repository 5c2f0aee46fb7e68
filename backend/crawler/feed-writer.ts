/** The feed of a run as its table holds it: the lines of one commit are one row, numbered on from the last event. */
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import type { FeedLine } from './changes.ts'

/** How far back feed lines are kept, in events: a reader whose connection broke finds all that it missed while a crawl has made so many. */
const FEED_KEPT = 10_000

/** Gives the writer; it is called inside a transaction that has raised the run's `event_seq` past these lines. */
export function createFeedWriter(connection: SqliteConnection) {
  const insert = connection.prepare('INSERT INTO run_feed (run_no, first_seq, last_seq, messages) VALUES (?, ?, ?, ?)')
  const dropOld = connection.prepare('DELETE FROM run_feed WHERE run_no = ? AND first_seq < ?')
  return write

  /** @param after  number of the event before the first line */
  function write(runNo: number, after: number, lines: FeedLine[]): void {
    if (lines.length === 0) return
    const messages = lines.map(({ type, message, at, metadata }, index) => ({
      id: String(after + 1 + index),
      type,
      message,
      timestamp: new Date(at).toISOString().replace('Z', '000Z'),
      metadata,
      seq: after + 1 + index,
    }))
    const last = after + lines.length
    insert.run(runNo, after + 1, last, JSON.stringify(messages))
    dropOld.run(runNo, Math.min(after + 1, last - FEED_KEPT))
  }
}
