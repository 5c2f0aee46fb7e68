/**
 * The words of a page as PostgreSQL's full text keeps them, made here: words are what they are to the index of an embedded installation,
 * to queries and to highlights, whatever configurations for text search a server has.
 */
import type { PageText } from '../own-index/page-text.ts'
import { foldText, isUnspacedWord } from '../own-index/words.ts'

/** PostgreSQL has four weights: title, headings, address and description, body. Their values are in the search. */
const FIELDS: readonly (readonly [keyof PageText, string])[] = [
  ['title', 'A'],
  ['headings', 'B'],
  ['address', 'C'],
  ['description', 'C'],
  ['body', 'D'],
]
/** Source: postgresql.org/docs/current/textsearch-limitations.html: places up to 16,383, at most 256 of a word. */
const LAST_PLACE = 16_383
const MOST_PLACES = 255
/** No phrase goes from one field to the next. */
const GAP = 2
const SHORTEST_KNOWN = 3
const LONGEST_KNOWN = 30

/** @returns `vector`: a text that is cast to `tsvector`; `words`: those that a misspelled word may be corrected to */
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
