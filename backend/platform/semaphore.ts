/** Limits concurrent work; waiting callers are served in order. */

export type Semaphore = {
  /** Runs the work when its turn comes; returns its result or throws its error. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when one more may work; call `give` afterwards, exactly once. */
  take(): Promise<void>
  give(): void
}

/** @param places  most concurrent work */
export function createSemaphore(places: number): Semaphore {
  let free = places
  const waiting: (() => void)[] = []
  return { during, take, give }

  async function during<T>(work: () => Promise<T>): Promise<T> {
    await take()
    try {
      return await work()
    } finally {
      give()
    }
  }

  async function take(): Promise<void> {
    if (free > 0) free -= 1
    // The place is handed over directly, so that no new caller gets in between.
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function give(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
}
