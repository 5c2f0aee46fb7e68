/** Removes the blobs of deleted runs for a sweep. While their store refuses, only what depends on it waits, and not the data of other runs. */

/** After so many failures in a row, the blobs of further runs are not tried before the next round. */
const MOST_FAILURES = 3

/** @param dropBlobs  removes all blobs of a run; may be called again after a failure */
export function createBlobDrops(dropBlobs: (runNo: number) => Promise<void>) {
  let failures = 0
  let fault: unknown = null
  return { drop, endRound }

  /** False when the blobs of the run are still there: its row must stay. */
  async function drop(runNo: number): Promise<boolean> {
    if (failures >= MOST_FAILURES) return false
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
