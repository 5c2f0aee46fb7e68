/** How a search is run again. */
import { listSearches, rerunSearch } from '#contract/searches.ts'
import { call } from '#web/api/client.ts'
import type { Rerun } from '#web/runs/shared/use-run-again.ts'

export const SEARCH_RERUN: Rerun = {
  start: (id) => call(rerunSearch, { params: { id } }),
  playground: 'search',
  refreshes: [listSearches],
}
