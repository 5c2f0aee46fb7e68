/** Runs long synchronous work in short turns of the event loop, so that other work waits a few milliseconds at most. */
import { setImmediate } from 'node:timers/promises'

/** A request may block the event loop for 50 ms in total, and processes more than one list. */
const TURN_MS = 4

/** Takes all steps of a generator; calls `take` with what each of them yields. */
export async function inShortTurns<Piece, Made>(
  steps: Generator<Piece, Made>,
  take: (piece: Piece) => void = () => undefined,
): Promise<Made> {
  for (let since = performance.now(); ;) {
    const { done, value } = steps.next()
    if (done) return value
    take(value)
    if (performance.now() - since < TURN_MS) continue
    await setImmediate()
    since = performance.now()
  }
}

/** `items.map(make)`. */
export async function mapInShortTurns<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = []
  await inShortTurns(steps(), (one) => made.push(one))
  return made

  function* steps(): Generator<Made, void> {
    for (const item of items) yield make(item)
  }
}
