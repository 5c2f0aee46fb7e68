/** Limits concurrent work and serves callers round-robin, so that one caller's queue does not delay the others. */
import { AppError } from '#backend/errors.ts'

type Waiting = { go: () => void; refuse: (error: Error) => void }

/**
 * @param atOnce      how many tasks run at a time
 * @param maxWaiting  how many tasks may wait; with more, the newest task of the longest queue is rejected
 */
export function createRoundRobinLimit({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }) {
  const queues = new Map<string, Waiting[]>()
  let free = atOnce
  let waiting = 0

  /** Runs the task when it is the caller's turn. Throws `unavailable` when too many tasks wait and most of them are this caller's. */
  return async function inTurn<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1
    else await turnOf(caller)
    try {
      return await work()
    } finally {
      const next = takeNext()
      if (next) next.go()
      else free += 1
    }
  }

  function turnOf(caller: string): Promise<void> {
    return new Promise((go, refuse) => {
      queues.set(caller, [...(queues.get(caller) ?? []), { go, refuse }])
      waiting += 1
      if (waiting > maxWaiting) refuseOne()
    })
  }

  /** The first task of the next caller, who then goes to the end of the round. */
  function takeNext(): Waiting | undefined {
    for (const [caller, [next, ...rest]] of queues) {
      queues.delete(caller)
      if (rest.length > 0) queues.set(caller, rest)
      if (next === undefined) continue
      waiting -= 1
      return next
    }
    return undefined
  }

  function refuseOne(): void {
    const [caller, queue] = [...queues].reduce((longest, each) => (each[1].length > longest[1].length ? each : longest))
    const last = queue.pop()
    if (queue.length === 0) queues.delete(caller)
    waiting -= 1
    last?.refuse(new AppError('unavailable'))
  }
}
