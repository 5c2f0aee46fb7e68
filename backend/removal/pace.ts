/** The pause between two steps of a sweep. */

/** A sweep's share of a core and of the disk while runs are being worked on, checkpoints included. */
const BUSY_SHARE = 0.1
const BUSY_LEAST_MS = 20
/** The pause otherwise: only the API's own writes wait then, and they retry the lock within 25 ms. */
const EASY_MS = 5

/**
 * @param spentMs  wall-clock time of the step, with everything that belongs to it
 * @param isBusy  whether a run is being worked on
 */
export function pauseAfter({ spentMs, isBusy }: { spentMs: number; isBusy: boolean }): number {
  return isBusy ? Math.max(BUSY_LEAST_MS, spentMs * (1 / BUSY_SHARE - 1)) : EASY_MS
}
