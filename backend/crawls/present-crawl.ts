/** A crawl and its results as they go over the wire. */
import type { CrawlRequest } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { duration, instant } from '#backend/http/instants.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import type { Run } from '#backend/runs/run.ts'
import type { ArchiveFormat } from './crawl-archive.ts'

/** A result's row; `attachments` as JSON text, where there are any. */
export type PageRow = { no: number; id: string; url: string; title: string | null; createdAt: number; attachments?: string }

/** Where a crawl's sitemap is found by a signed link. */
export const sitemapPath = (runId: string) => `/api/v1/files/crawls/${runId}/sitemap/json`

/** Where a result's document is found by a signed link. */
export const resultPath = (runId: string, pageId: string) => `/api/v1/files/crawls/${runId}/results/${pageId}.json`

/** True once a crawl's list of links stands: it has ended, and something was seen beyond the addresses it was given. */
export const hasSitemap = ({ status, kept, known, seedCount }: Run) => isTerminal(status) && (kept > 0 || known > seedCount)

/** Where the archive of a crawl is found by a signed link. */
export const archivePath = (runId: string, format: ArchiveFormat, withAttachments: boolean) =>
  `/api/v1/files/crawls/${runId}/archive/${format}${withAttachments ? '/attachments' : ''}`

/** Where an export of a crawl is found by a signed link. */
export const exportPath = (runId: string, content: string, format: string) => `/api/v1/files/crawls/${runId}/export/${content}.${format}`

/** The crawl's object. */
export function presentCrawl(run: Run, links: FileLinks, baseUrl: string): CrawlRequest {
  return {
    uuid: run.id,
    url: run.seeds[0] ?? null,
    urls: run.seeds,
    crawl_type: run.variant === 'batch' ? 'batch' : 'single',
    status: run.status,
    options: shownOptions(run.options as CrawlRequest['options']),
    created_at: instant(run.createdAt),
    updated_at: instant(run.updatedAt),
    duration: run.endedAt === null ? null : duration(run.endedAt - run.createdAt),
    number_of_documents: run.kept,
    sitemap: hasSitemap(run) ? links.sign(baseUrl, sitemapPath(run.id)) : null,
    reason: run.reason,
    counts: {
      known: run.known,
      kept: run.kept,
      failed: run.failed,
      // With a run all its URLs have ended, also those that the engine has yet to mark (see `crawl-outcomes.ts`).
      settled: isTerminal(run.status) ? run.known : run.settled,
      pending: isTerminal(run.status) ? 0 : Math.max(0, run.known - run.settled),
    },
  }
}

/** Another API may have kept words of its own beside them. */
const shownOptions = ({ spider_options, page_options, plugin_options }: CrawlRequest['options']) => ({
  spider_options,
  page_options,
  plugin_options,
})

/**
 * A result's object as JSON text.
 *
 * @param result  JSON text of its `result`
 */
export function resultJson(page: PageRow, result: string): string {
  const { before, after } = aroundResult(page)
  return before + result + after
}

/** The same around a stored document, which is put in as the bytes that it is, never read and written again. */
export function resultBytes(page: PageRow, document: Uint8Array): Uint8Array[] {
  const { before, after } = aroundResult(page)
  return [Buffer.from(before), document, Buffer.from(after)]
}

function aroundResult({ id, url, title, createdAt, attachments = '[]' }: PageRow) {
  const at = JSON.stringify(instant(createdAt))
  return {
    before: `{"uuid":"${id}","url":${JSON.stringify(url)},"title":${JSON.stringify(title)},"result":`,
    after: `,"attachments":${attachments},"created_at":${at},"updated_at":${at}}`,
  }
}

/** The signed link to a result's document, as JSON text. */
export const resultLink = (runId: string, page: PageRow, links: FileLinks, baseUrl: string): string =>
  JSON.stringify(links.sign(baseUrl, resultPath(runId, page.id)))
