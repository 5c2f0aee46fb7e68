/** Opens what several processes share over Redis: live events, rate limits and hints of jobs. Without `REDIS_URL` it uses memory. */
import type { Log } from './config.ts'
import { createRateLimits } from './http/rate-limits.ts'
import type { RateLimits } from './http/rate-limits.ts'
import { localBus } from './platform/events/event-bus.ts'
import type { EventBus } from './platform/events/event-bus.ts'
import type { workOnHints } from './platform/queue/bullmq-hints.ts'
import type { RunQueue } from './platform/queue/queue.ts'
import type { ServiceState } from './platform/service-watch.ts'
import { deriveKey } from './platform/secrets.ts'

/**
 * Prefix of every key and channel: other programs and installations may use the same Redis. A channel is the same in all of its numbered
 * databases, and numbers of runs repeat in each installation.
 */
const prefixOf = (secretKey: string) => `seine:${deriveKey(secretKey, 'names in Redis').toString('hex', 0, 6)}:`

/** Job notifications between processes. */
export type SharedJobs = {
  /** The queue that also notifies the other processes. */
  tellingOthers(rows: RunQueue): RunQueue
  /** Receives their notifications. */
  work(needs: Pick<Parameters<typeof workOnHints>[0], 'isWaiting' | 'wake' | 'places'>): void
}

export type Shared = {
  bus: EventBus
  /** Null with a single process. */
  jobs: SharedJobs | null
  limits: RateLimits
  redis: () => ServiceState
  /** A monotonic clock, in milliseconds. */
  steady: () => number
  close(): Promise<void>
}

export async function openShared(
  { redisUrl, secretKey }: { redisUrl?: string | undefined; secretKey: string },
  log: Pick<Log, 'warn'>,
  steady: () => number,
): Promise<Shared> {
  const local = createRateLimits({ now: steady })
  if (redisUrl === undefined)
    return { bus: localBus(), jobs: null, limits: local, redis: () => 'off', steady, close: async () => undefined }
  const [{ connectRedis }, { redisWarnings }, { redisBus }, { hintedQueue, workOnHints }, { createSharedRateLimits }] = await Promise.all([
    import('./platform/redis/redis.ts'),
    import('./platform/redis/redis-warnings.ts'),
    import('./platform/events/redis-bus.ts'),
    import('./platform/queue/bullmq-hints.ts'),
    import('./http/shared-rate-limits.ts'),
  ])
  const prefix = prefixOf(secretKey)
  const warn = (facts: object, message: string) => log.warn(facts, message)
  const redis = connectRedis({ url: redisUrl, name: 'commands', warn })
  const subscriber = connectRedis({ url: redisUrl, name: 'events', warn })
  redis.once('ready', () => {
    void redisWarnings(redis).then((warnings) => warnings.forEach((warning) => warn({}, warning)))
  })
  const bus = redisBus({ publisher: redis, subscriber, channel: `${prefix}hints` })
  const closers: (() => Promise<void>)[] = []
  const jobs: SharedJobs = {
    tellingOthers(rows) {
      const queue = hintedQueue({ rows, publisher: redis, prefix: `${prefix}jobs` })
      closers.push(queue.close)
      return queue
    },
    work(needs) {
      const blocking = connectRedis({ url: redisUrl, name: 'jobs', isBlocking: true, warn })
      const worker = workOnHints({ ...needs, blocking, prefix: `${prefix}jobs` })
      closers.push(worker.close, async () => blocking.disconnect())
    },
  }
  return {
    bus,
    jobs,
    limits: createSharedRateLimits({ redis, local, prefix }),
    redis: () => (redis.status === 'ready' ? 'ok' : 'failed'),
    steady,
    async close() {
      bus.close()
      for (const close of closers) await close()
      for (const connection of [redis, subscriber]) connection.disconnect()
    },
  }
}
