/**
 * Which share may have one more run in progress.
 *
 * Places are limited, and each share (opaque key; the engine uses the owners of teams) is owed an equal part of them and of the memory for
 * known URLs. While a share has less than its part, its next run is taken although all places are used, up to as many again: it does not
 * wait for other runs' slices to end. What a share does not need goes to the others.
 */

/** What `places` needs to know of a run in progress. */
export type PlacedRun = {
  share: string
  /** It is short, or shares the place of another part of its run. */
  hasNoPlace?: boolean
  /** It starts no more fetches and waits for the last ones. */
  isYielding: boolean
  /** Memory of its known URLs. */
  knownBytes: number
}

export type Places = ReturnType<typeof countPlaces>

/**
 * @param most       places
 * @param mostBytes  memory for known URLs of all runs together
 */
export function countPlaces(runs: Iterable<PlacedRun>, { most, mostBytes }: { most: number; mostBytes: number }) {
  const shares = new Map<string, { places: number; yielding: number; bytes: number }>()
  for (const { hasNoPlace = false, isYielding, knownBytes, share } of runs) {
    let used = shares.get(share)
    if (used === undefined) shares.set(share, (used = { places: 0, yielding: 0, bytes: 0 }))
    if (isYielding) used.yielding += 1
    else if (!hasNoPlace) used.places += 1
    used.bytes += knownBytes
  }
  let places = 0
  let bytes = 0
  for (const used of shares.values()) {
    // Runs that only wait for their last fetches, which may hang, do not count; a share may have as many of them as there are places.
    used.places += Math.max(0, used.yielding - most)
    places += used.places
    bytes += used.bytes
  }
  return {
    mayTake,
    /** Places that a share uses. */
    of: (share: string) => shares.get(share)?.places ?? 0,
    /** Only places that are owed to a share are left. */
    isFull: places >= most,
  }

  function mayTake(share: string): boolean {
    const own = shares.get(share)
    const sharers = shares.size + (own === undefined ? 1 : 0)
    return (
      isOwed(own?.places ?? 0, places, most, Math.max(1, Math.floor(most / sharers))) &&
      isOwed(own?.bytes ?? 0, bytes, mostBytes, mostBytes / sharers)
    )
  }

  function isOwed(own: number, total: number, limit: number, part: number): boolean {
    return total < limit || (own < part && total < 2 * limit)
  }
}
