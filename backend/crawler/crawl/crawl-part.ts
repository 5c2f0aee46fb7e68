/**
 * One part of a crawl that several engines work on: it reads the URLs that other parts have found, stores as many pages as it was granted,
 * and rests when it has nothing to do. When all parts rest, the part that notices it ends the run.
 */
import type { PartState, Rest, RunParts } from '#backend/store/run-parts.ts'
import type { Crawl, CrawlPart } from './crawl.ts'
import { pages } from './crawl-texts.ts'
import { checkEnd, endWith } from './settle-url.ts'

const MAIL_AT_ONCE = 2000
const READ_MS = 500
/** How often a resting part looks for URLs of the others. */
const READ_RESTING_MS = 100

export function createCrawlPart(crawl: Crawl, parts: RunParts): CrawlPart {
  const { frontier, open, row } = crawl
  let readTo = 0
  let isResting = false
  let isReading = false
  let timer: NodeJS.Timeout | undefined
  return { start: () => readLater(0), committed, checkEnd: check, rest, close: () => clearTimeout(timer) }

  function readLater(ms: number) {
    if (crawl.isGone) return
    clearTimeout(timer)
    timer = setTimeout(() => void read(), ms)
  }

  async function read() {
    if (isReading || crawl.isGone) return
    isReading = true
    let isMore = false
    try {
      const { canKeep, isOver, urls } = await parts.mail(row.runNo, readTo, MAIL_AT_ONCE)
      if (crawl.isOver() || open.ending !== null) return
      for (const { no, ...url } of urls) {
        if (url.isSeed) crawl.joinHostOf(url.url)
        // Its host may have joined the crawl since the link was judged.
        const isIn = url.outcome === 'out_of_scope' && crawl.rules.judge(url.url) === null
        frontier.receive(isIn ? { ...url, outcome: null, detail: null } : url, open.changes)
        readTo = no
      }
      isMore = urls.length === MAIL_AT_ONCE
      if (urls.length > 0) open.changes.mail = { sent: [], ...open.changes.mail, readTo }
      // Each commit requests more of the page limit, and returns the state of the run.
      const asks = (canKeep && crawl.kept + frontier.inProgress >= crawl.allowed()) || (isResting && isOver)
      if (urls.length === 0 && !asks) return
      isResting = false
      crawl.touch()
      check()
      crawl.pump()
    } catch (fault) {
      crawl.report('URLs from other parts of a crawl could not be read; it is tried again', fault)
    } finally {
      isReading = false
      readLater(isMore ? 0 : isResting ? READ_RESTING_MS : READ_MS)
    }
  }

  /** Written with the next commit: why the part has nothing to do; null while it has. */
  function rest(): Rest | null {
    if (frontier.inProgress > 0 || crawl.isReadingSitemaps) return null
    if (frontier.isDrained()) return 'drained'
    return crawl.kept >= crawl.allowed() ? 'limit' : null
  }

  /** Tells the store, once, that nothing is left or may be kept. */
  function check() {
    if (crawl.isGone || open.ending !== null || isResting || rest() === null) return
    isResting = true
    crawl.touch()
  }

  function committed(state: PartState | undefined) {
    if (state === undefined) return
    const mayMore = state.allowed > crawl.allowed()
    crawl.allow(state.allowed)
    open.keptByOthers = state.runKept - open.kept
    if (state.isLast) return end(state.runKept)
    if (mayMore) crawl.pump()
    if (state.hasMail) readLater(0)
    if (rest() === null) isResting = false
    else if (isResting) readLater(READ_RESTING_MS)
  }

  function end(runKept: number) {
    if (open.changes.pages.length > 0 || frontier.inProgress > 0) return checkEnd(crawl)
    const isFull = runKept >= row.pageLimit
    endWith(crawl, {
      status: 'finished',
      reason: isFull ? 'page_limit' : 'drained',
      type: isFull ? 'warning' : 'success',
      message: () =>
        isFull
          ? `The crawl reached its page limit with ${pages(runKept)}`
          : runKept === 0
            ? 'The crawl ended without a page'
            : `The crawl ended with ${pages(runKept)}`,
    })
  }
}

/** Enough that the parts of a lost engine can be divided among the others, and that engines started later get some. */
const PARTS_PER_ENGINE = 4
const MOST_PARTS = 16

/**
 * The number of parts for a crawl; 1 leaves it whole.
 *
 * @param concurrency  requests at once of the crawl: each part gets at least two
 */
export function partsFor(concurrency: number, engines: number): number {
  return Math.max(1, Math.min(MOST_PARTS, PARTS_PER_ENGINE * engines, Math.floor(concurrency / 2)))
}
