/** URIs of results, by which tools and resources name the same page or crawl. */
import { AppError } from '#backend/errors.ts'
import type { CrawlPages } from '#backend/crawls/crawl-pages.ts'
import type { PageRow } from '#backend/crawls/present-crawl.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const PAGE = new RegExp(`^seine://pages/(${UUID})/(${UUID})$`, 'i')
const CRAWL = new RegExp(`^seine://crawls/(${UUID})$`, 'i')

export const pageUri = (crawlId: string, pageId: string) => `seine://pages/${crawlId}/${pageId}`
export const crawlUri = (crawlId: string) => `seine://crawls/${crawlId}`

export const PAGE_TEMPLATE = 'seine://pages/{crawl_id}/{page_id}'
export const CRAWL_TEMPLATE = 'seine://crawls/{crawl_id}'

/** Null for a URI that names no page. */
export function readPageUri(uri: string): { crawlId: string; pageId: string } | null {
  const [, crawlId, pageId] = PAGE.exec(uri.trim()) ?? []
  return crawlId === undefined || pageId === undefined ? null : { crawlId, pageId }
}

export const readCrawlUri = (uri: string): string | null => CRAWL.exec(uri.trim())?.[1] ?? null

/** A document as the crawler stores it. */
export type StoredDocument = { markdown: string; metadata?: Record<string, string | null>; links?: string[]; extraction?: unknown }

export type StoredPages = ReturnType<typeof createStoredPages>

export function createStoredPages({ pages, runs }: { pages: CrawlPages; runs: Runs }) {
  return { byUri, document }

  /** A page of the team. Throws `not_found`. */
  async function byUri(teamId: string, uri: string): Promise<{ run: Run; row: PageRow; document: StoredDocument }> {
    const named = readPageUri(uri)
    if (named === null) throw new AppError('not_found')
    const run = await runs.read(teamId, 'crawl', named.crawlId)
    const row = await pages.get(run.no, named.pageId)
    return { run, row, document: await document(row.no) }
  }

  async function document(pageNo: number): Promise<StoredDocument> {
    return JSON.parse((await pages.document(pageNo)).toString()) as StoredDocument
  }
}
