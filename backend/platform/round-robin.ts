/** Limits concurrent work and serves callers round-robin, so that one caller's queue does not delay the others. */
type Waiting = { go: () => void; refuse: (error: Error) => void }

export type InTurn = <T>(caller: string, work: () => Promise<T>) => Promise<T>

/**
 * Runs the work when it is the caller's turn.
 *
 * @param atOnce      how many tasks run at a time
 * @param ofCaller    how many of them may be of one caller
 * @param maxWaiting  how many tasks may wait; with more, the newest task of the longest queue is rejected
 * @param refusal     the error of a rejected task
 */
export function createRoundRobin({
  atOnce,
  maxWaiting,
  ofCaller = atOnce,
  refusal,
}: {
  atOnce: number
  maxWaiting: number
  ofCaller?: number
  refusal: () => Error
}): InTurn {
  const queues = new Map<string, Waiting[]>()
  const working = new Map<string, number>()
  let free = atOnce
  let waiting = 0

  return async function inTurn(caller, work) {
    if (free > 0 && mayWork(caller)) begin(caller)
    else await turnOf(caller)
    try {
      return await work()
    } finally {
      end(caller)
    }
  }

  function mayWork(caller: string): boolean {
    return (working.get(caller) ?? 0) < ofCaller
  }

  function begin(caller: string): void {
    free -= 1
    working.set(caller, (working.get(caller) ?? 0) + 1)
  }

  function end(caller: string): void {
    free += 1
    const left = working.get(caller)! - 1
    if (left > 0) working.set(caller, left)
    else working.delete(caller)
    startNext()
  }

  function turnOf(caller: string): Promise<void> {
    return new Promise((go, refuse) => {
      const queue = queues.get(caller) ?? []
      queue.push({ go, refuse })
      queues.set(caller, queue)
      waiting += 1
      if (waiting > maxWaiting) refuseOne()
    })
  }

  /** Starts the first task of the next caller that may have one; the caller then goes to the end of the round. */
  function startNext(): void {
    for (const [caller, queue] of queues) {
      if (!mayWork(caller)) continue
      queues.delete(caller)
      const next = queue.shift()!
      if (queue.length > 0) queues.set(caller, queue)
      waiting -= 1
      begin(caller)
      return next.go()
    }
  }

  function refuseOne(): void {
    const [caller, queue] = [...queues].reduce((longest, each) => (each[1].length > longest[1].length ? each : longest))
    const last = queue.pop()
    if (queue.length === 0) queues.delete(caller)
    waiting -= 1
    last?.refuse(refusal())
  }
}
