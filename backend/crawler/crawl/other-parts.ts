/** What the owner of one part of a crawl does with URLs of the other parts: it tells their owners, each once unless there is news. */
import { partOfUrl } from '#backend/store/run-parts.ts'
import type { RunPart, SentUrl } from '#backend/store/run-parts.ts'
import type { RunChanges } from '#backend/store/run-store.ts'
import { FOREIGN } from '#backend/crawler/frontier/known-urls.ts'
import type { KnownUrls } from '#backend/crawler/frontier/known-urls.ts'

const DEEPEST = 1_000_000

export type OtherParts = ReturnType<typeof createOtherParts>

export function createOtherParts({ known, part: { part, parts } }: { known: KnownUrls; part: RunPart }) {
  return { owns, isNews, tell }

  /** Whether a URL belongs to the own part. */
  function owns(url: string): boolean {
    return partOfUrl(url, parts) === part
  }

  /**
   * Whether the owner of a URL was told less: it lay deeper, or had no title.
   *
   * @param found  what the hot set holds of it
   */
  function isNews(found: number, depth: number, hasTitle: boolean): boolean {
    const told = FOREIGN - found
    return depth < told >> 1 || (hasTitle && (told & 1) === 0)
  }

  function tell(url: Omit<SentUrl, 'part'>, changes: RunChanges) {
    const hasTitle = url.title !== ''
    known.noteForeign(url.hi, url.lo, FOREIGN - (Math.min(url.depth, DEEPEST) * 2 + (hasTitle ? 1 : 0)))
    changes.mail ??= { sent: [], readTo: 0 }
    changes.mail.sent.push({ ...url, part: partOfUrl(url.url, parts) })
  }
}
