/** Searches of the web and of a team's own pages. */
import type { Ports } from '#backend/ports.ts'
import type { Progress } from '#backend/runs/progress.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { ownPageRoutes } from './own-index/own-page-routes.ts'
import { createOwnSearch } from './own-index/own-search.ts'
import { searchRoutes } from './routes.ts'
import { createSearchResults } from './search-results.ts'
import { createStartSearch } from './start-search.ts'

type Others = {
  /** The path of the database's file, beside which the index stands. */
  file: string
  /** The index cannot be read and has to be made anew. */
  onDamage: () => void
  progress: Progress
  runs: Runs
}

/** Its verbs and routes; `close` lets go of the index. */
export function searchesFeature(ports: Ports, { file, onDamage, progress, runs }: Others) {
  const { baseUrl, database, links } = ports
  const ownSearch = createOwnSearch({ database: file, onDamage })
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
