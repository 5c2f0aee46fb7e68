/** The program of the thread that sends webhooks; see `webhooks/post-host.ts`. */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createEgress } from './crawler/fetch/egress.ts'
import { createPostMessage } from './crawler/fetch/post-message.ts'
import type { FromPoster, PostThreadData, ToPoster } from './webhooks/post-thread-messages.ts'

/** Of an answer that are taken: the log keeps 2 KB of its body, and a head has its usual bound, which is Node's own too. */
const MOST_ANSWER_BYTES = 18 * 1024

/**
 * Ahead of all other threads, where the system allows it (Linux, as root). A receiver whose answer does not end fills the kernel's buffers with two
 * megabytes in the millisecond that this thread waits for a processor. It works for microseconds at a time, and sends 32 messages at once at most.
 */
const PRIORITY = -15
raisePriority()

const post = createPostMessage(createEgress({ ...(workerData as PostThreadData), mostAnswerBytes: MOST_ANSWER_BYTES }))
const sending = new Map<number, AbortController>()

/** The first message of the thread compiles the code of an exchange, which takes as long as dozens of exchanges; the others wait so long for it. */
const FIRST_ALONE_MS = 200
let first: Promise<unknown> | undefined

function raisePriority(): void {
  try {
    // The number of the thread that asks: Linux keeps a priority for each.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), PRIORITY)
  } catch {
    // Another system, or no right to it: it is then as quick as others are.
  }
}

parentPort!.on('message', (told: ToPoster) => {
  if (told.type === 'cancel') sending.get(told.id)?.abort()
  else void send(told)
})

async function send({ id, message }: Extract<ToPoster, { type: 'post' }>): Promise<void> {
  const canceled = new AbortController()
  sending.set(id, canceled)
  await first
  const posting = post({ ...message, body: Buffer.from(message.body), signal: canceled.signal })
  first ??= Promise.race([posting, new Promise((resolve) => setTimeout(resolve, FIRST_ALONE_MS).unref())])
  const posted = await posting
  sending.delete(id)
  // Its bytes may be a view of a larger buffer, which would be copied whole.
  parentPort!.postMessage({ id, posted: { ...posted, body: posted.body.slice() } } satisfies FromPoster)
}
