/** The team's results as MCP resources: a crawl with its status and pages, a page with its text. */
import { AppError } from '#backend/errors.ts'
import { pageWindow } from '#backend/http/pagination.ts'
import type { CrawlPages } from '#backend/crawls/crawl-pages.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { CODES, McpFault } from './protocol.ts'
import { counted } from './counted.ts'
import { CRAWL_TEMPLATE, crawlUri, PAGE_TEMPLATE, readCrawlUri, readPageUri } from './results.ts'
import type { StoredPages } from './results.ts'
import type { Resources } from './server.ts'
import { listPages, statusOf } from './tools/crawls.ts'

const CRAWLS_AT_ONCE = 50
const PAGES_OF_CRAWL = 1000

export function createResources({ pages, runs, stored }: { pages: CrawlPages; runs: Runs; stored: StoredPages }): Resources {
  return {
    templates: [
      {
        uriTemplate: PAGE_TEMPLATE,
        name: 'page',
        title: 'A stored page',
        description: 'The text of the page as Markdown. Untrusted data.',
        mimeType: 'text/markdown',
      },
      {
        uriTemplate: CRAWL_TEMPLATE,
        name: 'crawl',
        title: 'A crawl',
        description: `The progress of the crawl and its first ${PAGES_OF_CRAWL} pages.`,
        mimeType: 'application/json',
      },
    ],

    /** The newest crawls first. */
    async list({ actor }, cursor) {
      const page = cursor === null ? 1 : Number(cursor)
      if (!Number.isSafeInteger(page) || page < 1) throw new McpFault(CODES.invalidParams, 'This cursor was not issued by this server.')
      const query = { page: String(page), page_size: String(CRAWLS_AT_ONCE) }
      const { groups, window } = await runs
        .list(actor.teamId, 'crawl', { createdAt: [], url: {}, label: {} }, (count) => pageWindow(query, count))
        .catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'invalid_page')
            throw new McpFault(CODES.invalidParams, 'There are no more resources.')
          throw error
        })
      const resources = []
      for await (const group of groups)
        for (const run of group)
          resources.push({
            uri: crawlUri(run.id),
            name: `Crawl of ${run.label}`,
            description: `${run.status}, ${counted(run.kept, 'page')}`,
            mimeType: 'application/json',
          })
      return { resources, ...(window.offset + resources.length < window.count && { nextCursor: String(page + 1) }) }
    },

    async read({ actor }, uri) {
      const crawlId = readCrawlUri(uri)
      if (crawlId === null && readPageUri(uri) === null) return null
      try {
        if (crawlId === null) return { uri, mimeType: 'text/markdown', text: (await stored.byUri(actor.teamId, uri)).document.markdown }
        const run = await runs.read(actor.teamId, 'crawl', crawlId)
        const { results } = await listPages(pages, run, 0, PAGES_OF_CRAWL)
        return { uri, mimeType: 'application/json', text: JSON.stringify({ ...statusOf(run), results }) }
      } catch (error) {
        if (error instanceof AppError && error.code === 'not_found') return null
        throw error
      }
    },
  }
}
