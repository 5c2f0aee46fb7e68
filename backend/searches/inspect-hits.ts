/** Reads the pages of hits: a page's own title and description are better than the provider's. */
import type { SearchItem } from '#contract/searches.ts'
import { words } from '#backend/crawler/crawl/crawl-texts.ts'
import type { TaskContext } from '#backend/crawler/tasks/task.ts'
import { MAX_DESCRIPTION, MAX_TITLE, oneLine } from './clean-hit.ts'

const AT_ONCE = 5
const PAGE_MS = 15_000
/**
 * Time limit for reading pages, because a user waits for the search. Hits that were not read by then stay as the provider returned them.
 */
const ALL_MS = 60_000
/** Rendering a page takes seconds, so only a few are rendered at a time. */
const ALL_RENDERED_MS = 150_000
const LOCALE = 'en-US'

/**
 * The items with title and description of their pages, if these could be read; their depth is then `advanced`, or `ultimate` if a browser
 * rendered the page. An item whose page cannot be read stays unchanged.
 *
 * @param renderPage  null: pages are only fetched
 * @param language    the preferred language when pages are rendered
 */
export async function inspectHits(
  items: readonly SearchItem[],
  {
    renderPage,
    language,
    readPage,
    tell,
    signal,
  }: Pick<TaskContext, 'renderPage' | 'readPage' | 'tell' | 'signal'> & { language: string | null },
): Promise<SearchItem[]> {
  const inspected = [...items]
  const waiting = [...items.keys()]
  const late = AbortSignal.any([signal, AbortSignal.timeout(renderPage === null ? ALL_MS : ALL_RENDERED_MS)])
  const inspectSome = async () => {
    for (let at = waiting.shift(); at !== undefined && !late.aborted; at = waiting.shift()) {
      const item = inspected[at]
      if (item !== undefined) inspected[at] = await inspect(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, inspectSome))
  // At the deadline there is time left to return the hits so far.
  if (signal.reason !== 'deadline') signal.throwIfAborted()
  const left = inspected.filter(({ depth }) => depth === 'basic').length
  if (late.aborted && left > 0) tell('warning', `Time limit reached: ${left} of the pages were not read`)
  return inspected

  async function inspect(item: SearchItem): Promise<SearchItem> {
    const options = { timeoutMs: PAGE_MS, signal: late }
    const rendered = (await renderPage?.(item.url, { ...options, locale: language ?? LOCALE })) ?? null
    if (renderPage !== null && rendered === null && !late.aborted)
      tell('info', `${item.url} could not be rendered: it is fetched over plain HTTP`, { url: item.url })
    const { outcome, page, unread } = rendered ?? (await readPage(item.url, options))
    if (page === null) {
      if (!late.aborted) tell('warning', `Could not read ${item.url}: ${unread ?? whyNot(outcome)}`, { url: item.url })
      return item
    }
    tell('info', `Read ${item.url}`, { url: item.url })
    return {
      ...item,
      title: oneLine(page.title ?? '', MAX_TITLE) || item.title,
      description: oneLine(page.description ?? '', MAX_DESCRIPTION) || item.description,
      depth: rendered === null ? 'advanced' : 'ultimate',
    }
  }
}

function whyNot(outcome: Awaited<ReturnType<TaskContext['readPage']>>['outcome']): string {
  if (outcome.kind === 'failure') return words(outcome.reason)
  return `status ${outcome.status}`
}
