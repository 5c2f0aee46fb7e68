/** "Did you mean": suggests words of the team's own pages for a word that is on none of them and is spelled almost like them. */
import type { SqliteConnection } from '#backend/platform/database/sqlite.ts'
import { vocabularyTable } from './index-file.ts'
import { withWords } from './read-query.ts'
import type { OwnQuery, Term } from './read-query.ts'
import { isUnspacedWord } from './words/words.ts'

const SHORTEST = 3
const LONGEST = 30
/** Words of at least this length may have two mistakes. */
export const TWO_MISTAKES = 6
const CANDIDATES = 3
const LONGEST_MS = 150

/**
 * The query with its unknown words corrected; null when no word is unknown, nothing similar is known, or the corrected query would find
 * nothing.
 *
 * @param finds  whether a query finds anything with the same filters
 */
export function suggest({
  index,
  teamNo,
  query,
  text,
  deadline,
  now,
  finds,
}: {
  index: SqliteConnection
  teamNo: number
  query: OwnQuery
  text: string
  deadline: number
  now: () => number
  finds: (text: string) => boolean
}): string | null {
  const vocabulary = vocabularyTable(teamNo)
  // Reads only ranges of a sorted table of the team's own words.
  const between = index.prepare(`SELECT term, doc FROM ${vocabulary} WHERE term >= ? AND term < ?`).raw()
  const exact = index.prepare(`SELECT 1 FROM ${vocabulary} WHERE term = ?`)
  const known = index.prepare(`SELECT term, doc FROM ${vocabulary} WHERE term IN (SELECT value FROM json_each(?))`).raw()
  const until = Math.min(deadline, now() + LONGEST_MS)
  const unknown = query.terms.filter(isCorrectable).filter(({ words }) => exact.get(words[0]) === undefined)
  if (unknown.length === 0) return null
  const near = unknown.map((term) => ({ term, words: nearest(term.words[0]!) }))
  for (const corrected of corrections(text, near)) if (finds(corrected)) return corrected
  return null

  function nearest(word: string): string[] {
    const oneMistake = wordsNear(word)
    for (const words of oneMistake) {
      const found = known.all(JSON.stringify(words)) as [term: string, pages: number][]
      if (found.length > 0) return best(new Map(found.map(([term, pages]) => [term, { distance: 1, pages }])))
    }
    const most = word.length >= TWO_MISTAKES ? 2 : 1
    if (oneMistake.length > 0 && most === 1) return []
    const found = new Map<string, { distance: number; pages: number }>()
    for (const start of oneMistake.length > 0 ? longBeginnings(word) : beginnings(word)) {
      for (const row of between.iterate(start, `${start}\u{10ffff}`)) {
        const [term, pages] = row as [string, number]
        if (now() > until) return best(found)
        if (found.has(term) || Math.abs(term.length - word.length) > most) continue
        const distance = editDistance(word, term, most)
        if (distance <= most) found.set(term, { distance, pages })
      }
      if (isEnough(found, start, word)) break
    }
    return best(found)
  }
}

/**
 * The query with its best corrections, then with the next ones, each text once; none when a word has no correction.
 *
 * @param near  words like each unknown word, the best first
 */
export function* corrections(text: string, near: readonly { term: Term; words: readonly string[] }[]): Generator<string> {
  if (near.some(({ words }) => words.length === 0)) return
  const most = Math.max(...near.map(({ words }) => words.length))
  for (let place = 0; place < Math.min(CANDIDATES, most); place += 1)
    yield withWords(text, new Map(near.map(({ term, words }) => [term, words[Math.min(place, words.length - 1)]!])))
}

/** Whether no further words are read: a better word with another beginning is rare, and searching for it takes long. */
export const isEnough = (found: ReadonlyMap<string, unknown>, start: string, word: string) =>
  found.size > 0 && (start.length <= 2 || word.startsWith(start))

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')

/**
 * All words that differ from a word by one mistake: those with the same first two letters, then the others. To look them up takes a third of the
 * time of reading all words with the same beginning. None if a word has other letters than those of ASCII.
 */
export function wordsNear(word: string): string[][] {
  if (!/^[a-z]+$/.test(word)) return []
  const near = new Set<string>()
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    near.add(before + after.slice(1))
    if (after.length > 1) near.add(before + after[1]! + after[0]! + after.slice(2))
    for (const letter of LETTERS) near.add(before + letter + after).add(before + letter + after.slice(1))
  }
  near.delete(word)
  const start = word.slice(0, 2)
  const all = [...near]
  return [all.filter((one) => one.startsWith(start)), all.filter((one) => !one.startsWith(start))]
}

/** Beginnings of words with two mistakes, for a word that has none with one mistake: few words have the longer ones. */
export function longBeginnings(word: string): string[] {
  const lengths = [word.length - 2, 4].filter((length) => length > 2 && length < word.length)
  return [...new Set([...lengths.toSorted((one, other) => other - one).map((length) => word.slice(0, length)), ...beginnings(word)])]
}

/** A word of which other forms are on pages is not misspelled. */
export function isCorrectable({ forms, words, isExcluded }: Term): boolean {
  const [word = ''] = words
  return (
    words.length === 1 &&
    forms.length === 0 &&
    !isExcluded &&
    word.length >= SHORTEST &&
    word.length <= LONGEST &&
    !isUnspacedWord(word) &&
    !/^\d+$/.test(word)
  )
}

/** Prefixes of similar words: most mistakes are after the second letter; then come swapped, missing and superfluous first letters. */
export function beginnings(word: string): string[] {
  const [first = '', second = '', third = ''] = word
  return [...new Set([first + second, second + first, second + third, first + third, first, second])].filter(Boolean)
}

export const best = (found: Map<string, { distance: number; pages: number }>) =>
  [...found]
    .toSorted(([, one], [, other]) => one.distance - other.distance || other.pages - one.pages)
    .slice(0, CANDIDATES)
    .map(([word]) => word)

/**
 * The number of letters that were left out, inserted, changed, or swapped with their neighbour; more than `most` is returned as `most + 1`.
 * The restricted Damerau–Levenshtein distance.
 */
export function editDistance(one: string, other: string, most: number): number {
  let before: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      let least = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, before[column - 2]! + 1)
      current.push(least)
    }
    if (Math.min(...current) > most) return most + 1
    before = previous
    previous = current
  }
  return Math.min(previous[other.length]!, most + 1)
}
