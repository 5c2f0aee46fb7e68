/** Waits for the page of a crawl of one page. */
import { AppError } from '#backend/errors.ts'
import { pageWindow } from '#backend/http/pagination.ts'
import type { EventBus } from '#backend/platform/events/event-bus.ts'
import { awaitRun } from '#backend/runs/await-run.ts'
import type { Run } from '#backend/runs/run.ts'
import type { Runs } from '#backend/runs/runs.ts'
import type { CrawlOutcomes } from './crawl-outcomes.ts'
import type { CrawlPages, NumberedPage } from './crawl-pages.ts'

/**
 * Waits until the first page of a crawl is stored.
 *
 * @param signal  aborts when the caller disconnects or has waited long enough
 * @returns the page; null when `signal` aborted first
 * @throws {AppError} `page_unreadable` with the reason under `url` when the crawl ended without a page, `not_found` when it was deleted
 */
export async function firstPage(
  { bus, outcomes, pages, runs }: { bus: EventBus; outcomes: CrawlOutcomes; pages: CrawlPages; runs: Runs },
  teamId: string,
  { id, no }: Pick<Run, 'id' | 'no'>,
  signal: AbortSignal,
): Promise<NumberedPage | null> {
  const run = await awaitRun({ bus, runs }, 'crawl', { id, no, teamId }, signal, ({ kept }) => kept > 0)
  if (signal.aborted) return null
  const [page] = run.kept > 0 ? await pages.between(no, 0, 1, 1) : []
  if (page !== undefined) return page
  throw new AppError('page_unreadable', { fields: { url: [await reasonOf(run)] } })

  async function reasonOf(run: Run): Promise<string> {
    const { urls } = await outcomes.list(run, {}, (count) => pageWindow({ page_size: '1' }, count))
    const { outcome = null, detail = null } = urls[0] ?? {}
    return [outcome ?? run.reason ?? run.status, detail].filter((part) => part !== null && part !== '').join(': ')
  }
}
