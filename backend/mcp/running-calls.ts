/**
 * The calls that are being worked on, for the clients that cancel by a message of its own (revisions before 2026-07-28).
 *
 * A client's ids are its own numbers from 0, so two clients with one key use the same ones. What tells them apart is the session id that
 * `initialize` answered: a random text that is stored nowhere, so that sessions neither end nor fill the memory.
 */
import { randomUUID } from 'node:crypto'
import type { Id } from './protocol.ts'

export type RunningCalls = ReturnType<typeof createRunningCalls>

export function createRunningCalls() {
  const running = new Map<string, () => void>()
  return { newSession: () => randomUUID(), begin, cancel }

  /**
   * @param session  null for a client without one, whose calls end when it hangs up
   * @returns  ends the entry
   */
  function begin(caller: string, session: string | null, id: Id, abort: () => void): () => void {
    if (session === null) return () => undefined
    const key = keyOf(caller, session, id)
    running.set(key, abort)
    return () => void (running.get(key) === abort && running.delete(key))
  }

  /** A call that has ended, or that never was, is left alone. */
  function cancel(caller: string, session: string | null, id: unknown): void {
    if (session !== null && (typeof id === 'string' || typeof id === 'number')) running.get(keyOf(caller, session, id))?.()
  }
}

const keyOf = (caller: string, session: string, id: Id) => JSON.stringify([caller, session, id])
