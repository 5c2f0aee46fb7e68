/** Looks at the pages of hits: what a page says of itself is better than what a provider says of it. */
import type { SearchItem } from '#contract/searches.ts'
import type { TaskContext } from '#backend/crawler/tasks/task.ts'
import { MAX_DESCRIPTION, MAX_TITLE, oneLine } from './clean-hit.ts'

const AT_ONCE = 5
const PAGE_MS = 15_000
/** A search is waited for: what has not been looked at by then stays as the provider told it. */
const ALL_MS = 60_000

/**
 * The items, each with title and description of its page where that could be read, and then of depth `advanced`.
 * A page that cannot be read leaves its item as it was.
 */
export async function inspectHits(
  items: readonly SearchItem[],
  { readPage, tell, signal }: Pick<TaskContext, 'readPage' | 'tell' | 'signal'>,
  allMs = ALL_MS,
): Promise<SearchItem[]> {
  const inspected = [...items]
  const waiting = [...items.keys()]
  const late = AbortSignal.any([signal, AbortSignal.timeout(allMs)])
  const inspectSome = async () => {
    for (let at = waiting.shift(); at !== undefined && !late.aborted; at = waiting.shift()) {
      const item = inspected[at]
      if (item !== undefined) inspected[at] = await inspect(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, inspectSome))
  // At the deadline there is time left to keep what there is.
  if (signal.reason !== 'deadline') signal.throwIfAborted()
  const left = inspected.filter(({ depth }) => depth === 'basic').length
  if (late.aborted && left > 0) tell('warning', `Time is up: ${left} of the pages were not looked at`)
  return inspected

  async function inspect(item: SearchItem): Promise<SearchItem> {
    const { outcome, page, unread } = await readPage(item.url, { timeoutMs: PAGE_MS, signal: late })
    if (page === null) {
      if (!late.aborted) tell('warning', `Could not look at ${item.url}: ${unread ?? whyNot(outcome)}`, { url: item.url })
      return item
    }
    tell('info', `Looked at ${item.url}`, { url: item.url })
    return {
      ...item,
      title: oneLine(page.title ?? '', MAX_TITLE) || item.title,
      description: oneLine(page.description ?? '', MAX_DESCRIPTION) || item.description,
      depth: 'advanced',
    }
  }
}

function whyNot(outcome: Awaited<ReturnType<TaskContext['readPage']>>['outcome']): string {
  if (outcome.kind === 'failure') return outcome.reason
  return `status ${outcome.status}`
}
