/** Does work at the time at which it is due, in one process one pass at a time. */

/**
 * @param committed  resolves when all open transactions have ended
 * @param mostMs     longest pause between two passes, in case the clock or another process has changed something
 * @param onFault    called with the error of a pass, unless the loop is being stopped
 * @param work       does what is due; returns when more is due
 */
export function createDueLoop({
  committed,
  mostMs,
  now,
  onFault,
  work,
}: {
  committed: () => Promise<void>
  mostMs: number
  now: () => number
  onFault: (error: unknown) => void
  work: () => Promise<number>
}) {
  let timer: NodeJS.Timeout | undefined
  let isOpen = false
  let isWorking = false
  let mustWorkAgain = false
  /** Woken by a transaction that may not have committed yet. */
  let isWoken = false
  return { start, wake, pass, isOpen: () => isOpen, stop }

  function start(): void {
    isOpen = true
    schedule(0)
  }

  /** Call when something may be due, even in a transaction that is still open. */
  function wake(): void {
    isWoken = true
    schedule(0)
  }

  /** Starts no further pass. */
  function stop(): void {
    isOpen = false
    clearTimeout(timer)
  }

  function schedule(waitMs: number): void {
    if (!isOpen) return
    clearTimeout(timer)
    timer = setTimeout(() => void pass(), waitMs).unref()
  }

  /** Looks for work now, or once more if a pass is in progress; never rejects. */
  async function pass(): Promise<void> {
    mustWorkAgain = true
    if (isWorking || !isOpen) return
    isWorking = true
    try {
      let nextAt = Infinity
      do {
        mustWorkAgain = false
        if (isWoken) {
          isWoken = false
          await committed()
        }
        nextAt = await work()
        // A wake-up in the meantime would have its timer replaced below, so check again now.
      } while ((mustWorkAgain || isWoken) && isOpen)
      schedule(Math.min(mostMs, Math.max(0, nextAt - now())))
    } catch (error) {
      if (isOpen) onFault(error)
      schedule(mostMs)
    } finally {
      isWorking = false
    }
  }
}
