/** Which words of a page to highlight: the words of the query, and the words that the server has marked in the hit. Pure. */
import type { MarkedPart } from '#contract/own-pages.ts'

const PIECE = /(-?)(?:"([^"]*)"?(\*?)|(\S+))/g
const WORDS = /[\p{L}\p{N}\p{M}]+/gu
/** Scripts that write no spaces between words, and Korean, which writes endings to them: a match may start at any letter. */
const UNSPACED_LETTER =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]'
const UNSPACED = new RegExp(UNSPACED_LETTER, 'u')
const LETTER = '[\\p{L}\\p{N}\\p{M}]'
/** The edges of a word in other scripts: `Debianは` is a word and another one. */
const START = `(?:(?<!${LETTER})|(?<=${UNSPACED_LETTER}))`
const END = `(?:(?!${LETTER})|(?=${UNSPACED_LETTER}))`
/** A shorter prefix matches only whole words, as in the index. */
const SHORTEST_BEGINNING = 3

/**
 * A case-insensitive pattern for the matches in a text; null when there is nothing to highlight.
 *
 * @param query   as typed; its last word may be a prefix
 * @param marked  the parts of the hit's title and passages
 */
export function matchPattern(query: string, marked: readonly MarkedPart[]): RegExp | null {
  const sources = new Set<string>()
  const text = query.replace(/[“”„«»]/g, '"')
  for (const { 0: piece, 1: minus, 2: phrase, 3: star, 4: word = '', index } of text.matchAll(PIECE)) {
    if (minus === '-' || (phrase === undefined && /^site:./i.test(word))) continue
    const isLast = index + piece.length === text.length && !piece.endsWith('"')
    const source = sourceOf(phrase ?? word, isLast || (phrase === undefined ? word.endsWith('*') : star === '*'))
    if (source !== null) sources.add(source)
  }
  for (const part of marked) {
    const source = part.is_match ? sourceOf(part.text, false) : null
    if (source !== null) sources.add(source)
  }
  // The regular expression takes the first alternative that matches, so put longer ones first.
  const all = [...sources].toSorted((one, other) => other.length - one.length)
  return all.length === 0 ? null : new RegExp(all.join('|'), 'giu')
}

/** Matches these words in sequence, with any punctuation between them. Words contain only letters, marks and digits, so need no escaping. */
function sourceOf(text: string, isPrefix: boolean): string | null {
  const words = text.match(WORDS)
  if (words === null) return null
  const last = words.at(-1) ?? ''
  const row = words.join('[^\\p{L}\\p{N}\\p{M}]+')
  if (UNSPACED.test(text)) return row
  const rest = isPrefix && last.length >= SHORTEST_BEGINNING ? `(?:(?!${UNSPACED_LETTER})${LETTER})*` : ''
  return START + row + rest + END
}
