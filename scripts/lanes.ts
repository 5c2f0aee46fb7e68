/**
 * Test files at a time for each processor. A file waits for about half of its time: for a browser, a process or a crawl
 * delay. With three files for two processors these stood idle for a third of the time; with six, more than twenty threads
 * waited for a processor, and the whole took no less time.
 */
const PER_PROCESSOR = 2
/** A browser, the product and its engine, and the test itself need about 0.7 GiB. */
const BYTES_PER_LANE = 1024 ** 3
const LEAST = 2
/** All of them share one PostgreSQL and one disk. */
const MOST = 8

/** How many test files run at a time on a machine with so many processors, and so much memory that nothing uses. */
export function laneCount({ memoryBytes, processors }: { memoryBytes: number; processors: number }): number {
  return Math.max(LEAST, Math.min(MOST, PER_PROCESSOR * processors, Math.floor(memoryBytes / BYTES_PER_LANE)))
}
