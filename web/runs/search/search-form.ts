/** The form of a web search: its values, its request and URL, its price. Pure. */
import { DEFAULT_RESULT_LIMIT, MAX_QUERY, MAX_RESULT_LIMIT, SEARCH_DEPTHS, SEARCH_TYPES, TIME_RANGES } from '#contract/searches.ts'
import type { SearchDepth, SearchRequest, TimeRange } from '#contract/searches.ts'
import * as t from '#texts/search.ts'
import { countryName, languageName } from './locales.ts'

export type SearchForm = {
  query: string
  /** Codes; '' is any. */
  language: string
  country: string
  time_range: TimeRange
  /** `null` while the box is empty, `NaN` for an invalid number. */
  result_limit: number | null
  depth: SearchDepth
}

export const DEFAULT_FORM: SearchForm = {
  query: '',
  language: '',
  country: '',
  time_range: 'any',
  result_limit: DEFAULT_RESULT_LIMIT,
  depth: SEARCH_DEPTHS[0],
}

export const TIME_RANGE_WORDS: Record<TimeRange, string> = {
  any: t.anyTime,
  hour: t.pastHour,
  day: t.past24Hours,
  week: t.pastWeek,
  month: t.pastMonth,
  year: t.pastYear,
}

export const DEPTH_WORDS: Record<SearchDepth, string> = { basic: 'Basic', advanced: 'Advanced', ultimate: 'Ultimate' }

/** The request. `search_type` is always a web search. */
export const requestBody = ({ query, language, country, time_range, depth, result_limit }: SearchForm) => ({
  query: query.trim(),
  search_options: { language: language || null, country: country || null, time_range, search_type: SEARCH_TYPES[0], depth },
  result_limit: result_limit ?? DEFAULT_RESULT_LIMIT,
})

/** The error of the query. An empty query has a separate message. */
export const queryFault = (query: string): string | undefined =>
  query.trim().length > MAX_QUERY ? t.useAtMostCharacters(MAX_QUERY) : undefined
export const limitFault = (limit: number | null): string | undefined =>
  limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= MAX_RESULT_LIMIT)
    ? undefined
    : t.enterAWholeNumberFrom1(MAX_RESULT_LIMIT)

/** The form for repeating a search. */
export const formOf = ({
  query,
  search_options: options,
  result_limit,
}: Pick<SearchRequest, 'query' | 'search_options' | 'result_limit'>): SearchForm => ({
  query,
  language: options.language ?? '',
  country: options.country ?? '',
  time_range: options.time_range,
  result_limit,
  depth: options.depth,
})

/** What differs from the defaults, in words. */
export const differences = ({ language, country, time_range, result_limit, depth }: SearchForm): string[] =>
  [
    language === '' ? '' : languageName(language),
    country === '' ? '' : countryName(country),
    time_range === 'any' ? '' : TIME_RANGE_WORDS[time_range],
    result_limit === null || result_limit === DEFAULT_RESULT_LIMIT || limitFault(result_limit) ? '' : t.resultCount(result_limit),
    depth === DEFAULT_FORM.depth ? '' : DEPTH_WORDS[depth],
  ].filter(Boolean)

/** The highest price of a search: 1 or 2 credits per started block of five results, 1 for each rendered result. */
export function mostCredits({ depth, result_limit }: Pick<SearchForm, 'depth' | 'result_limit'>): number | null {
  if (limitFault(result_limit)) return null
  const results = result_limit ?? DEFAULT_RESULT_LIMIT
  const blocks = Math.ceil(results / 5)
  return depth === 'ultimate' ? results : depth === 'advanced' ? 2 * blocks : blocks
}

/** The form in the URL, with short names; defaults are omitted. */
export const writeSearch = (form: SearchForm): [name: string, value: string][] => [
  ['q', form.query],
  ['language', form.language],
  ['country', form.country],
  ['time', form.time_range === 'any' ? '' : form.time_range],
  ['results', form.result_limit === null || form.result_limit === DEFAULT_RESULT_LIMIT ? '' : String(form.result_limit)],
  ['depth', form.depth === DEFAULT_FORM.depth ? '' : form.depth],
]

/** Parses the form from the URL; ignores invalid values. */
export function readSearch(given: URLSearchParams): SearchForm {
  const results = given.get('results') ?? ''
  const limit = /^\d{1,2}$/.test(results) && !limitFault(Number(results)) ? Number(results) : DEFAULT_RESULT_LIMIT
  return {
    query: given.get('q') ?? '',
    language: codeOf(given.get('language')),
    country: codeOf(given.get('country')),
    time_range: oneOf(TIME_RANGES, given.get('time')) ?? 'any',
    result_limit: limit,
    depth: oneOf(SEARCH_DEPTHS, given.get('depth')) ?? DEFAULT_FORM.depth,
  }
}

export const oneOf = <Word extends string>(words: readonly Word[], given: string | null): Word | undefined =>
  words.find((word) => word === given)

/** A two-letter code; '' for anything else. */
export const codeOf = (given: string | null): string => (/^[a-z]{2}$/i.test(given ?? '') ? (given ?? '').toLowerCase() : '')
