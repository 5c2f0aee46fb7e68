/** The other side of `asked-thread.ts`: for the program of the thread. */
import { parentPort } from 'node:worker_threads'
import type { Transferable } from 'node:worker_threads'
import type { FromThread, ToThread } from './asked-thread.ts'

/**
 * Answers each question as it comes, also while others are in progress.
 *
 * @param answer      gets a signal that aborts when the answer is no longer wanted
 * @param transferOf  the buffers of an answer that are moved instead of copied
 */
export function answerQuestions<Question, Answer>(
  answer: (question: Question, signal: AbortSignal) => Answer | Promise<Answer>,
  transferOf: (answer: Answer) => readonly Transferable[] = () => [],
): void {
  const working = new Map<number, AbortController>()
  const port = parentPort!
  port.on('message', (message: ToThread<Question>) => {
    if ('canceled' in message) working.get(message.canceled)?.abort()
    else void work(message)
  })

  async function work({ id, question }: { id: number; question: Question }): Promise<void> {
    const canceled = new AbortController()
    working.set(id, canceled)
    try {
      const given = await answer(question, canceled.signal)
      port.postMessage({ id, answer: given } satisfies FromThread<Answer>, transferOf(given))
    } catch (thrown) {
      // Sent in parts, because a structured clone of an error has no code.
      const { code, message, stack } = thrown as Error & { code?: string }
      port.postMessage({ id, fault: { message, ...(stack && { stack }), ...(code && { code }) } } satisfies FromThread<Answer>)
    } finally {
      working.delete(id)
    }
  }
}
