/** A crawl and its results in the API's format. */
import type { CrawlRequest } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { duration, instant } from '#backend/http/instants.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import type { Run } from '#backend/runs/run.ts'
import type { ArchiveFormat } from './crawl-archive.ts'

/** A result's row; `attachments` as JSON text, if any. */
export type PageRow = { no: number; id: string; url: string; title: string | null; createdAt: number; attachments?: string }

/** The path of the signed link to a crawl's sitemap. */
export const sitemapPath = (runId: string) => `/api/v1/files/crawls/${runId}/sitemap/json`

/** The path of the signed link to a result's document. */
export const resultPath = (runId: string, pageId: string) => `/api/v1/files/crawls/${runId}/results/${pageId}.json`

/** Whether a crawl's list of links is complete: the crawl has ended, and saw something besides the submitted URLs. */
export const hasSitemap = ({ status, kept, known, seedCount }: Run) => isTerminal(status) && (kept > 0 || known > seedCount)

/** The path of the signed link to a crawl's archive. */
export const archivePath = (runId: string, format: ArchiveFormat, withAttachments: boolean) =>
  `/api/v1/files/crawls/${runId}/archive/${format}${withAttachments ? '/attachments' : ''}`

/** The path of the signed link to an export of a crawl. */
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
      // When a run ends, all its URLs have ended, even those that the engine has yet to mark (see `crawl-outcomes.ts`).
      settled: isTerminal(run.status) ? run.known : run.settled,
      pending: isTerminal(run.status) ? 0 : Math.max(0, run.known - run.settled),
    },
  }
}

/** Drops what another API may have stored beside them. */
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

/** The same around a stored document, whose bytes are inserted without being parsed. */
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

/** The signed link to a result's document, as a JSON string. */
export const resultLink = (runId: string, page: PageRow, links: FileLinks, baseUrl: string): string =>
  JSON.stringify(links.sign(baseUrl, resultPath(runId, page.id)))
