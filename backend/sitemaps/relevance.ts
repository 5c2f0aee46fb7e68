/** How well a URL matches search words. Pure. */

const MAX_WORDS = 32

/** The distinct words of a search, in lower case; empty without a search. */
export function wordsOf(search: string | null): string[] {
  const words =
    (search ?? '')
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
  return [...new Set(words)].slice(0, MAX_WORDS)
}

/**
 * The share of a URL's path that consists of the words: their occurrences, relative to its length; 0 without any. Percent-encoded words
 * count as decoded.
 */
export function relevance(url: string, words: readonly string[]): number {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return 0
  const path = decoded(url.slice(start)).toLowerCase().normalize('NFC')
  let covered = 0
  for (const word of words) for (let at = path.indexOf(word); at >= 0; at = path.indexOf(word, at + word.length)) covered += word.length
  return covered / path.length
}

function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    // Not UTF-8: it cannot contain a searched word.
    return path
  }
}
