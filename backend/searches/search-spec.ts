/** The engine's instructions for a search besides its query, and how they follow from options of the v1 API. */
import type { SearchDepth, SearchOptions, SearchSource, TimeRange } from '#contract/searches.ts'
import { SPEC_VERSION } from '#backend/crawler/run-spec.ts'
import type { RunSpec } from '#backend/crawler/run-spec.ts'

export type SearchSpec = RunSpec & {
  /** Codes of language and country; null leaves the choice to the provider. */
  language: string | null
  country: string | null
  timeRange: TimeRange
  depth: SearchDepth
  /** Absent: the web. */
  source?: SearchSource
}

/** @param options  with their defaults filled in */
export const searchSpecOfV1 = ({ language, country, depth, search_type: source, time_range: timeRange }: SearchOptions): SearchSpec => ({
  version: SPEC_VERSION,
  proxySlug: null,
  language,
  country,
  timeRange,
  depth,
  ...(source !== 'web' && { source }),
})
