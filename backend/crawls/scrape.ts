/** Waits for the page of a crawl that has only one. */
import { isTerminal } from '#contract/runs.ts'
import { AppError } from '#backend/errors.ts'
import { pageWindow } from '#backend/http/pagination.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import type { CrawlOutcomes } from './crawl-outcomes.ts'
import type { CrawlPages, NumberedPage } from './crawl-pages.ts'

/** Hints may get lost: so often the crawl is read without one. */
const LOOK_EVERY_MS = 1000

/**
 * Waits until the first page of a crawl is stored.
 *
 * @param signal  aborted when the caller has left or has waited long enough
 * @returns the page; null when `signal` was aborted first
 * @throws {AppError} `page_unreadable` with the reason under `url` when the crawl ended without a page, `not_found` when it was deleted
 */
export async function firstPage(
  { bus, outcomes, pages, runs }: { bus: EventBus; outcomes: CrawlOutcomes; pages: CrawlPages; runs: Runs },
  teamId: string,
  { id, no }: Pick<Run, 'id' | 'no'>,
  signal: AbortSignal,
): Promise<NumberedPage | null> {
  let look = () => {}
  const unsubscribe = bus.subscribe(no, () => look())
  const timer = setInterval(() => look(), LOOK_EVERY_MS)
  const onAbort = () => look()
  signal.addEventListener('abort', onAbort)
  try {
    for (;;) {
      // A hint that comes while the tables are read must not be missed.
      const hinted = new Promise<void>((resolve) => (look = resolve))
      if (signal.aborted) return null
      const run = await runs.read(teamId, 'crawl', id)
      const [page] = run.kept > 0 ? await pages.between(no, 0, 1, 1) : []
      if (page !== undefined) return page
      if (isTerminal(run.status)) throw new AppError('page_unreadable', { fields: { url: [await reasonOf(run)] } })
      await hinted
    }
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', onAbort)
    unsubscribe()
  }

  async function reasonOf(run: Run): Promise<string> {
    const { urls } = await outcomes.list(run, {}, (count) => pageWindow({ page_size: '1' }, count))
    const { outcome = null, detail = null } = urls[0] ?? {}
    return [outcome ?? run.reason ?? run.status, detail].filter((part) => part !== null && part !== '').join(': ')
  }
}
