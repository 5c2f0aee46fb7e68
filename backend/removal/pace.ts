/** How long a sweep rests between two steps. */

/** Of the time that a sweep may hold the write lock while runs are being worked on. A crawl commits a few times a second. */
const BUSY_SHARE = 0.1
const BUSY_LEAST_MS = 20
/** Nobody waits but the API's own writes, which look for the lock again within 25 ms. */
const EASY_MS = 5

/**
 * @param heldMs  what the step held the write lock for
 * @param isBusy  whether a run is being worked on
 */
export function pauseAfter({ heldMs, isBusy }: { heldMs: number; isBusy: boolean }): number {
  return isBusy ? Math.max(BUSY_LEAST_MS, heldMs * (1 / BUSY_SHARE - 1)) : EASY_MS
}
