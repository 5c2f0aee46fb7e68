/** The tool that scrapes one page and waits for it. */
import * as z from 'zod/mini'
import { scrapePage as scrapeEndpoint } from '#contract/scrape.ts'
import { AppError } from '#backend/errors.ts'
import { instant } from '#backend/http/instants.ts'
import type { Scraped, ScrapePage } from '#backend/crawls/scrape-page.ts'
import { forOneUrl } from '#backend/crawls/start-crawl.ts'
import type { StartCrawl } from '#backend/crawls/start-crawl.ts'
import { maxChars, partFields, partOf, partText } from '../page-parts.ts'
import { pageUri } from '../results.ts'
import type { StoredPages } from '../results.ts'
import { checked, defineTool, text } from '../tool.ts'
import type { ToolCall } from '../tool.ts'
import { webUrl } from '../web-url.ts'

/** Shorter than the timeouts of clients and proxies. */
const SCRAPE_SECONDS = { min: 1, usual: 45, max: 100 }
const BEAT_MS = 1000
const MOST_LINKS = 500

export const timeoutSeconds = z
  ._default(z.int().check(z.minimum(SCRAPE_SECONDS.min), z.maximum(SCRAPE_SECONDS.max)), SCRAPE_SECONDS.usual)
  .check(z.describe('Maximum number of seconds to wait for the page'))
export const pageUrl = z.string().check(z.minLength(1), z.maxLength(2048), z.describe('URL of the page; without a scheme, https is used'))

const input = z.strictObject({
  url: pageUrl,
  max_age: z
    ._default(z.int().check(z.minimum(0), z.maximum(10 * 365 * 24 * 60 * 60)), 3600)
    .check(z.describe('Maximum age in seconds of a stored copy; 0 fetches the page')),
  only_main_content: z._default(z.boolean(), true).check(z.describe('Leave out menus, footers and advertising')),
  include_links: z._default(z.boolean(), false).check(z.describe('Also return the links of the page')),
  timeout_seconds: timeoutSeconds,
  max_chars: maxChars,
})

const output = z.object({
  ...partFields,
  crawl_id: z.string(),
  fetched_at: z.string(),
  cache: z.enum(['hit', 'confirmed', 'miss']),
  links: z.optional(z.array(z.string())),
})

export type ScrapeNeeds = { scrapePage: ScrapePage; startCrawl: StartCrawl; stored: StoredPages }

export const scrapeTool = (needs: ScrapeNeeds) =>
  defineTool({
    name: 'scrape',
    title: 'Read a web page',
    description:
      'Fetches one web page or PDF and returns its text as Markdown. Use it when you have a URL. A long page is returned in parts, with an outline; read_result returns the rest without fetching it again.',
    annotations: { readOnlyHint: true, openWorldHint: true },
    input,
    output,
    async call({ include_links, max_age, max_chars, only_main_content, timeout_seconds, url }, call) {
      const { fetchedAt, page, run, cache } = await scrapeOne(needs, call, {
        url,
        maxAgeMs: max_age * 1000,
        timeoutSeconds: timeout_seconds,
        options: { page_options: { only_main_content, include_links } },
      })
      const document = await needs.stored.document(page.no)
      const head = { result: pageUri(run.id, page.id), url: page.url, title: page.title }
      const part = partOf(document.markdown, { maxChars: max_chars })
      const links = include_links ? (document.links ?? []).slice(0, MOST_LINKS) : undefined
      return {
        content: [
          text(partText(head, part) + (links === undefined ? '' : `\n\nLinks of the page:\n${links.join('\n')}`)),
          { type: 'resource_link', uri: head.result, name: page.title ?? page.url, mimeType: 'text/markdown' },
        ],
        structured: {
          ...head,
          ...part,
          crawl_id: run.id,
          fetched_at: instant(fetchedAt),
          cache,
          ...(links !== undefined && { links }),
        },
      }
    },
  })

/**
 * Scrapes one page and waits for it. Stops the crawl when the caller disconnects.
 *
 * @throws {AppError} `page_late`, `page_unreadable`, `invalid_input` under `url`
 */
export async function scrapeOne(
  { scrapePage, startCrawl }: ScrapeNeeds,
  { actor, progress, signal }: ToolCall,
  {
    maxAgeMs,
    options: given,
    timeoutSeconds: seconds,
    url: submitted,
  }: { url: string; maxAgeMs: number; timeoutSeconds: number; options: object },
): Promise<Scraped> {
  const { options, url } = checked(scrapeEndpoint.body, { url: webUrl(submitted), options: given })
  const started = performance.now()
  const elapsed = () => Math.round((performance.now() - started) / 1000)
  progress(0, seconds, `Fetching ${url}`)
  const beat = setInterval(() => progress(elapsed(), seconds, `Waiting for ${url}, ${elapsed()} s`), BEAT_MS)
  try {
    const scraped = await scrapePage(actor.teamId, {
      url,
      spec: startCrawl.batchSpec({ urls: [url], options }),
      hasOwnHeaders: false,
      maxAgeMs,
      start: (spec) => startCrawl.startBatch(actor.teamId, { urls: [url], options }, { page: spec.page }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]),
    })
    if (scraped === null) throw new AppError('page_late', { message: `The page was not read within ${seconds} s.` })
    return scraped
  } catch (error) {
    throw forOneUrl(error)
  } finally {
    clearInterval(beat)
  }
}
