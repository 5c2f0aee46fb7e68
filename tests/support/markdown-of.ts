import { readPage, type PageReading } from '#backend/crawler/page/read-page.ts'

/** The Markdown of a whole page. */
export function markdownOf(
  html: string,
  {
    contentType = 'text/html; charset=utf-8',
    htmlInMarkdown = false,
    url = 'https://site.example/d/p',
  }: { contentType?: string; htmlInMarkdown?: boolean; url?: string } = {},
): string {
  const page = readPage(
    { bytes: Buffer.from(html), contentType, status: 200, url },
    { includeHtml: false, onlyMainContent: false, htmlInMarkdown, includeTags: [], excludeTags: [] },
  ) as PageReading
  return page.markdown
}
