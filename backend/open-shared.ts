/** What several processes share over Redis: live events and rate limits. In its place stands memory, where `REDIS_URL` is not set. */
import type { Log } from './config.ts'
import { createRateLimits } from './http/rate-limits.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { EventBus } from './platform/events/event-bus.ts'
import { localBus } from './platform/events/local-bus.ts'

/** Of every key and channel: other programs may use the same Redis. */
const PREFIX = 'seine:'

export type Shared = {
  bus: EventBus
  limits: RateLimits
  /** A clock that only goes forward, in milliseconds. */
  steady: () => number
  close(): Promise<void>
}

export async function openShared({ redisUrl }: { redisUrl?: string | undefined }, log: Log, steady: () => number): Promise<Shared> {
  const local = createRateLimits({ now: steady })
  if (redisUrl === undefined) return { bus: localBus(), limits: local, steady, close: async () => undefined }
  const [{ connectRedis }, { redisBus }, { createSharedRateLimits }] = await Promise.all([
    import('./platform/redis.ts'),
    import('./platform/events/redis-bus.ts'),
    import('./http/shared-rate-limits.ts'),
  ])
  const warn = (facts: object, message: string) => log.warn(facts, message)
  const redis = connectRedis({ url: redisUrl, name: 'commands', warn })
  const subscriber = connectRedis({ url: redisUrl, name: 'events', warn })
  const bus = redisBus({ publisher: redis, subscriber, channel: `${PREFIX}hints` })
  return {
    bus,
    limits: createSharedRateLimits({ redis, local, prefix: PREFIX }),
    steady,
    async close() {
      bus.close()
      for (const connection of [redis, subscriber]) connection.disconnect()
    },
  }
}
