/**
 * Requests in progress at IP addresses: all names on an address share one limit.
 *
 * Shares (opaque keys; the engine uses the owners of teams) that want places at the same address get equal parts of them, whatever the
 * others' requests take: otherwise one with slow pages keeps every place of an address that many sites are on. Places that cannot be divided
 * equally, such as one place for two shares, go to these shares in turn. Places that no other share wants go to any share.
 */
type Use = {
  inProgress: number
  wantedAt: number
  /** The turn in which a request was started last. */
  startedAt: number
}

/** A share that was refused a place wants one for so long; it repeats its claim more often. */
export const WANTED_MS = 2000

const UNUSED: Readonly<Use> = { inProgress: 0, wantedAt: -Infinity, startedAt: 0 }

/** Fewer addresses than this need no clean-up. */
const FEW_ADDRESSES = 1000

/**
 * @param most  requests in progress at one address
 * @param now   milliseconds of a monotonic clock
 */
export function createAddressPlaces({ most, now }: { most: number; now: () => number }) {
  const byAddress = new Map<string, Map<string, Use>>()
  let turn = 0
  let cleanUpAt = FEW_ADDRESSES
  return {
    change,
    mayTake,
    want,
    /** The number of addresses in memory. */
    get size() {
      return byAddress.size
    },
  }

  /** A request of the share has started (1) or ended (-1) at the address. */
  function change(address: string, share: string, by: number) {
    const use = useOf(address, share)
    use.inProgress += by
    if (by > 0) use.startedAt = turn += 1
    forgetUnused(address, now())
    cleanUp()
  }

  /** Whether the share may start a request at the address. If not, a place is kept for it. */
  function mayTake(address: string, share: string): boolean {
    const uses = byAddress.get(address)
    if (uses === undefined) return true
    const may = hasPlace(uses, share)
    if (!may) want(address, share)
    return may
  }

  function hasPlace(uses: ReadonlyMap<string, Use>, share: string): boolean {
    const at = now()
    let free = most
    const others: Use[] = []
    for (const [other, use] of uses) {
      free -= use.inProgress
      if (other !== share && at - use.wantedAt < WANTED_MS) others.push(use)
    }
    if (free <= 0 || others.length === 0) return free > 0
    const part = Math.floor(most / (others.length + 1))
    const own = uses.get(share) ?? UNUSED
    if (own.inProgress !== part) return own.inProgress < part
    // All others may have their parts, and those that have waited longer the places that are over.
    for (const { inProgress, startedAt } of others)
      free -= Math.max(0, part - inProgress) + (inProgress <= part && startedAt < own.startedAt ? 1 : 0)
    return free > 0
  }

  /** The share would start a request at the address if its host had a place. */
  function want(address: string, share: string) {
    useOf(address, share).wantedAt = now()
  }

  function useOf(address: string, share: string): Use {
    let uses = byAddress.get(address)
    if (uses === undefined) byAddress.set(address, (uses = new Map<string, Use>()))
    let use = uses.get(share)
    if (use === undefined) uses.set(share, (use = { ...UNUSED }))
    return use
  }

  function forgetUnused(address: string, at: number) {
    const uses = byAddress.get(address)!
    for (const [share, { inProgress, wantedAt }] of uses) if (inProgress === 0 && at - wantedAt >= WANTED_MS) uses.delete(share)
    if (uses.size === 0) byAddress.delete(address)
  }

  /** Claims outlast the last request at an address, and often none follows there. */
  function cleanUp() {
    if (byAddress.size < cleanUpAt) return
    const at = now()
    for (const address of byAddress.keys()) forgetUnused(address, at)
    cleanUpAt = Math.max(FEW_ADDRESSES, 2 * byAddress.size)
  }
}
