/**
 * Chooses the words of a query that a page must have. With one or two terms it must have all of them. Longer queries are often sentences,
 * and the best page for "how do I create a partial index" has neither "how" nor "I". So of their words a page must have one of the rarest,
 * and the others only raise its rank.
 */
import type { OwnQuery, Term } from '../read-query.ts'

export type ChosenWords = {
  /** A page must have each of them. */
  required: Term[]
  /** If there are any, a page must have one of them. */
  oneOf: Term[]
  /** They only raise the rank. The rarest come first. */
  others: Term[]
  excluded: Term[]
}

/** Queries with more wanted terms are long. */
const MOST_REQUIRED = 2
/**
 * The part of the weight of all words that the words which are not in `oneOf` stay below. Measured with 58 questions to 1,386 pages of
 * PostgreSQL's and Git's documentation: at 0.6 the right page is among the first ten for 97 % of them, as when one word of any is enough, with a
 * median of 104 matches instead of 1,302; 91 % at 0.7; 67 % if all words are required.
 */
const REST = 0.6
/** Words on more than this part of the pages do not change the rank: BM25 gives them no weight. */
const FREQUENT = 0.5

const wantedOf = ({ terms }: OwnQuery) => terms.filter(({ isExcluded }) => !isExcluded)

export const isLong = (query: OwnQuery) => wantedOf(query).length > MOST_REQUIRED

/** The terms that are single words, also one that is still being written. */
export const singleWords = ({ terms }: OwnQuery) =>
  terms.filter(({ isExcluded, isPrefix, isUnfinished, words }) => !isExcluded && (!isPrefix || isUnfinished) && words.length === 1)

/** On how many pages a single word or one of its forms is, at least: most pages with a form have the most frequent one. */
export const pagesWith = ({ forms, words }: Term, pagesOf: ReadonlyMap<string, number>): number =>
  Math.max(...[words[0]!, ...forms].map((word) => pagesOf.get(word) ?? 0))

/** The single words that are on no page, except one that is still being written. */
export const unknownWords = (query: OwnQuery, pagesOf: ReadonlyMap<string, number>) =>
  singleWords(query).filter((term) => !term.isUnfinished && pagesWith(term, pagesOf) === 0)

export const allRequired = (query: OwnQuery): ChosenWords => ({
  required: wantedOf(query),
  oneOf: [],
  others: [],
  excluded: query.terms.filter(({ isExcluded }) => isExcluded),
})

/**
 * Chooses for a query: of a short one a page must have all words, of a long one one of the rarest.
 *
 * @param query    each of its finished words is on a page
 * @param pagesOf  the number of pages with a word
 * @param pages    the number of all pages
 * @param most     the most pages that may be ranked: if each word is on more of them, a page must have all words
 */
export function chooseWords(query: OwnQuery, pagesOf: ReadonlyMap<string, number>, pages: number, most: number): ChosenWords {
  const all = allRequired(query)
  const single = singleWords(query)
  const weighed = single.map((term) => {
    const count = pagesWith(term, pagesOf)
    return { term, count, weight: weightOf(count, pages) }
  })
  weighed.sort((one, other) => other.weight - one.weight)
  // Of an unfinished word nobody knows how rare it will be, unless it is a word already.
  const known = weighed.filter(({ count }) => count > 0)
  const needed = rarest(known, most)
  if (!isLong(query) || needed === 0) return all
  const oneOf = known.slice(0, needed).map(({ term }) => term)
  const helpful = weighed.filter(({ count }) => count <= FREQUENT * pages).map(({ term }) => term)
  return {
    required: all.required.filter((term) => !single.includes(term)),
    oneOf,
    others: helpful.filter((term) => !oneOf.includes(term)),
    excluded: all.excluded,
  }
}

/** A page must have one of all words that help, for a search within a site, a crawl and the like: the rarest words may be on other pages only. */
export const anyOfThem = (chosen: ChosenWords): ChosenWords => ({ ...chosen, oneOf: [...chosen.oneOf, ...chosen.others], others: [] })

/** How many of the words, the rarest first, a page must have one of. Words of one weight belong together. */
function rarest(words: readonly { count: number; weight: number }[], most: number): number {
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  let rest = total
  let ranked = 0
  for (const [at, { count, weight }] of words.entries()) {
    ranked += count
    if (ranked > most || (rest < REST * total && weight !== words[at - 1]?.weight)) return at
    rest -= weight
  }
  return words.length
}

/** The weights of the terms of a long query: phrases and beginnings of words weigh as much as the rarest word. */
export function termWeights(query: OwnQuery, pagesOf: ReadonlyMap<string, number>, pages: number): Map<Term, number> {
  const single = new Map(singleWords(query).map((term) => [term, weightOf(pagesWith(term, pagesOf), pages)]))
  const heaviest = Math.max(0, ...single.values())
  return new Map(wantedOf(query).map((term) => [term, single.get(term) ?? heaviest]))
}

/** The weight of a word in BM25, from the number of pages with it: never negative. */
const weightOf = (pagesWith: number, pages: number) => Math.log(1 + (Math.max(0, pages - pagesWith) + 0.5) / (pagesWith + 0.5))

/** No more pages can match than this, by the number of pages with each word; infinite if nothing is known. */
export function mostMatches({ oneOf, required }: ChosenWords, pagesOf: ReadonlyMap<string, number>): number {
  const most = ({ forms, isPrefix, words }: Term) =>
    isPrefix || words.length > 1 ? Infinity : [...words, ...forms].reduce((sum, word) => sum + (pagesOf.get(word) ?? Infinity), 0)
  const any = oneOf.length === 0 ? Infinity : oneOf.reduce((sum, term) => sum + most(term), 0)
  return Math.min(any, ...required.map(most))
}
