/** All stored results of a crawl, in groups, for its archives. */
import type { Run } from '#backend/runs/run.ts'
import type { CrawlPages, NumberedPage } from './crawl-pages.ts'

export type StoredNeeds = { pages: Pick<CrawlPages, 'between' | 'documents'>; run: Pick<Run, 'no' | 'kept'> }

const ENTRIES_AT_ONCE = 100
/** Unpacked bytes per read. */
const BYTES_AT_ONCE = 1024 * 1024
const NULL = Buffer.from('null')

/** All results with their documents as JSON text. Throws when a document is missing: a file that looks complete must be complete. */
export async function* storedDocuments({ pages, run }: StoredNeeds): AsyncGenerator<{ page: NumberedPage; document: Buffer }> {
  for (let after = 0; after < run.kept;) {
    const group = await pages.between(run.no, after, run.kept, ENTRIES_AT_ONCE)
    if (group.length === 0) return
    for await (const some of pages.documents(group, BYTES_AT_ONCE))
      for (const { document, row: page } of some) {
        if (document.equals(NULL)) throw new Error(`The document of result ${page.id} is missing.`)
        yield { page, document }
      }
    after = group.at(-1)?.ordinal ?? run.kept
  }
}
