/**
 * The work of a search: gets hits from a provider and, depending on the depth, reads their pages.
 *
 * The hits are stored as soon as they arrive, so that a search that is stopped or interrupted keeps them. The final list is written
 * together with the end, so that the last event of the search contains it.
 */
import type { SearchDepth, SearchItem } from '#contract/searches.ts'
import type { Task, TaskContext, TaskEnding } from '#backend/crawler/tasks/task.ts'
import { findHits } from './find-hits.ts'
import { inspectHits } from './inspect-hits.ts'
import type { SearchProvider } from './providers/index.ts'
import { priceOf } from './search-credits.ts'
import type { SearchSpec } from './search-spec.ts'

const NO_PROVIDER: TaskEnding = {
  status: 'failed',
  reason: 'no_provider',
  type: 'error',
  message: 'No search provider has answered',
}

/** @param providers  in the order in which they are asked */
export function createSearchTask({ providers }: { providers: readonly SearchProvider[] }): Task {
  return async (context) => {
    const { run, tell } = context
    const spec = run.spec as SearchSpec
    const keptBefore = run.isResumed ? ((await context.kept.document()) as SearchItem[] | null) : null
    const found = keptBefore ?? (await find(context, spec, providers))
    if (found === null) return NO_PROVIDER
    if (keptBefore === null) await keep(context, found)

    const isDeep = spec.depth !== 'basic' && found.length > 0
    const isRendered = spec.depth === 'ultimate' && context.renderPage !== null
    if (isDeep && spec.depth === 'ultimate' && !isRendered) tell('warning', 'Pages are read without a browser, at the price of advanced')
    const renderPage = isRendered ? context.renderPage : null
    const items = isDeep ? await inspectHits(found, { ...context, renderPage, language: spec.language }) : found
    return ending(context, items, !isDeep ? 'basic' : items.some(({ depth }) => depth === 'ultimate') ? 'ultimate' : 'advanced')
  }
}

async function find(
  { run, signal, tell }: TaskContext,
  spec: SearchSpec,
  providers: readonly SearchProvider[],
): Promise<SearchItem[] | null> {
  const question = {
    query: run.label,
    language: spec.language,
    country: spec.country,
    timeRange: spec.timeRange,
    source: spec.source ?? 'web',
    teamId: run.teamId,
    limit: run.pageLimit,
  }
  const found = await findHits(providers, question, tell, signal)
  return found === null ? null : found.hits.map((hit, order) => ({ ...hit, order, depth: 'basic' }))
}

function keep({ commit }: TaskContext, items: SearchItem[]): Promise<void> {
  return commit({ document: items }, { kept: items.length, used: priceOf('basic', items.length) })
}

function ending({ run }: TaskContext, items: SearchItem[], depth: SearchDepth): TaskEnding {
  return {
    status: 'finished',
    reason: items.length === run.pageLimit ? 'result_limit' : 'drained',
    type: items.length === 0 ? 'info' : 'success',
    message: items.length === 0 ? 'Nothing was found' : `Finished with ${items.length} ${items.length === 1 ? 'result' : 'results'}`,
    results: { document: items },
    used: priceOf(depth, items.length),
  }
}
