/** Long lists without holding up others. */
import { setImmediate } from 'node:timers/promises'

/** A request may hold the event loop for 50 ms, and does more than go through one list. */
const TURN_MS = 5

/** `items.map(make)`; others have a turn of the event loop whenever it has taken 5 ms. */
export async function inTurns<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = []
  let began = performance.now()
  for (const item of items) {
    if (performance.now() - began > TURN_MS) {
      await setImmediate()
      began = performance.now()
    }
    made.push(make(item))
  }
  return made
}
