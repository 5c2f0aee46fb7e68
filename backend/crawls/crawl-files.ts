/** Files about a whole crawl, in pieces: its archive, exports, its list of links in three forms, a page of its results with documents. */
import type { Database } from '#backend/platform/database/database.ts'
import type { Pieces } from '#backend/platform/database/readers.ts'
import { whileStored } from '#backend/runs/while-stored.ts'
import { jsonList, markdownList, siteTree } from '#backend/sitemaps/site-texts.ts'
import { crawlArchive } from './crawl-archive.ts'
import type { ArchiveFormat, ArchiveRun } from './crawl-archive.ts'
import { openBlobs } from '#backend/platform/blobs/open-blobs.ts'
import type { BlobPlace } from '#backend/platform/blobs/open-blobs.ts'
import { capturedFiles } from './captured-files.ts'
import { createCrawlExports } from './crawl-exports.ts'
import type { ExportContent, ExportFormat, ExportedRun } from './crawl-exports.ts'
import { createCrawlOutcomes } from './crawl-outcomes.ts'
import { createCrawlPages } from './crawl-pages.ts'
import { createCrawlSitemap, toSitePage } from './crawl-sitemap.ts'
import type { ListedRun } from './crawl-sitemap.ts'
import { extractionFile, extractionList } from './extraction-files.ts'
import type { ExtractionFormat } from './extraction-files.ts'
import { resultsText } from './results-text.ts'
import type { ResultsPage } from './results-text.ts'

export type CrawlFiles = ReturnType<typeof createCrawlFiles>

export function createCrawlFiles(database: Database) {
  const pages = createCrawlPages({ database })
  const sitemap = createCrawlSitemap({ database })
  const exportOf = createCrawlExports({ database, outcomes: createCrawlOutcomes({ database }), pages })
  return {
    /** @param blobs  where captured files are, to include them */
    archive: (format: ArchiveFormat, run: ArchiveRun, blobs: BlobPlace | null) =>
      whole(
        run,
        crawlArchive({ format, pages, run, attachments: blobs === null ? null : capturedFiles(database, openBlobs(blobs), run.no) }),
      ),
    exported: (run: ExportedRun, content: ExportContent, format: ExportFormat) => whole(run, exportOf(run, content, format)),
    /** `[{ "url", "title" }]`. */
    list: (run: ListedRun) =>
      whole(
        run,
        jsonList(sitemap.read(run), (page) => page),
      ),
    /** The nested tree of hosts and paths. */
    tree: (run: ListedRun) => whole(run, siteTree(sitePages(run))),
    markdown: (run: ListedRun, form: { asJson: boolean }) => whole(run, markdownList(sitePages(run), form)),
    results: (page: ResultsPage) => resultsText(page, pages),
    extractions: (format: ExtractionFormat, run: ArchiveRun) => whole(run, extractionFile(format, pages, run)),
    extractionList: (page: Parameters<typeof extractionList>[0]) => extractionList(page, pages),
  }

  function whole({ no }: { no: number }, pieces: Pieces): Pieces {
    return whileStored(database, no, pieces)
  }

  async function* sitePages(run: ListedRun) {
    for await (const batch of sitemap.read(run)) yield batch.map(toSitePage)
  }
}
