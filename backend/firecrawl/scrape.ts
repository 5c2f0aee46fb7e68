/** Scrapes one page and returns it in the same response. */
import type { FastifyReply } from 'fastify'
import type { ScrapeOptions } from '#contract/firecrawl/shapes.ts'
import { unreadableFor } from '#backend/crawls/scrape-page.ts'
import type { ScrapePage } from '#backend/crawls/scrape-page.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { Refused } from './errors.ts'
import { askedOf, hasScheme, readUrl } from './jobs.ts'
import type { Jobs } from './jobs.ts'
import { namesOf } from './model-question.ts'
import { patienceOf } from '#backend/http/patience.ts'
import type { Asked } from './scrape-spec.ts'
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
    try {
      const url = readUrl(submitted)
      const found = await one(url).catch((error: unknown) => {
        // A URL without a scheme is tried as https first, then as http.
        if (hasScheme(submitted.trim()) || !isUnreachable(error)) throw error
        return one(`http://${submitted.trim()}`)
      })
      if (found !== null) return found
      if (options.minAge !== undefined || options.lockdown === true)
        throw new Refused(404, 'There is no stored page of this URL that is new enough.', { code: 'SCRAPE_NO_CACHED_DATA' })
      throw new Refused(408, `The page was not scraped within ${waitMs / 1000} s.`, { code: 'SCRAPE_TIMEOUT' })
    } finally {
      waiting.end()
    }

    async function one(url: string): Promise<Record<string, unknown> | null> {
      const { page, spec } = await jobs.scrapeSpec(teamId, url, options, version)
      const cacheOnly = options.minAge !== undefined || options.lockdown === true
      const scraped = await scrapePage(teamId, {
        url,
        spec:
          options.storeInCache === false || options.zeroDataRetention === true
            ? { ...spec, page: { ...spec.page, isReusable: false } }
            : spec,
        hasOwnHeaders: Object.keys(options.headers ?? {}).length > 0,
        maxAgeMs: cacheOnly && options.maxAge === undefined ? Infinity : (options.maxAge ?? 0),
        cacheOnly,
        start: (asked) => jobs.startScrape(teamId, url, page, asked),
        signal: waiting.signal,
      })
      if (scraped === null) return null
      const run = await runs.read(teamId, 'crawl', scraped.run.id)
      const facts = {
        sourceURL: submitted,
        scrapeId: run.id,
        cache:
          scraped.cache === 'miss'
            ? ({ state: 'miss' } as const)
            : ({ state: 'hit', cachedAt: new Date(scraped.fetchedAt).toISOString() } as const),
      }
      // The site has confirmed that its page equals the team's copy.
      const changes =
        scraped.cache === 'confirmed' && page.tracking !== undefined
          ? ({
              previousScrapeAt: new Date(scraped.page.createdAt).toISOString(),
              changeStatus: 'same',
              visibility: 'visible',
            } as const)
          : null
      const data = await statuses.document(run, page, scraped.page, base, { ...facts, ...(changes !== null && { changes }) })
      if (options.zeroDataRetention === true) await runs.deleteRuns(teamId, 'crawl', [run.id])
      const missing =
        page.formats.includes('screenshot') &&
        data['screenshot'] === undefined &&
        !page.warnings.some((text) => text.includes('screenshot'))
      const read = page.model === undefined ? [] : namesOf(page.model)
      const isUnread = read.length > 0 && !read.some((name) => data[name] !== undefined)
      const warnings = [
        ...page.warnings,
        ...(missing ? ['The screenshot could not be taken.'] : []),
        ...(isUnread ? [`The language model returned no usable answer: the log of crawl ${run.id} says why.`] : []),
      ]
      return { success: true, data, ...(warnings.length > 0 && { warning: warnings.join(' ') }) }
    }
  }

  /** A page that was scraped before, by the id of its scrape. */
  async function stored(teamId: string, id: string, base: string): Promise<Record<string, unknown>> {
    const { run } = await jobs.read(teamId, id)
    const asked = askedOf(run)
    const [page] = await statuses.firstRow(run)
    if (page === undefined) throw new Refused(404, 'Scrape not found.')
    const data = await statuses.document(run, asked, page, base, { scrapeId: run.id })
    return { success: true, data, ...(asked.warnings.length > 0 && { warning: asked.warnings.join(' ') }) }
  }
}

const UNREACHABLE: ReadonlySet<string | null> = new Set(['connect', 'tls', 'reset', 'protocol', 'host_dead'])
const isUnreachable = (error: unknown) => UNREACHABLE.has(unreadableFor(error))
