/** The routes that all kinds of runs have: list, read, stop, delete, stream. */
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { EndpointSpec, Paged } from '#contract/endpoint.ts'
import { eventNumber, prefetchedQuery } from '#contract/run-fields.ts'
import type { deleteQuery, deletedCount, followQuery, stopQuery } from '#contract/run-fields.ts'
import { isTerminal } from '#contract/runs.ts'
import type { RunKind } from '#contract/runs.ts'
import { fieldError } from '#backend/errors.ts'
import { hrefOf } from '#backend/http/base-url.ts'
import type { BaseUrl } from '#backend/http/base-url.ts'
import { openEventStream } from '#backend/http/event-stream.ts'
import { pageLinks, pageWindow, queryText } from '#backend/http/pagination.ts'
import type { Query } from '#backend/http/pagination.ts'
import { rawJson, sendEmpty } from '#backend/http/reply.ts'
import { chained, sendJsonPieces } from '#backend/http/send-pieces.ts'
import type { Pieces } from '#backend/platform/database/readers.ts'
import { route } from '#backend/http/route.ts'
import type { Progress } from './progress.ts'
import type { Run } from './run.ts'
import { readRunFilters } from './run-filters.ts'
import type { Runs } from './runs.ts'
import { embedded, listTexts } from './stream-results.ts'
import type { ProgressSource } from './tail.ts'

/** The endpoints of one kind; all but the list take the run's `{id}`. */
type RunEndpoints<Wire> = {
  list: EndpointSpec & { access: 'team'; answer: z.ZodMiniType<Paged<Wire>> }
  read: OfRun & { answer: z.ZodMiniType<Wire> }
  stop: OfRun & { answer?: undefined; query: typeof stopQuery }
  deleteMany: EndpointSpec & { access: 'team'; answer: typeof deletedCount; query: typeof deleteQuery }
  follow: OfRun & { answer?: undefined; query: typeof followQuery }
}
/** The form in which a caller wants runs. */
export type RunForm = { prefetched: boolean; baseUrl: string }

type OfRun = EndpointSpec & { access: 'team'; path: `${string}/{id}/${string}` }

/**
 * @param labelName  the query parameter for the label; without it `url` filters by URL
 * @param present    the run's object, with its result embedded when `prefetched`
 * @param presentAll  the objects of many runs, where that takes fewer reads
 * @param resultText  the JSON of a run's `result` in pieces, for results of any length: replaces `result` when `prefetched`; null leaves it
 * @param source     the content of a stream, in the form that the reader asked for
 * @param variants   the values of the kind's type filter
 */
export function runRoutes<Wire>(
  app: FastifyInstance,
  {
    baseUrl,
    endpoints,
    kind,
    labelName,
    present,
    presentAll,
    progress,
    resultText,
    runs,
    source,
    variants = [],
  }: {
    baseUrl: BaseUrl
    endpoints: RunEndpoints<Wire>
    kind: RunKind
    labelName?: string
    present: (run: Run, form: RunForm) => Wire | Promise<Wire>
    presentAll?: (runs: readonly Run[], form: RunForm) => Promise<Wire[]>
    progress: Progress
    resultText?: (run: Run) => Pieces | null
    runs: Runs
    source: (form: RunForm) => ProgressSource
    variants?: readonly string[]
  },
): void {
  route(app, endpoints.list, async ({ actor, request, reply }) => {
    const query = request.query as Query
    const filters = readRunFilters(query, variants, labelName)
    const { window, groups } = await runs.list(actor.teamId, kind, filters, (count) => pageWindow(query, count))
    const head = { count: window.count, ...pageLinks(hrefOf(baseUrl, request), window) }
    const texts = listTexts(head, shownIn(groups, formOf(request)))
    const { value: first = '' } = await texts.next()
    const second = await texts.next()
    return second.done ? rawJson(Buffer.from(first)) : sendJsonPieces(reply, chained([first, second.value], texts))
  })

  /** Each run's object as JSON in pieces, in groups of runs. */
  async function* shownIn(groups: AsyncIterable<Run[]>, form: RunForm): AsyncGenerator<Pieces[]> {
    for await (const found of groups) {
      const shown: Pieces[] = []
      const presented = await presentAll?.(found, form)
      for (const [at, run] of found.entries()) {
        const wire = endpoints.read.answer.parse(presented?.[at] ?? (await present(run, form)))
        // A batch may have 2 MB of URLs: let other work run between reading, converting and writing it.
        if (found.length === 1) await setImmediate()
        shown.push(embedded(wire, form.prefetched && resultText !== undefined ? resultText(run) : null))
      }
      yield shown
    }
  }

  route(app, endpoints.read, async ({ actor, params, request, reply }) => {
    const run = await runs.read(actor.teamId, kind, idOf(params))
    const form = formOf(request)
    const answer = await present(run, form)
    if (!form.prefetched || resultText === undefined) return checked(endpoints.read, answer)
    return sendJsonPieces(reply, embedded(endpoints.read.answer.parse(answer), resultText(run)))
  })

  route(app, endpoints.stop, async ({ actor, params, query }) => {
    if (!query.purge) return runs.stop(actor.teamId, kind, idOf(params))
    const { id } = await runs.read(actor.teamId, kind, idOf(params))
    await runs.deleteRuns(actor.teamId, kind, [id])
  })

  route(app, endpoints.deleteMany, async ({ actor, query }) => ({ deleted: await runs.deleteRuns(actor.teamId, kind, query.ids) }))

  route(app, endpoints.follow, async ({ actor, params, query, request, reply }) => {
    const run = await runs.read(actor.teamId, kind, idOf(params))
    const after = lastKnown(query.after, request.headers['last-event-id'])
    // It has seen the end: 204 keeps a browser from reconnecting.
    if (after !== null && after >= run.eventSeq && isTerminal(run.status)) return sendEmpty(reply)
    const form = formOf(request)
    progress.enter(actor)
    progress.follow({
      actor,
      run,
      source: source(form),
      form: `${form.prefetched} ${form.baseUrl}`,
      after,
      withIds: query.ids,
      sink: await openEventStream(request, reply),
    })
    return reply
  })

  function formOf(request: FastifyRequest): RunForm {
    const prefetched = queryText(request.query as Query, 'prefetched')
    return { ...prefetchedQuery.parse({ prefetched }), baseUrl: baseUrl(request) }
  }
}

// The types of a kind are unknown here, so the answer is parsed by its shape before `route` sends it.
const checked = (endpoint: { answer: z.ZodMiniType }, answer: unknown) => rawJson(JSON.stringify(endpoint.answer.parse(answer)))

const idOf = (params: Record<string, string>) => params['id'] ?? ''

/**
 * The number of the last event that a reader has, from the query or from the header that browsers send when they reconnect; the greater one
 * counts.
 */
function lastKnown(after: number | undefined, header: unknown): number | null {
  // For a stream without numbers, browsers send no header or an empty one.
  if (header === undefined || header === '') return after ?? null
  const known = eventNumber.safeParse(header)
  if (!known.success) throw fieldError('Last-Event-ID', 'Enter a non-negative integer.')
  return Math.max(known.data, after ?? 0)
}
