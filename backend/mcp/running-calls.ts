/**
 * The calls in progress, for clients that cancel by a separate message (revisions before 2026-07-28).
 *
 * Each client numbers its calls from 0, so two clients with one key use the same ids. The session id from `initialize` tells them apart: a
 * random text that is stored nowhere, so that sessions neither expire nor fill the memory.
 */
import { randomUUID } from 'node:crypto'
import type { Id } from './protocol.ts'

export function createRunningCalls() {
  const running = new Map<string, () => void>()
  return { newSession: () => randomUUID(), begin, cancel }

  /**
   * @param session  null for a client without one, whose calls end when it disconnects
   * @returns  a function that removes the entry
   */
  function begin(caller: string, session: string | null, id: Id, abort: () => void): () => void {
    if (session === null) return () => undefined
    const key = keyOf(caller, session, id)
    running.set(key, abort)
    return () => void (running.get(key) === abort && running.delete(key))
  }

  /** Aborts a call; ignores one that has ended or never existed. */
  function cancel(caller: string, session: string | null, id: unknown): void {
    if (session !== null && (typeof id === 'string' || typeof id === 'number')) running.get(keyOf(caller, session, id))?.()
  }
}

const keyOf = (caller: string, session: string, id: Id) => JSON.stringify([caller, session, id])
