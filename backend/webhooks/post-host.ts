/**
 * Sends messages from a thread of its own, which starts with the first message and ends after a while without any.
 *
 * A receiver with an endless answer sends until we close the connection: over a fast network a megabyte per millisecond. The API's event
 * loop waits for commits, which take several milliseconds; the thread's has nothing else to do.
 */
import { Worker } from 'node:worker_threads'
import type { createEgress } from '#backend/crawler/fetch/egress.ts'
import type { Message, Posted, PostMessage } from '#backend/crawler/fetch/post-message.ts'

export type PostThreadData = Pick<Parameters<typeof createEgress>[0], 'allow' | 'resolver' | 'userAgent'>

export type ToPoster =
  { type: 'post'; id: number; message: Omit<Message, 'body' | 'signal'> & { body: Uint8Array } } | { type: 'cancel'; id: number }

export type FromPoster = { id: number; posted: Posted }

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
  const waiting = new Map<number, (posted: Posted) => void>()
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let lastId = 0
  let isClosed = false
  return { post, close }

  async function post({ body, signal, ...message }: Message): Promise<Posted> {
    if (signal.aborted || isClosed) return CANCELED
    clearTimeout(idle)
    const sender = (worker ??= start())
    const id = ++lastId
    const cancel = () => sender.postMessage({ type: 'cancel', id } satisfies ToPoster)
    const { promise, resolve } = Promise.withResolvers<Posted>()
    waiting.set(id, resolve)
    signal.addEventListener('abort', cancel)
    sender.postMessage({ type: 'post', id, message: { ...message, body } } satisfies ToPoster)
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  function start(): Worker {
    const started = new Worker(program, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
    })
    started.unref()
    started.on('message', ({ id, posted }: FromPoster) => {
      waiting.get(id)?.(posted)
      waiting.delete(id)
      if (waiting.size > 0) return
      idle = setTimeout(() => void end(), idleMs)
      idle.unref()
    })
    started.on('error', (fault) => warn({ err: fault }, 'the thread that sends webhooks ended; its unsent webhooks are sent again'))
    started.once('exit', () => {
      // A thread that we have ended was forgotten before.
      if (worker === started) forget()
    })
    return started
  }

  /** Forgets the thread. The outcome of its requests is unknown. */
  function forget(): void {
    worker = null
    for (const resolve of waiting.values()) resolve(CANCELED)
    waiting.clear()
  }

  async function end(): Promise<void> {
    const ending = worker
    forget()
    await ending?.terminate()
  }

  function close(): Promise<void> {
    isClosed = true
    clearTimeout(idle)
    return end()
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
