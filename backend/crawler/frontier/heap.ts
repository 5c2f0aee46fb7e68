/** A binary heap: reading the first item takes constant time, adding or removing one takes logarithmic time. */
export function createHeap<T>(comesBefore: (one: T, other: T) => boolean) {
  const items: T[] = []
  return { push, pop, peek: (): T | undefined => items[0] }

  function push(item: T) {
    let at = items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!comesBefore(item, items[parent]!)) break
      items[at] = items[parent]!
      at = parent
    }
    items[at] = item
  }

  function pop(): T | undefined {
    const first = items[0]
    const last = items.pop()
    if (last === undefined || items.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && comesBefore(items[child + 1]!, items[child]!)) child += 1
      if (!comesBefore(items[child]!, last)) break
      items[at] = items[child]!
      at = child
    }
    items[at] = last
    return first
  }
}
