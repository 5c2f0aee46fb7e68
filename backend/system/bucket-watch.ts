/** Whether the bucket of captured files answers. It is asked at most every half minute, however often readiness is read. */
import type { Check } from './routes.ts'

const ASK_MS = 30_000

/**
 * @param ping    throws when the bucket does not answer; null without a bucket
 * @param steady  a clock for durations
 */
export function createBucketWatch({ ping, steady }: { ping: (() => Promise<void>) | null; steady: () => number }): () => Promise<Check> {
  if (ping === null) return async () => 'off'
  let known: { at: number; check: Promise<Check> } | null = null
  return () => {
    if (known === null || steady() - known.at >= ASK_MS)
      known = {
        at: steady(),
        check: ping().then(
          () => 'ok',
          () => 'failed',
        ),
      }
    return known.check
  }
}
