/**
 * Which words are forms of one word, as "crawl", "crawls" and "crawling" are: those with one stem.
 *
 * Stems are found when a query is answered, not when a page is indexed. So the index has words as they are on the pages, and a phrase or a
 * name is found literally. Forms share their beginning, so only a small range of the sorted vocabulary is read.
 */
import type { ChosenWords } from './choose-words.ts'
import type { OwnQuery, Term } from '../read-query.ts'
import { hasStems, stemOf } from './stemmers.ts'
import { isUnspacedWord } from './words.ts'

/** A word of the pages, and on how many of them it is. */
export type KnownWord = { word: string; pages: number }

/** Shorter words have too many neighbours that only look like forms; longer ones are no words of a language. */
const SHORTEST = 3
const LONGEST = 30
/** Of a word, and of all words of a query: each costs a list of pages. The most frequent ones are searched for. */
const MOST_FORMS = 10
const MOST_FORMS_OF_QUERY = 40
/** A word of a question that is on so many pages decides nothing: its forms are not searched for. */
export const MANY_PAGES = 2000
/** A language counts if it has at least this part of the pages. */
const LEAST_PART = 0.2
/** How much another form of a word counts, of the word as it was written. */
export const FORM_WEIGHT = 0.8
/** The score of a word that fills a page is this times its weight: k1 + 1 of BM25. */
const MOST_OF_WORD = 2.2
const LETTERS = /^[\p{L}\p{M}]+$/u
/** Few words share more letters than this, so one letter less costs little. */
const LONG_BEGINNING = 4
const VOWEL = /[aeiouyаеиоуыэюя]$/u

/**
 * Endings by which forms of a word differ. The stemmers of these languages also remove endings that make another word: "university" has the
 * stem of "universe", "important" that of "import", "verträglich" that of "Vertrag".
 */
const INFLECTIONS: Readonly<Record<string, readonly RegExp[]>> = {
  // A final e alone makes another word: "past", "paste".
  en: [/^(?:|s|es|ed|d|ing|ings|ion|ions|ation|ations|y|ies|ied|ying|ly|ment|ments)$/, /^(?:e|s|es|ed|d|ing|ings|ion|ions|ation|ations)$/],
  de: [/^(?:|e|n|s|r|m|t|en|em|er|es|ern|et|st|te|ten|tet|test|end(?:e[mnrs]?)?|ung|ungen|in|innen)$/],
}
/** "stop" and "stopped": the last consonant is doubled before an ending that begins with a vowel. */
const DOUBLED = /^([bdfgklmnprtvz])(?=e|i)/
/** Stems may have lost the first letters of an ending: "migration" and "migrating" have one stem, and share "migrati". */
const MOST_SHARED = 2

/** Whether a term may be found in other forms: it is one word of letters, not quoted and no name. */
export const mayHaveForms = ({ isLiteral, words: [word = ''], words }: Term): boolean =>
  !isLiteral && words.length === 1 && word.length >= SHORTEST && word.length <= LONGEST && LETTERS.test(word) && !isUnspacedWord(word)

/**
 * The languages that forms are searched in.
 *
 * @param pages  on how many pages of a sample each language is
 */
export function languagesOfSample(pages: ReadonlyMap<string | null, number>): string[] {
  const all = [...pages].filter(([language]) => language !== null)
  const total = all.reduce((sum, [, count]) => sum + count, 0)
  return all.flatMap(([language, count]) => (count >= LEAST_PART * total && hasStems(language!) ? [language!] : []))
}

/** The range of a sorted vocabulary in which all forms of a word are, the end excluded; null if the word has no forms in these languages. */
export function rangeOfForms(word: string, languages: readonly string[]): [from: string, to: string] | null {
  const beginnings = languages.map((language) => {
    const shared = sharedLength(stemOf(word, language), word)
    // The last letter of a stem may be another one in the forms: "use" and "using", "journal" and "journaux".
    const mayDiffer = shared > LONG_BEGINNING || VOWEL.test(word.slice(0, shared))
    return Math.max(SHORTEST - 1, mayDiffer ? shared - 1 : shared)
  })
  if (beginnings.length === 0) return null
  const from = word.slice(0, Math.min(...beginnings))
  return [from, `${from}\u{10ffff}`]
}

