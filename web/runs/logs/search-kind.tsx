/** Searches in the log and the details. */
import { deleteSearches, getSearch, listSearches } from '#contract/searches.ts'
import type { SearchRequest } from '#contract/searches.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { saveResults } from '#web/runs/search/save-results.ts'
import { SearchRowActions } from '#web/runs/search/search-row-actions.tsx'
import { SEARCH } from '#web/runs/search/use-search.ts'
import * as t from '#texts/kinds.ts'
import { Name, countColumn, nameColumn } from './columns.tsx'
import { listQuery, liveList, liveRun } from './run-kind.ts'
import type { RunKind } from './run-kind.ts'

export const searchKind: RunKind<SearchRequest> = {
  base: SEARCH,
  words: {
    title: t.searchHistory,
    description: t.everySearchThatThisTeamHas,
    begin: t.newSearch,
    empty: t.noSearchesYet,
    emptySays: t.searchesOfThisTeamGatherHere,
    textFilter: t.queryContains,
    back: t.backToTheSearchLogs,
  },
  columns: [
    nameColumn({ key: 'query', head: t.query, cell: ({ query }) => <Name whole={query}>{query}</Name> }),
    countColumn(t.resultsWord),
  ],
  types: [],
  useList: (query) => useEndpoint(listSearches, { query: { ...listQuery(query), query__contains: query.text || undefined } }, liveList()),
  useRun: (id) => useEndpoint(getSearch, { params: { id } }, liveRun()),
  nameOf: ({ query }) => query,
  RowActions: SearchRowActions,
  deletion: { holds: t.itsResults, many: deleteSearches },
  download: ({ uuid }) => saveResults(uuid),
}
