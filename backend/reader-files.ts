/** The files that reader threads produce, by the names for `Readers.files`. */
import { createCrawlFiles } from './crawls/crawl-files.ts'
import type { Database } from './platform/database/database.ts'
import type { Files } from './platform/database/readers.ts'
import { createSiteFiles } from './sitemaps/site-files.ts'

export const READER_FILES: Record<string, (database: Database) => Files> = {
  crawls: createCrawlFiles,
  sitemaps: createSiteFiles,
}
