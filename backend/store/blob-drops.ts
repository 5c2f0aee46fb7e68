/** Removes the blobs of deleted runs for a sweep. While their store refuses, only what depends on it waits, and not the data of other runs. */

/**
 * After so many failures in a row, the next run is tried in this round with a chance of a half, and after each further failure with half of
 * that: an outage costs few tries, and runs whose blobs can never be removed do not keep others from theirs.
 */
const SURE_TRIES = 3

/**
 * @param dropBlobs  removes all blobs of a run; may be called again after a failure
 * @param random     from 0 to below 1
 */
export function createBlobDrops(dropBlobs: (runNo: number) => Promise<void>, random: () => number = Math.random) {
  let failures = 0
  let fault: unknown = null
  return { drop, endRound }

  /** False when the blobs of the run are still there: its row must stay. */
  async function drop(runNo: number): Promise<boolean> {
    if (failures >= SURE_TRIES && random() >= 0.5 ** (failures - SURE_TRIES + 1)) return false
    try {
      await dropBlobs(runNo)
      failures = 0
      return true
    } catch (thrown) {
      failures += 1
      fault = thrown
      return false
    }
  }

  /** Call when everything else has been removed. Throws the last failure of the round. */
  function endRound(): void {
    const thrown = fault
    failures = 0
    fault = null
    if (thrown !== null) throw thrown
  }
}
