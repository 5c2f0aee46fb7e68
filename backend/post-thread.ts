/** The program of the thread that sends webhooks; see `webhooks/post-host.ts`. */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import { createEgress } from './crawler/fetch/egress.ts'
import { createPostMessage } from './crawler/fetch/post-message.ts'
import type { Posted } from './crawler/fetch/post-message.ts'
import { answerQuestions } from './platform/threads/answer-questions.ts'
import type { PostThreadData, ThreadMessage } from './webhooks/post-host.ts'

/** Most bytes of an answer: the log keeps 2 KB of its body, and heads have Node's own limit. */
const MOST_ANSWER_BYTES = 18 * 1024

/**
 * Higher than all other threads, where the system allows it (Linux, as root). While this thread waits for a core, the receiver of an endless
 * answer fills the buffers of two kernels: 127 KB in ours, 4 MB in its own. The thread works for microseconds at a time, and sends at most
 * 32 messages at once.
 */
const PRIORITY = -15
raisePriority()

const post = createPostMessage(createEgress({ ...(workerData as PostThreadData), mostAnswerBytes: MOST_ANSWER_BYTES }))

/** The thread's first message compiles the code, which takes as long as dozens of messages; further ones wait this long. */
const FIRST_ALONE_MS = 200
let first: Promise<unknown> | undefined

function raisePriority(): void {
  try {
    // Linux has a priority per thread, addressed by the thread's id.
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), PRIORITY)
  } catch {
    // Another system, or not permitted: keep the normal priority.
  }
}

answerQuestions(async (message: ThreadMessage, signal): Promise<Posted> => {
  await first
  const posting = post({ ...message, body: Buffer.from(message.body), signal })
  first ??= Promise.race([posting, new Promise((resolve) => setTimeout(resolve, FIRST_ALONE_MS).unref())])
  const posted = await posting
  // Copied, because a view's whole underlying buffer would be sent.
  return { ...posted, body: posted.body.slice() }
})
