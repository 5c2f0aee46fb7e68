/** Searches of the web and of a team's own pages. */
import type { Ports } from '#backend/ports.ts'
import type { Progress } from '#backend/runs/progress.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { ownPageRoutes } from './own-index/own-page-routes.ts'
import type { OwnSearch } from './own-index/own-search.ts'
import { searchRoutes } from './routes.ts'
import { createSearchResults } from './search-results.ts'
import { createStartSearch } from './start-search.ts'

type Others = {
  ownSearch: OwnSearch
  progress: Progress
  runs: Runs
}

/** Its functions and routes; `close` closes the index. */
export function searchesFeature(ports: Ports, { ownSearch, progress, runs }: Others) {
  const { baseUrl, database, links } = ports
  const results = createSearchResults({ database })
  const startSearch = createStartSearch({ runs })
  return {
    ownSearch,
    results,
    startSearch,
    routes: [ownPageRoutes({ baseUrl, ownSearch }), searchRoutes({ baseUrl, links, progress, results, runs, startSearch })],
    close: () => ownSearch.close(),
  }
}
