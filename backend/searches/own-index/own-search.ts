/**
 * The search over a team's own pages, for any process. A thread does the work; it is started with the first query and ended when no query
 * has come for a while. So neither the API nor the engine ever waits for a search.
 */
import { AppError } from '#backend/errors.ts'
import { ThreadEnded } from '#backend/platform/threads/asked-thread.ts'
import { threadOnDemand } from '#backend/platform/threads/thread-on-demand.ts'
import type { OwnFilters, OwnSearchAnswer, OwnSearchRequest } from './find-pages.ts'
import { indexFileOf } from './index-file.ts'

export type SearchThreadData = { database: string; file: string }
export type SearchThreadAnswer = { answer: OwnSearchAnswer; isDamaged: boolean }

export type OwnSearch = ReturnType<typeof createOwnSearch>

/** A query; absent filters filter nothing. */
export type OwnSearchQuery = Omit<OwnSearchRequest, 'filters' | 'isTyping'> & { filters?: Partial<OwnFilters>; isTyping?: boolean }

const IDLE_MS = 2 * 60_000
/** Far beyond the thread's own limit: only a native call that never returns takes this long. */
const DEADLINE_MS = 10_000
/** A person who types makes queries faster than they are answered. Queries beyond this are refused, and the client may repeat them. */
const MOST_WAITING = 100

/**
 * @param database   file of the database; the index is beside it
 * @param onDamage   called when the index cannot be read, so that its writer checks it
 */
export function createOwnSearch({ database, onDamage = () => undefined }: { database: string; onDamage?: () => void }) {
  const thread = threadOnDemand<OwnSearchRequest, SearchThreadAnswer>({
    program: new URL('./search-thread.ts', import.meta.url),
    data: { database, file: indexFileOf(database) } satisfies SearchThreadData,
    mostHeapMb: 128,
    idleMs: IDLE_MS,
  })
  return { search, close: thread.close }

  /**
   * The best pages of a team: `limit` of them after `offset`. Never another team's.
   *
   * Throws `unavailable` when too many queries wait or no answer comes.
   */
  async function search({ filters = {}, isTyping = false, ...query }: OwnSearchQuery): Promise<OwnSearchAnswer> {
    if (thread.waiting >= MOST_WAITING) throw new AppError('unavailable')
    const request = { ...query, filters: { site: null, crawl: null, since: null, until: null, language: null, ...filters }, isTyping }
    const timer = setTimeout(() => void thread.end(), DEADLINE_MS)
    try {
      const { answer, isDamaged } = await thread.ask(request)
      if (isDamaged) onDamage()
      return answer
    } catch (fault) {
      throw fault instanceof ThreadEnded ? new AppError('unavailable', { cause: fault.cause }) : fault
    } finally {
      clearTimeout(timer)
    }
  }
}
