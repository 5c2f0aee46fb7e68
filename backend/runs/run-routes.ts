/** The routes that every kind of run has: list, read, stop, follow live. */
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'
import type { EndpointSpec, Paged } from '#contract/endpoint.ts'
import type { RunKind } from '#contract/runs.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { openEventStream } from '#backend/http/event-stream.ts'
import { pagedAnswer, pageWindow, queryText } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { rawJson } from '#backend/http/reply.ts'
import { route } from '#backend/http/route.ts'
import type { Progress } from './progress.ts'
import type { Run } from './run.ts'
import { readRunFilters } from './run-filters.ts'
import type { Runs } from './runs.ts'
import type { ProgressSource } from './tail.ts'

/** The endpoints of one kind; all but the list take the run's `{id}`. */
export type RunEndpoints<Wire> = {
  list: EndpointSpec & { access: 'team'; answer: z.ZodMiniType<Paged<Wire>> }
  read: OfRun & { answer: z.ZodMiniType<Wire> }
  stop: OfRun & { answer?: undefined }
  follow: OfRun & { answer?: undefined; query: z.ZodMiniType<{ prefetched: boolean }> }
}
type OfRun = EndpointSpec & { access: 'team'; path: `${string}/{id}/${string}` }

/**
 * @param present   the run's object
 * @param source    what a stream of the run shows, in the form that the reader asked for
 * @param variants  the words of the kind's type filter
 */
export function runRoutes<Wire>(
  app: FastifyInstance,
  {
    baseUrl,
    endpoints,
    kind,
    present,
    progress,
    runs,
    source,
    variants,
  }: {
    baseUrl: BaseUrl
    endpoints: RunEndpoints<Wire>
    kind: RunKind
    present: (run: Run, baseUrl: string) => Wire
    progress: Progress
    runs: Runs
    source: (form: { prefetched: boolean; baseUrl: string }) => ProgressSource
    variants: readonly string[]
  },
): void {
  route(app, endpoints.list, async ({ actor, request }) => {
    const query = request.query as Query
    const filters = readRunFilters(query, variants)
    const { window, runs: found } = await runs.list(actor.teamId, kind, filters, (count) => pageWindow(query, count))
    const base = baseUrl(request)
    return checked(
      endpoints.list,
      pagedAnswer(
        hrefOf(baseUrl, request),
        window,
        found.map((run) => present(run, base)),
      ),
    )
  })

  route(app, endpoints.read, async ({ actor, params, request }) =>
    checked(endpoints.read, present(await runs.read(actor.teamId, kind, idOf(params)), baseUrl(request))),
  )

  route(app, endpoints.stop, async ({ actor, params }) => runs.stop(actor.teamId, kind, idOf(params)))

  route(app, endpoints.follow, async ({ actor, params, query, request, reply }) => {
    const run = await runs.read(actor.teamId, kind, idOf(params))
    const form = { prefetched: query.prefetched, baseUrl: baseUrl(request) }
    progress.follow({
      run,
      source: source(form),
      form: `${form.prefetched} ${form.baseUrl}`,
      after: afterOf(request.query as Query),
      sink: openEventStream(reply),
    })
    return reply
  })
}

// The shapes of a kind are not known here by their types, so the answer goes through its own before `route` sends it.
const checked = (endpoint: { answer: z.ZodMiniType }, answer: unknown) => rawJson(JSON.stringify(endpoint.answer.parse(answer)))

const idOf = (params: Record<string, string>) => params['id'] ?? ''

/** The number of the last event that a reader already has. */
function afterOf(query: Query): number {
  const after = Number(queryText(query, 'after'))
  return Number.isSafeInteger(after) && after > 0 ? after : 0
}
