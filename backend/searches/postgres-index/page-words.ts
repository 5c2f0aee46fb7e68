/**
 * Converts the words of a page for PostgreSQL's full text. The words are computed here, so that they are the same as in the index of an
 * embedded installation, in queries and in highlights, whatever text search configurations the server has.
 */
import type { PageText } from '../own-index/page-text.ts'
import { foldText, isUnspacedWord } from '../own-index/words/words.ts'

/** PostgreSQL has four weights: title, headings, URL and description, body. The search sets their values. */
const FIELDS: readonly (readonly [keyof PageText, string])[] = [
  ['title', 'A'],
  ['headings', 'B'],
  ['address', 'C'],
  ['description', 'C'],
  ['body', 'D'],
]
/** Source: postgresql.org/docs/current/textsearch-limitations.html: positions up to 16,383, at most 256 per word. */
const LAST_PLACE = 16_383
const MOST_PLACES = 255
/** A gap between two fields, so that no phrase matches across them. */
const GAP = 2
const SHORTEST_KNOWN = 3
const LONGEST_KNOWN = 30

/** @returns `vector`: a text that is cast to `tsvector`; `words`: candidates for corrections of misspelled words */
export function pageWords(text: PageText): { vector: string; words: Set<string> } {
  const places = new Map<string, string[]>()
  let place = 0
  for (const [field, weight] of FIELDS) {
    for (const word of foldText(text[field]).split(' ')) {
      if (word === '' || place >= LAST_PLACE) continue
      place += 1
      const known = places.get(word)
      if (known === undefined) places.set(word, [`${place}${weight}`])
      else if (known.length < MOST_PLACES) known.push(`${place}${weight}`)
    }
    place = Math.min(LAST_PLACE, place + GAP)
  }
  const vector = [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ')
  return { vector, words: new Set([...places.keys()].filter(isCorrection)) }
}

const isCorrection = (word: string) =>
  word.length >= SHORTEST_KNOWN && word.length <= LONGEST_KNOWN && !/^\d+$/.test(word) && !isUnspacedWord(word)
