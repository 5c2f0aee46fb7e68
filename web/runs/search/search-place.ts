/** The state of the search screen in the URL: source, query and filters. Pure. */
import { readOwnQuery, writeOwnQuery } from './own-query.ts'
import type { OwnQuery } from './own-query.ts'
import { readSearch, writeSearch } from './search-form.ts'
import type { SearchForm } from './search-form.ts'

export type SearchSource = 'web' | 'own'

/** Both sources share the query; each keeps its own filters. */
export type SearchPlace = {
  source: SearchSource
  web: SearchForm
  own: OwnQuery
  /** Id of the web search whose results are shown; '' without one. */
  run: string
}

/** Parses `?in=own&q=white+tea&site=docs.example`, or `?q=white+tea&run=<id>`. */
export function readPlace(search: string): SearchPlace {
  const given = new URLSearchParams(search)
  return {
    source: given.get('in') === 'own' ? 'own' : 'web',
    web: readSearch(given),
    own: readOwnQuery(given),
    run: given.get('run') ?? '',
  }
}

/** The URL's query without the question mark; '' for an empty web search. */
export function writePlace({ source, web, own, run }: SearchPlace): string {
  const pairs =
    source === 'own' ? [['in', 'own'] as [string, string], ...writeOwnQuery(own)] : [...writeSearch(web), ['run', run] as [string, string]]
  return new URLSearchParams(pairs.filter(([, value]) => value !== '')).toString()
}

/** The same state with another query, which both sources share. */
export const withQuery = (place: SearchPlace, query: string): SearchPlace => ({
  ...place,
  web: { ...place.web, query },
  own: { ...place.own, query },
})
