/**
 * Which team may have one more run in progress.
 *
 * There are so many places, and each share (opaque key; the engine gives one per team) is owed an equal part of them and of the memory for
 * known URLs. While a share has less than its part, its next run is taken although the others hold every place, up to as many again: it
 * does not wait for the end of their slices. What a share does not need goes to the others.
 */

/** A run in progress, as far as its place is concerned. */
export type PlacedRun = {
  share: string
  /** It is short, or stands in the place of another part of the same run. */
  hasNoPlace?: boolean
  /** It starts no more fetches and waits for those that it has. */
  isYielding: boolean
  /** Memory of the URLs that it knows. */
  knownBytes: number
}

export type Places = ReturnType<typeof countPlaces>

/**
 * @param most       places
 * @param mostBytes  memory of known URLs, of all runs together
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
    // A run that only waits for its last fetches, which may hang, keeps no other waiting; a share may have as many of them as there are places.
    used.places += Math.max(0, used.yielding - most)
    places += used.places
    bytes += used.bytes
  }
  return {
    mayTake,
    /** Places that a share has. */
    of: (share: string) => shares.get(share)?.places ?? 0,
    /** No place is left but those that a share is owed. */
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
