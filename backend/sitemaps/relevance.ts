/** How well an address answers to some words. Pure. */

const MAX_WORDS = 32

/** The distinct words of a search, in lower case; none when nothing is searched. */
export function wordsOf(search: string | null): string[] {
  const words =
    (search ?? '')
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
  return [...new Set(words)].slice(0, MAX_WORDS)
}

/**
 * Share of an address's path that the words make up: how often they stand in it, against how long it is. 0 when none of them does.
 * What is percent-encoded is read as what it means.
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
    // Bytes of another encoding mean nothing that could be searched.
    return path
  }
}
