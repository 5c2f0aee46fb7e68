/**
 * The search over a team's own pages, for any process. A thread does the work; it is started with the first query and ended when no query
 * has come for a while. So neither the API nor the engine ever waits for a search.
 */
import { AppError } from '#backend/errors.ts'
import { startThread } from '#backend/platform/threads/start-thread.ts'
import type { Thread } from '#backend/platform/threads/start-thread.ts'
import type { OwnFilters, OwnSearchAnswer, OwnSearchRequest } from './find-pages.ts'
import { indexFileOf } from './index-file.ts'

export type SearchThreadData = { database: string; file: string }
export type ToSearchThread = { id: number; request: OwnSearchRequest }
export type FromSearchThread = { id: number; answer: OwnSearchAnswer; isDamaged: boolean } | { id: number; fault: unknown }

export type OwnSearch = ReturnType<typeof createOwnSearch>

/** A query; absent filters filter nothing. */
export type OwnSearchQuery = Omit<OwnSearchRequest, 'filters' | 'isTyping'> & { filters?: Partial<OwnFilters>; isTyping?: boolean }

const IDLE_MS = 2 * 60_000
/** Far beyond the thread's own limit: only a native call that never returns takes this long. */
const DEADLINE_MS = 10_000
/** A person who types makes queries faster than they are answered. Queries beyond this are refused, and the client may repeat them. */
const MOST_WAITING = 100

type Waiting = { resolve: (answer: OwnSearchAnswer) => void; reject: (fault: unknown) => void; timer: NodeJS.Timeout }

/**
 * @param database   file of the database; the index is beside it
 * @param onDamage   called when the index cannot be read, so that its writer checks it
 */
export function createOwnSearch({ database, onDamage = () => undefined }: { database: string; onDamage?: () => void }) {
  let thread: Thread | null = null
  let nextId = 1
  let idle: NodeJS.Timeout | undefined
  const waiting = new Map<number, Waiting>()
  return { search, close }

  /**
   * The best pages of a team: `limit` of them after `offset`. Never another team's.
   *
   * Throws `unavailable` when too many queries wait or no answer comes.
   */
  function search({ filters = {}, isTyping = false, ...query }: OwnSearchQuery): Promise<OwnSearchAnswer> {
    if (waiting.size >= MOST_WAITING) return Promise.reject(new AppError('unavailable'))
    clearTimeout(idle)
    const asked = (thread ??= start())
    const request = { ...query, filters: { site: null, crawl: null, since: null, until: null, language: null, ...filters }, isTyping }
    return new Promise((resolve, reject) => {
      const id = nextId++
      const timer = setTimeout(() => void drop(asked), DEADLINE_MS)
      waiting.set(id, { resolve, reject, timer })
      asked.worker.ref()
      asked.worker.postMessage({ id, request } satisfies ToSearchThread)
    })
  }

  function start(): Thread {
    const started = startThread(new URL('./search-thread.ts', import.meta.url), {
      data: { database, file: indexFileOf(database) } satisfies SearchThreadData,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
    })
    const { worker } = started
    worker.on('message', (message: FromSearchThread) => receive(started, message))
    worker.on('error', (fault) => bury(started, fault))
    worker.once('exit', () => bury(started, null))
    return started
  }

  function receive(from: Thread, message: FromSearchThread) {
    const asked = waiting.get(message.id)
    if (asked === undefined) return
    waiting.delete(message.id)
    clearTimeout(asked.timer)
    if ('fault' in message) asked.reject(message.fault)
    else {
      if (message.isDamaged) onDamage()
      asked.resolve(message.answer)
    }
    if (waiting.size > 0) return
    // Lets the process end while no query is in progress.
    from.worker.unref()
    idle = setTimeout(() => void drop(from), IDLE_MS)
    idle.unref()
  }

  function bury(dead: Thread, fault: unknown) {
    if (thread !== dead) return
    thread = null
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer)
      reject(new AppError('unavailable', { cause: fault }))
    }
    waiting.clear()
  }

  /** Ends a thread, which may take long. Its queries fail at once, and the next query starts another one. */
  function drop(one: Thread): Promise<void> {
    bury(one, null)
    return one.end()
  }

  async function close(): Promise<void> {
    clearTimeout(idle)
    if (thread !== null) await drop(thread)
  }
}
