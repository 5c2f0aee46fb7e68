/**
 * Decides which parser thread reads which pages next; the threads themselves are in `parse-pool.ts`.
 *
 * Shares (opaque keys; the engine gives one per owner of teams) get equal parts of the threads' time, one page after the other, by the clocks of
 * `time-shared-queue.ts`. A page cannot be interrupted, so clocks alone do not prevent a long page from starting at a moment when another
 * share has nothing waiting; that share would then wait for the end of the page. Therefore, while several shares have work:
 *
 * - Pages that are expected to take long occupy at most half of the threads. If there is only one thread, a second is started for them, and
 * the operating system divides the processor between the two.
 * - If there are fewer processors than threads, a share that has had more time than another waits before its next long page until the other
 * has caught up, for as long as that could take at most.
 * - A page that unexpectedly takes long is treated in the same way as soon as this shows: the pages behind it on its thread return to their
 * queues, and the next pages of its share are expected to take long too.
 */
import { createTimeSharedQueue } from '#backend/crawler/engine/time-shared-queue.ts'

/**
 * Most pages of a batch, and most milliseconds of expected work, while one share has work and while several have. Measured: batches twice as
 * large read 5 % more pages a second, since the thread waits less often for the event loop; but a page of another share waits for a whole batch.
 */
const ALONE = { pages: 8, ms: 8 }
const CONTENDED = { pages: 4, ms: 4 }
const MOST_BATCHES = 2
/** A page with a longer expected time counts as long. */
export const LONG_MS = 20
/** A page that was not expected to be long is overdue after this time, which includes time for a new thread to compile its program. */
export const OVERDUE_MS = 40
/**
 * The cost of a long page for each millisecond of its thread where helper threads have no processor of their own: they collect the garbage
 * of large trees meanwhile. Measured on one processor: 0.8 s of helpers for 0.9 s of the thread, against 0.3 for 1.7 with ordinary pages.
 */
const COST_OF_LONG = 1.7
/** A share that has had a page within this time may have the next one soon. */
const LATELY_MS = 100
const MOST_REST_MS = 5000
const MOST_SEEN = 1000
/** After an overdue page, this many pages of its share are expected to be long. */
const WARY_PAGES = 100

export type ScheduledPage = { share: string; expectedMs: number }

/** A thread, as the schedule sees it. */
export type Lane<Page> = {
  /** Whether it has started; until then it gets pages only if no other thread has. */
  isReady: boolean
  pages: Set<Page>
  /** The number of unanswered batches, including the current one. */
  batches: number
  /** The expected time of all its pages. */
  expectedMs: number
  /** Whether it works on a long page, or has just done so. */
  isLong: boolean
  longSince: number
  /** The overdue page. */
  overdue: Page | null
}

/**
 * @param threads     number of threads, except for an additional one while a long page would delay another share
 * @param processors  number of processors
 * @param now         milliseconds of a monotonic clock
 */
