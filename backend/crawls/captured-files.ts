/** All screenshots and PDFs of a crawl, in the order of its pages, read one after the other. */
import type { BlobStore } from '#backend/platform/blobs/blob-store.ts'
import type { Database } from '#backend/platform/database/database.ts'
import { attachmentKey } from './attachments.ts'
import type { ArchivedFile } from './crawl-archive.ts'

const ROWS_AT_ONCE = 100

/** Throws when a file's content is missing: an archive that looks complete must be complete. */
export async function* capturedFiles(database: Database, blobs: Pick<BlobStore, 'get'>, runNo: number): AsyncGenerator<ArchivedFile> {
  let after = { pageNo: -1, id: '' }
  for (;;) {
    const rows = await database
      .selectFrom('runBlob')
      .where('runNo', '=', runNo)
      .where('type', '!=', 'scrape')
      .where((of) => of.or([of.eb('pageNo', '>', after.pageNo), of.and([of.eb('pageNo', '=', after.pageNo), of.eb('id', '>', after.id)])]))
      .select(['id', 'pageNo', 'filename', 'createdAt'])
      .orderBy('pageNo')
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    for (const { createdAt, filename, id } of rows) {
      const found = await blobs.get(attachmentKey(runNo, id))
      if (found === null) throw new Error(`The content of attachment ${id} is missing.`)
      yield { filename, at: createdAt, content: found.content }
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}
