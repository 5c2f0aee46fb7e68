/** Looks for work again and again, in one process one look at a time. */

type LookLoop = {
  /** Resolves when the look in progress, or a new one, has ended; never rejects. */
  look(): Promise<void>
  /** False as soon as it is being closed: work that takes long ends early. */
  isOpen(): boolean
  /** Starts no further look, and waits for the one in progress. */
  close(): Promise<void>
}

/**
 * @param every    calls a function repeatedly, until the returned function is called
 * @param ms       between two looks
 * @param onFault  called with the error of a look, unless it is being closed
 */
export function createLookLoop({
  every,
  ms,
  onFault,
  work,
}: {
  every: (ms: number, call: () => void) => () => void
  ms: number
  onFault: (error: unknown) => void
  work: () => Promise<void>
}): LookLoop {
  let working: Promise<void> | null = null
  let isOpen = true
  const stop = every(ms, () => void look())
  return { look, isOpen: () => isOpen, close }

  function look(): Promise<void> {
    if (isOpen)
      working ??= work()
        .catch((error: unknown) => isOpen && onFault(error))
        .then(() => {
          working = null
        })
    return working ?? Promise.resolve()
  }

  async function close(): Promise<void> {
    isOpen = false
    stop()
    await working
  }
}
