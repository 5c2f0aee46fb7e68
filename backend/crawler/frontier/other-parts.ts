/** Passes URLs that belong to other parts of a crawl on to their owners: each once, and again only when there is news. */
import { partOfUrl } from '#backend/store/run-parts.ts'
import type { RunPart, SentUrl } from '#backend/store/run-parts.ts'
import type { RunChanges } from '#backend/store/run-store.ts'
import { FOREIGN } from './known-urls.ts'
import type { KnownUrls } from './known-urls.ts'

const DEEPEST = 1_000_000

export type OtherParts = ReturnType<typeof createOtherParts>

export function createOtherParts({ known, part: { part, parts } }: { known: KnownUrls; part: RunPart }) {
  return { owns, isNews, tell }

  /** Whether a URL belongs to this part. */
  function owns(url: string): boolean {
    return partOfUrl(url, parts) === part
  }

  /**
   * Whether the owner of a URL has yet to learn of its smaller depth, or of its title.
   *
   * @param found  the hot set's entry of the URL
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
