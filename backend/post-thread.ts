/** The program of the thread that sends webhooks; see `webhooks/post-host.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { createEgress } from './crawler/fetch/egress.ts'
import { createPostMessage } from './crawler/fetch/post-message.ts'
import type { FromPoster, PostThreadData, ToPoster } from './webhooks/post-thread-messages.ts'

const post = createPostMessage(createEgress(workerData as PostThreadData))
const sending = new Map<number, AbortController>()

parentPort!.on('message', (told: ToPoster) => {
  if (told.type === 'cancel') sending.get(told.id)?.abort()
  else void send(told)
})

async function send({ id, message }: Extract<ToPoster, { type: 'post' }>): Promise<void> {
  const canceled = new AbortController()
  sending.set(id, canceled)
  const posted = await post({ ...message, body: Buffer.from(message.body), signal: canceled.signal })
  sending.delete(id)
  // Its bytes may be a view of a larger buffer, which would be copied whole.
  parentPort!.postMessage({ id, posted: { ...posted, body: posted.body.slice() } } satisfies FromPoster)
}
