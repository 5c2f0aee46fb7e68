/** A clock that moves when told, starting with the present. */

export type Clock = { now: () => number; advance(ms: number): void }

/** @param startAt  epoch milliseconds; by default the present, rounded to whole seconds, as tokens count */
export function createClock(startAt = Math.floor(Date.now() / 1000) * 1000): Clock {
  let at = startAt
  return { now: () => at, advance: (ms) => void (at += ms) }
}
