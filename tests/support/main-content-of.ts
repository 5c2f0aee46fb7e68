import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

/** The Markdown of a page's main content, with the defaults of a crawl. */
export function mainContentOf(html: string, url = 'https://site.example/docs/page'): string {
  return readMainContent(html, url).markdown
}

/** A page as a crawl with the defaults reads it. */
export function readMainContent(html: string, url = 'https://site.example/docs/page'): PageReading {
  return readPage(
    { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', status: 200, url },
    { includeHtml: false, onlyMainContent: true, articleFrame: true, includeTags: [], excludeTags: [] },
  ) as PageReading
}
