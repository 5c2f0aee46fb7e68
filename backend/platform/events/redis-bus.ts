/**
 * The EventBus over Redis, between processes: one channel, in which each process hears what the others publish. What is published here is
 * told here at once, without a detour. While Redis is away only this process hears of it; those who follow a run look at its row as well.
 */
import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { EventBus, RunHint } from './event-bus.ts'
import { localBus } from './local-bus.ts'

type Message = { from: string; hints: RunHint[] }

export type RedisBus = EventBus & { close(): void }

/**
 * @param publisher   a connection that others may use as well
 * @param subscriber  a connection of its own: one that listens can do nothing else
 */
export function redisBus({ publisher, subscriber, channel }: { publisher: Redis; subscriber: Redis; channel: string }): RedisBus {
  const local = localBus()
  const self = randomUUID()
  /** What was published since the last message was sent. */
  let unsent: RunHint[] = []
  let isClosed = false
  const hear = (_: string, text: string) => {
    const { from, hints } = JSON.parse(text) as Message
    if (from !== self) for (const hint of hints) local.publish(hint)
  }
  const listen = () => void subscriber.subscribe(channel).catch(() => undefined)
  subscriber.on('message', hear)
  // Subscriptions of before are made again by the client; the first one may come before there is a connection.
  subscriber.on('ready', listen)
  if (subscriber.status === 'ready') listen()
  return { publish, subscribe: local.subscribe, subscribeAll: local.subscribeAll, close }

  function publish(hint: RunHint) {
    local.publish(hint)
    unsent.push(hint)
    // One message for all hints of a commit.
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
