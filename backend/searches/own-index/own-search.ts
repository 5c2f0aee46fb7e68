/**
 * The search over a team's own pages, for any process. A thread does the work; it is started with the first query and ended when no query
 * has come for a while. So neither the API nor the engine ever waits for a search. Callers take turns by the share of their request.
 */
import { AppError } from '#backend/errors.ts'
import { createRoundRobinLimit } from '#backend/http/round-robin-limit.ts'
import { currentShare } from '#backend/platform/current-share.ts'
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
/** Queries that the thread has at once: one in work, and one that it finds afterwards. */
const AT_ONCE = 2
/**
 * A person who types makes queries faster than they are answered. Beyond this, the newest of the share with the most is refused, and the client
 * may repeat it.
 */
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
  const inTurn = createRoundRobinLimit({ atOnce: AT_ONCE, maxWaiting: MOST_WAITING })
  return { search, close: thread.close }

  /**
   * The best pages of a team: `limit` of them after `offset`. Never another team's.
   *
   * Throws `unavailable` when too many queries wait or no answer comes.
   */
  function search({ filters = {}, isTyping = false, ...query }: OwnSearchQuery): Promise<OwnSearchAnswer> {
    const request = { ...query, filters: { site: null, crawl: null, since: null, until: null, language: null, ...filters }, isTyping }
    return inTurn(currentShare(), () => ask(request))
  }

  async function ask(request: OwnSearchRequest): Promise<OwnSearchAnswer> {
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
