/**
 * How much of something scarce each share has in use: fetches, bytes, time of a thread.
 *
 * A share is an opaque key, such as a team: no share may starve another, and all runs with the same `share` divide one part between them.
 */
export type UsageByShare = ReturnType<typeof createUsageByShare>

export function createUsageByShare() {
  const amounts = new Map<string, number>()
  let total = 0
  return {
    change,
    /** What a share has in use. */
    of: (share: string) => amounts.get(share) ?? 0,
    /** What all shares have in use together. */
    get total() {
      return total
    },
  }

  /** A share takes `by` more, or gives back what it took when `by` is negative. */
  function change(share: string, by: number) {
    total += by
    const amount = (amounts.get(share) ?? 0) + by
    if (amount > 0) amounts.set(share, amount)
    else amounts.delete(share)
  }
}
