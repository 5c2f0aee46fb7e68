/** A thread that answers questions, starts with the first one, and ends after a while without any. */
import { ThreadEnded, startAskedThread } from './asked-thread.ts'
import type { AskedThread, AskedThreadNeeds } from './asked-thread.ts'

type ThreadOnDemand<Question, Answer> = Pick<AskedThread<Question, Answer>, 'ask' | 'waiting' | 'end'> & {
  /** Ends the thread for good; further questions are rejected. */
  close(): Promise<void>
}

export function threadOnDemand<Question, Answer>({
  idleMs,
  ...needs
}: Omit<AskedThreadNeeds, 'onAnswer'> & { idleMs: number }): ThreadOnDemand<Question, Answer> {
  let thread: AskedThread<Question, Answer> | null = null
  let idle: NodeJS.Timeout | undefined
  let isClosed = false
  return {
    ask,
    get waiting() {
      return thread?.waiting ?? 0
    },
    end,
    close() {
      isClosed = true
      return end()
    },
  }

  async function ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    if (isClosed) throw new ThreadEnded('The thread has ended.')
    clearTimeout(idle)
    if (thread === null || thread.hasEnded) thread = startAskedThread({ ...needs, onAnswer: rest })
    return thread.ask(question, signal)
  }

  function rest(): void {
    if (thread === null || thread.waiting > 0) return
    clearTimeout(idle)
    idle = setTimeout(() => void end(), idleMs).unref()
  }

  /** The next question starts another thread. */
  async function end(): Promise<void> {
    clearTimeout(idle)
    const ending = thread
    thread = null
    await ending?.end()
  }
}
