/** Lets a few work at a time, the others in the order in which they asked. */

export type Semaphore = {
  /** Does the work when it is its turn; its result, or its error. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when one more may work; `give` afterwards, exactly once. */
  take(): Promise<void>
  give(): void
}

/** @param places  how many may work at a time */
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
    // The place is handed on: a caller who asks at this moment does not come between.
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function give(): void {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
}
