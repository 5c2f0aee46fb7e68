/** Long lists without holding up others. */
import { setImmediate } from 'node:timers/promises'

const AT_ONCE = 50

/** `items.map(make)`, the event loop turning after each fifty. */
export async function inTurns<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    if (at > 0) await setImmediate()
    for (const item of items.slice(at, at + AT_ONCE)) made.push(make(item))
  }
  return made
}
