/** Reads documents as a crawl does. */
import { readPage } from '#backend/crawler/page/read-page.ts'
import type { PageReading, PageRefusal } from '#backend/crawler/page/read-page.ts'

export async function readDocument(
  bytes: Uint8Array,
  { contentType = null, url = 'https://site.example/' }: { contentType?: string | null; url?: string } = {},
): Promise<PageReading | PageRefusal> {
  return readPage({ bytes, contentType, status: 200, url }, { includeHtml: false, onlyMainContent: true, includeTags: [], excludeTags: [] })
}

/** The Markdown of a document, or the reason why it is refused. */
export async function documentMarkdown(bytes: Uint8Array, contentType: string | null = null): Promise<string> {
  const answer = await readDocument(bytes, { contentType })
  return answer.kind === 'page' ? answer.markdown : answer.reason
}
