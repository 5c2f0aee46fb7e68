/**
 * What counts as a word in the index: one rule for pages, queries and highlights, so that they always agree.
 *
 * A word is a run of letters, marks and digits. These make no difference: letter case; accents of Latin, Greek and Cyrillic letters; vowel
 * signs and letter variants that people leave out or type differently in Arabic, Persian and Hebrew; digits of other scripts; widths and
 * ligatures that Unicode calls compatible; characters that are not shown. In scripts without spaces each letter is a word: a phrase of such
 * letters finds them next to each other, wherever a dictionary would have separated words.
 */

/** A folded word of a text, and its position there. */
export type Word = { text: string; start: number; end: number }

/** Longer words are cut: they are keys and hashes, which people search by their beginning. */
const LONGEST_WORD = 64

const BETWEEN_ASCII = /[^a-z0-9]+/g
/** Characters that are not shown, such as a soft hyphen, belong to the word. Letters that serve as apostrophes, as in Ukrainian, do not. */
const BETWEEN = /[^[\p{L}\p{N}\p{M}\p{DI}]--[\u02b9-\u02bf]]+/gv
const WORD = /[[\p{L}\p{N}\p{M}\p{DI}]--[\u02b9-\u02bf]]+/gv
const NOT_ASCII = /[^\0-\x7f]/
/** In Persian a non-joiner stands between the parts of a word that many people write with a space. */
const PARTS_WORD = /(?<=[\u0620-\u06ff])\u200c/g
/** Accents, Hebrew points, Arabic vowel signs and the stretching of letters, keycaps; characters that are not shown. */
const LEFT_OUT = /[\p{DI}\u20e3\u0640[\p{M}&&[\u0300-\u036f\u0590-\u06ff]]]/gv
/** Letters that are written in several ways and that Unicode does not decompose. */
const VARIANTS = new Map(
  'ßss æae œoe øo łl đd ðd þth ħh ŧt ıi ىي یي ېي کك ګك ہه ەه ةه ھه'.split(' ').map(([letter, ...plain]) => [letter!, plain.join('')]),
)
const VARIANT = /[ßæœøłđðþħŧıىیېکګہەةھ[\p{Nd}--[0-9]]]/gv
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々〆]/gu
const TOO_LONG = new RegExp(`([^ ]{${LONGEST_WORD}})[^ ]+`, 'g')
const BEYOND_ASCII = /[^\0-\x7f]/g
const BLANK = /[ \n]/g
const LONG_WORD = new RegExp(`([A-Za-z0-9\\x80-\\uffff]{${LONGEST_WORD}})[A-Za-z0-9\\x80-\\uffff]+`, 'g')
/** Characters from here on may belong to a script without spaces: Thai is the first of these. */
const FIRST_UNSPACED = 0x0e00

/** The words of a text, folded, separated by one space. Half as fast for text beyond ASCII. */
export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return cut(text.toLowerCase().replace(BETWEEN_ASCII, ' '))
  // Symbols are removed before they would turn into letters: “Word™” is a word, not “wordtm”.
  const parted = text.replace(BETWEEN, ' ').replace(PARTS_WORD, ' ')
  const folded = parted.normalize('NFKD').replace(LEFT_OUT, '').normalize('NFC').toLowerCase()
  return cut(folded.replace(VARIANT, plainOf).replace(UNSPACED, ' $& ').replace(BETWEEN, ' '))
}

const plainOf = (letter: string) => VARIANTS.get(letter) ?? digitOf(letter)

const DIGIT = /\p{Nd}/u

/** The ASCII digit of a digit of another script: the ten of a script stand in their order. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}

/**
 * A text in which the tokenizer of the index (`ascii`) finds the words of `foldText`, at a tenth of the cost: the tokenizer handles letter
 * case and punctuation of ASCII itself, so only characters beyond ASCII are folded here, and words that are too long are cut.
 */
export function foldForIndex(text: string): string {
  return cutLongWords(NOT_ASCII.test(text) ? foldBeyondAscii(text) : text)
}

/** Folds each run of words with letters beyond ASCII. The text between the runs is not changed. */
function foldBeyondAscii(text: string): string {
  let out = ''
  let done = 0
  BEYOND_ASCII.lastIndex = 0
  for (let found = BEYOND_ASCII.exec(text); found !== null; found = BEYOND_ASCII.exec(text)) {
    let from = found.index
    while (from > done && !isBlank(text.charCodeAt(from - 1))) from -= 1
    let to = from
    // The next word belongs to the run if it begins beyond ASCII: texts of other scripts are folded in long pieces.
    do {
      BLANK.lastIndex = Math.max(to + 1, found.index)
      to = BLANK.exec(text)?.index ?? text.length
    } while (to < text.length && text.charCodeAt(to + 1) > 0x7f)
    out += `${text.slice(done, from)}${foldText(text.slice(from, to))}`
    done = to
    BEYOND_ASCII.lastIndex = to
  }
  return out + text.slice(done)
}

const isBlank = (code: number) => code === 0x20 || code === 0x0a

/** A word that is too long includes a position that is a multiple of `LONGEST_WORD`: only those are checked. */
function cutLongWords(text: string): string {
  for (let at = LONGEST_WORD; at < text.length; at += LONGEST_WORD) {
    if (!isWordCode(text.charCodeAt(at))) continue
    let from = at
    while (from > at - LONGEST_WORD && isWordCode(text.charCodeAt(from - 1))) from -= 1
    let to = at + 1
    while (to <= from + LONGEST_WORD && to < text.length && isWordCode(text.charCodeAt(to))) to += 1
    if (to - from > LONGEST_WORD) return text.replace(LONG_WORD, '$1')
  }
  return text
}

/** Word characters of the tokenizer: ASCII letters and digits, and everything beyond ASCII. */
const isWordCode = (code: number) =>
  code > 0x7f || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)

const cut = (folded: string) => folded.trim().replace(TOO_LONG, '$1')

/** The words of a text with their positions. Several words may share a position: one character can mean two of them. */
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

/** What belongs to the letter before it: the voicing marks of kana, the second and third part of a Hangul syllable, and what is not shown. */
const JOINS_LETTER = /[\u3099\u309a\uff9e\uff9f\u1160-\u11ff\p{DI}]/u

/** Cuts a token before and after each letter of a script without spaces. */
function* pieces(token: string): Generator<{ text: string; at: number }> {
  let from = 0
  let at = 0
  let isLetter = false
  for (const letter of token) {
    const isUnspaced = letter.codePointAt(0)! >= FIRST_UNSPACED && !JOINS_LETTER.test(letter) && isUnspacedLetter(letter)
    if (at > from && (isUnspaced || (isLetter && !JOINS_LETTER.test(letter)))) {
      yield { text: token.slice(from, at), at: from }
      from = at
      isLetter = false
    }
    isLetter ||= isUnspaced
    at += letter.length
  }
  if (at > from) yield { text: token.slice(from, at), at: from }
}

function isUnspacedLetter(letter: string): boolean {
  UNSPACED.lastIndex = 0
  return UNSPACED.test(letter.normalize('NFKC'))
}

/** Is it a word of one letter of a script without spaces? Such a word cannot be misspelled. */
export const isUnspacedWord = (word: string) => word.codePointAt(0)! >= FIRST_UNSPACED && isUnspacedLetter(word)
