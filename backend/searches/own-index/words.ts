/**
 * What a word is to the index: the same rule for pages, queries and highlights, so that they cannot disagree.
 *
 * Letters, marks and digits in a row are a word. Letter case and the accents of Latin, Greek and Cyrillic letters make no
 * difference, nor do the widths and ligatures that Unicode calls compatible. Scripts that put no blanks between words are taken
 * letter by letter: a phrase of such letters finds them side by side, wherever a dictionary would have cut.
 */

/** A word of a text, folded, and where it stands there. */
export type Word = { text: string; start: number; end: number }

/** Longer words are cut: they are keys and hashes, looked for by their beginning if at all. */
export const LONGEST_WORD = 64

const BETWEEN_ASCII = /[^a-z0-9]+/g
const BETWEEN = /[^\p{L}\p{N}\p{M}]+/gu
const WORD = /[\p{L}\p{N}\p{M}]+/gu
const NOT_ASCII = /[^\0-\x7f]/
const ACCENTS = /[\u0300-\u036f]/g
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]/gu
const TOO_LONG = new RegExp(`([^ ]{${LONGEST_WORD}})[^ ]+`, 'g')
/** Characters from here on may belong to a script without blanks: Thai is the first of them. */
const FIRST_UNSPACED = 0x0e00

/** The words of a text, folded, with one blank between them. Half as fast where it is not plain ASCII. */
export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return cut(text.toLowerCase().replace(BETWEEN_ASCII, ' '))
  // Signs go before the letters they would turn into: “Word™” is a word, not “wordtm”.
  const folded = text.replace(BETWEEN, ' ').normalize('NFKD').replace(ACCENTS, '').normalize('NFC').toLowerCase()
  return cut(folded.replace(UNSPACED, ' $& ').replace(BETWEEN, ' '))
}

const cut = (folded: string) => folded.trim().replace(TOO_LONG, '$1')

/** The words of a text with their places. Several words may share a place: one sign can stand for two of them. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const { 0: token, index } of text.matchAll(WORD)) {
    if (!NOT_ASCII.test(token)) words.push({ text: token.toLowerCase().slice(0, LONGEST_WORD), start: index, end: index + token.length })
    else for (const piece of pieces(token)) addFolded(words, piece.text, index + piece.at)
  }
  return words
}

function addFolded(words: Word[], piece: string, start: number) {
  for (const text of foldText(piece).split(' ')) if (text !== '') words.push({ text, start, end: start + piece.length })
}

/** A token cut before and after each letter of a script without blanks. A mark that follows such a letter stays with it. */
function* pieces(token: string): Generator<{ text: string; at: number }> {
  let from = 0
  let at = 0
  for (const letter of token) {
    const isUnspaced = letter.codePointAt(0)! >= FIRST_UNSPACED && isUnspacedLetter(letter)
    if (isUnspaced) {
      if (at > from) yield { text: token.slice(from, at), at: from }
      yield { text: letter, at }
      from = at + letter.length
    }
    at += letter.length
  }
  if (at > from) yield { text: token.slice(from, at), at: from }
}

function isUnspacedLetter(letter: string): boolean {
  UNSPACED.lastIndex = 0
  return UNSPACED.test(letter.normalize('NFKC'))
}

/** True for a word of one letter of a script without blanks: nothing can be misspelled in it. */
export const isUnspacedWord = (word: string) => word.codePointAt(0)! >= FIRST_UNSPACED && isUnspacedLetter(word)
