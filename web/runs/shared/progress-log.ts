/**
 * What a page has received of a run: its newest state, results and feed, without duplicates, however often the stream broke. The documents
 * of old results are dropped, so that a long crawl does not fill the page's memory; the reader fetches them again. Pure.
 */
import { FEED_REPLAY, isTerminal } from '#contract/runs.ts'
import type { FeedMessage, ProgressEvent } from '#contract/runs.ts'

export type Identified = { uuid: string }

export type ProgressLog<Job, Result> = {
  job: Job | null
  /** In order of arrival. */
  results: readonly Result[]
  feed: readonly FeedMessage[]
  /** The highest number seen, for `after`; null before the first one. */
  seq: number | null
  ended: boolean
}

/** How many feed lines are kept: as many as the server replays, and as many again. */
const MAX_FEED = FEED_REPLAY * 2

export const emptyLog = <Job, Result>(): ProgressLog<Job, Result> => ({ job: null, results: [], feed: [], seq: null, ended: false })

/**
 * Adds a batch of events to the log.
 *
 * @param light      makes a result small once `maxHeavy` newer ones have arrived
 * @param maxHeavy   how many of the newest results stay complete
 */
export function withEvents<Job, Result extends Identified>(
  log: ProgressLog<Job, Result>,
  events: readonly ProgressEvent<Job, Result>[],
  { seen, light, maxHeavy }: { seen: Set<string>; light: (result: Result) => Result; maxHeavy: number },
): ProgressLog<Job, Result> {
  let { job, seq, ended } = log
  const results: Result[] = []
  const feed: FeedMessage[] = []
  for (const event of events) {
    if (event.seq !== undefined) seq = Math.max(seq ?? 0, event.seq)
    if (event.type === 'state') {
      job = event.data
      ended = isTerminal(event.status)
    } else if (event.type === 'result') {
      if (isNew(seen, `r${event.data.uuid}`)) results.push(event.data)
    } else if (event.type === 'feed' && isNew(seen, `f${event.data.id}`)) feed.push(event.data)
  }
  return {
    job,
    seq,
    ended,
    results: results.length === 0 ? log.results : lightened(log.results, results, light, maxHeavy),
    feed: feed.length === 0 ? log.feed : [...log.feed, ...feed].slice(-MAX_FEED),
  }
}

function isNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

function lightened<Result>(
  before: readonly Result[],
  added: readonly Result[],
  light: (result: Result) => Result,
  maxHeavy: number,
): Result[] {
  const all = [...before, ...added]
  const firstHeavy = Math.max(0, all.length - maxHeavy)
  // Earlier results are light already.
  for (let at = Math.max(0, before.length - maxHeavy); at < firstHeavy; at++) {
    const one = all[at]
    if (one !== undefined) all[at] = light(one)
  }
  return all
}

/** Milliseconds to wait before the stream is reopened, by the number of consecutive attempts without an event. */
export const reconnectDelayMs = (failures: number): number => Math.min(15_000, 500 * 2 ** Math.min(failures, 8))
