/**
 * The EventBus between processes, over one Redis channel. Hints of this process are delivered locally at once, without Redis. While Redis
 * is down, only this process gets them; those who follow a run read its row regularly as well.
 */
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { localBus } from './event-bus.ts'
import type { EventBus, RunHint } from './event-bus.ts'

type Message = { from: string; hints: RunHint[] }

type RedisBus = EventBus & { close(): void }

/**
 * @param publisher   a connection that may be shared
 * @param subscriber  a connection of its own: a subscribed connection can do nothing else
 */
export function redisBus({ publisher, subscriber, channel }: { publisher: Redis; subscriber: Redis; channel: string }): RedisBus {
  const local = localBus()
  const self = randomUUID()
  /** Hints since the last message. */
  let unsent: RunHint[] = []
  let isClosed = false
  const hear = (_: string, text: string) => {
    const { from, hints } = JSON.parse(text) as Message
    if (from !== self) for (const hint of hints) local.publish(hint)
  }
  const listen = () => void subscriber.subscribe(channel).catch(() => undefined)
  subscriber.on('message', hear)
  // The client renews earlier subscriptions itself; the first one may be requested before there is a connection.
  subscriber.on('ready', listen)
  if (subscriber.status === 'ready') listen()
  return { publish, subscribe: local.subscribe, subscribeAll: local.subscribeAll, close }

  function publish(hint: RunHint) {
    local.publish(hint)
    unsent.push(hint)
    // All hints of a commit go into one message.
    if (unsent.length === 1) queueMicrotask(send)
  }

  function send() {
    const message: Message = { from: self, hints: unsent }
    unsent = []
    if (!isClosed) publisher.publish(channel, JSON.stringify(message)).catch(() => undefined)
  }

  function close() {
    isClosed = true
    subscriber.off('message', hear)
    subscriber.off('ready', listen)
  }
}
