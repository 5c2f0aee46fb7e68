/**
 * Two clocks. The wall clock is what people and other processes read; it may jump, by hours, when it is set. The steady clock only goes
 * forward, and stands still while the machine sleeps. Whatever is waited for or measured is an instant of the steady clock; whatever is
 * stored or shown is an instant of the wall clock.
 */
export type Clock = { wall: () => number; steady: () => number }

/** Milliseconds that start near the wall clock's time and then grow steadily, whatever happens to that clock. */
export function steadyClock(): () => number {
  const origin = Date.now() - performance.now()
  return () => origin + performance.now()
}

/** An instant of the steady clock as it is stored. */
export function toStored({ steady, wall }: Clock, instant: number): number {
  return Math.round(wall() + (instant - steady()))
}

/**
 * A stored instant on the steady clock.
 *
 * @param mostMs  how far in the future it can have been meant: one that lies further was written under another time
 */
export function fromStored({ steady, wall }: Clock, stored: number, mostMs: number): number {
  return steady() + Math.min(stored - wall(), mostMs)
}
