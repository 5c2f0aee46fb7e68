/** One search on a screen: follows it live, stops it, reads its hits, and keeps the cache correct for other screens. */
import { isTerminal } from '#contract/runs.ts'
import { followSearch, getSearch, listSearches, rerunSearch, stopSearch } from '#contract/searches.ts'
import type { SearchItem, SearchRequest } from '#contract/searches.ts'
import { call } from '#web/api/client.ts'
import type { ApiError } from '#web/api/client.ts'
import { putAnswer, useEndpoint } from '#web/api/hooks.ts'
import { rememberRun } from '#web/runs/shared/run-base.ts'
import type { RunBase } from '#web/runs/shared/run-base.ts'
import { useProgress } from '#web/runs/shared/use-progress.ts'
import * as t from '#texts/search-run.ts'

export const SEARCH: RunBase = {
  noun: 'search',
  get: getSearch,
  list: listSearches,
  stop: stopSearch,
  rerun: (id) => call(rerunSearch, { params: { id } }),
  paths: { begin: 'search', log: 'searchLogs', details: 'searchDetails', parameter: 'id' },
  words: {
    title: t.searchPlayground,
    notFound: t.searchRequestNotFound,
    cancel: t.cancelSearch,
    details: t.searchDetails,
    about: t.aboutThisSearch,
    tryAgain: t.tryInSearchPlayground,
  },
}

/** Follows a search; `null` follows none. Its final state has the hits. */
export const useSearchProgress = (runId: string | null) =>
  useProgress<SearchRequest, SearchRequest>({ stream: followSearch, query: { prefetched: true }, onState: rememberSearch }, runId)

function rememberSearch(search: SearchRequest): void {
  rememberRun(SEARCH, search)
  if (isTerminal(search.status)) putAnswer(getSearch, { params: { id: search.uuid }, query: { prefetched: true } }, search)
}

export type Hits = { hits: readonly SearchItem[] | null; error: ApiError | undefined; isValidating: boolean; retry: () => void }

/** The hits of an ended search: embedded, or fetched. Null while they are being loaded. */
export function useHits(search: SearchRequest): Hits {
  const embedded = Array.isArray(search.result) ? search.result : null
  const wants = embedded === null && search.result !== null && isTerminal(search.status)
  const args = wants ? { params: { id: search.uuid }, query: { prefetched: true } } : null
  const asked = useEndpoint(getSearch, args, { revalidateIfStale: false, revalidateOnReconnect: false })
  const given = asked.data?.result
  return {
    hits: embedded ?? (Array.isArray(given) ? given : search.result === null ? [] : null),
    error: asked.error,
    isValidating: asked.isValidating,
    retry: () => void asked.mutate(),
  }
}
