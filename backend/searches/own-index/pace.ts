/** How long the indexer rests after a step. */

const AT_EASE_MS = 5
const CROWDED_MS = 1000
/** Of a step's time on the clock, the share that it had a core. With less, another program wanted the core. */
const ENOUGH = 0.6

/**
 * The index can wait longer than a crawl can: while a step took much longer than its own work, one step a second is enough, and the
 * indexer catches up when the core is free again.
 *
 * @param wallMs  what the step took on the clock
 * @param cpuMs   what it took of a core
 */
export function pauseAfter({ wallMs, cpuMs }: { wallMs: number; cpuMs: number }): number {
  return cpuMs >= wallMs * ENOUGH ? AT_EASE_MS : CROWDED_MS
}
