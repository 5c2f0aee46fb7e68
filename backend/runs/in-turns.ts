/** Processes long lists without blocking other work. */
import { setImmediate } from 'node:timers/promises'

/** A request may block the event loop for 50 ms in total, and processes more than one list. */
const TURN_MS = 5

/** `items.map(make)`, with a turn of the event loop for other work after each 5 ms. */
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
