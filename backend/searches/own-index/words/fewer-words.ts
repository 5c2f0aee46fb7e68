/**
 * What to search when no page matches a query: the same query without the words that are on no page, then without the most frequent word, then
 * without the two most frequent ones, and so on.
 */
import { pagesWith, singleWords } from './choose-words.ts'
import { withoutTerms } from '../read-query.ts'
import type { OwnQuery, Term } from '../read-query.ts'

/**
 * @param pagesOf  the number of pages with a word
 * @returns  at least one term is left in each query
 */
export function* fewerWords(query: OwnQuery, pagesOf: ReadonlyMap<string, number>): Generator<{ query: OwnQuery; ignored: Term[] }> {
  const pages = (term: Term) => pagesWith(term, pagesOf) || Infinity
  const order = singleWords(query).toSorted((one, other) => (pages(one) === pages(other) ? 0 : pages(other) - pages(one)))
  const unknown = order.filter((term) => pages(term) === Infinity).length
  const wanted = query.terms.filter(({ isExcluded }) => !isExcluded).length
  for (let count = Math.max(1, unknown); count <= Math.min(order.length, wanted - 1); count += 1) {
    const ignored = order.slice(0, count)
    yield { query: withoutTerms(query, ignored), ignored }
  }
}

/** The ignored terms as they were typed, in their order. */
export const typed = (text: string, ignored: readonly Term[]) =>
  ignored.toSorted((one, other) => one.start - other.start).map(({ end, start }) => text.slice(start, end))
