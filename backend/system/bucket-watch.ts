/**
 * Whether the bucket of captured files answers. It is asked at most every half minute, however often readiness is read. A slow answer does not
 * delay readiness, whose readers give up after a second: until it is there, the answer before it counts.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Check } from './routes.ts'

const ASK_MS = 30_000
const SOON_MS = 300

/**
 * @param ping    throws when the bucket does not answer; null without a bucket
 * @param steady  a clock for durations
 */
export function createBucketWatch({ ping, steady }: { ping: (() => Promise<void>) | null; steady: () => number }): () => Promise<Check> {
  if (ping === null) return async () => 'off'
  let askedAt = -Infinity
  let known: Promise<Check> | null = null
  return () => {
    if (known !== null && steady() - askedAt < ASK_MS) return known
    askedAt = steady()
    const before = known
    const asked = ping().then(
      (): Check => 'ok',
      (): Check => 'failed',
    )
    known = before === null ? asked : Promise.race([asked, wait(SOON_MS, before, { ref: false })])
    void asked.then(() => (known = asked))
    return known
  }
}
