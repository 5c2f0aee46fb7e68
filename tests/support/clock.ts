/** A clock that only a test moves, starting now. */

export type Clock = { now: () => number; advance(ms: number): void }

/** @param startAt  epoch milliseconds; by default now, rounded to whole seconds, the unit of tokens */
export function createClock(startAt = Math.floor(Date.now() / 1000) * 1000): Clock {
  let at = startAt
  return { now: () => at, advance: (ms) => void (at += ms) }
}
