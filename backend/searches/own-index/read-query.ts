/** Parses a query as people write it. Every text is a query: a part that is not understood is a word. */
import type { ChosenWords } from './words/choose-words.ts'
import { foldText } from './words/words.ts'

export type Term = {
  /** Folded words that must follow each other. */
  words: string[]
  /** Whether the last word is only the beginning of a word. */
  isPrefix: boolean
  /** Whether it is the beginning of a word that the user is still writing. */
  isUnfinished: boolean
  isExcluded: boolean
  /** Whether only the words as they are written match: those of a phrase, of an exclusion, of a given beginning, and of a name such as `useState`. */
  isLiteral: boolean
  /** Other words that match instead of its only word. */
  forms: readonly string[]
  /** Its position in the query. */
  start: number
  end: number
}

export type OwnQuery = { terms: Term[]; site: string | null }

/** Further terms are ignored: each costs a list of its own. */
const MOST_TERMS = 24
const MOST_WORDS = 48
/** Shorter beginnings count as whole words: too many words begin with them. */
const SHORTEST_PREFIX = 3

// A phrase, closed or not, or anything up to a space. A minus before it excludes it.
const PIECE = /(-?)(?:"([^"]*)(?:"(\*?)|$)|(\S+))/g
const NAME = /\p{Ll}\p{Lu}/u

/**
 * @param query     `words`, `"a phrase"`, `-excluded`, `begin*`, `site:example.com`
 * @param isTyping  the user is still writing the last word
 */
export function readQuery(query: string, { isTyping = false }: { isTyping?: boolean } = {}): OwnQuery {
  const terms: Term[] = []
  let site: string | null = null
  let left = MOST_WORDS
  for (const match of query.replace(/[“”„«»]/g, '"').matchAll(PIECE)) {
    const [piece, minus, phrase, star, word = ''] = match
    const named = phrase === undefined && minus === '' ? /^site:(.+)$/i.exec(word)?.[1] : undefined
    if (named !== undefined) {
      site = named
      continue
    }
    const start = match.index + minus!.length
    const folded = foldText(phrase ?? word)
    if (folded === '' || terms.length >= MOST_TERMS || left <= 0) continue
    const words = folded.split(' ').slice(0, left)
    left -= words.length
    const isStarred = phrase === undefined ? word.endsWith('*') : star === '*'
    const end = match.index + piece.length
    const isExcluded = minus === '-'
    const isLiteral = phrase !== undefined || isStarred || isExcluded || NAME.test(word)
    terms.push({ words, isPrefix: isStarred && isLong(words), isUnfinished: false, isExcluded, isLiteral, forms: [], start, end })
  }
  const last = terms.at(-1)
  if (isTyping && last && !last.isExcluded && last.end === query.length && !query.endsWith('"') && isLong(last.words)) {
    last.isUnfinished = !last.isPrefix
    last.isPrefix = true
  }
  return { terms, site }
}

const isLong = (words: string[]) => (words.at(-1) ?? '').length >= SHORTEST_PREFIX

/**
 * The chosen words in the language of the full-text index; null if no page can match.
 *
 * Words consist of letters, marks and digits only and are quoted: no part of a query can be read as an operator.
 */
export function matchExpression(chosen: ChosenWords): string | null {
  const needed = neededOf(chosen)
  return needed.length === 0 ? null : `(${needed.join(' AND ')})${without(chosen.excluded)}`
}

/**
 * The same for ranking: a page matches if it matches one of the expressions, and it never matches two.
 *
 * Two expressions, because BM25 would count a word twice that is in one expression twice.
 */
export function scoreExpressions(chosen: ChosenWords): string[] {
  const { excluded, others } = chosen
  const expression = matchExpression(chosen)
  if (expression === null) return []
  if (others.length === 0) return [expression]
  const all = neededOf(chosen).join(' AND ')
  return [`(${all} AND ${anyOf(others)})${without(excluded)}`, `(${all})${without([...others, ...excluded])}`]
}

/** Finds the pages of which the title, or any of the names, has all words that a page must have. */
export const namedExpression = (chosen: ChosenWords, where: keyof typeof COLUMNS) =>
  `(${COLUMNS[where]} : (${neededOf(chosen).join(' AND ')}))${without(chosen.excluded)}`

const COLUMNS = { title: '{title}', name: '{title headings description address}' }

const neededOf = ({ oneOf, required }: ChosenWords) => [...new Set(required.map(phraseOf)), ...(oneOf.length > 0 ? [anyOf(oneOf)] : [])]

const without = (terms: Term[]) => (terms.length > 0 ? ` NOT ${anyOf(terms)}` : '')

const anyOf = (terms: Term[]) => `(${[...new Set(terms.map(phraseOf))].join(' OR ')})`
function phraseOf({ forms, isPrefix, words }: Term): string {
  const phrase = `"${words.join(' ')}"${isPrefix ? ' *' : ''}`
  return forms.length === 0 ? phrase : `(${[phrase, ...forms.map((form) => `"${form}"`)].join(' OR ')})`
}

export const withoutTerms = (query: OwnQuery, terms: readonly Term[]): OwnQuery => ({
  ...query,
  terms: query.terms.filter((term) => !terms.includes(term)),
})

/** The query with the words at these positions replaced. */
export function withWords(query: string, replaced: ReadonlyMap<Term, string>): string {
  let out = ''
  let from = 0
  for (const [{ start, end }, word] of [...replaced].toSorted(([one], [other]) => one.start - other.start)) {
    out += query.slice(from, start) + word
    from = end
  }
  return out + query.slice(from)
}

/** A site as it was written: a host, its subdomains included, and the beginning of a path. Null when it is neither. */
export function readSite(text: string): { host: string; path: string } | null {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  if (url === null || url.hostname === '') return null
  const path = url.pathname.replace(/\/$/, '')
  return { host: url.hostname.replace(/^\*\./, '').replace(/^www\./, ''), path }
}
