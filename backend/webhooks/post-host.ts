/**
 * Sends messages from a thread of its own, which starts with the first message and ends after a while without any.
 *
 * A receiver with an endless answer sends until we close the connection: over a fast network a megabyte per millisecond. The API's event
 * loop waits for commits, which take several milliseconds; the thread's has nothing else to do.
 */
import type { createEgress } from '#backend/crawler/fetch/egress.ts'
import type { Message, Posted, PostMessage } from '#backend/crawler/fetch/post-message.ts'
import { ThreadEnded } from '#backend/platform/threads/asked-thread.ts'
import { threadOnDemand } from '#backend/platform/threads/thread-on-demand.ts'

export type PostThreadData = Pick<Parameters<typeof createEgress>[0], 'allow' | 'resolver' | 'userAgent'>

/** A message for the thread, which gets its bytes as a plain array. */
export type ThreadMessage = Omit<Message, 'body' | 'signal'> & { body: Uint8Array }

const IDLE_MS = 15_000

export type PostHost = {
  post: PostMessage
  /** Ends the thread; requests in progress count as canceled. */
  close(): Promise<void>
}

/** @param program  file of the thread */
export function createPostHost({
  data,
  idleMs = IDLE_MS,
  program,
  warn,
}: {
  data: PostThreadData
  idleMs?: number
  program: URL
  warn: (facts: object, message: string) => void
}): PostHost {
  const thread = threadOnDemand<ThreadMessage, Posted>({
    program,
    data,
    mostHeapMb: 64,
    idleMs,
    onCrash: (fault) => warn({ err: fault }, 'the thread that sends webhooks ended; its unsent webhooks are sent again'),
  })
  return { post, close: thread.close }

  async function post({ signal, ...message }: Message): Promise<Posted> {
    if (signal.aborted) return CANCELED
    try {
      return await thread.ask(message, signal)
    } catch (fault) {
      // The outcome of the request is unknown.
      if (fault instanceof ThreadEnded) return CANCELED
      throw fault
    }
  }
}

const CANCELED: Posted = {
  status: null,
  failure: 'canceled',
  headers: {},
  body: new Uint8Array(0),
  isCut: false,
  retryAfterMs: null,
  isCanceled: true,
}
