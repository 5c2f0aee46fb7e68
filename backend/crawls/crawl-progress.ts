/** The source of a crawl's event stream: the crawl's object and its results, with documents embedded or linked. */
import type { FileLinks } from '#backend/http/file-links.ts'
import type { ProgressSource } from '#backend/runs/tail.ts'
import type { AttachedRows } from './attachments.ts'
import type { CrawlPages } from './crawl-pages.ts'
import { presentCrawl, resultBytes, resultJson, resultLink } from './present-crawl.ts'

/** Most bytes of embedded documents per read: a slow reader keeps that much in memory. */
const BYTES_AT_ONCE = 1024 * 1024

/** @param attached  adds attachments to rows of pages */
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
      const documents = prefetched ? await firstDocuments(rows.map(({ no }) => no)) : null
      const ready = documents === null ? rows : rows.slice(0, documents.length)
      return ready.map((row, at) => ({
        seq: row.eventSeq,
        ordinal: row.ordinal,
        json: documents?.[at] ? resultBytes(row, documents[at]) : resultJson(row, resultLink(run.id, row, links, baseUrl)),
      }))
    },
  }

  async function firstDocuments(nos: number[]): Promise<Buffer[]> {
    for await (const documents of pages.documents(nos, BYTES_AT_ONCE)) return documents
    return []
  }
}
