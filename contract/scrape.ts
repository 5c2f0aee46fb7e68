/** Fetches one page and returns it in the same response. */
import * as z from 'zod/mini'
import { attachment, batchSpiderOptions, oneUrl, pageOptions, pluginOptions } from './crawls.ts'
import { endpoint } from './endpoint.ts'
import { count, optionsOf, orEmpty, shape } from './fields.ts'
import { OPTIONS_BODY } from './sizes.ts'

/** How long a caller waits for the page, in milliseconds. */
export const SCRAPE_TIMEOUT_MS = { min: 1000, usual: 60_000, max: 120_000 }

/** How old a stored page may be, in seconds. */
export const MAX_SCRAPE_AGE_S = 10 * 365 * 24 * 60 * 60

export const scrapedPage = z.object({
  uuid: z.string(),
  crawl_request: z.string(),
  url: z.string(),
  title: z.nullable(z.string()),
  /** The document: metadata, Markdown, and what else the options request. */
  result: z.unknown(),
  attachments: z.array(attachment),
  created_at: z.string(),
  updated_at: z.string(),
  /** `hit`: the team's stored copy. `confirmed`: the stored copy, after the site answered that it has not changed. `miss`: fetched. */
  cache: z.enum(['hit', 'confirmed', 'miss']),
  /** When it was fetched, or last confirmed. */
  fetched_at: z.string(),
})
export type ScrapedPage = z.output<typeof scrapedPage>

export const scrapePage = endpoint({
  method: 'POST',
  path: '/api/v1/core/scrape/',
  access: 'team',
  tag: 'Scrape',
  summary: 'Fetch one page and wait for it',
  body: shape({
    url: oneUrl,
    options: optionsOf(
      shape({ spider_options: orEmpty(batchSpiderOptions), page_options: orEmpty(pageOptions), plugin_options: pluginOptions }),
    ),
    max_age: z._default(count({ min: 0, max: MAX_SCRAPE_AGE_S }), 0),
    timeout: z._default(count({ min: SCRAPE_TIMEOUT_MS.min, max: SCRAPE_TIMEOUT_MS.max }), SCRAPE_TIMEOUT_MS.usual),
  }),
  size: OPTIONS_BODY,
  answer: scrapedPage,
  description:
    'With `max_age`, in seconds, a stored page of the team that is not older, and was crawled with the same options, is returned without a request to the site; for an older page the site is asked whether it has changed (`ETag`, `Last-Modified`). ' +
    'Otherwise the page is fetched as a crawl of one page, which appears in the log and is stored like any other. A page that cannot be read is answered 422 with the reason under `errors.url`; ' +
    'one that is not there in time 504, and its crawl is stopped, as it is when the caller hangs up. With `Accept: text/event-stream` the answer is the stream of that crawl, documents included.',
})
