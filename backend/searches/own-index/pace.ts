/** How long the indexer rests after a step. */

const AT_EASE_MS = 5
const CROWDED_MS = 1000
/** The share of a step's wall-clock time in which it had a core. With less, another program wanted the core. */
const ENOUGH = 0.6

/**
 * The index can wait longer than a crawl: while a step took much longer than its CPU time, the indexer does one step a second, and catches
 * up when the core is free again.
 *
 * @param wallMs  the step's wall-clock time
 * @param cpuMs   its CPU time
 */
export function pauseAfter({ wallMs, cpuMs }: { wallMs: number; cpuMs: number }): number {
  return cpuMs >= wallMs * ENOUGH ? AT_EASE_MS : CROWDED_MS
}
