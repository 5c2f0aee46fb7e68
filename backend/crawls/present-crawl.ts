/** A crawl and its results in the API's format, and in its stream. */
import type { CrawlRequest } from '#contract/crawls.ts'
import { isTerminal } from '#contract/runs.ts'
import { duration, instant } from '#backend/http/instants.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import type { Run } from '#backend/runs/run.ts'
import type { ProgressSource } from '#backend/runs/tail.ts'
import type { AttachedRows } from './attachments.ts'
import type { ArchiveFormat } from './crawl-archive.ts'
import type { CrawlPages } from './crawl-pages.ts'

/** Most bytes of embedded documents per read: a slow reader keeps that much in memory. */
const BYTES_AT_ONCE = 1024 * 1024

/** A result's row; `attachments` as JSON text, if any. */
export type PageRow = { no: number; id: string; url: string; title: string | null; createdAt: number; attachments?: string }

/** The path of the signed link to a crawl's sitemap. */
const sitemapPath = (runId: string) => `/api/v1/files/crawls/${runId}/sitemap/json`

/** The path of the signed link to a result's document. */
const resultPath = (runId: string, pageId: string) => `/api/v1/files/crawls/${runId}/results/${pageId}.json`

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

/**
 * The content of a crawl's stream: the crawl's object and its results, documents embedded or linked.
 *
 * @param attached  adds attachments to rows of pages
 */
export function crawlSource({
  attached,
  baseUrl,
  links,
  pages,
  prefetched,
}: {
  attached: AttachedRows
  baseUrl: string
  links: FileLinks
  pages: CrawlPages
  prefetched: boolean
}): ProgressSource {
  return {
    state: (run) => JSON.stringify(presentCrawl(run, links, baseUrl)),
    ordinalAt: (run, seq) => pages.ordinalAt(run.no, seq, run.kept),
    async results(run, after, upTo, limit) {
      const rows = await attached(run, await pages.between(run.no, after, upTo, limit), baseUrl)
      const shown = prefetched ? await firstDocuments(rows) : rows.map((row) => ({ row, document: null }))
      return shown.map(({ document, row }) => ({
        seq: row.eventSeq,
        ordinal: row.ordinal,
        json: document === null ? resultJson(row, resultLink(run.id, row, links, baseUrl)) : resultBytes(row, document),
      }))
    },
  }

  async function firstDocuments<Row extends { no: number }>(rows: readonly Row[]): Promise<{ row: Row; document: Buffer }[]> {
    for await (const some of pages.documents(rows, BYTES_AT_ONCE)) return some
    return []
  }
}
