/** Recognises copies: pages with the text and the canonical URL of a page that the crawl has stored. */

/** How many stored pages are remembered, the latest ones. A copy of an earlier page is stored. */
const MOST_PAGES = 50_000

export type Copies = ReturnType<typeof createCopies>

/** In memory, for one engine: it does not recognise copies of pages stored before a restart, or by another engine of a divided run. */
export function createCopies() {
  const kept = new Set<number>()
  return {
    has: (key: number) => kept.has(key),
    add(key: number) {
      kept.add(key)
      if (kept.size > MOST_PAGES) kept.delete(kept.keys().next().value!)
    },
  }
}
