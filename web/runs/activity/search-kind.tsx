/** Searches in the log and the details. */
import { deleteSearches, getSearch, listSearches } from '#contract/searches.ts'
import type { SearchRequest } from '#contract/searches.ts'
import { getUsage, usageHistory } from '#contract/usage.ts'
import { useEndpoint } from '#web/api/hooks.ts'
import { SEARCH_RERUN } from '#web/runs/search/search-rerun.ts'
import { SearchDetails } from '#web/runs/search/search-details.tsx'
import { saveResults } from '#web/runs/search/save-results.ts'
import { SearchRowActions } from '#web/runs/search/search-row-actions.tsx'
import { numberText } from '#web/ui/text/time-texts.ts'
import { listQuery, live } from './run-kind.ts'
import type { RunKind } from './run-kind.ts'

export const searchKind: RunKind<SearchRequest> = {
  words: {
    title: 'Search History',
    description: 'Every search that this team has sent, newest first.',
    noun: 'search',
    nouns: 'searches',
    begin: 'New search',
    empty: 'No searches yet',
    emptySays: 'Searches of this team gather here, with their results and what each provider answered.',
    textFilter: 'Query contains',
    back: 'Back to the search logs',
    notFound: 'Search request not found',
  },
  paths: { begin: 'search', log: 'searchLogs', details: 'searchDetails', parameter: 'id' },
  columns: [
    {
      key: 'query',
      head: 'Query',
      sort: 'label',
      wide: true,
      card: 'main',
      cell: ({ query }) => (
        <span className="font-medium" title={query}>
          {query}
        </span>
      ),
    },
    {
      key: 'results',
      head: 'Results',
      sort: 'number_of_documents',
      align: 'right',
      card: 'bottomLeft',
      cell: ({ status, number_of_documents: count }) => (
        <span className="num">
          {status === 'new' ? '–' : numberText(count)}
          <span className="sm:hidden">{count === 1 ? ' result' : ' results'}</span>
        </span>
      ),
    },
  ],
  types: [],
  useList: (query) =>
    useEndpoint(
      listSearches,
      { query: { ...listQuery(query), query__contains: query.text || undefined } },
      { keepPreviousData: true, refreshInterval: (answer) => live(answer?.results ?? []) },
    ),
  get: getSearch,
  useRun: (id) => useEndpoint(getSearch, { params: { id } }, { refreshInterval: (run) => (run ? live([run]) : 0) }),
  nameOf: ({ query }) => query,
  RowActions: SearchRowActions,
  deletion: {
    noun: 'search',
    nouns: 'searches',
    holds: 'its results',
    many: deleteSearches,
    refreshes: [listSearches, getUsage, usageHistory],
  },
  rerun: SEARCH_RERUN,
  download: ({ uuid }) => saveResults(uuid),
  Details: SearchDetails,
}
