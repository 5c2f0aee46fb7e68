/** Searches: the query, its options and the results. */
import * as z from 'zod/mini'
import { endpoint, paged } from './endpoint.ts'
import { count, oneOf, optionsOf, shape, text } from './fields.ts'
import { deleteQuery, deletedCount, followQuery, prefetchedQuery, status, stopQuery } from './run-fields.ts'

const SEARCHES = '/api/v1/core/search'
const TAG = 'Search Requests'

export const MAX_QUERY = 255
export const DEFAULT_RESULT_LIMIT = 5
export const MAX_RESULT_LIMIT = 20

export const TIME_RANGES = ['any', 'hour', 'day', 'week', 'month', 'year'] as const
export type TimeRange = (typeof TIME_RANGES)[number]

/** The source of each result's content: the provider, the fetched page, or the page rendered in a browser. */
export const SEARCH_DEPTHS = ['basic', 'advanced', 'ultimate'] as const
export type SearchDepth = (typeof SEARCH_DEPTHS)[number]

export const SEARCH_TYPES = ['web'] as const
/** What is searched. Only the Firecrawl API searches more than the web; its searches are in the same lists. */
export const SEARCH_SOURCES = ['web', 'news', 'images'] as const
export type SearchSource = (typeof SEARCH_SOURCES)[number]

/** A language or country code; a missing value and null leave the choice to the provider. */
const code = () =>
  z.pipe(
    z.optional(z.nullable(text({ max: 8, blank: true }))),
    z.transform((value: string | null | undefined) => value || null),
  )
/** One of a few words; a missing value, null and '' mean none. */
const word = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.optional(
    z.pipe(
      z.transform((input: unknown) => (input === '' || input === null ? undefined : input)),
      z.optional(oneOf(values)),
    ),
  )

/**
 * Where and how to search. `time_renge` is an old misspelling that clients still use: it is read when `time_range` is absent, and answers
 * have both with the same value.
 */
export const searchOptions = z.pipe(
  shape({
    language: code(),
    country: code(),
    time_range: word(TIME_RANGES),
    time_renge: word(TIME_RANGES),
    search_type: word(SEARCH_TYPES),
    depth: word(SEARCH_DEPTHS),
  }),
  z.transform(({ language, country, time_range, time_renge, search_type, depth }) => {
    const range: TimeRange = time_range ?? time_renge ?? 'any'
    return {
      language,
      country,
      time_range: range,
      time_renge: range,
      search_type: search_type ?? SEARCH_TYPES[0],
      depth: depth ?? SEARCH_DEPTHS[0],
    }
  }),
)
export type SearchOptions = Omit<z.output<typeof searchOptions>, 'search_type'> & { search_type: SearchSource }

/** One hit. `depth` is the depth reached for it: `basic` if its page could not be fetched. */
export const searchItem = z.object({
  url: z.string(),
  title: z.string(),
  description: z.string(),
  /** Rank, from 0. */
  order: z.int(),
  depth: z.enum(SEARCH_DEPTHS),
  /** Only for news: when they appeared, as ISO 8601. */
  published_at: z.optional(z.string()),
  /** Only for news and images. */
  image_url: z.optional(z.string()),
  image_width: z.optional(z.int()),
  image_height: z.optional(z.int()),
})
export type SearchItem = z.output<typeof searchItem>

export const searchRequest = z.object({
  uuid: z.string(),
  query: z.string(),
  search_options: z.object({
    language: z.nullable(z.string()),
    country: z.nullable(z.string()),
    time_range: z.enum(TIME_RANGES),
    time_renge: z.enum(TIME_RANGES),
    search_type: z.enum(SEARCH_SOURCES),
    depth: z.enum(SEARCH_DEPTHS),
  }),
  result_limit: z.int(),
  status,
  /** Why the search ended, in a word: drained, result_limit, canceled, no_provider … */
  reason: z.nullable(z.string()),
  duration: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  number_of_documents: z.int(),
  /** A signed link, or the list of hits itself when `prefetched`; null until there is one. */
  result: z.nullable(z.union([z.string(), z.array(searchItem)])),
})
export type SearchRequest = z.output<typeof searchRequest>

export const listSearches = endpoint({
  method: 'GET',
  path: `${SEARCHES}/`,
  access: 'team',
  tag: TAG,
  summary: 'List searches, newest first',
  query: prefetchedQuery,
  answer: paged(searchRequest),
  description:
    'Filters: `status`, `status__in`, `uuid`, `query`, `query__contains`, `query__startswith`, `created_at` with `__gt`, `__gte`, `__lt`, `__lte`. `ordering` sorts them.',
})
export const createSearch = endpoint({
  method: 'POST',
  path: `${SEARCHES}/`,
  access: 'team',
  tag: TAG,
  summary: 'Search',
  query: prefetchedQuery,
  body: shape({
    query: text({ max: MAX_QUERY }),
    search_options: optionsOf(searchOptions),
    result_limit: z._default(count({ min: 1, max: MAX_RESULT_LIMIT }), DEFAULT_RESULT_LIMIT),
  }),
  answer: searchRequest,
  status: 201,
  description: 'For 24 hours, a repeated `Idempotency-Key` of the same team returns the same search.',
})
export const getSearch = endpoint({
  method: 'GET',
  path: `${SEARCHES}/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'One search',
  query: prefetchedQuery,
  answer: searchRequest,
})
export const rerunSearch = endpoint({
  method: 'POST',
  path: `${SEARCHES}/{id}/rerun/`,
  access: 'team',
  tag: TAG,
  summary: 'Run a search again',
  answer: searchRequest,
  status: 201,
  description: 'A new search with the same query and options. Takes an `Idempotency-Key`.',
})
export const stopSearch = endpoint({
  method: 'DELETE',
  path: `${SEARCHES}/{id}/`,
  access: 'team',
  tag: TAG,
  summary: 'Stop a search, or delete it',
  query: stopQuery,
  status: 204,
  description:
    'With `purge=true` the search is deleted: it is stopped if it still runs, can no longer be read, and its data is removed within minutes.',
})
export const deleteSearches = endpoint({
  method: 'DELETE',
  path: `${SEARCHES}/`,
  access: 'team',
  tag: TAG,
  summary: 'Delete several searches',
  query: deleteQuery,
  answer: deletedCount,
  description: 'Up to 100 ids, separated by commas; `purge=true` is required. Ids that name no search of the team are not counted.',
})
export const followSearch = endpoint({
  method: 'GET',
  path: `${SEARCHES}/{id}/status/`,
  access: 'team',
  tag: TAG,
  summary: 'Follow a search live',
  query: followQuery,
  media: 'text/event-stream',
  description:
    'Server-sent events, each one line `data: {"type": "state" | "feed", …}`. The stream ends after the final state, which contains the result. `after=<seq>` resumes after an event: all later events follow in order. With `ids=true` each event is preceded by `id: <seq>`, so that an `EventSource` resumes by itself; a stream that has no further event is answered 204.',
})
export const getSearchFile = endpoint({
  method: 'GET',
  path: '/api/v1/files/searches/{id}/result.json',
  access: 'signed',
  tag: TAG,
  summary: 'The hits of a search by their signed link',
  answer: z.array(searchItem),
})
