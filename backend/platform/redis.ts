/** Connections to the Redis or Valkey of `REDIS_URL`. Loaded only where that is set. */
import { Redis } from 'ioredis'

/** A command that is not answered by then has failed: nobody is kept waiting for longer. */
const COMMAND_MS = 1000
const LONGEST_PAUSE_MS = 2000

export type { Redis } from 'ioredis'

/**
 * Connects, and connects again for as long as it takes. While there is no connection, commands fail at once.
 *
 * @param isBlocking  the connection waits for what comes: its commands take as long as they take, and wait for the connection
 * @param name  what the connection is for, as `CLIENT LIST` shows it
 * @param warn  told once when the connection is lost, and once when it is back
 */
export function connectRedis({
  url,
  name,
  isBlocking = false,
  warn,
}: {
  url: string
  name: string
  isBlocking?: boolean
  warn: (facts: object, message: string) => void
}): Redis {
  const patience = isBlocking
    ? { maxRetriesPerRequest: null }
    : { commandTimeout: COMMAND_MS, enableOfflineQueue: false, maxRetriesPerRequest: 0 }
  const redis = new Redis(url, {
    ...patience,
    connectionName: `seine-${name}`,
    retryStrategy: (tries) => Math.min(LONGEST_PAUSE_MS, 50 * 2 ** Math.min(tries, 10)),
  })
  let isLost = false
  redis.on('error', (err: unknown) => {
    if (!isLost) warn({ err, connection: name }, 'Redis cannot be reached; it is tried again')
    isLost = true
  })
  redis.on('ready', () => {
    if (isLost) warn({ connection: name }, 'Redis can be reached again')
    isLost = false
  })
  return redis
}
