/** One page, fetched and answered in the same response. */
import * as z from 'zod/mini'
import { attachment, batchSpiderOptions, oneAddress, pageOptions, pluginOptions } from './crawls.ts'
import { endpoint } from './endpoint.ts'
import { count, optionsOf, orEmpty, shape } from './fields.ts'
import { OPTIONS_BODY } from './sizes.ts'

/** Milliseconds that a caller waits for its page. */
export const SCRAPE_TIMEOUT_MS = { min: 1000, usual: 60_000, max: 120_000 }

export const scrapedPage = z.object({
  uuid: z.string(),
  crawl_request: z.string(),
  url: z.string(),
  title: z.nullable(z.string()),
  /** The document itself: metadata, Markdown, and what the options ask for besides. */
  result: z.unknown(),
  attachments: z.array(attachment),
  created_at: z.string(),
  updated_at: z.string(),
})
export type ScrapedPage = z.output<typeof scrapedPage>

export const scrapePage = endpoint({
  method: 'POST',
  path: '/api/v1/core/scrape/',
  access: 'team',
  tag: 'Scrape',
  summary: 'Fetch one page and wait for it',
  body: shape({
    url: oneAddress,
    options: optionsOf(
      shape({ spider_options: orEmpty(batchSpiderOptions), page_options: orEmpty(pageOptions), plugin_options: pluginOptions }),
    ),
    timeout: z._default(count({ min: SCRAPE_TIMEOUT_MS.min, max: SCRAPE_TIMEOUT_MS.max }), SCRAPE_TIMEOUT_MS.usual),
  }),
  size: OPTIONS_BODY,
  answer: scrapedPage,
  description:
    'The page is fetched as a crawl of one page, which stands in the log and is stored like any other. A page that cannot be read is answered 422 with the reason under `errors.url`; ' +
    'one that is not there in time 504, and its crawl is stopped, as it is when the caller hangs up. With `Accept: text/event-stream` the answer is the stream of that crawl, documents included.',
})
