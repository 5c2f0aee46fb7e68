/** How long the indexer rests after a bite. */

const AT_EASE_MS = 5
const CROWDED_MS = 1000
/** Of a bite's time on the clock, the share that it had a core. Less, and somebody else wanted it. */
const ENOUGH = 0.6

/**
 * Nobody waits for the index as somebody waits for a crawl: while a bite took much longer than its own work, one bite a second is
 * enough, and when the core is free again it catches up.
 *
 * @param wallMs  what the bite took on the clock
 * @param cpuMs   what it took of a core
 */
export function pauseAfter({ wallMs, cpuMs }: { wallMs: number; cpuMs: number }): number {
  return cpuMs >= wallMs * ENOUGH ? AT_EASE_MS : CROWDED_MS
}
