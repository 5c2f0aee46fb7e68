/**
 * Keeps a loop from blocking the event loop.
 *
 * URLs that need no fetch, such as those of a closed trap, end at once, and each end starts the next. A hundred thousand of them in one
 * turn would block everything else for seconds, and on a busy machine the engine would be taken for dead.
 *
 * @param now     the clock, in milliseconds
 * @param resume  called in the next turn of the event loop after `isOver` has returned true
 * @param turnMs  longest work in one turn
 */
export function createShortTurns({ now, resume, turnMs }: { now: () => number; resume: () => void; turnMs: number }) {
  let endsAt: number | null = null
  let isPutOff = false
  return {
    /** Whether the loop has to stop for now; stays true until `resume` is called. */
    isOver(): boolean {
      if (endsAt === null) {
        endsAt = now() + turnMs
        setImmediate(begin)
      }
      isPutOff ||= now() > endsAt
      return isPutOff
    },
  }

  /** Starts a new turn. */
  function begin() {
    endsAt = null
    if (!isPutOff) return
    isPutOff = false
    resume()
  }
}
