/** One search on a screen: followed live, stopped, its hits read; the cache kept true for the log and every other screen. */
import { isTerminal } from '#contract/runs.ts'
import { followSearch, getSearch, listSearches, stopSearch } from '#contract/searches.ts'
import type { SearchItem, SearchRequest } from '#contract/searches.ts'
import type { ApiError } from '#web/api/client.ts'
import { amendAnswers, putAnswer, useEndpoint } from '#web/api/hooks.ts'
import { useProgress } from '#web/runs/shared/use-progress.ts'
import { useStopRun } from '#web/runs/shared/use-stop-run.ts'

/** Follows a search; `null` follows none. Its final state has the hits. */
export const useSearchProgress = (runId: string | null) =>
  useProgress<SearchRequest, SearchRequest>({ stream: followSearch, query: { prefetched: true }, onState: rememberSearch }, runId)

function rememberSearch(search: SearchRequest): void {
  const params = { id: search.uuid }
  putAnswer(getSearch, { params }, search)
  if (isTerminal(search.status)) putAnswer(getSearch, { params, query: { prefetched: true } }, search)
  amendAnswers(listSearches, (page) => ({ ...page, results: page.results.map((one) => (one.uuid === search.uuid ? search : one)) }))
}

export type Hits = { hits: readonly SearchItem[] | null; error: ApiError | undefined; isValidating: boolean; retry: () => void }

/** The hits of a search that has ended: those that came with it, or what the server gives for it. Null while they are on their way. */
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

export const useStopSearch = () => useStopRun(stopSearch, { refreshes: [getSearch, listSearches], noun: 'search' })
