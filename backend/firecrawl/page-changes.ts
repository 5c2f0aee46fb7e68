/**
 * Compares copies of pages in a thread, because the comparison of two long texts takes seconds. Teams take turns. The thread starts with the
 * first long text, and ends after a while without any.
 */
import { AppError } from '#backend/errors.ts'
import { createRoundRobinLimit } from '#backend/http/round-robin-limit.ts'
import { startThread } from '#backend/platform/threads/start-thread.ts'
import type { Thread } from '#backend/platform/threads/start-thread.ts'
import { pageChange } from './change-tracking.ts'
import { lineDiff } from './line-diff.ts'

/** What the thread computes, by name. */
export const COMPARISONS = { lineDiff, pageChange }

type Comparisons = typeof COMPARISONS
type Name = keyof Comparisons
export type ToComparer = { name: Name; args: unknown[] }
export type FromComparer = { result: unknown } | { fault: string }

const IDLE_MS = 15_000
const MOST_WAITING = 500
/** Characters or bytes of both copies that are compared at once, without the thread: 15 ms at most, usually one. */
const SMALL = 16 * 1024

export type PageChanges = ReturnType<typeof createPageChanges>

/** @param program  file of the thread */
export function createPageChanges({
  idleMs = IDLE_MS,
  program,
  warn,
}: {
  idleMs?: number
  program: URL
  warn: (facts: object, message: string) => void
}) {
  const inTurn = createRoundRobinLimit({ atOnce: 1, maxWaiting: MOST_WAITING })
  let thread: Thread | null = null
  let idle: NodeJS.Timeout | undefined
  let isClosed = false
  return {
    lineDiff: (teamId: string, ...args: Parameters<Comparisons['lineDiff']>) => compare(teamId, 'lineDiff', args),
    pageChange: (teamId: string, ...args: Parameters<Comparisons['pageChange']>) => compare(teamId, 'pageChange', args),
    close: async () => {
      isClosed = true
      await end()
    },
  }

  /** Throws `unavailable` when too many comparisons wait, or when the thread ends unexpectedly. */
  async function compare<N extends Name>(teamId: string, name: N, args: Parameters<Comparisons[N]>): Promise<ReturnType<Comparisons[N]>> {
    const [before, after] = args
    if ((before?.length ?? 0) + after.length <= SMALL)
      return (COMPARISONS[name] as (...args: unknown[]) => ReturnType<Comparisons[N]>)(...args)
    return inTurn(teamId, () => ask({ name, args })) as Promise<ReturnType<Comparisons[N]>>
  }

  /** One question at a time. */
  async function ask(question: ToComparer): Promise<unknown> {
    if (isClosed) throw new AppError('unavailable')
    clearTimeout(idle)
    const { worker } = (thread ??= start())
    const { promise, resolve, reject } = Promise.withResolvers<FromComparer>()
    const onExit = () => reject(isClosed ? new AppError('unavailable') : new Error('the thread has exited'))
    worker.once('message', resolve).once('error', reject).once('exit', onExit).ref()
    worker.postMessage(question)
    try {
      const answer = await promise
      if ('fault' in answer) throw new Error(answer.fault)
      return answer.result
    } catch (fault) {
      if (fault instanceof AppError) throw fault
      warn({ err: fault }, 'two copies of a page could not be compared')
      void end()
      throw new AppError('unavailable', { cause: fault })
    } finally {
      worker.off('message', resolve).off('error', reject).off('exit', onExit).unref()
      idle = setTimeout(() => void end(), idleMs).unref()
    }
  }

  function start(): Thread {
    const started = startThread(program, { data: {}, resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 } })
    const forget = () => {
      if (thread === started) thread = null
    }
    // Also while it has no question: an error without a listener would end the process.
    started.worker.once('error', forget).once('exit', forget)
    return started
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const ending = thread
    thread = null
    await ending?.end()
  }
}