export function createParseSchedule<Page extends ScheduledPage>({
  now,
  processors,
  threads,
}: {
  threads: number
  processors: number
  now: () => number
}) {
  const queue = createTimeSharedQueue<Page>()
  const lanes = new Set<Lane<Page>>()
  /** Number of pages that are still expected to be long, by share. */
  const wary = new Map<string, number>()
  /** When each share last had a page. */
  const lastAt = new Map<string, number>()
  /** How long, by the clock, the last long page of each share was in progress. */
  const tookMs = new Map<string, number>()
  /** Until when a share rests before its next long page. */
  const rests = new Map<string, number>()
  const mostLong = Math.max(1, Math.floor(threads / 2))
  const leastShort = Math.ceil(threads / 2)
  return {
    push,
    deal,
    addLane,
    removeLane,
    ended,
    answered,
    overtake,
    charge: queue.charge,
    queuedOf: queue.queuedOf,
    /** A lane without work that the others can do without. */
    spareLane,
    /** Are pages of a share other than the given one waiting or in progress; without one, of several shares? */
    worksForOther: queue.worksForOther,
    restMs,
    /** Number of waiting pages of all shares. */
    get queued() {
      return queue.length
    },
  }

  function push(page: Page) {
    sawNow(page.share)
    queue.push(page.share, page)
  }

  function sawNow(share: string) {
    if (lastAt.size >= MOST_SEEN && !lastAt.has(share)) {
      lastAt.clear()
      rests.clear()
      tookMs.clear()
    }
    lastAt.set(share, now())
  }

  function addLane(): Lane<Page> {
    const lane: Lane<Page> = { isReady: false, pages: new Set(), batches: 0, expectedMs: 0, isLong: false, longSince: 0, overdue: null }
    lanes.add(lane)
    return lane
  }

  /** The thread has ended: its pages return to the front of their queues, except those that `isLost` selects. */
  function removeLane(lane: Lane<Page>, isLost: (page: Page) => boolean = () => false) {
    lanes.delete(lane)
    giveBack(lane, (page) => !isLost(page))
    for (const page of lane.pages) ended(lane, page, page.expectedMs)
  }

  /**
   * The next batch and its lane; null when nothing may start now. Call it until it returns null.
   *
   * @param isContended  several shares have work
   * @param open         starts a thread, which calls `addLane`
   */
  function deal(isContended: boolean, open: () => void): { lane: Lane<Page>; batch: Page[] } | null {
    if (queue.length === 0 && !isContended) return null
    const all = [...lanes]
    const long = all.filter(({ isLong }) => isLong).length
    const short = all.filter((lane) => isBusy(lane) && !lane.isLong).length
    const mostShort = isContended ? Math.max(threads - long, leastShort) : threads - long
    const isLongPage = (page: Page) => page.expectedMs >= LONG_MS || (isContended && wary.has(page.share))
    const mayStart = (page: Page) => (isContended && isLongPage(page) ? long < mostLong && !rest(page.share) : short < mostShort)
    const findIdle = () => [...lanes].find((lane) => !isBusy(lane) && (lane.isReady || !all.some(({ isReady }) => isReady)))
    // A thread takes a while to start, so beside a long page it is started before it is needed.
    const mayOpen = lanes.size < threads + leastShort && all.every((lane) => lane.isReady && isBusy(lane))
    if (mayOpen && ((isContended && long > 0 && short < mostShort) || queue.hasNext(mayStart))) open()
    const idle = findIdle()
    const hasRoom = (lane: Lane<Page>) => isBusy(lane) && !lane.isLong && lane.batches < MOST_BATCHES && lane.expectedMs < LONG_MS / 2
    const second = short > mostShort ? undefined : all.find(hasRoom)
    const first = queue.next((page) => (idle !== undefined && mayStart(page)) || (second !== undefined && !isLongPage(page)))
    if (first === null) return null
    const batch = [first.item]
    const lane = (idle !== undefined && mayStart(first.item) ? idle : second)!
    if (!isLongPage(first.item)) {
      const full = isContended ? CONTENDED : ALONE
      const most = Math.min(full.pages, Math.ceil((queue.length + 1) / threads))
      for (let ms = first.item.expectedMs; batch.length < most && ms < full.ms;) {
        const found = queue.next((page) => !isLongPage(page) && ms + page.expectedMs <= full.ms)
        if (found === null) break
        ms += found.item.expectedMs
        batch.push(found.item)
      }
    }
    lane.isLong = isLongPage(first.item)
    if (lane.isLong) {
      rests.delete(first.share)
      lane.longSince = now()
    }
    for (const page of batch) {
      queue.charge(page.share, page.expectedMs)
      lane.pages.add(page)
      lane.expectedMs += page.expectedMs
    }
    lane.batches += 1
    return { lane, batch }
  }

  /** Must the share let others catch up? Not if each thread has a processor. */
  function rest(share: string): boolean {
    if (processors > threads) return false
    const at = now()
    const until = rests.get(share)
    if (until !== undefined && at >= until) return false
    const lead = queue.leadOf(share, (other) => at - (lastAt.get(other) ?? -Infinity) < LATELY_MS)
    if (lead < LONG_MS) rests.delete(share)
    else if (until === undefined) rests.set(share, at + Math.min(Math.max(lead, tookMs.get(share) ?? 0), MOST_REST_MS))
    return lead >= LONG_MS
  }

  /** Milliseconds until a share has rested; Infinity when none rests. */
  function restMs(): number {
    const at = now()
    let least = Infinity
    for (const until of rests.values()) if (until > at) least = Math.min(least, until - at)
    return least
  }

  /** The lane has answered a batch. */
  function answered(lane: Lane<Page>) {
    lane.batches -= 1
    if (lane.batches === 0) lane.isLong = false
  }

  /** A page has been read, or given up; its share pays the measured time. */
  function ended(lane: Lane<Page>, page: Page, ms: number) {
    if (!lane.pages.delete(page)) return
    lane.expectedMs = lane.pages.size === 0 ? 0 : lane.expectedMs - page.expectedMs
    if (lane.overdue === page) lane.overdue = null
    const left = wary.get(page.share)
    if (left !== undefined && ms > 0) {
      if (left > 1) wary.set(page.share, left - 1)
      else wary.delete(page.share)
    }
    sawNow(page.share)
    if (lane.isLong && ms > 0) tookMs.set(page.share, now() - lane.longSince)
    queue.charge(page.share, (lane.isLong && processors <= threads ? ms * COST_OF_LONG : ms) - page.expectedMs)
    queue.done(page.share)
  }

  /** A page is overdue: returns the pages behind it, which are back in their queues. */
  function overtake(lane: Lane<Page>, running: Page): Page[] {
    lane.overdue = running
    if (!lane.isLong) lane.longSince = now() - OVERDUE_MS
    lane.isLong = true
    wary.set(running.share, WARY_PAGES)
    return giveBack(lane, (page) => page !== running)
  }

  function giveBack(lane: Lane<Page>, isMeant: (page: Page) => boolean): Page[] {
    const pages = [...lane.pages].filter(isMeant)
    for (const page of pages.toReversed()) {
      ended(lane, page, 0)
      queue.putBack(page.share, page)
    }
    return pages
  }

  function spareLane(): Lane<Page> | null {
    if (lanes.size <= threads || [...lanes].some(({ isLong, isReady }) => isLong || !isReady)) return null
    return [...lanes].find((lane) => !isBusy(lane)) ?? null
  }
}

const isBusy = (lane: Lane<unknown>) => lane.batches > 0
