/** Starts searches. */
import type { SearchOptions } from '#contract/searches.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { priceOf } from './search-credits.ts'
import { searchSpecOfV1 } from './search-spec.ts'

export function createStartSearch({ runs }: { runs: Runs }) {
  /** Creates a search, which waits for the engine; a repeated `idempotencyKey` returns the first search. */
  return async function startSearch(
    teamId: string,
    { query, search_options: options, result_limit }: { query: string; search_options: SearchOptions; result_limit: number },
    idempotencyKey?: string,
  ): Promise<Run> {
    return runs.start(teamId, {
      kind: 'search',
      variant: options.search_type,
      label: query,
      pageLimit: result_limit,
      credits: priceOf(options.depth, result_limit),
      options,
      spec: searchSpecOfV1(options),
      seeds: [],
      seedUrls: () => [],
      idempotencyKey,
    })
  }
}

export type StartSearch = ReturnType<typeof createStartSearch>
