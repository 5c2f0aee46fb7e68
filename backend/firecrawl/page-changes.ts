/**
 * Compares copies of pages in a thread, because the comparison of two long texts takes seconds. Owners of teams take turns. The thread
 * starts with the first long text, and ends after a while without any.
 */
import { AppError } from '#backend/errors.ts'
import { createRoundRobinLimit } from '#backend/http/round-robin-limit.ts'
import type { ShareOf } from '#backend/platform/database/share-of-team.ts'
import { threadOnDemand } from '#backend/platform/threads/thread-on-demand.ts'
import { pageChange } from './change-tracking.ts'
import { lineDiff } from './line-diff.ts'

/** What the thread computes, by name. */
export const COMPARISONS = { lineDiff, pageChange }

type Comparisons = typeof COMPARISONS
type Name = keyof Comparisons
export type Comparison = { name: Name; args: unknown[] }

const IDLE_MS = 15_000
const MOST_WAITING = 500
/** Characters or bytes of both copies that are compared at once, without the thread: 15 ms at most, usually one. */
const SMALL = 16 * 1024

export type PageChanges = ReturnType<typeof createPageChanges>

/** @param program  file of the thread */
export function createPageChanges({
  program,
  shareOf,
  warn,
}: {
  program: URL
  shareOf: ShareOf
  warn: (facts: object, message: string) => void
}) {
  const inTurn = createRoundRobinLimit({ atOnce: 1, maxWaiting: MOST_WAITING })
  const thread = threadOnDemand<Comparison, unknown>({ program, mostHeapMb: 256, idleMs: IDLE_MS })
  let isClosed = false
  return {
    lineDiff: (teamId: string, ...args: Parameters<Comparisons['lineDiff']>) => compare(teamId, 'lineDiff', args),
    pageChange: (teamId: string, ...args: Parameters<Comparisons['pageChange']>) => compare(teamId, 'pageChange', args),
    close() {
      isClosed = true
      return thread.close()
    },
  }

  /** Throws `unavailable` when too many comparisons wait, or when the thread ends unexpectedly. */
  async function compare<N extends Name>(teamId: string, name: N, args: Parameters<Comparisons[N]>): Promise<ReturnType<Comparisons[N]>> {
    const [before, after] = args
    if ((before?.length ?? 0) + after.length <= SMALL)
      return (COMPARISONS[name] as (...args: unknown[]) => ReturnType<Comparisons[N]>)(...args)
    return inTurn(await shareOf(teamId), () => ask({ name, args })) as Promise<ReturnType<Comparisons[N]>>
  }

  async function ask(comparison: Comparison): Promise<unknown> {
    try {
      return await thread.ask(comparison)
    } catch (fault) {
      if (!isClosed) warn({ err: fault }, 'two copies of a page could not be compared')
      throw new AppError('unavailable', { cause: fault })
    }
  }
}
