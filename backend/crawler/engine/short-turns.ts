/**
 * Keeps a loop from holding the event loop.
 *
 * URLs that need no fetch, as those of a trap that was closed, end at once, and each end starts the next: a hundred thousand of them in one
 * turn hold up everything else for seconds, so that on a busy machine the engine is taken for dead.
 *
 * @param now     milliseconds
 * @param resume  called in the next turn of the event loop when `isOver` has said so
 * @param turnMs  longest work in one turn
 */
export function createShortTurns({ now, resume, turnMs }: { now: () => number; resume: () => void; turnMs: number }) {
  let endsAt: number | null = null
  let isPutOff = false
  return {
    /** Whether the loop has to stop for now; until `resume` it stays so. */
    isOver(): boolean {
      if (endsAt === null) {
        endsAt = now() + turnMs
        setImmediate(begin)
      }
      isPutOff ||= now() > endsAt
      return isPutOff
    },
  }

  /** A new turn of the event loop. */
  function begin() {
    endsAt = null
    if (!isPutOff) return
    isPutOff = false
    resume()
  }
}
