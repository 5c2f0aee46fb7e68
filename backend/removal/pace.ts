/** The pause of a sweep between two steps. */

/** Of a core and of the disk, what a sweep may take while runs are being worked on: its steps and what it moves into the file. */
const BUSY_SHARE = 0.1
const BUSY_LEAST_MS = 20
/** Only the API's own writes wait; they try the lock again within 25 ms. */
const EASY_MS = 5

/**
 * @param spentMs  what the step took on the clock, with what belongs to it
 * @param isBusy  whether a run is being worked on
 */
export function pauseAfter({ spentMs, isBusy }: { spentMs: number; isBusy: boolean }): number {
  return isBusy ? Math.max(BUSY_LEAST_MS, spentMs * (1 / BUSY_SHARE - 1)) : EASY_MS
}
