/** Searches in the form in which the API returns them. */
import type { SearchItem, SearchRequest } from '#contract/searches.ts'
import { isTerminal } from '#contract/runs.ts'
import { duration, instant } from '#backend/http/instants.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import type { Run } from '#backend/runs/run.ts'
import type { SearchResults } from './search-results.ts'

/** The path of the hits, which a signed link opens. */
const resultPath = (runId: string) => `/api/v1/files/searches/${runId}/result.json`

/** True once the hits of a search are final; a failed search has none. */
export const mayHaveResult = ({ status }: Run) => isTerminal(status) && status !== 'failed'

type Form = { baseUrl: string; links: FileLinks; prefetched: boolean; results: SearchResults }

/** The search's object, with its hits if `prefetched`, else with a link to them. */
export async function presentSearch(run: Run, form: Form): Promise<SearchRequest> {
  return withItems(run, mayHaveResult(run) ? await form.results.read(run.no) : null, form)
}

/** The objects of many searches; the hits of all are read at once. */
export async function presentSearches(runs: readonly Run[], form: Form): Promise<SearchRequest[]> {
  const items = await form.results.readAll(runs.filter(mayHaveResult).map(({ no }) => no))
  return runs.map((run) => withItems(run, items.get(run.no) ?? null, form))
}

function withItems(run: Run, items: string | null, { baseUrl, links, prefetched }: Form): SearchRequest {
  const result = items === null ? null : prefetched ? (JSON.parse(items) as SearchItem[]) : links.sign(baseUrl, resultPath(run.id))
  return {
    uuid: run.id,
    query: run.label,
    search_options: run.options as SearchRequest['search_options'],
    result_limit: run.pageLimit,
    status: run.status,
    reason: run.reason,
    duration: run.endedAt === null ? null : duration(run.endedAt - run.createdAt),
    created_at: instant(run.createdAt),
    updated_at: instant(run.updatedAt),
    number_of_documents: run.kept,
    result,
  }
}
