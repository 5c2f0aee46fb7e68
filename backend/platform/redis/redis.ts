/** Connections to the Redis or Valkey of `REDIS_URL`. Loaded only where that is set. */
import { Redis } from 'ioredis'

/** A command without an answer fails after this time, so that no caller waits longer. */
const COMMAND_MS = 1000
/** A connection on which nothing arrives in this time, although an answer is due, is closed: a firewall may have dropped it silently. */
const SILENT_MS = 5000
/** BullMQ waits for jobs for at most ten seconds. */
const SILENT_BLOCKING_MS = 15_000
/** An idle connection is checked so often. */
const PING_MS = 10_000
const LONGEST_PAUSE_MS = 2000
/** A server that refuses commands is reported once in this time. */
const REFUSED_AGAIN_MS = 10 * 60_000
/** Refusals that hold until an operator acts: memory or disk full, a replica, a user without rights, a cluster. Others belong to a script. */
const REFUSED = /^(OOM|MISCONF|READONLY|NOREPLICAS|MASTERDOWN|NOPERM|MOVED|CLUSTERDOWN) /

const NOT_SIGNED_IN = /^(NOAUTH|WRONGPASS|ERR invalid password)/
const SIGN_IN_REFUSED = 'the Redis of REDIS_URL refuses the user or the password: correct them; until then, each process works on its own'
const UNREACHABLE = 'the Redis of REDIS_URL cannot be reached; it is tried again'
/** After a failover, a connection may still be to the old server, which is a replica by then. */
const IS_REPLICA = /\bREADONLY\b/

export type { Redis } from 'ioredis'

/**
 * Connects, and reconnects for as long as it takes. Without a connection, commands fail at once.
 *
 * @param isBlocking  for blocking commands: no timeout, and commands wait for the connection
 * @param name  of the connection in `CLIENT LIST`
 * @param warn  called once when the connection is lost, and once when it is back; from time to time while commands are refused
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
    ? { maxRetriesPerRequest: null, socketTimeout: SILENT_BLOCKING_MS }
    : { commandTimeout: COMMAND_MS, enableOfflineQueue: false, maxRetriesPerRequest: 0, socketTimeout: SILENT_MS }
  const redis = new Redis(url, {
    ...patience,
    connectionName: `seine-${name}`,
    reconnectOnError: ({ message }) => IS_REPLICA.test(message),
    retryStrategy: (tries) => Math.min(LONGEST_PAUSE_MS, 50 * 2 ** Math.min(tries, 10)),
  })
  let isLost = false
  let refusedAt = -Infinity
  const send = redis.sendCommand.bind(redis)
  redis.sendCommand = (command, stream) => {
    command.promise.catch((err: unknown) => {
      // The client asks for INFO when it connects, and manages without.
      if (command.name === 'info' || !REFUSED.test((err as Error).message)) return
      if (performance.now() - refusedAt < REFUSED_AGAIN_MS) return
      refusedAt = performance.now()
      warn({ err, connection: name }, 'Redis refuses commands: until that is corrected, each process works on its own')
    })
    return send(command, stream)
  }
  redis.on('error', (err: unknown) => {
    if (!isLost) warn({ err, connection: name }, NOT_SIGNED_IN.test((err as Error).message) ? SIGN_IN_REFUSED : UNREACHABLE)
    isLost = true
  })
  redis.on('ready', () => {
    if (isLost) warn({ connection: name }, 'Redis can be reached again')
    isLost = false
  })
  if (!isBlocking) {
    const pings = setInterval(() => void redis.ping().catch(() => undefined), PING_MS).unref()
    redis.on('end', () => clearInterval(pings))
  }
  return redis
}
