/** Fuzzy matching of a few typed letters. Pure. */

/** How well a text matches (higher is better), and the matched characters (code points). */
export type Match = { score: number; marks: readonly number[] }

const START_OF_TEXT = 100
const START_OF_WORD = 80
const INSIDE = 50
const SCATTERED = 10
/** Bonus for a scattered letter at the start of a word, or right after the previous one. */
const FITTING_LETTER = 4

/**
 * Finds each word of the query in a text, in any order: as a substring, best at the start of a word, else its letters in sequence. Ignores
 * case and accents. Of two equal matches the shorter text is better.
 *
 * @returns  null when a word is not found; an empty query matches everything equally
 */
export function fuzzyMatch(query: string, text: string): Match | null {
  const letters = Array.from(text, plain)
  const marks = new Set<number>()
  let score = 0
  for (const word of query.trim().split(/\s+/).filter(Boolean)) {
    const found = findWord(Array.from(word, plain), letters)
    if (found === null) return null
    score += found.score
    for (const mark of found.marks) marks.add(mark)
  }
  return { score: score - letters.length / 100, marks: [...marks].toSorted((a, b) => a - b) }
}

/** The matching items, best first; equal ones keep their order. */
export function ranked<T>(query: string, things: readonly T[], textOf: (thing: T) => string): { thing: T; match: Match }[] {
  const found = things.flatMap((thing) => {
    const match = fuzzyMatch(query, textOf(thing))
    return match === null ? [] : [{ thing, match }]
  })
  return query.trim() === '' ? found : found.toSorted((a, b) => b.match.score - a.match.score)
}

/** A letter without case and accent. */
const plain = (letter: string): string => letter.normalize('NFD')[0]?.toLowerCase()[0] ?? letter

const isStart = (letters: readonly string[], at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(letters[at - 1] ?? '')

function findWord(word: readonly string[], letters: readonly string[]): Match | null {
  const places = letters.flatMap((_, at) => (word.every((letter, index) => letters[at + index] === letter) ? [at] : []))
  const at = places.find((place) => isStart(letters, place)) ?? places[0]
  if (at === undefined) return scattered(word, letters)
  return { score: at === 0 ? START_OF_TEXT : isStart(letters, at) ? START_OF_WORD : INSIDE, marks: word.map((_, index) => at + index) }
}

/** The word's letters in sequence, each as early as possible. */
function scattered(word: readonly string[], letters: readonly string[]): Match | null {
  const marks: number[] = []
  let score = SCATTERED
  for (const letter of word) {
    const last = marks.at(-1) ?? -1
    const at = letters.indexOf(letter, last + 1)
    if (at < 0) return null
    if (at === last + 1 || isStart(letters, at)) score += FITTING_LETTER
    marks.push(at)
  }
  return { score: Math.min(score, INSIDE - 1), marks }
}
