/**
 * Work that waits for one of few slots: the share with the least work in progress is next; among equals, the share that has waited longest.
 */
import { createUsageByShare } from './usage-by-share.ts'

export function createFairQueue<Item extends { share: string }>() {
  const waiting = new Map<string, Item[]>()
  const working = createUsageByShare()
  return {
    push,
    remove,
    next,
    begin,
    /** Call when the work of an item has ended. */
    end: ({ share }: Item) => working.change(share, -1),
    get isEmpty() {
      return waiting.size === 0
    },
    /** How much work is in progress. */
    get working() {
      return working.total
    },
  }

  function push(item: Item): void {
    const own = waiting.get(item.share)
    if (own === undefined) waiting.set(item.share, [item])
    else own.push(item)
  }

  /** False when it does not wait. */
  function remove(item: Item): boolean {
    const own = waiting.get(item.share) ?? []
    const rest = own.filter((each) => each !== item)
    if (rest.length === 0) waiting.delete(item.share)
    else waiting.set(item.share, rest)
    return rest.length < own.length
  }

  /**
   * The next item that may begin, or when to ask again; null when none waits.
   *
   * @param opensAt  when an item may begin; null: now
   */
  function next(opensAt: (item: Item) => number | null): Item | { opensAt: number } | null {
    if (waiting.size === 0) return null
    let soonest = Infinity
    for (const share of [...waiting.keys()].toSorted((one, other) => working.of(one) - working.of(other)))
      for (const item of waiting.get(share)!) {
        const at = opensAt(item)
        if (at === null) return item
        soonest = Math.min(soonest, at)
      }
    return { opensAt: soonest }
  }

  /** Takes an item out of the queue; its share goes behind the others. */
  function begin(item: Item): void {
    remove(item)
    const rest = waiting.get(item.share)
    if (rest !== undefined) {
      waiting.delete(item.share)
      waiting.set(item.share, rest)
    }
    working.change(item.share, 1)
  }
}
