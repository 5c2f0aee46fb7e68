/**
 * Rate limits over all processes, counted by Redis with its own clock: a window is a key that expires. One script checks and counts all
 * tries of a call atomically, so that two processes never share the last call of a window.
 *
 * While Redis is down, each process counts by itself, as it would alone: sign-in still works, and guessing stays limited.
 */
import type { Redis } from 'ioredis'
import { keyOf, throttled } from './rate-limits.ts'
import type { GiveBack, Limit, RateLimits, Try } from './rate-limits.ts'

/** KEYS are windows; ARGV are calls and milliseconds of each, alternating. Returns the milliseconds left of a used-up window, or 0. */
const TAKE = `
for at, key in ipairs(KEYS) do
  local used = tonumber(redis.call('GET', key) or '0')
  if used >= tonumber(ARGV[2 * at - 1]) then return math.max(1, redis.call('PTTL', key)) end
end
for at, key in ipairs(KEYS) do
  if redis.call('INCR', key) == 1 then redis.call('PEXPIRE', key, ARGV[2 * at]) end
end
return 0`

/** Does not restore a window that has expired. */
const GIVE_BACK = `
for _, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '0') > 0 then redis.call('DECR', key) end
end`

/**
 * @param local   counts while Redis is down
 * @param prefix  of the keys
 */
export function createSharedRateLimits({ redis, local, prefix }: { redis: Redis; local: RateLimits; prefix: string }): RateLimits {
  return { take, takeAll }

  async function take(name: string, limit: Limit, ...parts: string[]): Promise<void> {
    await takeAll([{ name, limit, parts }])
  }

  async function takeAll(tries: readonly Try[]): Promise<GiveBack> {
    const keys = tries.map(({ name, parts }) => `${prefix}limit:${name}:${keyOf(parts)}`)
    const values = tries.flatMap(({ limit }) => [limit.calls, limit.seconds * 1000])
    let leftMs: number
    try {
      leftMs = (await redis.eval(TAKE, keys.length, ...keys, ...values)) as number
    } catch {
      // The connection itself logs that it is lost.
      return local.takeAll(tries)
    }
    if (leftMs > 0) throw throttled(Math.ceil(leftMs / 1000))
    return () => void redis.eval(GIVE_BACK, keys.length, ...keys).catch(() => undefined)
  }
}
