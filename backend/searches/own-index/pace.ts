/** How long the indexer rests after a step. */

const AT_EASE_MS = 5
const CROWDED_MS = 1000
/** The share of a step's wall-clock time in which it had a core. With less, another program wanted the core. */
const ENOUGH = 0.6

/**
 * The index can wait longer than a crawl: while a step took much longer than its CPU time, the indexer does one step a second, and catches
 * up when the core is free again.
 *
 * @param wallMs    the step's wall-clock time
 * @param cpuMs     its CPU time
 * @param waitedMs  time in which a database server worked for it, which then gets a rest as long
 */
export function pauseAfter({ wallMs, cpuMs, waitedMs = 0 }: { wallMs: number; cpuMs: number; waitedMs?: number | undefined }): number {
  if (cpuMs < (wallMs - waitedMs) * ENOUGH) return CROWDED_MS
  return Math.min(Math.max(waitedMs, AT_EASE_MS), CROWDED_MS)
}
