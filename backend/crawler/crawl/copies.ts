/** Recognises copies of pages that a crawl has kept: the same text, and the same name by the page's own word. */

/** Of the pages kept before the last this many, copies are stored again. */
const MOST_PAGES = 50_000

export type Copies = ReturnType<typeof createCopies>

/** Held in memory only: after a restart, copies of the pages before it are stored. */
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
