/** The search endpoints. */
import type { FastifyPluginAsync } from 'fastify'
import {
  createSearch,
  deleteSearches,
  followSearch,
  getSearch,
  getSearchFile,
  listSearches,
  rerunSearch,
  stopSearch,
} from '#contract/searches.ts'
import type { SearchOptions } from '#contract/searches.ts'
import { AppError } from '#backend/errors.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import type { FileLinks } from '#backend/http/file-links.ts'
import type { Query } from '#backend/http/pagination.ts'
import { rawJson } from '#backend/http/reply.ts'
import { idempotencyKey } from '#backend/http/idempotency-key.ts'
import { route } from '#backend/http/route.ts'
import type { Progress } from '#backend/runs/progress.ts'
import { runRoutes } from '#backend/runs/run-routes.ts'
import type { Runs } from '#backend/runs/runs.ts'
import { NO_RESULTS } from '#backend/runs/tail.ts'
import { mayHaveResult, presentSearch, presentSearches } from './present-search.ts'
import type { SearchResults } from './search-results.ts'
import type { StartSearch } from './start-search.ts'

export function searchRoutes({
  baseUrl,
  links,
  progress,
  results,
  runs,
  startSearch,
}: {
  baseUrl: BaseUrl
  links: FileLinks
  progress: Progress
  results: SearchResults
  runs: Runs
  startSearch: StartSearch
}): FastifyPluginAsync {
  return async (app) => {
    route(app, createSearch, async ({ actor, body, query, request }) => {
      const run = await startSearch(actor.teamId, body, idempotencyKey(request))
      return presentSearch(run, { baseUrl: baseUrl(request), links, prefetched: query.prefetched, results })
    })

    route(app, rerunSearch, async ({ actor, params, request }) => {
      const { label: query, options, pageLimit } = await runs.read(actor.teamId, 'search', params.id)
      const body = { query, search_options: options as SearchOptions, result_limit: pageLimit }
      const run = await startSearch(actor.teamId, body, idempotencyKey(request))
      return presentSearch(run, { baseUrl: baseUrl(request), links, prefetched: false, results })
    })

    runRoutes(app, {
      baseUrl,
      endpoints: { list: listSearches, read: getSearch, stop: stopSearch, deleteMany: deleteSearches, follow: followSearch },
      kind: 'search',
      labelName: 'query',
      present: (run, form) => presentSearch(run, { ...form, links, results }),
      presentAll: (found, form) => presentSearches(found, { ...form, links, results }),
      progress,
      runs,
      source: (form) => ({ ...NO_RESULTS, state: async (run) => JSON.stringify(await presentSearch(run, { ...form, links, results })) }),
    })

    route(app, getSearchFile, async ({ params, request, reply }) => {
      // Also on errors, so that a page of another origin can read them.
      reply.header('access-control-allow-origin', '*').header('x-content-type-options', 'nosniff')
      links.check(request.url.split('?', 1)[0] ?? '', request.query as Query)
      const run = await runs.readById('search', params.id)
      const items = mayHaveResult(run) ? await results.read(run.no) : null
      if (items === null) throw new AppError('not_found')
      return rawJson(items)
    })
  }
}
