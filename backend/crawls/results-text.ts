/** A page of results with their documents, as JSON text: stored documents are inserted without being parsed. */
import type { CrawlPages } from './crawl-pages.ts'
import { resultBytes } from './present-crawl.ts'
import type { PageRow } from './present-crawl.ts'

/** @param head  the list's other fields; without it, the only result is not in a list */
export type ResultsPage = { head: { count: number; next: string | null; previous: string | null } | null; rows: PageRow[] }

/** In pieces of one read each, so that a hundred long documents are never in memory together. */
export async function* resultsText({ head, rows }: ResultsPage, pages: Pick<CrawlPages, 'documents'>): AsyncGenerator<string | Uint8Array> {
  if (head !== null) yield `${JSON.stringify(head).slice(0, -1)},"results":[`
  for await (const some of pages.documents(rows))
    for (const { document, row } of some) {
      if (row !== rows[0]) yield ','
      yield* resultBytes(row, document)
    }
  if (head !== null) yield ']}'
}
