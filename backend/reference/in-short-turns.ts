/** Runs a generator in short turns of the event loop, so that other work waits a few milliseconds at most. */
import { setImmediate } from 'node:timers/promises'

const TURN_MS = 4

/** Takes all steps; calls `take` with what each of them yields. */
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
