/** Scrapes one page and returns it in the same response. */
import type { FastifyReply } from 'fastify'
import type { ScrapeOptions } from '#contract/firecrawl/shapes.ts'
import { unreadableFor } from '#backend/crawls/scrape-page.ts'
import type { ScrapePage } from '#backend/crawls/scrape-page.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { withWarnings } from './document.ts'
import type { DocumentFacts } from './document.ts'
import { Refused } from './errors.ts'
import { askedOf, hasScheme, readUrl } from './jobs.ts'
import type { Jobs } from './jobs.ts'
import { namesOf } from './model-question.ts'
import { patienceOf } from '#backend/http/patience.ts'
import type { Asked, PageWish } from './scrape-spec.ts'
import type { Statuses } from './status.ts'

const TIMEOUT_MS = { v1: 30_000, v2: 60_000 }

export type Scrape = ReturnType<typeof createScrape>

export function createScrape({ jobs, runs, scrapePage, statuses }: { jobs: Jobs; runs: Runs; scrapePage: ScrapePage; statuses: Statuses }) {
  return { scrape, stored }

  /** Throws when the page cannot be returned; stops the crawl when the caller disconnects. */
  async function scrape(
    teamId: string,
    { url: submitted, ...options }: ScrapeOptions & { url: string },
    version: Asked['version'],
    { base, reply }: { base: string; reply: FastifyReply },
  ): Promise<Record<string, unknown>> {
    const waitMs = options.timeout ?? TIMEOUT_MS[version]
    const waiting = patienceOf(reply, waitMs)
    const one = (url: string) => tryUrl(url, { base, options, signal: waiting.signal, submitted, teamId, version })
    try {
      const url = readUrl(submitted)
      const found = await one(url).catch((error: unknown) => {
        // A URL without a scheme is tried as https first, then as http.
        if (hasScheme(submitted.trim()) || !isUnreachable(error)) throw error
        return one(`http://${submitted.trim()}`)
      })
      if (found !== null) return found
      if (isCacheOnly(options))
        throw new Refused(404, 'There is no stored page of this URL that is new enough.', { code: 'SCRAPE_NO_CACHED_DATA' })
      throw new Refused(408, `The page was not scraped within ${waitMs / 1000} s.`, { code: 'SCRAPE_TIMEOUT' })
    } finally {
      waiting.end()
    }
  }

  /** Null when the time was up, or when only a stored page was wanted and there is none. */
  async function tryUrl(
    url: string,
    { base, options, signal, submitted, teamId, version }: Wanted,
  ): Promise<Record<string, unknown> | null> {
    const { page, spec } = await jobs.scrapeSpec(teamId, url, options, version)
    const cacheOnly = isCacheOnly(options)
    const scraped = await scrapePage(teamId, {
      url,
      spec: options.zeroDataRetention === true ? { ...spec, page: { ...spec.page, isReusable: false } } : spec,
      hasOwnHeaders: Object.keys(options.headers ?? {}).length > 0,
      maxAgeMs: cacheOnly && options.maxAge === undefined ? Infinity : (options.maxAge ?? 0),
      cacheOnly,
      start: (asked) => jobs.startScrape(teamId, url, page, asked),
      signal,
    })
    if (scraped === null) return null
    const run = await runs.read(teamId, 'crawl', scraped.run.id)
    const data = await statuses.document(run, page, scraped.page, base, {
      sourceURL: submitted,
      scrapeId: run.id,
      warnings: page.warnings,
      cache: cacheOf(scraped),
      ...(page.tracking !== undefined && changesOf(scraped)),
    })
    if (options.zeroDataRetention === true) await runs.deleteRuns(teamId, 'crawl', [run.id])
    return withWarnings(data, missingIn(data, page, run.id))
  }

  /** A page that was scraped before, by the id of its scrape. */
  async function stored(teamId: string, id: string, base: string): Promise<Record<string, unknown>> {
    const { run } = await jobs.read(teamId, id)
    const asked = askedOf(run)
    const [page] = await statuses.firstRow(run)
    if (page === undefined) throw new Refused(404, 'Scrape not found.')
    const data = await statuses.document(run, asked, page, base, { scrapeId: run.id, warnings: asked.warnings })
    return withWarnings(data)
  }
}

const UNREACHABLE: ReadonlySet<string | null> = new Set(['connect', 'tls', 'reset', 'protocol', 'host_dead'])
const isUnreachable = (error: unknown) => UNREACHABLE.has(unreadableFor(error))

type Wanted = {
  base: string
  options: ScrapeOptions
  signal: AbortSignal
  /** The URL as the request spells it. */
  submitted: string
  teamId: string
  version: Asked['version']
}
type Scraped = NonNullable<Awaited<ReturnType<ScrapePage>>>

const isCacheOnly = ({ lockdown, minAge }: ScrapeOptions): boolean => minAge !== undefined || lockdown === true

const cacheOf = (scraped: Scraped): DocumentFacts['cache'] =>
  scraped.cache === 'miss' ? { state: 'miss' } : { state: 'hit', cachedAt: new Date(scraped.fetchedAt).toISOString() }

/** The site has confirmed that its page equals the team's copy; in other cases the documents are compared. */
const changesOf = ({ cache, page }: Scraped): Pick<DocumentFacts, 'changes'> =>
  cache === 'confirmed'
    ? { changes: { previousScrapeAt: new Date(page.createdAt).toISOString(), changeStatus: 'same', visibility: 'visible' } }
    : {}

/** Says what was asked for and is not in the document. */
function missingIn(data: Record<string, unknown>, page: PageWish, runId: string): string[] {
  const { formats, model, warnings } = page
  const isShotMissing =
    formats.includes('screenshot') && data['screenshot'] === undefined && !warnings.some((text) => text.includes('screenshot'))
  const read = model === undefined ? [] : namesOf(model)
  const isUnread = read.length > 0 && !read.some((name) => data[name] !== undefined)
  return [
    ...(isShotMissing ? ['The screenshot could not be taken.'] : []),
    ...(isUnread ? [`The language model returned no usable answer: the log of crawl ${runId} says why.`] : []),
  ]
}
