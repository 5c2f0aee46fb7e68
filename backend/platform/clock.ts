/**
 * Two clocks. The wall clock is for people and other processes; it may jump by hours when it is set. The steady clock never goes back, and
 * stops while the machine sleeps. Waits and durations use the steady clock; stored and displayed instants use the wall clock.
 */
export type Clock = { wall: () => number; steady: () => number }

/** Milliseconds that start near the wall clock's time and then grow steadily, whatever happens to that clock. */
export function steadyClock(): () => number {
  const origin = Date.now() - performance.now()
  return () => origin + performance.now()
}

/** Converts an instant of the steady clock for storage. */
export function toStored({ steady, wall }: Clock, instant: number): number {
  return Math.round(wall() + (instant - steady()))
}

/**
 * Converts a stored instant to the steady clock.
 *
 * @param mostMs  the furthest that such an instant can be in the future: a later one was stored while the clock was wrong
 */
export function fromStored({ steady, wall }: Clock, stored: number, mostMs: number): number {
  return steady() + Math.min(stored - wall(), mostMs)
}

/** The clocks of processes differ by less, and so do a clock and its usual corrections. */
const SLACK_MS = 60_000

/** The latest instant until which something can wait that waits for `mostMs` at most. */
export const latestWait = (now: number, mostMs: number): number => now + mostMs + SLACK_MS

/**
 * A stored instant of the wall clock until which something waits. One that is further ahead than such a wait can last was stored while the
 * clock was wrong, and counts as passed: otherwise a clock that was set back would stop the work for as long.
 */
export function waitUntil(stored: number, now: number, mostMs: number): number {
  return stored > latestWait(now, mostMs) ? 0 : stored
}

/** Returns a function that tells whether the wall clock was set by `leastMs` or more since the call before, or the machine slept for as long. */
export function clockChanges({ steady, wall }: Clock, leastMs: number): () => boolean {
  let apart = wall() - steady()
  return () => {
    const before = apart
    apart = wall() - steady()
    return Math.abs(apart - before) >= leastMs
  }
}
