/** Downloads of a whole sitemap, in pieces. */
import type { SitePage } from '#contract/sitemaps.ts'
import type { Database } from '#backend/platform/database/database.ts'
import type { Pieces } from '#backend/platform/database/readers.ts'
import { whileStored } from '#backend/runs/while-stored.ts'
import { jsonList, markdownList, siteTree } from './site-texts.ts'
import { createSitemapUrls } from './sitemap-urls.ts'
import type { Span } from './sitemap-urls.ts'
import { urlsetXml } from './xml-sitemap.ts'

export type SiteFiles = ReturnType<typeof createSiteFiles>

export function createSiteFiles(database: Database) {
  const urls = createSitemapUrls({ database })
  return {
    list: (runNo: number) =>
      whole(
        runNo,
        jsonList(urls.read(runNo), ({ url }) => url),
      ),
    tree: (runNo: number) => whole(runNo, siteTree(pages(runNo))),
    markdown: (runNo: number, form: { asJson: boolean }) => whole(runNo, markdownList(pages(runNo), form)),
    /** One file of the sitemaps protocol. */
    urlset: (runNo: number, span: Span) => whole(runNo, urlsetXml(urls.read(runNo, span))),
  }

  function whole(runNo: number, pieces: Pieces): Pieces {
    return whileStored(database, runNo, pieces)
  }

  async function* pages(runNo: number): AsyncGenerator<SitePage[]> {
    for await (const batch of urls.read(runNo)) yield batch.map(({ url }) => ({ url }))
  }
}
