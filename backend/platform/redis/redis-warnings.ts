/** Warnings about a Redis that can be used, but is set up for other things. */
import type { Redis } from './redis.ts'

/** BullMQ waits for hints with a command of this version. */
const LEAST_VERSION = 5

/** Reads what the server says about itself; a user without the right to ask gets no warning. */
export async function redisWarnings(redis: Pick<Redis, 'info'>): Promise<string[]> {
  const info = await redis.info().catch(() => '')
  const value = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const warnings: string[] = []
  const [version, policy] = [value('redis_version'), value('maxmemory_policy')]
  if (version !== '' && Number.parseInt(version, 10) < LEAST_VERSION)
    warnings.push(
      `the Redis of REDIS_URL is version ${version}, but must be ${LEAST_VERSION} or later: other processes start waiting jobs later`,
    )
  if (Number(value('maxmemory')) > 0 && policy !== '' && policy !== 'noeviction')
    warnings.push(
      `the Redis of REDIS_URL may drop keys when its memory is full (maxmemory-policy ${policy}), and rate limits with them: set maxmemory-policy to noeviction`,
    )
  return warnings
}