/** Returns whether another folded word is a form of a word in one of the languages. */
export function formTest(word: string, languages: readonly string[]): (other: string) => boolean {
  const stems = languages.map((language) => [language, stemOf(word, language)] as const)
  return (other) =>
    other !== word &&
    other.length >= SHORTEST &&
    LETTERS.test(other) &&
    stems.some(([language, stem]) => mayBeInflections(word, other, language) && stemOf(other, language) === stem)
}

function mayBeInflections(one: string, other: string, language: string): boolean {
  const inflections = INFLECTIONS[language]
  if (inflections === undefined) return true
  const shared = sharedLength(one, other)
  return [0, 1, MOST_SHARED].some((fewer) => inflections.some((endings) => areInflections(one, other, shared - fewer, endings)))
}

function areInflections(one: string, other: string, shared: number, allowed: RegExp): boolean {
  if (shared < SHORTEST - 1) return false
  const last = one[shared - 1]!
  const endings = [one, other].map((word) => {
    const ending = word.slice(shared)
    return ending[0] === last ? ending.replace(DOUBLED, '') : ending
  })
  return endings.every((ending) => allowed.test(ending))
}

/** Of the forms of a word the most frequent ones. */
export const mostFrequent = (forms: readonly KnownWord[]): KnownWord[] =>
  forms.toSorted((one, other) => other.pages - one.pages).slice(0, MOST_FORMS)

/** The query with the forms of its words. */
export function withForms(query: OwnQuery, formsOf: ReadonlyMap<string, readonly KnownWord[]>): OwnQuery {
  const count = query.terms.filter(mayHaveForms).length
  const most = Math.max(1, Math.floor(MOST_FORMS_OF_QUERY / Math.max(1, count)))
  const terms = query.terms.map((term) => {
    const forms = mayHaveForms(term) ? (formsOf.get(term.words[0]!) ?? []).slice(0, most) : []
    return forms.length === 0 ? term : { ...term, forms: forms.map(({ word }) => word) }
  })
  return { ...query, terms }
}

/** The same words as they were written; the same object if none has forms. */
export function withoutForms(chosen: ChosenWords): ChosenWords {
  if (!allOf(chosen).some(({ forms }) => forms.length > 0)) return chosen
  const plain = (terms: readonly Term[]) => terms.map((term) => ({ ...term, forms: [] }))
  return { ...chosen, required: plain(chosen.required), oneOf: plain(chosen.oneOf), others: plain(chosen.others) }
}

const allOf = ({ oneOf, others, required }: ChosenWords) => [...required, ...oneOf, ...others]

/**
 * Returns what the forms of words add to the score of a page, from the score that BM25 gives them.
 *
 * BM25 counts each form as a word of its own, and rare words more than frequent ones. So two things are balanced: several forms on a page count
 * little more than one, and a page with a rare form does not precede pages with the word as it was written.
 *
 * @param pagesOf  the number of pages with a word
 * @param pages    the number of all pages
 */
export function formScore(chosen: ChosenWords, pagesOf: ReadonlyMap<string, number>, pages: number): (added: number) => number {
  let written = 0
  let heaviest = 0
  for (const { forms, words } of allOf(chosen)) {
    if (words.length > 1) continue
    const [own, ...others] = [words[0]!, ...forms].map((word) => wordWeight(pagesOf.get(word) ?? 0, pages))
    written += own!
    heaviest += Math.max(own!, ...others)
  }
  const most = MOST_OF_WORD * heaviest
  return (added) => (added <= 0 ? 0 : (FORM_WEIGHT * (written / heaviest) * most * added) / Math.hypot(most, added))
}

/** The weight that FTS5 gives a word. */
const wordWeight = (pagesWith: number, pages: number) => Math.max(1e-6, Math.log((pages - pagesWith + 0.5) / (pagesWith + 0.5)))

function sharedLength(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}
