/**
 * Scrapes one page: returns a stored copy that is recent enough, else fetches the page, with a conditional request when there is an older
 * copy.
 */
import { AppError } from '#backend/errors.ts'
import { canonicalUrlWithTracking } from '#backend/crawler/url/canonical-url.ts'
import type { CrawlSpec } from '#backend/crawler/crawl-spec.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import type { CrawlOutcomes } from './crawl-outcomes.ts'
import type { CrawlPages, NumberedPage } from './crawl-pages.ts'
import type { CachedPage, PageCache } from './page-cache.ts'
import { firstPage } from './scrape.ts'

export type Scraped = {
  /** The crawl that fetched the page. */
  run: Pick<Run, 'id' | 'no'>
  page: NumberedPage
  /** `hit`: nothing was fetched; `confirmed`: the site said that its page is unchanged. */
  cache: 'hit' | 'miss' | 'confirmed'
  /** When it was fetched, or last confirmed; epoch milliseconds. */
  fetchedAt: number
}

type ScrapeWish = {
  url: string
  spec: CrawlSpec
  /** It sends headers of its own, so its result is for its caller alone. */
  hasOwnHeaders: boolean
  /** The greatest age of a stored page in milliseconds, for which nothing is asked of the site; with 0 the site is always asked. */
  maxAgeMs: number
  /** Fetches nothing: returns the stored page or null. */
  cacheOnly?: boolean
  /** Starts a crawl of the one page. */
  start: (spec: CrawlSpec) => Promise<Run>
  signal: AbortSignal
}

export type ScrapePage = ReturnType<typeof createScrapePage>

export function createScrapePage({
  bus,
  cache,
  now,
  outcomes,
  pages,
  runs,
}: {
  bus: EventBus
  cache: PageCache
  now: () => number
  outcomes: CrawlOutcomes
  pages: CrawlPages
  runs: Runs
}) {
  /**
   * @returns  null when the signal aborted first, which stops the crawl, and for `cacheOnly` without a recent page
   * @throws {AppError} `page_unreadable` with the reason under `url`; errors of `start`
   */
  return async function scrapePage(teamId: string, wish: ScrapeWish): Promise<Scraped | null> {
    const older = wish.hasOwnHeaders ? null : await cache.find(teamId, wish.url, canonicalUrlWithTracking(wish.url) ?? wish.url, wish.spec)
    if (older !== null && now() - older.fetchedAt <= wish.maxAgeMs) return served(older, 'hit', older.fetchedAt)
    if (wish.cacheOnly === true) return null
    const run = await wish.start(asked(wish, older))
    try {
      const page = await firstPage({ bus, outcomes, pages, runs }, teamId, run, wish.signal)
      if (page !== null) return { run, page, cache: 'miss', fetchedAt: page.createdAt }
    } catch (error) {
      if (older !== null && isUnchanged(error)) return served(older, 'confirmed', now())
      throw error
    }
    await runs.stop(teamId, 'crawl', run.id)
    return null
  }
}

const served = ({ page, runId: id, runNo: no }: CachedPage, cache: 'hit' | 'confirmed', fetchedAt: number): Scraped => ({
  run: { id, no },
  page,
  cache,
  fetchedAt,
})

/** Makes the request conditional on the validators of the older copy. */
function asked({ hasOwnHeaders, spec }: ScrapeWish, older: CachedPage | null): CrawlSpec {
  if (hasOwnHeaders) return spec
  return {
    ...spec,
    page: { ...spec.page, keepsValidators: true, ...(older?.validators ? { known: older.validators } : {}) },
  }
}

const isUnchanged = (error: unknown) => unreadableFor(error) === 'not_modified'

/** Why a page could not be read, as one word; null for every other error. */
export function unreadableFor(error: unknown): string | null {
  if (!(error instanceof AppError) || error.code !== 'page_unreadable') return null
  const messages = error.fields?.['url']
  const [message] = Array.isArray(messages) ? messages : []
  return typeof message === 'string' ? (/^\w+/.exec(message)?.[0] ?? null) : null
}
