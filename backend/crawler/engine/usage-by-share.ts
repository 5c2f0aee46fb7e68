/**
 * How much of a scarce resource each share uses: fetches, bytes, time of a thread.
 *
 * A share is an opaque key: the owner of teams. No share may starve another; all runs with the same `share` divide one part between them.
 */
export function createUsageByShare() {
  const amounts = new Map<string, number>()
  let total = 0
  return {
    change,
    of: (share: string) => amounts.get(share) ?? 0,
    all: () => amounts.entries(),
    get total() {
      return total
    },
  }

  /** Adds to the usage of a share; a negative `by` subtracts. */
  function change(share: string, by: number) {
    total += by
    const amount = (amounts.get(share) ?? 0) + by
    if (amount > 0) amounts.set(share, amount)
    else amounts.delete(share)
  }
}

export type UsageByShare = ReturnType<typeof createUsageByShare>
