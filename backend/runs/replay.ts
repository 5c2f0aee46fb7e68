/** The events that a reader has missed, read from the tables: results and feed lines in order. */
import type { Database } from '#backend/platform/database/database.ts'
import type { Run } from './run.ts'
import { readLastFeed, readNextFeed, toEvent } from './tail.ts'
import type { ProgressSource, TailEvent } from './tail.ts'

/** Events with `after.seq` < number ≤ `upTo.seq`; among them the results with `after.ordinal` < ordinal ≤ `upTo.kept`. */
type Missed = {
  after: { seq: number; ordinal: number }
  upTo: { seq: number; kept: number }
  /** Most feed lines, the newest ones; null for all that are kept. */
  feedLines: number | null
}

const RESULTS_AT_ONCE = 100
/** Commits whose feed lines are read at once. */
const FEED_ROWS_AT_ONCE = 50

/**
 * The events in groups, in the order of their numbers. A group is written before the next one is read, so a slow reader keeps at most two
 * reads in memory.
 *
 * @param turn  waits for a turn to read the tables
 */
export async function* replay({
  database,
  missed: { after, upTo, feedLines },
  run,
  source,
  turn,
}: {
  database: Database
  missed: Missed
  run: Run
  source: ProgressSource
  turn: <T>(work: () => Promise<T>) => Promise<T>
}): AsyncGenerator<TailEvent[]> {
  const results = reading((last: TailEvent | undefined) => readResults(last?.ordinal ?? after.ordinal))
  const feed = reading((last: TailEvent | undefined) => readFeed(last))
  for (;;) {
    const ones = await results.waiting()
    const others = await feed.waiting()
    if (ones.length === 0 && others.length === 0) return
    const group: TailEvent[] = []
    // Merge only while both lists have items, or one has ended: otherwise the order is unknown until more is read.
    while ((ones.length > 0 || results.isDone()) && (others.length > 0 || feed.isDone())) {
      const next = (ones[0]?.seq ?? Infinity) < (others[0]?.seq ?? Infinity) ? ones.shift() : others.shift()
      if (next === undefined) break
      group.push(next)
    }
    yield group
  }

  async function readResults(ordinal: number): Promise<TailEvent[]> {
    if (ordinal >= upTo.kept) return []
    return (await turn(() => source.results(run, ordinal, upTo.kept, RESULTS_AT_ONCE))).map(toEvent)
  }

  function readFeed(last: TailEvent | undefined): Promise<TailEvent[]> {
    if (feedLines === null) return turn(() => readNextFeed(database, run.no, last?.seq ?? after.seq, upTo.seq, FEED_ROWS_AT_ONCE))
    return last === undefined ? turn(() => readLastFeed(database, run.no, after.seq, upTo.seq, feedLines)) : Promise.resolve([])
  }
}

/** Reads a list in batches: the next one after the last item is used up; `read` returns none at the end. */
function reading<T>(read: (last: T | undefined) => Promise<T[]>) {
  let waiting: T[] = []
  let last: T | undefined
  let isAtEnd = false
  return {
    async waiting(): Promise<T[]> {
      if (waiting.length > 0 || isAtEnd) return waiting
      waiting = await read(last)
      last = waiting.at(-1) ?? last
      isAtEnd = waiting.length === 0
      return waiting
    },
    isDone: () => isAtEnd,
  }
}
