/** A thread that answers questions. Its program calls `answerQuestions`. */
import { startThread } from './start-thread.ts'

export type ToThread<Question> = { id: number; question: Question } | { canceled: number }
export type FromThread<Answer> = { id: number; answer: Answer } | { id: number; fault: { message: string; stack?: string; code?: string } }

/** The thread ended before it answered. The cause is its error, if it had one. */
export class ThreadEnded extends Error {}

export type AskedThread<Question, Answer> = {
  /**
   * Rejects with the error of the program, or with `ThreadEnded`.
   *
   * @param signal  asks the program to give up; it answers all the same
   */
  ask(question: Question, signal?: AbortSignal): Promise<Answer>
  /** Questions without an answer. */
  readonly waiting: number
  readonly hasEnded: boolean
  /** Ends the thread; questions that wait are rejected at once. */
  end(): Promise<void>
}

export type AskedThreadNeeds = {
  program: URL
  data?: object
  mostHeapMb: number
  /** Called when the thread ends by itself; after an error, with the error. */
  onCrash?: ((fault: unknown) => void) | undefined
  /** Called after each answer. */
  onAnswer?: (() => void) | undefined
}

/** Starts a thread. It keeps the process alive only while a question waits. */
export function startAskedThread<Question, Answer>({
  data = {},
  mostHeapMb,
  onAnswer,
  onCrash,
  program,
}: AskedThreadNeeds): AskedThread<Question, Answer> {
  const thread = startThread(program, { data, resourceLimits: { maxOldGenerationSizeMb: mostHeapMb, maxYoungGenerationSizeMb: 8 } })
  const { worker } = thread
  const questions = new Map<number, PromiseWithResolvers<Answer>>()
  let lastId = 0
  let hasEnded = false
  worker.on('message', receive)
  worker.on('error', crash)
  worker.once('exit', () => crash(undefined))
  worker.unref()
  return {
    ask,
    get waiting() {
      return questions.size
    },
    get hasEnded() {
      return hasEnded
    },
    end() {
      rejectAll(undefined)
      return thread.end()
    },
  }

  async function ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    if (hasEnded) throw new ThreadEnded('The thread has ended.')
    const id = (lastId += 1)
    const asked = Promise.withResolvers<Answer>()
    const cancel = () => worker.postMessage({ canceled: id } satisfies ToThread<Question>)
    // Throws for a value that cannot be copied to a thread: it is no question then.
    worker.postMessage({ id, question } satisfies ToThread<Question>)
    questions.set(id, asked)
    worker.ref()
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel)
    try {
      return await asked.promise
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  function receive(message: FromThread<Answer>): void {
    const asked = questions.get(message.id)
    questions.delete(message.id)
    if ('answer' in message) asked?.resolve(message.answer)
    else asked?.reject(Object.assign(new Error(message.fault.message), message.fault))
    if (questions.size === 0) worker.unref()
    onAnswer?.()
  }

  function crash(fault: unknown): void {
    if (hasEnded) return
    rejectAll(fault)
    onCrash?.(fault)
  }

  function rejectAll(cause: unknown): void {
    hasEnded = true
    const fault = new ThreadEnded('The thread has ended.', { cause })
    for (const { reject } of questions.values()) reject(fault)
    questions.clear()
  }
}
