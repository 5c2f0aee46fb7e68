/** Connections to the Redis or Valkey of `REDIS_URL`. Loaded only where that is set. */
import { Redis } from 'ioredis'

/** A command without an answer fails after this time, so that no caller waits longer. */
const COMMAND_MS = 1000
const LONGEST_PAUSE_MS = 2000

export type { Redis } from 'ioredis'

/**
 * Connects, and reconnects for as long as it takes. Without a connection, commands fail at once.
 *
 * @param isBlocking  for blocking commands: no timeout, and commands wait for the connection
 * @param name  of the connection in `CLIENT LIST`
 * @param warn  called once when the connection is lost, and once when it is back
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
