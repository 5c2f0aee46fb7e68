/**
 * Queues the work of several shares for one resource, so that each share gets as much of its time as the others.
 *
 * Every share has a clock that counts the measured milliseconds of its work. The share with the lowest clock is next, so a share pays for a
 * long piece by waiting. A share that returns from a pause starts at the time of the others, less a small credit: a pause saves up nothing,
 * and a share with little work is served at once.
 */
type Line<Item> = { share: string; items: Item[]; clock: number; inWork: number }

/** How far behind the others a returning share may start, in milliseconds. */
const CREDIT_MS = 50
/** Clocks kept of shares without work. */
const MOST_IDLE = 1000

export function createTimeSharedQueue<Item>() {
  const lines = new Map<string, Line<Item>>()
  let length = 0
  // The clock of the share that was last served.
  let present = 0
  return {
    push: (share: string, item: Item) => put(share, item, false),
    /** Puts a piece back in front of its share's others. */
    putBack: (share: string, item: Item) => put(share, item, true),
    next,
    /** Whether `next` would take a piece. */
    hasNext: (mayTake: (item: Item, share: string) => boolean) => nextLine(mayTake) !== null,
    charge,
    /** Call when a piece from `next` has ended. */
    done,
    worksForOther,
    leadOf,
    queuedOf: (share: string) => lines.get(share)?.items.length ?? 0,
    /** Waiting pieces of all shares. */
    get length() {
      return length
    },
  }

  function put(share: string, item: Item, isFirst: boolean) {
    const line = lineOf(share)
    if (line.items.length === 0 && line.inWork === 0) line.clock = Math.max(line.clock, present - CREDIT_MS)
    if (isFirst) line.items.unshift(item)
    else line.items.push(item)
    length += 1
  }

  /** Takes the next piece. A share whose first piece `mayTake` refuses is passed over. */
  function next(mayTake?: (item: Item, share: string) => boolean): { share: string; item: Item } | null {
    const best = nextLine(mayTake)
    if (best === null) return null
    present = Math.max(present, best.clock)
    best.inWork += 1
    length -= 1
    return { share: best.share, item: best.items.shift()! }
  }

  function nextLine(mayTake: (item: Item, share: string) => boolean = () => true): Line<Item> | null {
    let best: Line<Item> | null = null
    for (const line of lines.values())
      if (line.items.length > 0 && (best === null || line.clock < best.clock) && mayTake(line.items[0]!, line.share)) best = line
    return best
  }

  /** Charges a share for milliseconds of work; a negative number refunds. */
  function charge(share: string, ms: number) {
    lineOf(share).clock += ms
  }

  function done(share: string) {
    const line = lines.get(share)
    if (line === undefined) return
    line.inWork -= 1
    if (lines.size <= MOST_IDLE) return
    for (const [key, { clock, inWork, items }] of lines) if (items.length === 0 && inWork === 0 && clock <= present) lines.delete(key)
  }

  /** Whether pieces of a share other than `share` wait or are in work; without `share`, pieces of several shares. */
  function worksForOther(share?: string): boolean {
    let first = share
    for (const line of lines.values()) {
      if (line.items.length === 0 && line.inWork === 0) continue
      first ??= line.share
      if (line.share !== first) return true
    }
    return false
  }

  /** By how many milliseconds a share is ahead of the one of `others` that has had least; 0 when it is behind. */
  function leadOf(share: string, others: (share: string) => boolean): number {
    const own = lines.get(share)?.clock ?? present
    let least = own
    for (const line of lines.values()) if (line.share !== share && line.clock < least && others(line.share)) least = line.clock
    return own - least
  }

  function lineOf(share: string): Line<Item> {
    let line = lines.get(share)
    if (line === undefined) {
      line = { share, items: [], clock: present - CREDIT_MS, inWork: 0 }
      lines.set(share, line)
    }
    return line
  }
}
